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

/* A token. It is plain if it is a single wavelet without data: its span and flags are
 * 0.
 */
typedef struct {
    uint32_t head;  /* when the first wavelet can move on */
    uint32_t span;  /* cycles from the first wavelet to the last */
    uint16_t count; /* wavelets */
    uint16_t flags;
    uint32_t data; /* of a single wavelet, or the number of a payload */
} WseToken;

enum {
    WSE_MOST_SLOTS = UINT16_MAX, /* of a PE's rings */
    WSE_SENDER = 1 << 7,         /* who waits for a ring and is no output queue */
};

/* Places are numbers of the PE's slots. */
typedef struct {
    uint16_t front; /* of the first token */
    uint16_t back;  /* where the next one goes */
    uint16_t end;   /* after the last place */
    uint16_t depth;
    uint16_t count;
    uint16_t special; /* tokens up to the last one that is not plain */
    uint8_t slot;     /* color that it is for, by slot; of a queue: its number */
    uint8_t waiting;  /* who found it full: output queues, as bits, or WSE_SENDER */
} WseRing;

/* When the token at a place can move on; if that is empty: when it may be filled again.
 * Times lie before the slots, so that one pointer finds both. They are close together:
 * the slot of a plain token is not used, which saves lines of the host's cache. */
static inline uint32_t *wse_slot_time(const WseToken *slots, guint at)
{
    return (uint32_t *) (gpointer) slots - 1 - at;
}

static inline bool wse_token_is_plain(const WseToken *self)
{
    return self->count == 1 && self->flags == 0 && self->span == 0 && self->data == 0;
}

static inline uint32_t wse_ring_front_time(const WseRing *self, const WseToken *slots)
{
    return *wse_slot_time(slots, self->front);
}

static inline uint32_t wse_ring_back_time(const WseRing *self, const WseToken *slots)
{
    return *wse_slot_time(slots, self->back);
}

/* The place `index` places behind the front. */
static inline guint wse_ring_place(const WseRing *self, guint index)
{
    const guint at = self->front + index;

    return at >= self->end ? at - self->depth : at;
}

/* The token there, in its slot. */
static inline WseToken *wse_ring_at(const WseRing *self, WseToken *slots, guint index)
{
    const guint at = wse_ring_place(self, index);

    if (index >= self->special) {
        slots[at] = (WseToken){.count = 1};
    }
    slots[at].head = *wse_slot_time(slots, at);
    return &slots[at];
}

static inline WseToken *wse_ring_front(const WseRing *self, WseToken *slots)
{
    return wse_ring_at(self, slots, 0);
}

/* The slot of the next token. */
static inline WseToken *wse_ring_back(const WseRing *self, WseToken *slots)
{
    return &slots[self->back];
}

/* The place after this one. */
static inline uint16_t wse_ring_next(const WseRing *self, uint16_t at)
{
    const guint next = at + 1u;
    const guint is_end = next == self->end;

    /* No branch: nobody foresees it. */
    return sim_u16((next - is_end * self->depth) & UINT16_MAX);
}

/* Puts a token into the slot in the back, which is empty. */
static inline void wse_ring_push(WseRing *self, WseToken *slots, const WseToken *token)
{
    *wse_slot_time(slots, self->back) = token->head;
    if (!wse_token_is_plain(token)) {
        for (guint i = self->special; i < self->count; i++) {
            (void) wse_ring_at(self, slots, i);
        }
        slots[self->back] = *token;
        self->special = sim_u16(self->count + 1);
    }
    self->back = wse_ring_next(self, self->back);
    self->count++;
}

/* The front token can move on at `when`. */
static inline void
wse_ring_delay(const WseRing *self, const WseToken *slots, uint32_t when)
{
    *wse_slot_time(slots, self->front) = when;
}

/* Removes the front token; its slot may be filled again from `when` on. */
static inline void wse_ring_pop(WseRing *self, WseToken *slots, uint32_t when)
{
    const guint is_special = self->special > 0;

    *wse_slot_time(slots, self->front) = when;
    self->front = wse_ring_next(self, self->front);
    self->count--;
    self->special = sim_u16((self->special - is_special) & UINT16_MAX);
}

/* Where a token comes from, kept beside it for who watches. Both are a lane, and below
 * it a time: of the stream that begins with it, 0 for none, and of its sending. */
typedef struct {
    uint64_t flow;
    uint64_t origin;
} WseTrail;
