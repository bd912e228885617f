// A block of C: products of each step along K are summed in Dst, and the steps by the
// packer in L1.
#include "api/compute/compute_kernel_api.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "matmul_layout.hpp"

using namespace matmul;

constexpr uint32_t rows = get_compile_time_arg_val(ROWS);
constexpr uint32_t columns = get_compile_time_arg_val(COLUMNS);
constexpr uint32_t depth = get_compile_time_arg_val(DEPTH);
constexpr uint32_t high = get_compile_time_arg_val(SUBBLOCK_ROWS);
constexpr uint32_t wide = get_compile_time_arg_val(SUBBLOCK_COLUMNS);

static void add_subblock(uint32_t row, uint32_t column)
{
    tile_regs_acquire();
    for (uint32_t k = 0; k < depth; k++) {
        matmul_block(CB_IN0, CB_IN1, row * depth + k, k * columns + column, 0, false,
                     wide, high, depth);
    }
    tile_regs_commit();
    tile_regs_wait();
    for (uint32_t i = 0; i < high; i++) {
        for (uint32_t j = 0; j < wide; j++) {
            pack_tile<true>(i * wide + j, CB_OUT, (row + i) * columns + column + j);
        }
    }
    tile_regs_release();
}

void kernel_main()
{
    mm_block_init(CB_IN0, CB_IN1, CB_OUT, false, wide, high, depth);
    cb_reserve_back(CB_OUT, rows * columns);
    for (uint32_t step = 0; step < get_compile_time_arg_val(STEPS); step++) {
        cb_wait_front(CB_IN0, rows * depth);
        cb_wait_front(CB_IN1, depth * columns);
        if (step < 2) {
            pack_reconfig_l1_acc(step);
        }
        for (uint32_t row = 0; row < rows; row += high) {
            for (uint32_t column = 0; column < columns; column += wide) {
                add_subblock(row, column);
            }
        }
        cb_pop_front(CB_IN0, rows * depth);
        cb_pop_front(CB_IN1, depth * columns);
    }
    cb_push_back(CB_OUT, rows * columns);
}
