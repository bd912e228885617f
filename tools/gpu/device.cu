/* Opens the GPU and says what it is. */
#include <cstdio>
#include <cstdlib>

#include "tools/gpu/device.cuh"
#include "tools/gpu/energy.hpp"

namespace gpu
{

void try_call(cudaError_t error, const char *call, const char *file, int line)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call,
                     cudaGetErrorString(error));
        std::exit(1);
    }
}

static size_t attribute(cudaDeviceAttr which)
{
    int value = 0;

    GPU_TRY(cudaDeviceGetAttribute(&value, which, 0));
    return (size_t) value;
}

Device device_open()
{
    int count = 0;
    int version = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    cudaDeviceProp properties;
    Device device;

    if (error != cudaSuccess || count == 0) {
        std::fprintf(stderr, "no GPU: %s\n",
                     error != cudaSuccess ? cudaGetErrorString(error) : "none found");
        std::exit(2);
    }
    GPU_TRY(cudaSetDevice(0));
    GPU_TRY(cudaFree(nullptr));
    GPU_TRY(cudaGetDeviceProperties(&properties, 0));
    GPU_TRY(cudaRuntimeGetVersion(&version));
    device.name = properties.name;
    device.chip = device_chip(device.name);
    device.driver = driver_version();
    device.cuda =
        std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    device.clock_hz = 1e3 * (double) attribute(cudaDevAttrClockRate);
    device.multiprocessors = properties.multiProcessorCount;
    device.memory_bytes = properties.totalGlobalMem;
    device.l2_bytes = (size_t) properties.l2CacheSize;
    device.shared_bytes = properties.sharedMemPerBlockOptin;
    return device;
}

void device_poison(void *memory, size_t bytes)
{
    GPU_TRY(cudaMemset(memory, 0xff, bytes));
}

static __global__ void
find_difference(const uint4 *a, const uint4 *b, size_t count, int *is_different)
{
    size_t stride = (size_t) gridDim.x * blockDim.x;

    for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += stride) {
        if (((a[i].x ^ b[i].x) | (a[i].y ^ b[i].y) | (a[i].z ^ b[i].z) |
             (a[i].w ^ b[i].w)) != 0) {
            *is_different = 1;
        }
    }
}

bool device_equal(const void *a, const void *b, size_t bytes)
{
    Array<int> is_different(std::vector<int>{0});

    find_difference<<<4096, 256>>>((const uint4 *) a, (const uint4 *) b,
                                   bytes / sizeof(uint4), is_different.data());
    GPU_LAUNCHED();
    return is_different.download()[0] == 0;
}

/* Numbers that are not negative have the order of their bits. */
static __global__ void
find_largest(const float *a, const float *b, size_t count, unsigned *largest)
{
    size_t stride = (size_t) gridDim.x * blockDim.x;
    float most = 0;

    for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += stride) {
        float difference = fabsf(a[i] - b[i]);

        most = difference <= most ? most : isnan(difference) ? INFINITY : difference;
    }
    atomicMax(largest, __float_as_uint(most));
}

double device_difference(const float *a, const float *b, size_t count)
{
    Array<unsigned> largest(std::vector<unsigned>{0});
    float value = 0;

    find_largest<<<4096, 256>>>(a, b, count, largest.data());
    GPU_LAUNCHED();
    GPU_TRY(cudaMemcpy(&value, largest.data(), sizeof value, cudaMemcpyDeviceToHost));
    return (double) value;
}

}  // namespace gpu
