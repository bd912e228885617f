/* Keeps pending records in a heap, by time and then by age. */
#include "traces/writing/pftrace/pending.h"

#include <string.h>

typedef struct {
    SimTime begin;
    uint64_t age;
    guint32 slot; /* of the record */
} Entry;

struct Pending {
    GArray *heap;    /* of Entry */
    GArray *records; /* of SimProbeRecord */
    GArray *free_slots;
    uint64_t count; /* ever added */
};

Pending *pending_new(void)
{
    Pending *self = g_new0(Pending, 1);

    self->heap = g_array_new(FALSE, FALSE, sizeof(Entry));
    self->records = g_array_new(FALSE, FALSE, sizeof(SimProbeRecord));
    self->free_slots = g_array_new(FALSE, FALSE, sizeof(guint32));
    return self;
}

void pending_free(Pending *self)
{
    if (self != NULL) {
        g_array_unref(self->heap);
        g_array_unref(self->records);
        g_array_unref(self->free_slots);
        g_free(self);
    }
}

static bool is_before(const Entry *a, const Entry *b)
{
    return a->begin != b->begin ? a->begin < b->begin : a->age < b->age;
}

static void copy(SimProbeRecord *to, const SimProbeRecord *from)
{
    memcpy(to, from, offsetof(SimProbeRecord, detail));
    sim_probe_detail_copy(&to->detail, &from->detail);
}

static guint32 keep(Pending *self, const SimProbeRecord *record)
{
    guint32 slot = self->records->len;

    if (self->free_slots->len == 0) {
        g_array_set_size(self->records, slot + 1);
    } else {
        slot = g_array_index(self->free_slots, guint32, --self->free_slots->len);
    }
    copy(&g_array_index(self->records, SimProbeRecord, slot), record);
    return slot;
}

void pending_add(Pending *self, const SimProbeRecord *record)
{
    const Entry added = {
        .begin = record->begin, .age = self->count++, .slot = keep(self, record)};
    guint hole = self->heap->len;
    Entry *heap;

    g_array_append_val(self->heap, added);
    heap = &g_array_index(self->heap, Entry, 0);
    while (hole > 0 && is_before(&added, &heap[(hole - 1) / 2])) {
        heap[hole] = heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap[hole] = added;
}

/* Puts the last entry where the first one was. */
static void close_gap(Entry *heap, guint count, Entry last)
{
    guint hole = 0;

    for (;;) {
        guint child = 2 * hole + 1;

        if (child + 1 < count && is_before(&heap[child + 1], &heap[child])) {
            child++;
        }
        if (child >= count || is_before(&last, &heap[child])) {
            break;
        }
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = last;
}

bool pending_take(Pending *self, SimTime before, SimProbeRecord *record)
{
    Entry *heap = (gpointer) self->heap->data;
    const guint left = self->heap->len - 1;
    guint32 slot;

    if (self->heap->len == 0 || heap[0].begin >= before) {
        return false;
    }
    slot = heap[0].slot;
    copy(record, &g_array_index(self->records, SimProbeRecord, slot));
    g_array_append_val(self->free_slots, slot);
    if (left > 0) {
        close_gap(heap, left, heap[left]);
    }
    g_array_set_size(self->heap, left);
    if (left > 0) {
        __builtin_prefetch(&g_array_index(self->records, SimProbeRecord, heap[0].slot));
    }
    return true;
}
