/* Implements the event queue of one region. */
#include "sim/queue/queue.h"

enum {
    PREFETCH_ENTRY = 16, /* events ahead: the entry arrives while others run, */
    PREFETCH_DATA = 8,   /* then what the event is about */
    COMPACT_MINIMUM = 64,
};

void queue_init(Queue *self, guint ring_cycles)
{
    *self = (Queue){0};
    ring_init(&self->ring, ring_cycles);
    slots_init(&self->slots);
}

void queue_clear(Queue *self)
{
    ring_recycle(&self->ring, self->bucket);
    ring_clear(&self->ring);
    sim_heap_clear(&self->far);
    sim_heap_clear(&self->late);
    slots_clear(&self->slots);
    cycle_clear(&self->cycle);
}

SimEvent
queue_push(Queue *self, SimTime when, SimKey key, SimEventFunc func, gpointer data)
{
    g_assert(when >= self->now);

    const bool is_near = when - self->now < self->ring.length;
    uint32_t slot = slots_take(&self->slots, is_near ? SLOT_NEAR : SLOT_FAR);
    Entry entry = {.key = key,
                   .func = func,
                   .data = data,
                   .slot = slot,
                   .generation = self->slots.slots[slot].generation};

    if (G_UNLIKELY(!is_near)) {
        sim_heap_push(&self->far, when, entry);
    } else if (G_UNLIKELY(when == self->now && self->is_running)) {
        sim_heap_push(&self->late, when, entry);
    } else {
        ring_push(&self->ring, when, entry);
    }
    return slots_handle(&self->slots, slot);
}

/* False if it was cancelled. */
static bool is_live(gconstpointer data, const Entry *entry)
{
    const Slots *slots = data;

    return slots->slots[entry->slot].generation == entry->generation;
}

/* Gives the entry's slot back; false if the event was cancelled. */
static bool retire(Slots *slots, const Entry *entry)
{
    const bool was_live = is_live(slots, entry);

    if (was_live) {
        slots->slots[entry->slot].generation++;
    }
    slots_release(slots, entry->slot);
    return was_live;
}

static bool drop_dead(gpointer data, const Entry *entry)
{
    Slots *slots = data;

    if (is_live(slots, entry)) {
        return false;
    }
    slots_release(slots, entry->slot);
    return true;
}

bool queue_cancel(Queue *self, SimEvent event)
{
    uint32_t slot = slots_find(&self->slots, event);

    if (slot == SLOT_NONE) {
        return false;
    }
    self->slots.slots[slot].generation++;
    if (self->slots.slots[slot].link == SLOT_FAR) {
        self->dead_far++;
        /* Timers that are set and cancelled again and again must not pile up. */
        if (self->dead_far >= COMPACT_MINIMUM && self->dead_far > self->far.count / 2) {
            sim_heap_filter(&self->far, drop_dead, &self->slots);
            self->dead_far = 0;
        }
    }
    return true;
}

static void forget_near(Queue *self, SimTime when)
{
    self->cycle.count = 0;
    RingBucket bucket = ring_detach(&self->ring, when, &self->cycle);

    for (gsize i = 0; i < self->cycle.count; i++) {
        slots_release(&self->slots, self->cycle.items[i].entry->slot);
    }
    ring_recycle(&self->ring, bucket);
}

SimTime queue_next(Queue *self)
{
    SimTime near = ring_next(&self->ring, self->now);

    while (near != SIM_TIME_NEVER &&
           G_UNLIKELY(!ring_any(&self->ring, near, is_live, &self->slots))) {
        forget_near(self, near);
        near = ring_next(&self->ring, near);
    }
    if (near != SIM_TIME_NEVER) {
        return near;
    }
    while (self->far.count > 0 && !is_live(&self->slots, &self->far.entries[0].entry)) {
        slots_release(&self->slots, sim_heap_pop(&self->far).entry.slot);
        self->dead_far--;
    }
    return self->far.count > 0 ? self->far.entries[0].when : SIM_TIME_NEVER;
}

/* Far events enter the ring as soon as it reaches them, so that they stand before
 * whatever is scheduled for the same cycle later. */
static void move_to(Queue *self, SimTime when)
{
    self->now = when;
    while (self->far.count > 0 &&
           self->far.entries[0].when - when < self->ring.length) {
        SimHeapEntry first = sim_heap_pop(&self->far);
        Slot *slot = &self->slots.slots[first.entry.slot];

        if (is_live(&self->slots, &first.entry)) {
            slot->link = SLOT_NEAR;
            ring_push(&self->ring, first.when, first.entry);
        } else {
            self->dead_far--;
            slots_release(&self->slots, first.entry.slot);
        }
    }
}

void queue_begin(Queue *self, SimTime when)
{
    move_to(self, when);
    self->cycle.count = 0;
    self->position = 0;
    self->bucket = ring_detach(&self->ring, when, &self->cycle);
    cycle_sort(&self->cycle);
    self->is_running = true;
}

static void end_cycle(Queue *self)
{
    ring_recycle(&self->ring, self->bucket);
    self->bucket = (RingBucket){0};
    self->is_running = false;
}

static void prefetch(const Queue *self)
{
    const CycleItem *ahead = self->cycle.items + self->position;

    if (self->position + PREFETCH_ENTRY < self->cycle.count) {
        __builtin_prefetch(ahead[PREFETCH_ENTRY].entry);
        __builtin_prefetch(ahead[PREFETCH_DATA].entry->data, 1);
    }
}

bool queue_take(Queue *self, Entry *event)
{
    const CycleItem *items = self->cycle.items;

    do {
        if (G_LIKELY(self->position < self->cycle.count &&
                     (self->late.count == 0 ||
                      items[self->position].key <= self->late.entries[0].entry.key))) {
            prefetch(self);
            *event = *items[self->position++].entry;
        } else if (self->late.count > 0) {
            *event = sim_heap_pop(&self->late).entry;
        } else {
            end_cycle(self);
            return false;
        }
    } while (G_UNLIKELY(!retire(&self->slots, event)));
    return true;
}

SimTime queue_left(const Queue *self)
{
    if (self->position < self->cycle.count || self->late.count > 0) {
        return self->now;
    }
    const SimTime near = ring_next(&self->ring, self->now);

    return self->far.count > 0 ? MIN(near, self->far.entries[0].when) : near;
}

void queue_skip_to(Queue *self, SimTime when)
{
    const SimTime next = queue_next(self);

    g_assert(when >= self->now && when <= next);
    move_to(self, when);
}
