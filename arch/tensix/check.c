/* Self-check of Tensix cores: their L1 and the counters of circular buffers. */
#include "arch/tensix/core.h"

void tensix_core_check(ArchTensixCore *core, GPtrArray *lines)
{
    if (core->l1 != NULL && !tensix_l1_is_whole(core->l1)) {
        g_ptr_array_add(
            lines, g_strdup_printf("%s: bytes of L1 are allocated twice", core->name));
    }
    for (guint i = 0; i < CIRCULAR_BUFFERS; i++) {
        const CircularBuffer *buffer = &core->buffers[i];
        const uint64_t pushed = buffer->pushed.total;
        const uint64_t popped = buffer->popped.total;

        if (buffer->page_count > 0 &&
            (popped > pushed || pushed - popped > buffer->page_count)) {
            g_ptr_array_add(lines,
                            g_strdup_printf("%s %s of %u pages: %" G_GUINT64_FORMAT
                                            " pushed, %" G_GUINT64_FORMAT " popped",
                                            core->name, tensix_cb_name(i),
                                            buffer->page_count, pushed, popped));
        }
    }
}
