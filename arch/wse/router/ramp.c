/* Moves tokens from the output queues of a PE into its router. */
#include "arch/wse/host.h"
#include "arch/wse/router/visit.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

static bool inject(WseRouterVisit *self, guint queue)
{
    const WseNumbers *numbers = &self->fabric->numbers;
    WseRing *from = &self->rings[self->kind->output_rings[queue]];
    WseToken *token = wse_ring_front(from, self->slots);

    if (!wse_visit_is_free(self, token->head)) {
        return false;
    }
    guint slot = token->flags >> WSE_TOKEN_SLOT;
    WseRing *to = &self->rings[self->colors[slot].rings[ARCH_WSE_RAMP]];
    WseToken *place = wse_ring_back(to, self->slots);

    if (G_UNLIKELY(self->routes[slot].host == ARCH_WSE_HOST_TAKES) &&
        !wse_host_lets_in(self, slot, to)) {
        to->is_waited_for = true;
        return false;
    }
    if (!wse_visit_has_space(self, to, place)) {
        return false;
    }
    uint32_t last =
        MAX(token->head + token->span,
            self->now + wse_visit_span(numbers->ramp_interval, token->count));

    *place = *token;
    if (wse_is_watched(self->region)) {
        wse_watch_set_trail(self->region, self->number, place,
                            wse_watch_trail(self->region, self->number, token));
    }
    place->flags &= (1u << WSE_TOKEN_SLOT) - 1;
    place->head = self->now + numbers->ramp_out;
    place->span = last - self->now;
    wse_ring_push(to);
    self->pe->pending |= 1u << slot;
    self->pe->ramp_out_free =
        self->now + wse_visit_cycles(numbers->ramp_interval, token->count,
                                     &self->pe->ramp_out_parts);
    wse_region_wake_pe(self->region, self->pe, self->number, self->now, place->head,
                       1u << slot);
    wse_region_wake_ce(self->region, self->pe, self->number, self->now, last + 1);
    wse_ring_pop(from, self->slots, last + 1);
    self->pe->full &= (uint8_t) ~(1u << queue);
    if (from->count == 0) {
        self->pe->outputs &= (uint8_t) ~(1u << queue);
    }
    return true;
}

static void inject_one(WseRouterVisit *self)
{
    const guint first = self->pe->first_queue;
    const guint outputs = self->pe->outputs;
    guint left = outputs >> first | outputs << (WSE_OUTPUT_QUEUES - first);

    for (left &= (1u << WSE_OUTPUT_QUEUES) - 1; left != 0; left &= left - 1) {
        const guint queue = (first + (guint) __builtin_ctz(left)) % WSE_OUTPUT_QUEUES;

        if (inject(self, queue)) {
            self->pe->first_queue = sim_u8((queue + 1) % WSE_OUTPUT_QUEUES);
            if (self->pe->outputs != 0) {
                self->again = MIN(self->again, self->pe->ramp_out_free);
            }
            return;
        }
    }
}

void wse_ramp_poll(WseRouterVisit *self)
{
    self->again = WSE_NEVER;
    if (wse_visit_is_free(self, self->pe->ramp_out_free)) {
        inject_one(self);
    }
    if (self->again != WSE_NEVER) {
        wse_region_wake_pe(self->region, self->pe, self->number, self->now, self->again,
                           WSE_DUE_OUTPUTS);
    }
}
