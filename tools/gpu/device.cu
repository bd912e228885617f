/* Opens the GPU and says what it is. */
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

}  // namespace gpu
