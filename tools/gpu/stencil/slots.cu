/* Asks the driver how many blocks of a kernel fit. */
#include "tools/gpu/device.cuh"
#include "tools/gpu/stencil/strips.hpp"

namespace gpu
{

long stencil_slots(const void *kernel, int threads, int shared_bytes)
{
    int device = 0;
    int multiprocessors = 0;
    int blocks = 0;
    int most = 0;

    GPU_TRY(cudaGetDevice(&device));
    GPU_TRY(
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    GPU_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 most));
    GPU_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                   device));
    GPU_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                          (size_t) shared_bytes));
    return (long) blocks * multiprocessors;
}

}  // namespace gpu
