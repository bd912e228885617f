/* Asks the system. */
#include "tools/gridloom/peak_memory.h"

#include <sys/resource.h>

uint64_t peak_memory_bytes(void)
{
    struct rusage usage = {0};

    (void) getrusage(RUSAGE_SELF, &usage);
    return (uint64_t) usage.ru_maxrss * 1024; /* Linux counts KiB */
}
