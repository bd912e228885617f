/* Asks the kernel for large pages. */
#include "sim/pages.h"

#include <stdint.h>
#include <sys/mman.h>

enum {
    LARGE_PAGE = 1 << 21,
};

gpointer sim_pages_large(gpointer memory, gsize bytes)
{
    const uintptr_t from = (uintptr_t) memory;
    const uintptr_t first = (from + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    const uintptr_t end = (from + bytes) / LARGE_PAGE * LARGE_PAGE;

    if (memory != NULL && first < end) {
        /* A host without large pages refuses, and goes on with small ones. */
        (void) madvise((char *) memory + (first - from), end - first, MADV_HUGEPAGE);
    }
    return memory;
}
