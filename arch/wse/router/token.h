/* Tokens that move through the fabric (a wavelet or a whole stream of them), and the
 * rings of slots in which they wait. Times are cycles after the start of the program.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/narrow.h"

enum {
    WSE_TOKEN_CONTROL = 1, /* its data is a control payload */
    WSE_TOKEN_ADVANCE = 2, /* advances the switch of the router it enters by the ramp */
    WSE_TOKEN_PAYLOAD = 4, /* its data is the number of a payload */
    WSE_TOKEN_SLOT = 8,    /* in output queues: from this bit on, its color */
};

/* A token in a slot. An empty slot uses only `head`. */
typedef struct {
    uint32_t head;  /* when the first wavelet can move on; in an empty slot: when it may
                     * be filled again */
    uint32_t span;  /* cycles from the first wavelet to the last */
    uint16_t count; /* wavelets */
    uint16_t flags;
    uint32_t data; /* of a single wavelet, or the number of a payload */
} WseToken;

enum {
    WSE_MOST_SLOTS = UINT16_MAX, /* of a PE's rings */
};

enum {
    WSE_SENDER = 1 << 7, /* any other */
};

/* Places are numbers of the PE's slots. */
typedef struct {
    uint16_t front; /* of the first token */
    uint16_t back;  /* where the next one goes */
    uint16_t end;   /* after the last place */
    uint16_t depth;
    uint16_t count;
    uint8_t slot;    /* color that it is for, by slot; of a queue: its number */
    uint8_t waiting; /* who found it full: output queues, as bits, or WSE_SENDER */
} WseRing;

static inline WseToken *wse_ring_front(const WseRing *self, WseToken *slots)
{
    return &slots[self->front];
}

static inline WseToken *wse_ring_back(const WseRing *self, WseToken *slots)
{
    return &slots[self->back];
}

/* The slot `index` places behind the front. */
static inline WseToken *wse_ring_at(const WseRing *self, WseToken *slots, guint index)
{
    const guint at = self->front + index;

    return &slots[at >= self->end ? at - self->depth : at];
}

/* The place after this one. */
static inline uint16_t wse_ring_next(const WseRing *self, uint16_t place)
{
    const guint next = place + 1u;
    const guint is_end = next == self->end;

    return sim_u16(next - is_end * self->depth); /* no branch: nobody foresees it */
}

/* The slot in the back has a token now. */
static inline void wse_ring_push(WseRing *self)
{
    self->back = wse_ring_next(self, self->back);
    self->count++;
}

/* Removes the front token; its slot may be filled again from `when` on. */
static inline void wse_ring_pop(WseRing *self, WseToken *slots, uint32_t when)
{
    wse_ring_front(self, slots)->head = when;
    self->front = wse_ring_next(self, self->front);
    self->count--;
}

/* Where a token comes from, kept beside it for who watches. Both are a lane, and below
 * it a time: of the stream that begins with it, 0 for none, and of its sending. */
typedef struct {
    uint64_t flow;
    uint64_t origin;
} WseTrail;
