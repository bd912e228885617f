/* Implements delay lines. */
#include "arch/noc/line.h"

#include "sim/narrow.h"

void noc_line_init(NocLine *self, SimTime longest_delay)
{
    *self = (NocLine){.length = 1};
    while (self->length <= longest_delay) {
        self->length *= 2;
    }
    self->batches = g_new0(NocBatch, self->length);
}

void noc_line_clear(NocLine *self)
{
    for (guint i = 0; i < self->length; i++) {
        g_free(self->batches[i].items);
    }
    g_free(self->batches);
    *self = (NocLine){0};
}

void noc_batch_grow(NocBatch *self)
{
    self->capacity = self->capacity == 0 ? 32 : self->capacity * 2;
    self->items = g_renew(NocItem, self->items, self->capacity);
}

NocItem *noc_batch_reserve(NocBatch *self, guint count)
{
    while (self->capacity - self->count < count) {
        noc_batch_grow(self);
    }
    return self->items == NULL ? NULL : &self->items[self->count];
}

SimTime noc_line_next(const NocLine *self, SimTime now)
{
    for (; now <= self->last; now++) {
        if (self->batches[sim_u32(now & (self->length - 1))].count > 0) {
            return now;
        }
    }
    return SIM_TIME_NEVER;
}
