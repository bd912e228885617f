/* A stable binary heap of entries ordered by time, key and order of arrival: holds the
 * far future, and what is scheduled for the cycle that is running. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/queue/entry.h"

typedef struct {
    SimTime when;
    uint64_t order;
    Entry entry;
} HeapEntry;

typedef struct {
    HeapEntry *entries;
    gsize count;
    gsize capacity;
    uint64_t next_order;
} Heap;

/* True for entries to be dropped. */
typedef bool (*HeapFilterFunc)(gpointer data, const Entry *entry);

void heap_clear(Heap *self);
void heap_push(Heap *self, SimTime when, Entry entry);

/* Removes and returns the first entry; the heap must not be empty. */
HeapEntry heap_pop(Heap *self);

/* Drops entries without changing the order of the rest. */
void heap_filter(Heap *self, HeapFilterFunc is_dropped, gpointer data);
