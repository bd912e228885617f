// Reads both factors in blocks of the inner dimension: all rows of the left one, all
// columns of the right one.
#include "api/dataflow/dataflow_api.h"

void kernel_main()
{
    constexpr uint32_t side = get_compile_time_arg_val(0),
                       blocks = get_compile_time_arg_val(1);
    constexpr uint32_t depth = get_compile_time_arg_val(2);
    constexpr auto a_args = TensorAccessorArgs<3>();
    constexpr auto b_args =
        TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
    const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
    const auto b = TensorAccessor(b_args, get_arg_val<uint32_t>(1));

    for (uint32_t block = 0; block < blocks; block++) {
        cb_reserve_back(0, side * depth);
        cb_reserve_back(1, side * depth);
        uint32_t to_a = get_write_ptr(0), to_b = get_write_ptr(1);
        for (uint32_t i = 0; i < side * depth; i++) {
            noc_async_read_page(i / depth * blocks * depth + block * depth + i % depth,
                                a, to_a);
            noc_async_read_page(block * depth * side + i, b, to_b);
            to_a += get_tile_size(0);
            to_b += get_tile_size(1);
        }
        noc_async_read_barrier();
        cb_push_back(0, side * depth);
        cb_push_back(1, side * depth);
    }
}
