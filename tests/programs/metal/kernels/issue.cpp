// Stores how many cycles each of several calls takes: 64 more turns of a loop around
// it.
#include "api/dataflow/dataflow_api.h"

constexpr uint32_t BYTES = 32;
constexpr uint32_t TURNS = 64;

// The first time, the loop's text comes to the cache.
template <typename Call> FORCE_INLINE void measure(uint32_t index, Call call)
{
    uint32_t before = 0;
    uint32_t cycles = 0;

    for (uint32_t time = 0; time < 3; time++) {
        const uint32_t turns = time == 2 ? 2 * TURNS : TURNS;
        const uint32_t begin = get_timestamp_32b();

        for (uint32_t i = 0; i < turns; i++) {
            call(i);
        }
        before = cycles;
        cycles = get_timestamp_32b() - begin;
        noc_async_full_barrier();
    }
    reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_arg_val<uint32_t>(0))[index] =
        cycles - before;
}

void kernel_main()
{
    const uint32_t here = get_arg_val<uint32_t>(1);
    const uint64_t there = get_noc_addr(get_arg_val<uint32_t>(2), my_y[0], here);
    const auto tensor =
        TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(3));
    const uint32_t bytes = get_arg_val<uint32_t>(4);

    noc_async_read_one_packet_set_state(there, BYTES);
    noc_async_write_one_packet_set_state(there, BYTES);
    noc_inline_dw_write_set_state(there);
#define CALL(index, call)                                                              \
    measure(                                                                           \
        index, [=](uint32_t i) __attribute__((always_inline)) {                        \
            (void) i;                                                                  \
            call;                                                                      \
        })
    CALL(0, noc_async_read_one_packet_with_state(here, here));
    CALL(1, noc_async_read_with_state(here, here, BYTES));
    CALL(2, noc_async_read(there, here, BYTES));
    CALL(3, noc_async_read_page(i, tensor, here + i * BYTES));
    CALL(4, noc_async_write_one_packet_with_state(here, here));
    CALL(5, noc_async_write_with_state(here, here, BYTES));
    CALL(6, noc_async_write_with_state(here, here, bytes));
    CALL(7, noc_async_write(here, there, BYTES));
    CALL(8, noc_async_write_page(i, tensor, here + i * BYTES));
    CALL(9, noc_inline_dw_write(there, i));
    CALL(10, (noc_inline_dw_write_with_state<false, true, false, false, true>(i)));
}
