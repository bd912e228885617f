// Operations of the FPU on a tile that is in Dst already, and on how tiles lie.
#pragma once

#include "gridloom/tile.h"

namespace ckernel
{

// Whether the tile of Dst becomes the right operand.
template <EltwiseBinaryReuseDestType type> constexpr bool is_right = type == EltwiseBinaryReuseDestType::DEST_TO_SRCB;

#define GRIDLOOM_REUSE(name)                                                                                           \
    template <EltwiseBinaryReuseDestType = EltwiseBinaryReuseDestType::DEST_TO_SRCA>                                   \
    ALWI void name##_reuse_dest_init(uint32_t cb, uint32_t = 0)                                                        \
    {                                                                                                                  \
        GRIDLOOM_COMPUTE(FPU_THREADS, #name "_tiles_init", cb, cb, 0);                                                 \
    }                                                                                                                  \
    template <EltwiseBinaryReuseDestType type = EltwiseBinaryReuseDestType::DEST_TO_SRCA>                              \
    ALWI void name##_reuse_dest_tiles(uint32_t cb, uint32_t tile, uint32_t dst)                                        \
    {                                                                                                                  \
        if constexpr (is_right<type>) {                                                                                \
            GRIDLOOM_COMPUTE(FPU_THREADS, #name "_reuse_dest_tiles_srcb", cb, tile, dst);                              \
        } else {                                                                                                       \
            GRIDLOOM_COMPUTE(FPU_THREADS, #name "_reuse_dest_tiles", cb, tile, dst);                                   \
        }                                                                                                              \
    }

GRIDLOOM_REUSE(add)
GRIDLOOM_REUSE(sub)
GRIDLOOM_REUSE(mul)
#undef GRIDLOOM_REUSE

template <EltwiseBinaryType operation, EltwiseBinaryReuseDestType type = EltwiseBinaryReuseDestType::NONE>
ALWI void binary_reuse_dest_init(uint32_t cb, uint32_t = 0)
{
    if constexpr (operation == ELWADD) {
        add_reuse_dest_init<type>(cb);
    } else if constexpr (operation == ELWSUB) {
        sub_reuse_dest_init<type>(cb);
    } else {
        mul_reuse_dest_init<type>(cb);
    }
}

template <EltwiseBinaryType operation, EltwiseBinaryReuseDestType type = EltwiseBinaryReuseDestType::NONE>
ALWI void binary_reuse_dest_tiles(uint32_t cb, uint32_t tile, uint32_t dst)
{
    if constexpr (operation == ELWADD) {
        add_reuse_dest_tiles<type>(cb, tile, dst);
    } else if constexpr (operation == ELWSUB) {
        sub_reuse_dest_tiles<type>(cb, tile, dst);
    } else {
        mul_reuse_dest_tiles<type>(cb, tile, dst);
    }
}

// Older names.
template <EltwiseBinaryType operation = ELWADD, EltwiseBinaryReuseDestType type = EltwiseBinaryReuseDestType::NONE>
ALWI void binary_dest_reuse_tiles_init(uint32_t cb, uint32_t = 0)
{
    binary_reuse_dest_init<operation, type>(cb);
}

template <EltwiseBinaryType operation = ELWADD, EltwiseBinaryReuseDestType type = EltwiseBinaryReuseDestType::NONE>
ALWI void binary_dest_reuse_tiles(uint32_t cb, uint32_t tile, uint32_t dst)
{
    binary_reuse_dest_tiles<operation, type>(cb, tile, dst);
}

template <BroadcastType> ALWI void unary_bcast_init(uint32_t cb)
{
    copy_tile_init(cb);
}

template <BroadcastType> ALWI void unary_bcast_init(uint32_t cb, uint32_t out)
{
    unary_op_init_common(cb, out);
}

template <BroadcastType type> ALWI void unary_bcast(uint32_t cb, uint32_t tile, uint32_t dst)
{
    if constexpr (type == ROW) {
        GRIDLOOM_COMPUTE(FPU_THREADS, "unary_bcast_rows", cb, tile, dst);
    } else if constexpr (type == COL) {
        GRIDLOOM_COMPUTE(FPU_THREADS, "unary_bcast_cols", cb, tile, dst);
    } else if constexpr (type == SCALAR) {
        GRIDLOOM_COMPUTE(FPU_THREADS, "unary_bcast_scalar", cb, tile, dst);
    } else {
        copy_tile(cb, tile, dst);
    }
}

template <auto...> ALWI void transpose_dest_init() {}

template <auto...> ALWI void transpose_dest(uint32_t dst)
{
    GRIDLOOM_COMPUTE(COMPUTES, "transpose_wh_dest", dst);
}

template <auto...> ALWI void transpose_wh_dest_init_short() {}

template <auto...> ALWI void transpose_wh_dest(uint32_t dst)
{
    transpose_dest(dst);
}

}  // namespace ckernel
