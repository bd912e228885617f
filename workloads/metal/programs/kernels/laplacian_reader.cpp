// The vector is in L1 from the start; its edges go to the neighbours.
#include "pcg_edges.hpp"

void kernel_main()
{
    pcg::Edges edges;

    cb_reserve_back(pcg::CB_CONSTANTS, 2);
    cb_push_back(pcg::CB_CONSTANTS, 2);
    cb_reserve_back(pcg::CB_P, pcg::tiles);
    cb_push_back(pcg::CB_P, pcg::tiles);
    if (get_arg_val<uint32_t>(pcg::IS_SENDING) != 0) {
        edges.send(0);
    }
    noc_async_atomic_barrier();
}
