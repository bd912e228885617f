// Inits of matmul. `transpose` is of the right matrix, in each tile.
#pragma once

#include "gridloom/reconfiguration.h"

namespace ckernel
{

ALWI void mm_init_short(uint32_t a, uint32_t b, uint32_t transpose = 0)
{
    GRIDLOOM_COMPUTE(FPU_THREADS, "mm_init_short", a, b, transpose);
}

ALWI void mm_init(uint32_t a = 0, uint32_t b = 1, uint32_t = 16, uint32_t transpose = 0)
{
    GRIDLOOM_COMPUTE(ALL_THREADS, "mm_init", a, b, transpose);
}

ALWI void matmul_init(uint32_t a, uint32_t b, uint32_t transpose = 0)
{
    mm_init_short(a, b, transpose);
}

ALWI void mm_block_init(uint32_t a, uint32_t b, uint32_t out, uint32_t transpose = 0, uint32_t = 1, uint32_t = 1,
                        uint32_t = 1)
{
    mm_init(a, b, out, transpose);
}

ALWI void mm_block_init_short(uint32_t a, uint32_t b, uint32_t transpose = 0, uint32_t = 1, uint32_t = 1, uint32_t = 1)
{
    mm_init_short(a, b, transpose);
}

ALWI void matmul_block_init(uint32_t a, uint32_t b, uint32_t transpose = 0, uint32_t = 1, uint32_t = 1, uint32_t = 1)
{
    mm_init_short(a, b, transpose);
}

template <auto...> ALWI void mm_init_short_with_dt(uint32_t a, uint32_t b, uint32_t before, uint32_t transpose = 0)
{
    reconfig_data_format_srca(before, b);
    mm_init_short(a, b, transpose);
}

template <auto...>
ALWI void mm_block_init_short_with_dt(uint32_t a, uint32_t b, uint32_t before, uint32_t transpose = 0, uint32_t = 1,
                                      uint32_t = 1, uint32_t = 1)
{
    mm_init_short_with_dt(a, b, before, transpose);
}

}  // namespace ckernel
