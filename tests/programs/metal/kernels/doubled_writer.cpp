// Writes tiles to DRAM, and says when it has written all.
#include "api/dataflow/dataflow_api.h"
#include "api/debug/dprint.h"

void kernel_main()
{
    const uint32_t address = get_arg_val<uint32_t>(0);
    const uint32_t tiles = get_arg_val<uint32_t>(1);
    constexpr auto args = TensorAccessorArgs<0>();
    const auto out = TensorAccessor(args, address, get_tile_size(16));

    for (uint32_t i = 0; i < tiles; i++) {
        cb_wait_front(16, 1);
        noc_async_write_page(i, out, get_read_ptr(16));
        noc_async_write_barrier();
        cb_pop_front(16, 1);
    }
    DPRINT("{} tiles are written\n", tiles);
}
