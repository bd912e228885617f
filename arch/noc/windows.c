/* Keeps the bounds of windows in two arrays. */
#include "arch/noc/windows.h"

#include <string.h>

void noc_windows_init(NocWindows *self, guint link_count)
{
    *self = (NocWindows){
        .link_count = link_count,
        .bounds = g_array_new(FALSE, FALSE, sizeof(SimTime)),
        .flits = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
    };
}

void noc_windows_clear(NocWindows *self)
{
    g_clear_pointer(&self->bounds, g_array_unref);
    g_clear_pointer(&self->flits, g_array_unref);
}

void noc_windows_reset(NocWindows *self)
{
    g_array_set_size(self->bounds, 0);
    g_array_set_size(self->flits, 0);
}

guint noc_windows_count(const NocWindows *self)
{
    return MAX(self->bounds->len, 1) - 1;
}

static uint64_t *row(const NocWindows *self, gsize bound)
{
    return (uint64_t *) (void *) self->flits->data + bound * self->link_count;
}

uint64_t *noc_windows_add(NocWindows *self, SimTime bound)
{
    g_array_append_val(self->bounds, bound);
    g_array_set_size(self->flits, self->bounds->len * self->link_count);
    return row(self, self->bounds->len - 1);
}

void noc_windows_merge(NocWindows *self)
{
    const guint windows = noc_windows_count(self) / 2;

    for (gsize i = 1; i <= windows; i++) {
        g_array_index(self->bounds, SimTime, i) =
            g_array_index(self->bounds, SimTime, 2 * i);
        memcpy(row(self, i), row(self, 2 * i), self->link_count * sizeof(uint64_t));
    }
    g_array_set_size(self->bounds, windows + 1);
    g_array_set_size(self->flits, (windows + 1) * self->link_count);
}

SimTime noc_windows_bound(const NocWindows *self, guint bound)
{
    return g_array_index(self->bounds, SimTime, bound);
}

uint64_t noc_windows_flits(const NocWindows *self, guint first, guint last, guint link)
{
    return row(self, last)[link] - row(self, first)[link];
}

ArchNocWindows noc_windows_report(const NocWindows *self)
{
    ArchNocWindows result = {.count = noc_windows_count(self),
                             .link_count = self->link_count};

    result.ends = g_new(SimTime, result.count);
    result.flits = g_new(uint64_t, (gsize) result.count * result.link_count);
    for (guint i = 0; i < result.count; i++) {
        result.ends[i] = noc_windows_bound(self, i + 1) - noc_windows_bound(self, 0);
        for (guint link = 0; link < result.link_count; link++) {
            result.flits[(gsize) i * result.link_count + link] =
                noc_windows_flits(self, i, i + 1, link);
        }
    }
    return result;
}

void arch_noc_windows_clear(ArchNocWindows *self)
{
    g_free(self->ends);
    g_free(self->flits);
    *self = (ArchNocWindows){0};
}
