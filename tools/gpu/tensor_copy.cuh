/* Boxes of a grid that the copy engine of a Hopper GPU brings into shared memory. */
#pragma once

#include <cstdint>
#include <cuda.h>

#include "tools/gpu/device.cuh"
#include "tools/gpu/grid.hpp"

namespace gpu
{

/* Shared memory to which boxes go begins at a multiple of so many bytes. */
constexpr int TENSOR_ALIGN = 128;

/* Describes a grid of FP32 in the memory of the GPU of which boxes of width x height
 * cells of one plane are copied; cells beyond the grid are 0. Rows are multiples of 16
 * bytes, of the grid and of the box, which is at most 256 cells wide. */
CUtensorMap tensor_map(float *data, const Grid &grid, int width, int height);

/* Counts copies that have arrived. */
class TensorBarrier
{
  public:
    /* One thread calls it, and all of the block wait for it before they go on. */
    __device__ void init()
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address()));
        asm volatile("fence.mbarrier_init.release.cluster;");
        asm volatile("fence.proxy.async.shared::cta;");
    }

    /* One thread asks for the box at (x, y, z), which may begin outside the grid. */
    __device__ void
    fetch(void *to, const CUtensorMap *map, int x, int y, int z, uint32_t bytes)
    {
        asm volatile(
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address()),
            "r"(bytes)
            : "memory");
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::"
                     "complete_tx::"
                     "bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(
                         (uint32_t) __cvta_generic_to_shared(to)),
                     "l"(map), "r"(x), "r"(y), "r"(z), "r"(address())
                     : "memory");
    }

    /* Waits until the box is there: the first that was asked for has phase 0, then they
     * take turns. */
    __device__ void wait(uint32_t phase)
    {
        asm volatile("{\n"
                     ".reg .pred done;\n"
                     "again:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                     "@done bra finished;\n"
                     "bra again;\n"
                     "finished:\n"
                     "}" ::"r"(address()),
                     "r"(phase)
                     : "memory");
    }

  private:
    __device__ uint32_t address() const
    {
        return (uint32_t) __cvta_generic_to_shared(&count_);
    }

    uint64_t count_;
};

}  // namespace gpu
