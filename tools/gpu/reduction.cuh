/* Sums over all threads of a kernel, the same bits for the same data. */
#pragma once

#include <cuda_runtime.h>

#include "tools/gpu/device.cuh"

namespace gpu
{

/* Where blocks leave their sums; one kernel at a time may use it. */
template <typename T> struct Reduction {
    T *partials;      /* one for each block */
    unsigned *ticket; /* 0 between kernels */
};

/* Memory of a Reduction of at most `blocks`. */
template <typename T> class ReductionMemory
{
  public:
    explicit ReductionMemory(size_t blocks) : partials_(blocks), ticket_(1)
    {
        GPU_TRY(cudaMemset(ticket_.data(), 0, sizeof(unsigned)));
    }
    Reduction<T> get() const
    {
        return {partials_.data(), ticket_.data()};
    }

  private:
    Array<T> partials_;
    Array<unsigned> ticket_;
};

/* The sum over the block's threads, in thread 0. All threads call it. */
template <int THREADS, typename T> __device__ T block_sum(T value)
{
    __shared__ T sums[THREADS / 32];
    unsigned lane = threadIdx.x % 32;
    unsigned warp = threadIdx.x / 32;

#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffffU, value, offset);
    }
    __syncthreads();
    if (lane == 0) {
        sums[warp] = value;
    }
    __syncthreads();
    value = threadIdx.x < THREADS / 32 ? sums[threadIdx.x] : T(0);
    if (warp == 0) {
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) {
            value += __shfl_down_sync(0xffffffffU, value, offset);
        }
    }
    return value;
}

/* The sum of *value over all threads of the grid, which is one-dimensional with THREADS
 * in a block: true, and the sum in *value, in thread 0 of the block that ends last. */
template <int THREADS, typename T>
__device__ bool reduction_sum(const Reduction<T> &reduction, T *value)
{
    __shared__ bool is_last;
    T sum = block_sum<THREADS>(*value);

    if (threadIdx.x == 0) {
        reduction.partials[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicAdd(reduction.ticket, 1U) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) {
        return false;
    }
    __threadfence();
    sum = T(0);
    for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS) {
        sum += __ldcg(reduction.partials + i);
    }
    *value = block_sum<THREADS>(sum);
    if (threadIdx.x == 0) {
        *reduction.ticket = 0;
    }
    return threadIdx.x == 0;
}

}  // namespace gpu
