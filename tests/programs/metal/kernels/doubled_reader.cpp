// Reads tiles from DRAM.
#include "api/dataflow/dataflow_api.h"

void kernel_main()
{
    const uint32_t address = get_arg_val<uint32_t>(0);
    const uint32_t tiles = get_arg_val<uint32_t>(1);
    constexpr auto args = TensorAccessorArgs<0>();
    const auto in = TensorAccessor(args, address, get_tile_size(0));

    for (uint32_t i = 0; i < tiles; i++) {
        cb_reserve_back(0, 1);
        noc_async_read_page(i, in, get_write_ptr(0));
        noc_async_read_barrier();
        cb_push_back(0, 1);
    }
}
