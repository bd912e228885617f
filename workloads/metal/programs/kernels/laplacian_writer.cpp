// Fills in the edges of shifted tiles. The product is in place when it is complete.
#include "pcg_edges.hpp"

void kernel_main()
{
    pcg::Edges edges;

    edges.fill(0);
    cb_wait_front(pcg::CB_Q, pcg::tiles);
    cb_pop_front(pcg::CB_Q, pcg::tiles);
    noc_async_atomic_barrier();
}
