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
    // Notes the norm; true if it is small enough.
    const auto is_reached = [&history, total](uint32_t norms) {
        if (history == 0 && pcg::enough == 0) {
            return false;
        }
        const uint32_t square = *total;
        const bool is_small = pcg::is_enough(square, pcg::enough);
        if (history != 0) {
            *reduction::word_at(history) = square;
            history += 4;
        }
        if (pcg::enough != 0) {
            noc_semaphore_set(reduction::word_at(pcg::semaphore(pcg::TOLD)),
                              is_small ? pcg::STOP : norms + 1);
        }
        return is_small;
    };

    cb_reserve_back(pcg::CB_SIXTH, 1);
    *reduction::word_at(get_write_ptr(pcg::CB_SIXTH)) = 0x3e2b;  // 1/6 in BF16
    cb_push_back(pcg::CB_SIXTH, 1);
    give(pcg::CB_CONSTANTS, 2);
    sums.prepare();
    sum();
    sum();
    bool is_done = is_reached(0);
    for (uint32_t i = 0; i < pcg::iterations && !is_done; i++) {
        sum();
        if (is_sending) {
            edges.send(i * pcg::tiles);
        }
        sum();
        sum();
        is_done = is_reached(i + 1);
        if (!is_done) {
            sum();
        }
    }
    noc_async_atomic_barrier();
}
