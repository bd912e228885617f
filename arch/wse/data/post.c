/* Keeps the payloads of letters until nobody can ask for them any more. */
#include "arch/wse/data/post.h"

#include "arch/wse/data/carried.h"

enum {
    LEAST = 16,
};

struct WsePost {
    guint pe_count;
    uint32_t forgotten; /* of each PE */
    guint room;         /* letters of each PE, a power of two */
    uint32_t *payloads; /* by PE and letter modulo that, or WSE_NO_PAYLOAD */
};

static gsize place_of(const WsePost *self, uint32_t pe, uint32_t before)
{
    return (gsize) pe * self->room + before % self->room;
}

static uint32_t *payloads_new(gsize count)
{
    uint32_t *payloads = g_new(uint32_t, count);

    for (gsize i = 0; i < count; i++) {
        payloads[i] = WSE_NO_PAYLOAD;
    }
    return payloads;
}

WsePost *wse_post_new(guint pe_count)
{
    WsePost *self = g_new0(WsePost, 1);

    self->pe_count = pe_count;
    self->room = LEAST;
    self->payloads = payloads_new((gsize) pe_count * LEAST);
    return self;
}

void wse_post_free(WsePost *self)
{
    if (self != NULL) {
        g_free(self->payloads);
        g_free(self);
    }
}

void wse_post_reserve(WsePost *self, uint32_t count)
{
    const WsePost old = *self;

    while (self->room < count - self->forgotten) {
        self->room *= 2;
    }
    if (self->room == old.room) {
        return;
    }
    self->payloads = payloads_new((gsize) self->pe_count * self->room);
    for (uint32_t pe = 0; pe < self->pe_count; pe++) {
        for (uint32_t i = 0; i < old.room; i++) {
            self->payloads[place_of(self, pe, old.forgotten + i)] =
                old.payloads[place_of(&old, pe, old.forgotten + i)];
        }
    }
    g_free(old.payloads);
}

void wse_post_put(WsePost *self, uint32_t pe, uint32_t before, uint32_t payload)
{
    self->payloads[place_of(self, pe, before)] = payload;
}

uint32_t wse_post_at(const WsePost *self, uint32_t pe, uint32_t before)
{
    return self->payloads[place_of(self, pe, before)];
}

void wse_post_forget(WsePost *self, const WseFabric *fabric, uint32_t before)
{
    const uint32_t count = before - self->forgotten;

    for (uint32_t pe = 0; pe < self->pe_count; pe++) {
        for (uint32_t i = 0; i < MIN(count, self->room); i++) {
            wse_carried_forget(
                &fabric->regions[0],
                &self->payloads[place_of(self, pe, self->forgotten + i)]);
        }
    }
    self->forgotten = before;
}

uint32_t wse_post_forgotten(const WsePost *self)
{
    return self->forgotten;
}
