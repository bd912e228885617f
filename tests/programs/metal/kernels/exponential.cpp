// The exponentials of tiles.
#include "compute_kernel_api/common.h"
#include "compute_kernel_api/eltwise_unary/eltwise_unary.h"
#include "compute_kernel_api/eltwise_unary/exp.h"
#include "compute_kernel_api/tile_move_copy.h"

void kernel_main()
{
    init_sfpu(0, 16);
    exp_tile_init();
    for (uint32_t i = 0; i < get_compile_time_arg_val(0); i++) {
        tile_regs_acquire();
        cb_wait_front(0, 1);
        copy_tile(0, 0, 0);
        exp_tile(0);
        cb_pop_front(0, 1);
        tile_regs_commit();
        tile_regs_wait();
        cb_reserve_back(16, 1);
        pack_tile(0, 16);
        cb_push_back(16, 1);
        tile_regs_release();
    }
}
