// Reads a tile of each of two tensors, as kernels did before accessors.
#include "dataflow_api.h"

void kernel_main()
{
    const InterleavedAddrGenFast<true> a = {
        .bank_base_address = get_arg_val<uint32_t>(0),
        .page_size = get_tile_size(tt::CB::c_in0),
        .data_format = get_dataformat(tt::CB::c_in0)};
    /* Its only page is in bank 0. */
    const uint64_t b = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3),
                                    get_arg_val<uint32_t>(1));

    cb_reserve_back(tt::CB::c_in0, 1);
    noc_async_read_tile(0, a, get_write_ptr(tt::CB::c_in0));
    noc_async_read_barrier();
    cb_push_back(tt::CB::c_in0, 1);
    cb_reserve_back(tt::CB::c_in1, 1);
    noc_async_read(b, get_write_ptr(tt::CB::c_in1), get_tile_size(tt::CB::c_in1));
    noc_async_read_barrier();
    cb_push_back(tt::CB::c_in1, 1);
}
