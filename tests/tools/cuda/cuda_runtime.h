/* As much of CUDA as a block of threads needs to run on the host:
 * tests/tools/gpu_tiles.cpp runs one thread of the host for each. */
#pragma once

#include <cmath>
#include <cstddef>

#define __host__
#define __device__
#define __global__
#define __shared__

struct CudaIndex {
    unsigned x = 0;
};

extern thread_local CudaIndex threadIdx;
extern thread_local CudaIndex blockIdx;
extern thread_local CudaIndex blockDim;

void __syncthreads();
void atomicMax(int *value, int other);
