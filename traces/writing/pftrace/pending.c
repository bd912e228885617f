/* Keeps pending records in a ring of cycles, each a list by age. Those that lie further
 * ahead, or behind, are in a heap, by time and then by age. */
#include "traces/writing/pftrace/pending.h"

#include <stddef.h>
#include <string.h>

#include "sim/narrow.h"

enum {
    RING_CYCLES = 4096,
    WORD_BITS = 64,
    NO_SLOT = G_MAXUINT32,
};

typedef struct {
    SimTime begin;
    uint64_t age;
    guint32 slot; /* of the record */
} Entry;

/* A record. There are thousands of them, and few have details. */
typedef struct {
    const char *name;
    SimTime begin;
    int64_t value;
    SimLane lane;
    SimProbeKind kind;
    guint32 detail; /* slot, or NO_SLOT */
    guint32 next;   /* slot of the next one of its cycle, or of the next free one */
} Kept;

typedef struct {
    guint32 first; /* slots; set if the cycle has any */
    guint32 last;
} Cycle;

struct Pending {
    Cycle ring[RING_CYCLES];                 /* from `at` on */
    uint64_t marks[RING_CYCLES / WORD_BITS]; /* cycles of the ring that have records */
    SimTime at;                              /* no cycle before it is in the ring */
    GArray *heap;                            /* of Entry */
    GArray *kept;                            /* of Kept */
    guint32 free_slot;                       /* the first one, or NO_SLOT */
    GArray *details;                         /* of SimProbeDetail */
    GArray *free_details;                    /* of their slots */
    uint64_t count;                          /* ever added to the heap */
    SimProbeRecord taken;
};

Pending *pending_new(void)
{
    Pending *self = g_new0(Pending, 1);

    self->heap = g_array_new(FALSE, FALSE, sizeof(Entry));
    self->kept = g_array_new(FALSE, FALSE, sizeof(Kept));
    self->details = g_array_new(FALSE, FALSE, sizeof(SimProbeDetail));
    self->free_details = g_array_new(FALSE, FALSE, sizeof(guint32));
    self->free_slot = NO_SLOT;
    return self;
}

void pending_free(Pending *self)
{
    if (self != NULL) {
        g_array_unref(self->heap);
        g_array_unref(self->kept);
        g_array_unref(self->details);
        g_array_unref(self->free_details);
        g_free(self);
    }
}

static Kept *kept_at(const Pending *self, guint32 slot)
{
    return &g_array_index(self->kept, Kept, slot);
}

static guint32 keep_detail(Pending *self, const SimProbeDetail *detail)
{
    guint32 slot = self->details->len;

    if (detail->flow == 0 && !detail->has_cause && detail->argument_count == 0) {
        return NO_SLOT;
    }
    if (self->free_details->len > 0) {
        const guint last = self->free_details->len - 1;

        slot = g_array_index(self->free_details, guint32, last);
        g_array_set_size(self->free_details, last);
    } else {
        g_array_set_size(self->details, slot + 1);
    }
    sim_probe_detail_copy(&g_array_index(self->details, SimProbeDetail, slot), detail);
    return slot;
}

static guint32 keep(Pending *self, const SimProbeRecord *record)
{
    guint32 slot = self->free_slot;

    if (slot == NO_SLOT) {
        slot = self->kept->len;
        g_array_set_size(self->kept, slot + 1);
    } else {
        self->free_slot = kept_at(self, slot)->next;
    }
    *kept_at(self, slot) = (Kept){
        .name = record->name,
        .begin = record->begin,
        .value = record->value,
        .lane = record->lane,
        .kind = record->kind,
        .detail = keep_detail(self, &record->detail),
        .next = NO_SLOT,
    };
    return slot;
}

static void release_detail(Pending *self, guint32 slot)
{
    SimProbeDetail *detail = &self->taken.detail;

    if (slot == NO_SLOT) {
        memset(detail, 0, offsetof(SimProbeDetail, arguments));
        return;
    }
    sim_probe_detail_copy(detail, &g_array_index(self->details, SimProbeDetail, slot));
    g_array_append_val(self->free_details, slot);
}

static const SimProbeRecord *release(Pending *self, guint32 slot)
{
    Kept *kept = kept_at(self, slot);
    SimProbeRecord *taken = &self->taken;

    taken->kind = kept->kind;
    taken->lane = kept->lane;
    taken->name = kept->name;
    taken->begin = kept->begin;
    taken->end = kept->begin;
    taken->value = kept->value;
    release_detail(self, kept->detail);
    kept->next = self->free_slot;
    self->free_slot = slot;
    return taken;
}

static bool is_before(const Entry *a, const Entry *b)
{
    return a->begin != b->begin ? a->begin < b->begin : a->age < b->age;
}

static void heap_add(Pending *self, Entry added)
{
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

static guint32 heap_take(Pending *self)
{
    Entry *heap = (gpointer) self->heap->data;
    const guint left = self->heap->len - 1;
    const guint32 slot = heap[0].slot;

    if (left > 0) {
        close_gap(heap, left, heap[left]);
    }
    g_array_set_size(self->heap, left);
    return slot;
}

static void ring_add(Pending *self, guint cycle, guint32 slot)
{
    uint64_t *word = &self->marks[cycle / WORD_BITS];
    const uint64_t mark = UINT64_C(1) << cycle % WORD_BITS;
    Cycle *list = &self->ring[cycle];

    if ((*word & mark) == 0) {
        *word |= mark;
        list->first = slot;
    } else {
        kept_at(self, list->last)->next = slot;
    }
    list->last = slot;
}

void pending_add(Pending *self, const SimProbeRecord *record)
{
    const guint32 slot = keep(self, record);

    if (G_LIKELY(record->begin - self->at < RING_CYCLES)) { /* if not behind it */
        ring_add(self, record->begin % RING_CYCLES, slot);
    } else {
        heap_add(self,
                 (Entry){.begin = record->begin, .age = self->count++, .slot = slot});
    }
}

/* The first cycle from `at` on that has records, or `before`. */
static SimTime ring_next(const Pending *self, SimTime before)
{
    const SimTime end = MIN(before, self->at + RING_CYCLES);
    SimTime at = self->at;

    while (at < end) {
        const guint bit = at % WORD_BITS;
        const uint64_t word = self->marks[at % RING_CYCLES / WORD_BITS] >> bit;

        if (word != 0) {
            return MIN(at + (guint) __builtin_ctzll(word), before);
        }
        at += WORD_BITS - bit;
    }
    return before;
}

static guint32 ring_take(Pending *self, guint cycle)
{
    Cycle *list = &self->ring[cycle];
    const guint32 slot = list->first;

    list->first = kept_at(self, slot)->next;
    if (list->first == NO_SLOT) {
        self->marks[cycle / WORD_BITS] &= ~(UINT64_C(1) << cycle % WORD_BITS);
    }
    return slot;
}

/* In a tie, the heap has the older one: its cycle was further ahead then. */
const SimProbeRecord *pending_take(Pending *self, SimTime before)
{
    const SimTime next = ring_next(self, before);

    if (self->heap->len > 0) {
        const SimTime begin = g_array_index(self->heap, Entry, 0).begin;

        if (begin <= next && begin < before) {
            return release(self, heap_take(self));
        }
    }
    self->at = MAX(self->at, next);
    return next < before ? release(self, ring_take(self, next % RING_CYCLES)) : NULL;
}
