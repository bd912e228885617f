// Hands a tile to other cores: to one, or with MULTICAST to a row of them.
#include "api/dataflow/dataflow_api.h"

void kernel_main()
{
    const uint32_t x = get_arg_val<uint32_t>(1), y = get_arg_val<uint32_t>(2);
    const uint32_t last_x = get_arg_val<uint32_t>(3),
                   receivers = get_arg_val<uint32_t>(4);
    const uint32_t ready = get_semaphore(0), sent = get_semaphore(1);
    constexpr auto args = TensorAccessorArgs<0>();
    const auto in = TensorAccessor(args, get_arg_val<uint32_t>(0));
    const uint32_t place = get_write_ptr(0); /* the same on all cores */

    noc_async_read_page(0, in, place);
    noc_async_read_barrier();
    noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t *>(ready),
                       receivers);
#ifdef MULTICAST
    noc_async_write_multicast(place, get_noc_multicast_addr(x, y, last_x, y, place),
                              get_tile_size(0), receivers);
    noc_semaphore_set(reinterpret_cast<volatile tt_l1_ptr uint32_t *>(sent), VALID);
    noc_semaphore_set_multicast(sent, get_noc_multicast_addr(x, y, last_x, y, sent),
                                receivers);
    noc_async_write_barrier();
#else
    noc_async_write(place, get_noc_addr(last_x, y, place), get_tile_size(0));
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(last_x, y, sent), VALID);
    noc_async_atomic_barrier();
#endif
}
