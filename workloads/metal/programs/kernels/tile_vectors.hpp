// Operations of compute kernels on vectors of tiles in circular buffers. An operand is
// a buffer and the place of a tile counted from the front, which stays there; FRONT is
// the first tile, which is used up. `n` tiles are computed after one init of the
// operation.
#pragma once

#include "api/compute/bcast.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/tile_move_copy.h"

namespace vectors
{

constexpr uint32_t FRONT = 0xffffffff;

ALWI uint32_t place(uint32_t at, uint32_t i)
{
    return at == FRONT ? 0 : at + i;
}

ALWI void wait_for(uint32_t cb, uint32_t at, uint32_t i)
{
    cb_wait_front(cb, place(at, i) + 1);
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
template <typename Init, typename Op>
ALWI void binary(uint32_t n,
                 uint32_t a,
                 uint32_t a_at,
                 uint32_t b,
                 uint32_t b_at,
                 uint32_t out,
                 Init init,
                 Op op)
{
    for (uint32_t i = 0; i < n; i++) {
        wait_for(a, a_at, i);
        wait_for(b, b_at, i);
        tile_regs_acquire();
        if (i == 0) {
            init(a, b);
        }
        op(a, b, place(a_at, i), place(b_at, i));
        put(0, out);
        use_up(a, a_at);
        use_up(b, b_at);
        cb_push_back(out, 1);
    }
}

ALWI void
add(uint32_t n, uint32_t a, uint32_t a_at, uint32_t b, uint32_t b_at, uint32_t out)
{
    binary(
        n, a, a_at, b, b_at, out, [](uint32_t x, uint32_t y) { add_tiles_init(x, y); },
        [](uint32_t x, uint32_t y, uint32_t i, uint32_t k) {
            add_tiles(x, y, i, k, 0);
        });
}

ALWI void
multiply(uint32_t n, uint32_t a, uint32_t a_at, uint32_t b, uint32_t b_at, uint32_t out)
{
    binary(
        n, a, a_at, b, b_at, out, [](uint32_t x, uint32_t y) { mul_tiles_init(x, y); },
        [](uint32_t x, uint32_t y, uint32_t i, uint32_t k) {
            mul_tiles(x, y, i, k, 0);
        });
}

// out = the front tile of a plus that of b on the SFPU.
ALWI void add_on_sfpu(uint32_t a, uint32_t b, uint32_t out)
{
    cb_wait_front(a, 1);
    cb_wait_front(b, 1);
    tile_regs_acquire();
    copy_tile_to_dst_init_short(a);
    copy_tile(a, 0, 0);
    copy_tile_to_dst_init_short(b);
    copy_tile(b, 0, 1);
    add_binary_tile(0, 1, 0);
    put(0, out);
    cb_pop_front(a, 1);
    cb_pop_front(b, 1);
    cb_push_back(out, 1);
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
    multiply(1, a, 0, b, 0, tiles == 1 ? out : sum);
    for (uint32_t i = 1; i < tiles; i++) {
        multiply(1, a, i, b, i, product);
        add(1, sum, FRONT, product, FRONT, i == tiles - 1 ? out : sum);
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
