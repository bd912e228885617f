/* What moves through the fabric: a wavelet, or a whole stream of them; and the rings of
 * slots it waits in. Times are cycles after the start of the program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    WSE_TOKEN_CONTROL = 1, /* its data is a control payload */
    WSE_TOKEN_ADVANCE = 2, /* advances the switch of the router it enters by the ramp */
    WSE_TOKEN_PAYLOAD = 4, /* its data is the number of a payload */
    WSE_TOKEN_SLOT = 8,    /* in output queues: from this bit on, its color */
};

/* In a slot. An empty slot has only `head`. */
typedef struct {
    uint32_t head; /* when the first wavelet can go on; of an empty slot: when it may be
                    * filled again */
    uint32_t span; /* how much later the last one comes */
    uint16_t count; /* wavelets */
    uint16_t flags;
    uint32_t data; /* of a single wavelet, or the number of a payload */
} WseToken;

typedef struct {
    uint32_t base; /* its first slot among those of the PE */
    uint16_t depth;
    uint16_t read;
    uint16_t count;
    uint8_t slot;       /* color that it is for, by slot */
    bool is_waited_for; /* who fills it found it full */
} WseRing;

static inline WseToken *wse_ring_front(const WseRing *self, WseToken *slots)
{
    return &slots[self->base + self->read];
}

static inline WseToken *wse_ring_back(const WseRing *self, WseToken *slots)
{
    guint at = self->read + self->count;

    return &slots[self->base + (at >= self->depth ? at - self->depth : at)];
}

/* The slot of a token that leaves may be filled from `when` on. */
static inline void wse_ring_pop(WseRing *self, WseToken *slots, uint32_t when)
{
    wse_ring_front(self, slots)->head = when;
    self->read = (uint16_t) (self->read + 1 == self->depth ? 0 : self->read + 1);
    self->count--;
}
