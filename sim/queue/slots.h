/* Slots tell a live event handle from a stale one: a generation per pending event. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/engine.h"
#include "sim/narrow.h"

typedef struct {
    uint32_t generation; /* changes when the event runs or is cancelled */
    uint32_t link;       /* in use: SLOT_NEAR or SLOT_FAR; free: the next free one */
} Slot;

typedef struct {
    Slot *slots;
    uint32_t count;
    uint32_t capacity;
    uint32_t first_free;
} Slots;

#define SLOT_NONE UINT32_MAX
#define SLOT_NEAR 0
#define SLOT_FAR  1 /* the event's entry lies in the heap of the far future */

void slots_init(Slots *self);
void slots_clear(Slots *self);
void slots_grow(Slots *self);

static inline uint32_t slots_take(Slots *self, uint32_t link)
{
    uint32_t index = self->first_free;

    if (index != SLOT_NONE) {
        self->first_free = self->slots[index].link;
    } else {
        if (self->count == self->capacity) {
            slots_grow(self);
        }
        index = self->count++;
        self->slots[index].generation = 1;
    }
    self->slots[index].link = link;
    return index;
}

static inline void slots_release(Slots *self, uint32_t index)
{
    self->slots[index].link = self->first_free;
    self->first_free = index;
}

static inline SimEvent slots_handle(const Slots *self, uint32_t index)
{
    return ((SimEvent) self->slots[index].generation << 32) | ((SimEvent) index + 1);
}

/* The slot of a live handle, or SLOT_NONE. */
static inline uint32_t slots_find(const Slots *self, SimEvent event)
{
    uint32_t index = sim_u32(event & UINT32_MAX) - 1;

    if (index >= self->count || self->slots[index].generation != sim_u32(event >> 32)) {
        return SLOT_NONE;
    }
    return index;
}
