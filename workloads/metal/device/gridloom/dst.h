// Dst goes from math to pack and back.
#pragma once

#include "gridloom/function.h"

namespace ckernel
{

ALWI void tile_regs_acquire()
{
    GRIDLOOM_COMPUTE(COMPUTES, "tile_regs_acquire");
}

ALWI void tile_regs_commit()
{
    GRIDLOOM_COMPUTE(COMPUTES, "tile_regs_commit");
}

ALWI void tile_regs_wait()
{
    GRIDLOOM_COMPUTE(PACKS, "tile_regs_wait");
}

ALWI void tile_regs_release()
{
    GRIDLOOM_COMPUTE(PACKS, "tile_regs_release");
}

// Older names.
template <auto...> ALWI void acquire_dst()
{
    tile_regs_acquire();
    tile_regs_wait();
}

template <auto...> ALWI void release_dst()
{
    tile_regs_commit();
    tile_regs_release();
}

}  // namespace ckernel
