// Reads pairs of tiles, with the objects of Device 2.0; the addresses are common to all
// cores.
#include "api/dataflow/circular_buffer.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"

void kernel_main()
{
    const uint32_t first = get_arg_val<uint32_t>(0);
    const uint32_t tiles = get_arg_val<uint32_t>(1);
    constexpr auto a_args = TensorAccessorArgs<0>();
    constexpr auto b_args =
        TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
    const auto a = TensorAccessor(a_args, get_common_arg_val<uint32_t>(0));
    const auto b = TensorAccessor(b_args, get_common_arg_val<uint32_t>(1));
    CircularBuffer a_tiles(get_named_compile_time_arg_val("a"));
    CircularBuffer b_tiles(get_named_compile_time_arg_val("b"));
    Noc noc;

    for (uint32_t i = first; i < first + tiles; i++) {
        a_tiles.reserve_back(1);
        b_tiles.reserve_back(1);
        noc.async_read(a, a_tiles, a_tiles.get_tile_size(), {.page_id = i},
                       {.offset_bytes = 0});
        noc.async_read(b, b_tiles, b_tiles.get_tile_size(), {.page_id = i},
                       {.offset_bytes = 0});
        noc.async_read_barrier();
        a_tiles.push_back(1);
        b_tiles.push_back(1);
    }
}
