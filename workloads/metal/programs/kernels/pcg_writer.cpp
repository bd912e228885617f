// Fills in the edges of shifted tiles, and sends the core's sums on.
#include "pcg_edges.hpp"

void kernel_main()
{
    reduction::Sender sums(pcg::REDUCTION);
    pcg::Edges edges;

    sums.send();
    sums.send();
    for (uint32_t i = 0; i < pcg::iterations; i++) {
        sums.send();
        edges.fill(i * pcg::tiles);
        sums.send();
        sums.send();
        sums.send();
    }
    noc_async_atomic_barrier();
}
