// Sends the core's sum on.
#include "dot_layout.hpp"
#include "reduction_mover.hpp"

void kernel_main()
{
    reduction::Sender sums(dot::REDUCTION);

    sums.send();
    noc_async_atomic_barrier();
}
