// Sends the core's sum on.
#include "reduction_mover.hpp"

void kernel_main()
{
    reduction::Sender sums(0);

    sums.send();
    noc_async_atomic_barrier();
}
