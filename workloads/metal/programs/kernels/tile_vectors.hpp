// Operations of compute kernels on vectors of tiles in circular buffers. An operand is
// a buffer and the place of a tile counted from the front, which stays there; FRONT is
// the first tile, which is used up. `n` tiles are computed after one init of the
// operation.
#pragma once

#include "api/compute/bcast.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/eltwise_unary/binop_with_scalar.h"
#include "api/compute/tile_move_copy.h"

namespace vectors
{

constexpr uint32_t FRONT = 0xffffffff;

ALWI uint32_t place(uint32_t at)
{
    return at == FRONT ? 0 : at;
}

ALWI void wait_for(uint32_t cb, uint32_t at)
{
    cb_wait_front(cb, place(at) + 1);
}

ALWI void use_up(uint32_t cb, uint32_t at)
{
    if (at == FRONT) {
        cb_pop_front(cb, 1);
    }
}

// Packs a tile of Dst, without pushing it.
ALWI void put(uint32_t dst, uint32_t out)
{
    tile_regs_commit();
    cb_reserve_back(out, 1);
    tile_regs_wait();
    pack_tile(dst, out);
    tile_regs_release();
}

ALWI void pack(uint32_t dst, uint32_t out)
{
    put(dst, out);
    cb_push_back(out, 1);
}

// out = op(a, b) on the FPU.
template <typename Op>
ALWI void
binary(uint32_t a, uint32_t a_at, uint32_t b, uint32_t b_at, uint32_t out, Op op)
{
    wait_for(a, a_at);
    wait_for(b, b_at);
    tile_regs_acquire();
    op(place(a_at), place(b_at));
    put(0, out);
    use_up(a, a_at);
    use_up(b, b_at);
    cb_push_back(out, 1);
}

ALWI void add(uint32_t a, uint32_t a_at, uint32_t b, uint32_t b_at, uint32_t out)
{
    binary(a, a_at, b, b_at, out, [=](uint32_t i, uint32_t k) {
        add_tiles_init(a, b);
        add_tiles(a, b, i, k, 0);
    });
}

ALWI void subtract(uint32_t a, uint32_t a_at, uint32_t b, uint32_t b_at, uint32_t out)
{
    binary(a, a_at, b, b_at, out, [=](uint32_t i, uint32_t k) {
        sub_tiles_init(a, b);
        sub_tiles(a, b, i, k, 0);
    });
}

ALWI void multiply(uint32_t a, uint32_t a_at, uint32_t b, uint32_t b_at, uint32_t out)
{
    binary(a, a_at, b, b_at, out, [=](uint32_t i, uint32_t k) {
        mul_tiles_init(a, b);
        mul_tiles(a, b, i, k, 0);
    });
}

// out = a tile of a, by op on the FPU; what else it needs is there.
template <typename Op> ALWI void unary(uint32_t a, uint32_t a_at, uint32_t out, Op op)
{
    wait_for(a, a_at);
    tile_regs_acquire();
    op(a, place(a_at));
    put(0, out);
    use_up(a, a_at);
    cb_push_back(out, 1);
}

ALWI void copy(uint32_t a, uint32_t a_at, uint32_t out)
{
    unary(a, a_at, out, [](uint32_t cb, uint32_t i) {
        copy_tile_to_dst_init_short(cb);
        copy_tile(cb, i, 0);
    });
}

ALWI void transpose(uint32_t a, uint32_t a_at, uint32_t out)
{
    unary(a, a_at, out, [](uint32_t cb, uint32_t i) {
        transpose_wh_init_short(cb);
        transpose_wh_tile(cb, i, 0);
    });
}

// out = a, read `units` of 16 bytes further on in L1.
ALWI void shift(uint32_t a, uint32_t a_at, int32_t units, uint32_t out)
{
    UNPACK((get_local_cb_interface(a).fifo_rd_ptr += static_cast<uint32_t>(units)));
    copy(a, a_at, out);
    UNPACK((get_local_cb_interface(a).fifo_rd_ptr -= static_cast<uint32_t>(units)));
}

// out = a times element 0 of the tile at the front of `factor`, which stays.
ALWI void scale(uint32_t a, uint32_t a_at, uint32_t factor, uint32_t out)
{
    cb_wait_front(factor, 1);
    unary(a, a_at, out, [factor](uint32_t cb, uint32_t i) {
        mul_tiles_bcast_scalar_init_short(cb, factor);
        mul_tiles_bcast_scalar(cb, factor, i, 0, 0);
    });
}

// out = a times tile `number` of `constants`, which stays.
ALWI void scale_by_tile(
    uint32_t a, uint32_t a_at, uint32_t constants, uint32_t number, uint32_t out)
{
    cb_wait_front(constants, number + 1);
    unary(a, a_at, out, [=](uint32_t cb, uint32_t i) {
        mul_tiles_init(cb, constants);
        mul_tiles(cb, constants, i, number, 0);
    });
}

// out = op(a, b) on the SFPU, to which both are copied first.
template <typename Op>
ALWI void binary_on_sfpu(
    uint32_t a, uint32_t a_at, uint32_t b, uint32_t b_at, uint32_t out, Op op)
{
    binary(a, a_at, b, b_at, out, [=](uint32_t i, uint32_t k) {
        copy_tile_to_dst_init_short(a);
        copy_tile(a, i, 0);
        copy_tile_to_dst_init_short(b);
        copy_tile(b, k, 1);
        op();
    });
}

ALWI void
add_on_sfpu(uint32_t a, uint32_t a_at, uint32_t b, uint32_t b_at, uint32_t out)
{
    binary_on_sfpu(a, a_at, b, b_at, out, [] { add_binary_tile(0, 1, 0); });
}

ALWI void
subtract_on_sfpu(uint32_t a, uint32_t a_at, uint32_t b, uint32_t b_at, uint32_t out)
{
    binary_on_sfpu(a, a_at, b, b_at, out, [] { sub_binary_tile(0, 1, 0); });
}

// out = a times a number, whose bits are in `factor`.
ALWI void scale_on_sfpu(uint32_t a, uint32_t a_at, uint32_t factor, uint32_t out)
{
    unary(a, a_at, out, [factor](uint32_t cb, uint32_t i) {
        copy_tile_to_dst_init_short(cb);
        copy_tile(cb, i, 0);
        mul_unary_tile(0, factor);
    });
}

ALWI void start_sfpu(uint32_t a, uint32_t out)
{
    init_sfpu(a, out);
    add_binary_tile_init();
    mul_binary_tile_init();
    binop_with_scalar_tile_init();
}

// The sum of products of `tiles` tiles on the FPU: a product and a sum each, through
// `product` and `sum`, which has room for two tiles.
ALWI void dot(uint32_t tiles,
              uint32_t a,
              uint32_t b,
              uint32_t product,
              uint32_t sum,
              uint32_t out)
{
    multiply(a, 0, b, 0, tiles == 1 ? out : sum);
    for (uint32_t i = 1; i < tiles; i++) {
        multiply(a, i, b, i, product);
        add(sum, FRONT, product, FRONT, i == tiles - 1 ? out : sum);
    }
}

// The same on the SFPU: nothing leaves Dst until the end.
ALWI void dot_on_sfpu(uint32_t tiles, uint32_t a, uint32_t b, uint32_t out)
{
    cb_wait_front(a, tiles);
    cb_wait_front(b, tiles);
    tile_regs_acquire();
    copy_tile_to_dst_init_short(a);
    for (uint32_t i = 0; i < tiles; i++) {
        copy_tile(a, i, 0);
        copy_tile(b, i, 1);
        mul_binary_tile(0, 1, 0);
        add_binary_tile(2, 0, 2);
    }
    pack(2, out);
}

}  // namespace vectors
