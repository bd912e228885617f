// Fills in the edges of shifted tiles, and sends the core's sums on.
#include "pcg_edges.hpp"

void kernel_main()
{
    reduction::Sender sums(pcg::REDUCTION);
    pcg::Edges edges;

    const auto is_reached = [](uint32_t norms) {
        if (pcg::enough == 0) {
            return false;
        }
        const auto told = reduction::word_at(pcg::semaphore(pcg::TOLD));
        noc_semaphore_wait_min(told, norms + 1);
        return *told >= pcg::STOP;
    };

    sums.send();
    sums.send();
    bool is_done = is_reached(0);
    for (uint32_t i = 0; i < pcg::iterations && !is_done; i++) {
        sums.send();
        edges.fill(i * pcg::tiles);
        sums.send();
        sums.send();
        is_done = is_reached(i + 1);
        if (!is_done) {
            sums.send();
        }
    }
    noc_async_atomic_barrier();
}
