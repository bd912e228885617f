// Blocks of B go along the columns of cores: the first core of a column reads them from
// DRAM and sends them to those below it. At the end, waits for the block of C.
#include "api/dataflow/dataflow_api.h"
#include "matmul_layout.hpp"

using namespace matmul;

constexpr uint32_t columns = get_compile_time_arg_val(COLUMNS);
constexpr uint32_t depth = get_compile_time_arg_val(DEPTH);
constexpr uint32_t cores = get_compile_time_arg_val(CORES_IN_COLUMN);
constexpr uint32_t all_columns = columns * get_compile_time_arg_val(CORES_IN_ROW);

template <typename Tensor> static void read(const Tensor &b, uint32_t page)
{
    uint32_t to = get_write_ptr(CB_IN1);

    for (uint32_t k = 0; k < depth; k++) {
        for (uint32_t i = 0; i < columns; i++) {
            noc_async_read_page(page + i, b, to);
            to += get_tile_size(CB_IN1);
        }
        page += all_columns;
    }
    noc_async_read_barrier();
}

void kernel_main()
{
    constexpr auto tensor_args = TensorAccessorArgs<ARGUMENTS>();
    const auto b = TensorAccessor(tensor_args, get_arg_val<uint32_t>(0));
    const uint32_t x = get_arg_val<uint32_t>(1);
    const uint32_t y_first = get_arg_val<uint32_t>(2);
    const uint32_t sent_address = get_semaphore(IN1_SENT);
    auto *ready =
        reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(IN1_READY));
    auto *sent = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(sent_address);
    const uint64_t below =
        get_noc_multicast_addr(x, y_first + 1, x, y_first + cores - 1, 0);
    uint32_t page = get_arg_val<uint32_t>(3);

    for (uint32_t step = 0; step < get_compile_time_arg_val(STEPS); step++) {
        cb_reserve_back(CB_IN1, columns * depth);
        if (my_y[0] == y_first) {
            read(b, page);
            page += depth * all_columns;
            if constexpr (cores > 1) {
                const uint32_t block = get_write_ptr(CB_IN1);

                noc_semaphore_wait(ready, cores - 1);
                noc_semaphore_set(ready, 0);
                noc_async_write_multicast(block, below | block,
                                          columns * depth * get_tile_size(CB_IN1),
                                          cores - 1);
                noc_semaphore_set(sent, VALID);
                noc_semaphore_set_multicast(sent_address, below | sent_address,
                                            cores - 1);
                noc_async_writes_flushed();
            }
        } else {
            noc_semaphore_set(sent, INVALID);
            noc_semaphore_inc(get_noc_addr(x, y_first, get_semaphore(IN1_READY)), 1);
            noc_semaphore_wait(sent, VALID);
        }
        cb_push_back(CB_IN1, columns * depth);
    }
    noc_async_write_barrier();
    noc_async_atomic_barrier();
    cb_wait_front(CB_OUT, get_compile_time_arg_val(ROWS) * columns);
}
