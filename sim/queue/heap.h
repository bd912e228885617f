/* A stable binary heap of entries ordered by time, key and order of arrival: holds the
 * far future, and events scheduled for the running cycle. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/queue/entry.h"

typedef struct {
    SimTime when;
    uint64_t order;
    Entry entry;
} SimHeapEntry;

typedef struct {
    SimHeapEntry *entries;
    gsize count;
    gsize capacity;
    uint64_t next_order;
} SimHeap;

/* True for entries to be dropped. */
typedef bool (*SimHeapFilterFunc)(gpointer data, const Entry *entry);

void sim_heap_clear(SimHeap *self);
void sim_heap_push(SimHeap *self, SimTime when, Entry entry);

/* Removes and returns the first entry; the heap must not be empty. */
SimHeapEntry sim_heap_pop(SimHeap *self);

/* Drops entries without changing the order of the rest. */
void sim_heap_filter(SimHeap *self, SimHeapFilterFunc is_dropped, gpointer data);
