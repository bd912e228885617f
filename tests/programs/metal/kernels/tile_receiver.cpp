// Takes a tile from another core, and writes it to a page of a tensor.
#include "api/dataflow/dataflow_api.h"

void kernel_main()
{
    constexpr auto args = TensorAccessorArgs<0>();
    const auto out = TensorAccessor(args, get_arg_val<uint32_t>(0));

    noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3),
                                   get_semaphore(0)),
                      1);
    noc_async_atomic_barrier();
    noc_semaphore_wait(
        reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(1)), VALID);
    noc_async_write_page(get_arg_val<uint32_t>(1), out, get_write_ptr(0));
    noc_async_write_barrier();
}
