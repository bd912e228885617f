// Reads, for each tile of a product, its row of the left matrix and its column of the
// right one.
#include "api/dataflow/dataflow_api.h"

void kernel_main()
{
    const uint32_t first = get_arg_val<uint32_t>(2), tiles = get_arg_val<uint32_t>(3);
    const uint32_t inner = get_arg_val<uint32_t>(4), columns = get_arg_val<uint32_t>(5);
    constexpr auto a_args = TensorAccessorArgs<0>();
    constexpr auto b_args =
        TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
    const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
    const auto b = TensorAccessor(b_args, get_arg_val<uint32_t>(1));

    for (uint32_t i = first; i < first + tiles; i++) {
        for (uint32_t k = 0; k < inner; k++) {
            cb_reserve_back(0, 1);
            cb_reserve_back(1, 1);
            noc_async_read_page(i / columns * inner + k, a, get_write_ptr(0));
            noc_async_read_page(k * columns + i % columns, b, get_write_ptr(1));
            noc_async_read_barrier();
            cb_push_back(0, 1);
            cb_push_back(1, 1);
        }
    }
}
