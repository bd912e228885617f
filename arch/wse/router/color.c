/* Finds what is usual about a color. */
#include "arch/wse/router/color.h"

#include "sim/narrow.h"

enum {
    LINKS = (1 << WSE_LINKS) - 1, /* of outputs */
};

/* Whether this set has one member at most. */
static bool is_one(guint set)
{
    return (set & (set - 1)) == 0;
}

/* Whether the color is taken from one ring, without a host or a filter, and goes over
 * one link at most and into the CE, where it is awaited. */
static bool is_usual(const WseColor *self, const WseRoute *route, guint rx)
{
    const guint links = self->outputs & LINKS;
    const bool is_in = self->outputs >> ARCH_WSE_RAMP != 0;

    return rx != 0 && is_one(rx) && is_one(links) && !self->is_torn_down &&
           route->host == ARCH_WSE_NO_HOST &&
           route->filter.kind == ARCH_WSE_FILTER_NONE &&
           (links == 0 || self->next[__builtin_ctz(links)] != WSE_NO_RING) &&
           (!is_in || self->queue != WSE_NO_RING);
}

void wse_color_settle(WseColor *self, const WseRoute *route, const WseKind *kind)
{
    const bool is_first = self->position == 0;
    const guint rx = is_first && self->rx != 0 ? self->rx : route->rx[self->position];

    self->outputs = is_first && self->tx != 0 ? self->tx : route->tx[self->position];
    self->from = WSE_NO_RING;
    self->over = WSE_NO_RING;
    self->into = WSE_NO_RING;
    self->link = 0;
    self->is_eager = false;
    if (!is_usual(self, route, rx)) {
        return;
    }
    self->from = self->rings[__builtin_ctz(rx)];
    if ((self->outputs & LINKS) != 0) {
        self->link = sim_u8(__builtin_ctz(self->outputs & LINKS));
        self->over = self->next[self->link];
    }
    if (self->outputs >> ARCH_WSE_RAMP != 0) {
        self->into = kind->input_rings[self->queue];
        self->is_eager = (kind->eager_inputs >> self->queue & 1) != 0;
    }
}
