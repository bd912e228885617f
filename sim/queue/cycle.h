/* The events of one cycle, put into key order, stably. */
#pragma once

#include <glib.h>

#include "sim/queue/entry.h"

typedef struct {
    SimKey key;
    const Entry *entry; /* borrowed */
} CycleItem;

typedef struct {
    CycleItem *items;
    CycleItem *scratch;
    gsize count;
    gsize capacity;
} Cycle;

void cycle_clear(Cycle *self);

/* The entries must stay where they are until the cycle has run. */
void cycle_append(Cycle *self, const Entry *entries, gsize count);

/* Sorts by key; entries with equal keys keep their order. */
void cycle_sort(Cycle *self);
