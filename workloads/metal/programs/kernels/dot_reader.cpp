// The vectors are in L1 from the start; then sums come from other cores, and the total.
#include "dot_layout.hpp"
#include "reduction_mover.hpp"

void kernel_main()
{
    constexpr uint32_t tiles = get_compile_time_arg_val(dot::TILES);
    const bool is_square = get_arg_val<uint32_t>(dot::IS_SQUARE) != 0;
    const uint32_t norm = get_arg_val<uint32_t>(dot::NORM_AT);

    cb_reserve_back(dot::CB_A, tiles);
    cb_push_back(dot::CB_A, tiles);
    if (!is_square) {
        cb_reserve_back(dot::CB_B, tiles);
        cb_push_back(dot::CB_B, tiles);
    }
    const uint32_t total = get_write_ptr(reduction::CB_RESULT);
    reduction::Receiver sums(dot::REDUCTION);
    sums.prepare();
    sums.receive();
    sums.total();
    if (norm != 0 && get_absolute_logical_x() == 0 && get_absolute_logical_y() == 0) {
        noc_async_write(total, get_noc_addr_from_bank_id<true>(0, norm),
                        reduction::NUMBER_BYTES);
        noc_async_write_barrier();
    }
    noc_async_atomic_barrier();
}
