/* Implements the stable binary heap. */
#include "sim/queue/heap.h"

static bool is_before(const SimHeapEntry *a, const SimHeapEntry *b)
{
    if (a->when != b->when) {
        return a->when < b->when;
    }
    if (a->entry.key != b->entry.key) {
        return a->entry.key < b->entry.key;
    }
    return a->order < b->order;
}

static void sift_up(SimHeap *self, gsize index)
{
    SimHeapEntry entry = self->entries[index];

    while (index > 0) {
        gsize parent = (index - 1) / 2;

        if (!is_before(&entry, &self->entries[parent])) {
            break;
        }
        self->entries[index] = self->entries[parent];
        index = parent;
    }
    self->entries[index] = entry;
}

static void sift_down(SimHeap *self, gsize index)
{
    SimHeapEntry entry = self->entries[index];

    for (;;) {
        gsize child = 2 * index + 1;

        if (child >= self->count) {
            break;
        }
        if (child + 1 < self->count &&
            is_before(&self->entries[child + 1], &self->entries[child])) {
            child++;
        }
        if (!is_before(&self->entries[child], &entry)) {
            break;
        }
        self->entries[index] = self->entries[child];
        index = child;
    }
    self->entries[index] = entry;
}

void sim_heap_clear(SimHeap *self)
{
    g_clear_pointer(&self->entries, g_free);
    *self = (SimHeap){0};
}

void sim_heap_push(SimHeap *self, SimTime when, Entry entry)
{
    if (self->count == self->capacity) {
        self->capacity = self->capacity == 0 ? 64 : self->capacity * 2;
        self->entries = g_renew(SimHeapEntry, self->entries, self->capacity);
    }
    self->entries[self->count] =
        (SimHeapEntry){.when = when, .order = self->next_order++, .entry = entry};
    sift_up(self, self->count++);
}

SimHeapEntry sim_heap_pop(SimHeap *self)
{
    SimHeapEntry first = self->entries[0];

    self->entries[0] = self->entries[--self->count];
    if (self->count > 0) {
        sift_down(self, 0);
    }
    return first;
}

void sim_heap_filter(SimHeap *self, SimHeapFilterFunc is_dropped, gpointer data)
{
    gsize kept = 0;

    for (gsize i = 0; i < self->count; i++) {
        if (!is_dropped(data, &self->entries[i].entry)) {
            self->entries[kept++] = self->entries[i];
        }
    }
    self->count = kept;
    for (gsize i = kept / 2; i-- > 0;) {
        sift_down(self, i);
    }
}
