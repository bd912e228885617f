// Tiles from circular buffers through the FPU into Dst, and from Dst to buffers.
#pragma once

#include "gridloom/initialization.h"
#include "gridloom/matmul_init.h"

namespace ckernel
{

#define GRIDLOOM_TILES(name)                                                                                           \
    ALWI void name(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst, uint32_t = 0)               \
    {                                                                                                                  \
        GRIDLOOM_COMPUTE(FPU_THREADS, #name, a, b, tile_a, tile_b, dst);                                               \
    }
#define GRIDLOOM_ELEMENTWISE(name)                                                                                     \
    GRIDLOOM_TILES(name##_tiles)                                                                                       \
    GRIDLOOM_TILES(name##_tiles_bcast_scalar)                                                                          \
    GRIDLOOM_TILES(name##_tiles_bcast_rows)                                                                            \
    GRIDLOOM_TILES(name##_tiles_bcast_cols)                                                                            \
    template <BroadcastType type>                                                                                      \
    ALWI void name##_tiles_bcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst, uint32_t = 0) \
    {                                                                                                                  \
        if constexpr (type == ROW) {                                                                                   \
            name##_tiles_bcast_rows(a, b, tile_a, tile_b, dst);                                                        \
        } else if constexpr (type == COL) {                                                                            \
            name##_tiles_bcast_cols(a, b, tile_a, tile_b, dst);                                                        \
        } else if constexpr (type == SCALAR) {                                                                         \
            name##_tiles_bcast_scalar(a, b, tile_a, tile_b, dst);                                                      \
        } else {                                                                                                       \
            name##_tiles(a, b, tile_a, tile_b, dst);                                                                   \
        }                                                                                                              \
    }                                                                                                                  \
    ALWI void name##_block(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst, uint32_t count)     \
    {                                                                                                                  \
        for (uint32_t i = 0; i < count; i++) {                                                                         \
            name##_tiles(a, b, tile_a + i, tile_b + i, dst + i);                                                       \
        }                                                                                                              \
    }

GRIDLOOM_ELEMENTWISE(add)
GRIDLOOM_ELEMENTWISE(sub)
GRIDLOOM_ELEMENTWISE(mul)
GRIDLOOM_TILES(matmul_tiles)
#undef GRIDLOOM_ELEMENTWISE
#undef GRIDLOOM_TILES

template <EltwiseBinaryType operation, BroadcastType type>
ALWI void any_tiles_bcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst, uint32_t = 0)
{
    if constexpr (operation == ELWADD) {
        add_tiles_bcast<type>(a, b, tile_a, tile_b, dst);
    } else if constexpr (operation == ELWSUB) {
        sub_tiles_bcast<type>(a, b, tile_a, tile_b, dst);
    } else {
        mul_tiles_bcast<type>(a, b, tile_a, tile_b, dst);
    }
}

ALWI void matmul_block(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst, uint32_t transpose,
                       uint32_t columns, uint32_t rows, uint32_t inner)
{
    GRIDLOOM_COMPUTE(FPU_THREADS, "matmul_block", a, b, tile_a, tile_b, dst,
                     transpose | columns << 8 | rows << 16 | inner << 24);
}

// ArchReduction
template <PoolType pool = SUM, ReduceDim axis = REDUCE_ROW, auto...>
ALWI void reduce_tile(uint32_t a, uint32_t scaler, uint32_t tile_a, uint32_t tile_scaler, uint32_t dst)
{
    static_assert(pool != MIN, "Gridloom has no reduce_tile<MIN>: workloads/doc/metal.md");
    constexpr uint32_t along = axis == REDUCE_SCALAR ? 0u : axis == REDUCE_ROW ? 1u : 2u;

    if constexpr (pool == MAX) {
        GRIDLOOM_COMPUTE(FPU_THREADS, "reduce_tile_max", a, scaler, tile_a, tile_scaler, dst, along);
    } else {
        GRIDLOOM_COMPUTE(FPU_THREADS, "reduce_tile", a, scaler, tile_a, tile_scaler, dst, along);
    }
}

ALWI void copy_tile(uint32_t cb, uint32_t tile, uint32_t dst)
{
    GRIDLOOM_COMPUTE(FPU_THREADS, "copy_tile", cb, tile, dst);
}

ALWI void copy_block(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        copy_tile(cb, tile + i, dst + i);
    }
}

ALWI void copy_block_matmul_partials(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t count)
{
    copy_block(cb, tile, dst, count);
}

ALWI void transpose_tile(uint32_t cb, uint32_t tile, uint32_t dst)
{
    GRIDLOOM_COMPUTE(FPU_THREADS, "transpose_wh_tile", cb, tile, dst);
}

ALWI void transpose_wh_tile(uint32_t cb, uint32_t tile, uint32_t dst)
{
    transpose_tile(cb, tile, dst);
}

ALWI void transpose_block(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        transpose_tile(cb, tile + i, dst + i);
    }
}

// To the page `page`, or the next after those packed since the last push.
template <bool has_page = false> ALWI void pack_tile(uint32_t dst, uint32_t cb, uint32_t page = 0)
{
    GRIDLOOM_COMPUTE(PACKS, "pack_tile", dst, cb, has_page ? page : 0xffffffffu);
}

ALWI void pack_block(uint32_t dst, uint32_t cb, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        pack_tile(dst + i, cb);
    }
}

ALWI void pack_tile_block(uint32_t dst, uint32_t cb, uint32_t count)
{
    pack_block(dst, cb, count);
}

ALWI void matmul_pack_tile(uint32_t dst, uint32_t cb, uint32_t count)
{
    pack_block(dst, cb, count);
}

// TensixRelu below, the threshold as BF16 above.
template <auto... options> ALWI void pack_relu_config(uint32_t setting)
{
    GRIDLOOM_NEEDS("pack_relu_config");
    GRIDLOOM_COMPUTE_IF(PACKS, "pack_relu_config", setting);
}

template <auto... options> ALWI void pack_reconfig_l1_acc(uint32_t is_on)
{
    GRIDLOOM_NEEDS("pack_reconfig_l1_acc");
    GRIDLOOM_COMPUTE_IF(PACKS, "pack_reconfig_l1_acc", is_on);
}

}  // namespace ckernel
