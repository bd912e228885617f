// The sum over all cores, as compute kernels see it.
#pragma once

#include "api/compute/reduce.h"
#include "reduction_layout.hpp"
#include "tile_vectors.hpp"

namespace reduction
{

constexpr bool is_scalar = get_compile_time_arg_val(IS_SCALAR) != 0;
constexpr bool is_fpu = get_compile_time_arg_val(IS_FPU) != 0;

// Adds all numbers of a tile into its element 0.
ALWI void sum_tile(uint32_t a, uint32_t out)
{
    cb_wait_front(a, 1);
    if constexpr (is_fpu) {
        cb_wait_front(CB_ONES, 1);
    }
    tile_regs_acquire();
    if constexpr (is_fpu) {
        reduce_init<PoolType::SUM, ReduceDim::REDUCE_SCALAR>(a, CB_ONES, out);
        reduce_tile<PoolType::SUM, ReduceDim::REDUCE_SCALAR>(a, CB_ONES, 0, 0, 0);
    } else {
        copy_tile_to_dst_init_short(a);
        copy_tile(a, 0, 0);
        sfpu_reduce_scalar(0);
    }
    vectors::put(0, out);
    cb_pop_front(a, 1);
    cb_push_back(out, 1);
}

ALWI void add_incoming(uint32_t from, uint32_t to)
{
    if constexpr (is_fpu) {
        vectors::add(from, vectors::FRONT, CB_INCOMING, vectors::FRONT, to);
    } else {
        vectors::add_on_sfpu(from, vectors::FRONT, CB_INCOMING, vectors::FRONT, to);
    }
}

// Adds the sum in CB_PARTIAL and those of the core's children; leaves them in CB_OUT.
ALWI void combine(uint32_t children, bool is_root)
{
    uint32_t from = CB_PARTIAL;
    uint32_t left = children + (is_scalar || is_root ? 1 : 0);

    if constexpr (is_scalar) {
        const uint32_t to = --left == 0 ? CB_OUT : CB_SUM;
        sum_tile(from, to);
        from = to;
    }
    for (uint32_t k = 0; k < children; k++) {
        const uint32_t to = --left == 0 ? CB_OUT : CB_SUM;
        add_incoming(from, to);
        from = to;
    }
    if (is_root && !is_scalar) {
        sum_tile(from, CB_OUT);
    }
}

}  // namespace reduction
