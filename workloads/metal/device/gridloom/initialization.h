// Inits: once a kernel, and before an operation.
#pragma once

#include "gridloom/function.h"
#include "gridloom/thread.h"

namespace ckernel
{

template <SrcOrder = SrcOrder::Regular> ALWI void compute_kernel_hw_startup(uint32_t a, uint32_t b, uint32_t)
{
    GRIDLOOM_COMPUTE(ALL_THREADS, "binary_op_init_common", a, b);
}

template <SrcOrder = SrcOrder::Regular> ALWI void compute_kernel_hw_startup(uint32_t a, uint32_t)
{
    GRIDLOOM_COMPUTE(ALL_THREADS, "binary_op_init_common", a, a);
}

ALWI void binary_op_init_common(uint32_t a, uint32_t b, uint32_t = 16)
{
    GRIDLOOM_COMPUTE(ALL_THREADS, "binary_op_init_common", a, b);
}

ALWI void unary_op_init_common(uint32_t a, uint32_t = 16)
{
    GRIDLOOM_COMPUTE(ALL_THREADS, "unary_op_init_common", a);
}

ALWI void init_sfpu(uint32_t a, uint32_t = 16)
{
    GRIDLOOM_COMPUTE(ALL_THREADS, "init_sfpu", a);
}

ALWI void pack_init(uint32_t) {}

ALWI void copy_tile_to_dst_init_short(uint32_t cb = 0, uint32_t transpose = 0, uint32_t = 0)
{
    if (transpose != 0) {
        GRIDLOOM_COMPUTE(FPU_THREADS, "transpose_wh_init_short", cb);
    } else {
        GRIDLOOM_COMPUTE(FPU_THREADS, "copy_tile_init", cb);
    }
}

ALWI void copy_tile_init(uint32_t cb = 0)
{
    copy_tile_to_dst_init_short(cb);
}

ALWI void copy_tile_to_dst_init_short_with_dt(uint32_t before, uint32_t cb, uint32_t = 0)
{
    GRIDLOOM_COMPUTE(FPU_THREADS, "copy_tile_to_dst_init_short_with_dt", before, cb);
}

ALWI void transpose_init(uint32_t cb)
{
    GRIDLOOM_COMPUTE(FPU_THREADS, "transpose_wh_init_short", cb);
}

ALWI void transpose_wh_init_short(uint32_t cb)
{
    transpose_init(cb);
}

ALWI void transpose_wh_init(uint32_t cb, uint32_t out)
{
    compute_kernel_hw_startup(cb, out);
    transpose_init(cb);
}

#define GRIDLOOM_INITS(name, short_name)                                                                               \
    ALWI void name##_tiles_init(uint32_t a = 0, uint32_t b = 1, bool accumulates = false, uint32_t = 0)                \
    {                                                                                                                  \
        GRIDLOOM_COMPUTE(FPU_THREADS, #name "_tiles_init", a, b, accumulates);                                         \
    }                                                                                                                  \
    ALWI void name##_init(uint32_t a, uint32_t b, bool accumulates = false, uint32_t = 0)                              \
    {                                                                                                                  \
        name##_tiles_init(a, b, accumulates);                                                                          \
    }                                                                                                                  \
    ALWI void name##_bcast_scalar_init(uint32_t a, uint32_t b)                                                         \
    {                                                                                                                  \
        GRIDLOOM_COMPUTE(FPU_THREADS, short_name, a, b, 0);                                                            \
    }                                                                                                                  \
    ALWI void name##_bcast_rows_init(uint32_t a, uint32_t b)                                                           \
    {                                                                                                                  \
        name##_bcast_scalar_init(a, b);                                                                                \
    }                                                                                                                  \
    ALWI void name##_bcast_cols_init(uint32_t a, uint32_t b)                                                           \
    {                                                                                                                  \
        name##_bcast_scalar_init(a, b);                                                                                \
    }                                                                                                                  \
    ALWI void name##_bcast_scalar_init_short(uint32_t a, uint32_t b)                                                   \
    {                                                                                                                  \
        name##_bcast_scalar_init(a, b);                                                                                \
    }                                                                                                                  \
    ALWI void name##_bcast_rows_init_short(uint32_t a, uint32_t b)                                                     \
    {                                                                                                                  \
        name##_bcast_scalar_init(a, b);                                                                                \
    }                                                                                                                  \
    ALWI void name##_bcast_cols_init_short(uint32_t a, uint32_t b)                                                     \
    {                                                                                                                  \
        name##_bcast_scalar_init(a, b);                                                                                \
    }                                                                                                                  \
    ALWI void name##_tiles_bcast_scalar_init_short(uint32_t a, uint32_t b)                                             \
    {                                                                                                                  \
        name##_bcast_scalar_init(a, b);                                                                                \
    }

GRIDLOOM_INITS(add, "add_bcast_scalar_init_short")
GRIDLOOM_INITS(sub, "sub_bcast_scalar_init_short")
GRIDLOOM_INITS(mul, "mul_tiles_bcast_scalar_init_short")
#undef GRIDLOOM_INITS

template <EltwiseBinaryType type, BroadcastType> ALWI void init_bcast(uint32_t a, uint32_t b, uint32_t out)
{
    binary_op_init_common(a, b, out);
    if constexpr (type == ELWADD) {
        add_bcast_scalar_init(a, b);
    } else if constexpr (type == ELWSUB) {
        sub_bcast_scalar_init(a, b);
    } else {
        mul_bcast_scalar_init(a, b);
    }
}

template <bool = true, EltwiseBinaryType type>
ALWI void binary_tiles_init(uint32_t a, uint32_t b, bool accumulates = false)
{
    if constexpr (type == ELWADD) {
        add_tiles_init(a, b, accumulates);
    } else if constexpr (type == ELWSUB) {
        sub_tiles_init(a, b, accumulates);
    } else {
        mul_tiles_init(a, b, accumulates);
    }
}

template <auto...> ALWI void reduce_init(uint32_t a, uint32_t scaler, uint32_t)
{
    GRIDLOOM_COMPUTE(FPU_THREADS, "reduce_init", a, scaler);
}

template <auto...> ALWI void reduce_uninit(uint32_t = 0) {}

}  // namespace ckernel
