// Adds every tile to itself; it reserves nothing, since there is always space.
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"

void kernel_main()
{
    constexpr uint32_t tiles = get_compile_time_arg_val(0);

    compute_kernel_hw_startup(0, 0, 16);
    add_tiles_init(0, 0);
    for (uint32_t i = 0; i < tiles; i++) {
        cb_wait_front(0, 1);
        tile_regs_acquire();
        add_tiles(0, 0, 0, 0, 0);
        tile_regs_commit();
        tile_regs_wait();
        pack_tile(0, 16);
        tile_regs_release();
        cb_push_back(16, 1);
        cb_pop_front(0, 1);
    }
}
