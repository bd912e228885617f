// Combines pairs of tiles, by the function OPERATION; where they lie in L1 already
// (IN_PLACE), nobody waits.
#include "compute_kernel_api/eltwise_binary.h"

#ifdef DST_ACCUM_MODE
#error "it is a constant, which the preprocessor does not see"
#endif

namespace NAMESPACE
{
void MAIN
{
    const uint32_t tiles = get_arg_val<uint32_t>(0);

    binary_op_init_common(0, 1);
    OPERATION_INIT();
    for (uint32_t i = 0; i < tiles; i++) {
#ifndef IN_PLACE
        cb_wait_front(0, 1);
        cb_wait_front(1, 1);
        cb_reserve_back(16, 1);
#endif
        tile_regs_acquire();
        OPERATION(0, 1, 0, 0, 0);
        tile_regs_commit();
        tile_regs_wait();
        pack_tile(0, 16);
        tile_regs_release();
        cb_pop_front(0, 1);
        cb_pop_front(1, 1);
        cb_push_back(16, 1);
#ifdef PEEK
        cb_wait_front(16, 1); /* which the writer waits for and pops */
#endif
        cb_pop_front(30, 1); /* there is no such buffer: nothing comes of it */
    }
}
}  // namespace NAMESPACE
