// Writes tiles of circular buffer 16 to a tensor, from a page of it on.
#include "api/dataflow/dataflow_api.h"

void kernel_main()
{
    const uint32_t first = get_arg_val<uint32_t>(1);
    const uint32_t tiles = get_arg_val<uint32_t>(2);
    constexpr auto args = TensorAccessorArgs<0>();
    const auto out = TensorAccessor(args, get_arg_val<uint32_t>(0));

    for (uint32_t i = first; i < first + tiles; i++) {
        cb_wait_front(16, 1);
        noc_async_write_page(i, out, get_read_ptr(16));
        noc_async_write_barrier();
        cb_pop_front(16, 1);
    }
}
