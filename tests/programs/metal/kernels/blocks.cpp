// Sums products of blocks; what is not complete goes through circular buffer 24, which
// lies where 16 does.
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/matmul.h"
#include "api/compute/tile_move_copy.h"

void kernel_main()
{
    constexpr uint32_t side = get_compile_time_arg_val(0),
                       blocks = get_compile_time_arg_val(1);
    constexpr uint32_t depth = get_compile_time_arg_val(2);

    compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16);
    matmul_init(0, 1);
    for (uint32_t block = 0; block < blocks; block++) {
        const uint32_t to = block + 1 < blocks ? 24 : 16;

        cb_wait_front(0, side * depth);
        cb_wait_front(1, side * depth);
        tile_regs_acquire();
        if (block > 0) {
            copy_tile_to_dst_init_short(24);
            cb_wait_front(24, side * side);
            for (uint32_t i = 0; i < side * side; i++) {
                copy_tile(24, i, i);
            }
            cb_pop_front(24, side * side);
            matmul_init(0, 1);
        }
        for (uint32_t i = 0; i < side * side; i++) {
            for (uint32_t k = 0; k < depth; k++) {
                matmul_tiles(0, 1, i / side * depth + k, k * side + i % side, i);
            }
        }
        cb_pop_front(0, side * depth);
        cb_pop_front(1, side * depth);
        tile_regs_commit();
        cb_reserve_back(to, side * side);
        tile_regs_wait();
        for (uint32_t i = 0; i < side * side; i++) {
            pack_tile(i, to);
        }
        tile_regs_release();
        cb_push_back(to, side * side);
    }
}
