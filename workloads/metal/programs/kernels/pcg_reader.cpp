// Sends edges to neighbours, and receives sums of other cores and totals. One core
// keeps the history of the norm.
#include "pcg_edges.hpp"

namespace
{

void give(uint32_t cb, uint32_t pages)
{
    cb_reserve_back(cb, pages);
    cb_push_back(cb, pages);
}

}  // namespace

void kernel_main()
{
    const bool is_sending = get_arg_val<uint32_t>(pcg::IS_SENDING) != 0;
    const auto total = reduction::word_at(get_arg_val<uint32_t>(pcg::TOTAL_AT));
    uint32_t history = get_arg_val<uint32_t>(pcg::HISTORY_AT);
    reduction::Receiver sums(pcg::REDUCTION);
    pcg::Edges edges;
    const auto sum = [&sums] {
        sums.receive();
        sums.total();
    };
    const auto note_norm = [&history, total] {
        if (history != 0) {
            *reduction::word_at(history) = *total;
            history += 4;
        }
    };

    cb_reserve_back(pcg::CB_SIXTH, 1);
    *reduction::word_at(get_write_ptr(pcg::CB_SIXTH)) = 0x3e2b;  // 1/6 in BF16
    cb_push_back(pcg::CB_SIXTH, 1);
    give(pcg::CB_CONSTANTS, 2);
    sums.prepare();
    sum();
    sum();
    note_norm();
    for (uint32_t i = 0; i < pcg::iterations; i++) {
        sum();
        if (is_sending) {
            edges.send(i * pcg::tiles);
        }
        sum();
        sum();
        note_norm();
        sum();
    }
    noc_async_atomic_barrier();
}
