// The 7-point Laplacian, as compute kernels see it: 6 times each number minus its six
// neighbours. Seven products and six sums a tile, on the FPU or the SFPU.
#pragma once

#include "api/compute/transpose_wh.h"
#include "pcg_layout.hpp"
#include "reduction_compute.hpp"

namespace pcg
{

using vectors::FRONT;

constexpr uint32_t tiles = get_compile_time_arg_val(TILES);
constexpr int32_t line_units = get_tile_size(CB_P) / LINES / 16;  // of read pointers

// The tile before or after in L1, from one line on: north and south of tile k; and,
// of the transposed tile, west and east.
ALWI void shift(uint32_t k, bool is_sending)
{
    vectors::shift(CB_P, k, -line_units, CB_SHIFTED + NORTH);
    vectors::shift(CB_P, k, line_units, CB_SHIFTED + SOUTH);
    if (is_sending) {
        cb_reserve_back(CB_TURNED_OUT, 1);
    }
    vectors::transpose(CB_P, k, CB_TURNED);
    if (is_sending) {
        cb_push_back(CB_TURNED_OUT, 1);
    }
    vectors::shift(CB_TURNED, 0, -line_units, CB_SHIFTED + WEST);
    vectors::shift(CB_TURNED, FRONT, line_units, CB_SHIFTED + EAST);
}

// out = a tile times -1 or 6, by its place in CB_CONSTANTS.
ALWI void scale_by(uint32_t number, uint32_t cb, uint32_t tile, uint32_t out)
{
    if constexpr (reduction::is_fpu) {
        vectors::scale_by_tile(cb, tile, CB_CONSTANTS, number, out);
    } else {
        vectors::scale_on_sfpu(cb, tile, number == 0 ? 0xbf800000 : 0x40c00000, out);
    }
}

ALWI void subtract(uint32_t cb, uint32_t tile, uint32_t out)
{
    scale_by(0, cb, tile, CB_TERM);
    if constexpr (reduction::is_fpu) {
        vectors::add(CB_SUM, FRONT, CB_TERM, FRONT, out);
    } else {
        vectors::add_on_sfpu(CB_SUM, FRONT, CB_TERM, FRONT, out);
    }
}

// q = A p. Tile k + 1 is shifted before tile k is added up, so edges have the time
// of one tile to arrive.
ALWI void multiply(bool is_sending)
{
    constexpr uint32_t last = tiles - 1;

    shift(0, is_sending);
    for (uint32_t k = 0; k < tiles; k++) {
        if (k < last) {
            shift(k + 1, is_sending);
        }
        vectors::transpose(CB_FILLED + WEST, FRONT, CB_BACK);
        vectors::transpose(CB_FILLED + EAST, FRONT, CB_BACK);
        scale_by(1, CB_P, k, CB_SUM);
        subtract(CB_FILLED + NORTH, FRONT, CB_SUM);
        subtract(CB_FILLED + SOUTH, FRONT, CB_SUM);
        subtract(CB_BACK, FRONT, CB_SUM);
        subtract(CB_BACK, FRONT, last == 0 ? CB_Q : CB_SUM);
        if (k > 0) {
            subtract(CB_P, k - 1, k == last ? CB_Q : CB_SUM);
        }
        if (k < last) {
            subtract(CB_P, k + 1, CB_Q);
        }
    }
}

}  // namespace pcg
