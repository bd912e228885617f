/* The GPU that programs run on, its memory, and calls that must not fail. */
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

#include "tools/gpu/device.hpp"

/* Ends the program with one line where a CUDA call failed. */
#define GPU_TRY(call) ::gpu::try_call((call), #call, __FILE__, __LINE__)
/* The same for the kernel launch before it. */
#define GPU_LAUNCHED() GPU_TRY(cudaGetLastError())

namespace gpu
{

void try_call(cudaError_t error, const char *call, const char *file, int line);

/* The first GPU, warm; without one, says so in one line and ends with code 2. */
Device device_open();

/* Fills memory with a pattern that is a NaN in every floating-point format. */
void device_poison(void *memory, size_t bytes);

/* Whether all bytes are equal; `bytes` is a multiple of 16. */
bool device_equal(const void *a, const void *b, size_t bytes);

/* The largest difference of numbers in the memory of the GPU; infinite where one is a
 * NaN. */
double device_difference(const float *a, const float *b, size_t count);

/* An array in the memory of the GPU, uninitialized. */
template <typename T> class Array
{
  public:
    explicit Array(size_t count) : count_(count)
    {
        GPU_TRY(cudaMalloc(&data_, count * sizeof(T)));
    }
    explicit Array(const std::vector<T> &values) : Array(values.size())
    {
        upload(values.data());
    }
    ~Array()
    {
        cudaFree(data_);
    }
    Array(Array &&other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          count_(std::exchange(other.count_, 0))
    {
    }
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;
    Array &operator=(Array &&) = delete;

    T *data() const
    {
        return data_;
    }
    size_t count() const
    {
        return count_;
    }
    size_t bytes() const
    {
        return count_ * sizeof(T);
    }
    void upload(const T *values)
    {
        GPU_TRY(cudaMemcpy(data_, values, bytes(), cudaMemcpyHostToDevice));
    }
    std::vector<T> download() const
    {
        std::vector<T> values(count_);

        GPU_TRY(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
        return values;
    }
    void copy_from(const Array &other)
    {
        GPU_TRY(cudaMemcpy(data_, other.data_, bytes(), cudaMemcpyDeviceToDevice));
    }
    void poison()
    {
        device_poison(data_, bytes());
    }

  private:
    T *data_ = nullptr;
    size_t count_ = 0;
};

}  // namespace gpu
