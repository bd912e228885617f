/* How the direction that kernels stream along is cut into strips. */
#pragma once

#ifdef __CUDACC__
#define STENCIL_HOST_AND_DEVICE __host__ __device__
#else
#define STENCIL_HOST_AND_DEVICE
#endif

namespace gpu
{

/* The length of strips, a multiple of `unit`, so that multiprocessors finish together:
 * `rows` of each of `tiles` are cut into equal strips, `slots` of them run at a time,
 * and each costs `warmup` rows more than it has. */
int stencil_strip(int rows, long tiles, long slots, int warmup, int unit);

/* Shared memory for blocks that need `needed` bytes, so that no more than `blocks` of
 * them are on a multiprocessor of compute capability 9.0; 0 blocks: as many as can be.
 * 0 where they are fewer anyway. */
int stencil_shared_bytes(int needed, int blocks);

/* How many blocks of a kernel run at a time on the whole GPU; lets it have all shared
 * memory first. Defined by slots.cu. */
long stencil_slots(const void *kernel, int threads, int shared_bytes);

/* Where a place of the periodic domain lies in 0 .. n. */
STENCIL_HOST_AND_DEVICE inline int stencil_wrap(int place, int n)
{
    int rest = place % n;

    return rest < 0 ? rest + n : rest;
}

}  // namespace gpu
