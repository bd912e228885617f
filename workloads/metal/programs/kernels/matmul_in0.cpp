// Blocks of A go along the rows of cores: the core whose shard has the columns of a
// step sends them to all, itself included.
#include "api/dataflow/dataflow_api.h"
#include "matmul_layout.hpp"

using namespace matmul;

constexpr uint32_t rows = get_compile_time_arg_val(ROWS);
constexpr uint32_t depth = get_compile_time_arg_val(DEPTH);
constexpr uint32_t steps_of_shard = get_compile_time_arg_val(STEPS_OF_SHARD);
constexpr uint32_t cores = get_compile_time_arg_val(CORES_IN_ROW);

// Sends the strips of a step to a row of cores: in the shard, its rows are longer.
static void send(uint32_t from, uint64_t row)
{
    constexpr uint32_t bytes = depth * get_tile_size(CB_IN0);
    uint32_t to = get_write_ptr(CB_IN0);

    for (uint32_t i = 0; i < rows; i++) {
        noc_async_write_multicast_loopback_src(from, row | to, bytes, cores,
                                               i + 1 < rows);
        from += steps_of_shard * bytes;
        to += bytes;
    }
}

void kernel_main()
{
    const uint32_t shard = get_arg_val<uint32_t>(0);
    const uint32_t x_first = get_arg_val<uint32_t>(1);
    const uint32_t column = get_arg_val<uint32_t>(2);
    const uint32_t y = get_arg_val<uint32_t>(3);
    const uint32_t sent_address = get_semaphore(IN0_SENT);
    // Rectangles on NoC 1 run from their last core to their first.
    const uint64_t row = get_noc_multicast_addr(x_first + cores - 1, y, x_first, y, 0);
    auto *ready =
        reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(IN0_READY));
    auto *sent = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(sent_address);

    for (uint32_t step = 0; step < get_compile_time_arg_val(STEPS); step++) {
        const uint32_t sender = step / steps_of_shard;

        cb_reserve_back(CB_IN0, rows * depth);
        if (sender == column) {
            noc_semaphore_wait(ready, cores - 1);
            noc_semaphore_set(ready, 0);
            noc_semaphore_set(sent, VALID);
            send(shard + step % steps_of_shard * depth * get_tile_size(CB_IN0), row);
            if constexpr (cores > 1) {
                noc_semaphore_set_multicast(sent_address, row | sent_address,
                                            cores - 1);
            }
            noc_async_write_barrier();
        } else {
            noc_semaphore_set(sent, INVALID);
            noc_semaphore_inc(
                get_noc_addr(x_first + sender, y, get_semaphore(IN0_READY)), 1);
            noc_semaphore_wait(sent, VALID);
        }
        cb_push_back(CB_IN0, rows * depth);
    }
    noc_async_atomic_barrier();
}
