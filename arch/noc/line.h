/* A delay line: items arrive a fixed number of cycles later, in sending order. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "sim/narrow.h"
#include "sim/time.h"

/* An item that arrives. The line's owner defines `where` and `what`. */
typedef struct {
    uint32_t where;
    uint32_t what;
} NocItem;

typedef struct {
    NocItem *items;
    guint count;
    guint capacity;
} NocBatch;

/* One batch per cycle, reused in turn. */
typedef struct {
    NocBatch *batches;
    guint length; /* a power of two, above the longest delay */
    SimTime last; /* nothing arrives after it */
} NocLine;

void noc_line_init(NocLine *self, SimTime longest_delay);
void noc_line_clear(NocLine *self);

void noc_batch_grow(NocBatch *self);

/* Makes room for `count` more items, and returns where they go. Count those that are
 * put there. */
NocItem *noc_batch_reserve(NocBatch *self, guint count);

/* The first cycle from `now` on at which something arrives, or SIM_TIME_NEVER. */
SimTime noc_line_next(const NocLine *self, SimTime now);

/* The batch that arrives at `when`, for adding items. */
static inline NocBatch *noc_line_open(NocLine *self, SimTime when)
{
    self->last = MAX(self->last, when);
    return &self->batches[sim_u32(when & (self->length - 1))];
}

static inline void noc_batch_add(NocBatch *self, uint32_t where, uint32_t what)
{
    if (G_UNLIKELY(self->count == self->capacity)) {
        noc_batch_grow(self);
    }
    self->items[self->count++] = (NocItem){.where = where, .what = what};
}

static inline void
noc_line_send(NocLine *self, SimTime when, uint32_t where, uint32_t what)
{
    noc_batch_add(noc_line_open(self, when), where, what);
}

/* The batch that arrives at `now`. Handle its items, then call noc_batch_finish(). */
static inline NocBatch *noc_line_arrivals(NocLine *self, SimTime now)
{
    return &self->batches[sim_u32(now & (self->length - 1))];
}

static inline void noc_batch_finish(NocBatch *self)
{
    self->count = 0;
}
