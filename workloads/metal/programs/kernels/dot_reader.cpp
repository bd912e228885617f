// The vectors are in L1 from the start; then sums come from other cores, and the total.
#include "dot_layout.hpp"
#include "reduction_mover.hpp"

void kernel_main()
{
    constexpr uint32_t tiles = get_compile_time_arg_val(dot::TILES);

    for (uint32_t cb : {dot::CB_A, dot::CB_B}) {
        cb_reserve_back(cb, tiles);
        cb_push_back(cb, tiles);
    }
    reduction::Receiver sums(0);
    sums.prepare();
    sums.receive();
    sums.total();
    noc_async_atomic_barrier();
}
