/* Moves tokens from the output queues of a PE into its router. */
#include "arch/wse/host.h"
#include "arch/wse/router/visit.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

/* A visit of which nobody else knows, so that the host's registers can hold it. */
typedef struct {
    WseRegion *region;
    const WseFabric *fabric;
    const WseKind *kind;
    WsePe *pe;
    WseRing *rings;
    WseToken *slots;
    uint32_t number;
    uint32_t now;
    uint32_t again; /* when a queue can move next */
} Ramp;

G_ALWAYS_INLINE static inline bool is_free(Ramp *self, uint32_t when)
{
    if (when > self->now) {
        self->again = MIN(self->again, when);
        return false;
    }
    return true;
}

/* Whether the ring of a color can take the queue's token now. If it is full, the queue
 * is asked again when it is not. */
G_ALWAYS_INLINE static inline bool has_space(Ramp *self, guint queue, WseRing *to)
{
    if (to->count == to->depth) {
        to->waiting |= sim_u8(1u << queue & UINT8_MAX);
        self->pe->outputs &= (uint8_t) ~(1u << queue);
        return false;
    }
    return is_free(self, wse_ring_back_time(to, self->slots));
}

/* Whether the color leads to the host, and that takes nothing more. */
static bool is_refused(const Ramp *self, guint slot, const WseRing *to)
{
    const WseRoute *routes =
        wse_kind_routes(self->kind, self->pe, &self->fabric->block);

    return G_UNLIKELY(routes[slot].host == ARCH_WSE_HOST_TAKES) &&
           !wse_host_lets_in(self->fabric, self->number, slot, to);
}

/* Whether an operation may wait for room in the output queue, for all that is known. */
static bool is_wanted(const WsePe *pe, guint queue)
{
    bool is = pe->main == WSE_WAITING;

    for (uint32_t left = pe->threads; left != 0; left &= left - 1) {
        const guint thread = (guint) __builtin_ctz(left);
        const bool is_unknown = (pe->gives[thread] | pe->wants[thread]) == 0;

        is = is || is_unknown || (pe->gives[thread] >> queue & 1) != 0;
    }
    return is;
}

/* The token in front of the queue gets to its place in the ring of color `slot`. */
G_ALWAYS_INLINE static inline void
move(const Ramp *self, guint queue, WseRing *from, guint slot, WseRing *to)
{
    const WseNumbers *numbers = &self->fabric->numbers;
    const WseToken *token = wse_ring_front(from, self->slots);
    WsePe *pe = self->pe;
    const uint32_t last =
        MAX(token->head + token->span,
            self->now + wse_visit_span(numbers->ramp_interval, token->count));

    if (wse_is_watched(self->region)) {
        wse_watch_set_trail(self->region, self->number, wse_ring_back(to, self->slots),
                            wse_watch_trail(self->region, self->number, token));
    }
    const WseToken copy = {
        .head = self->now + numbers->ramp_out,
        .span = last - self->now,
        .count = token->count,
        .flags = token->flags & ((1u << WSE_TOKEN_SLOT) - 1),
        .data = token->data,
    };
    pe->ramp_out_free = self->now + wse_visit_cycles(numbers->ramp_interval,
                                                     token->count, &pe->ramp_out_parts);
    pe->pending |= 1u << slot;
    wse_ring_push(to, self->slots, &copy);
    wse_ring_pop(from, self->slots, last + 1);
    pe->full &= (uint8_t) ~(1u << queue);
    pe->outputs &= (uint8_t) ~((from->count == 0 ? 1u : 0u) << queue);
    wse_region_wake_pe(self->region, pe, self->number, self->now,
                       self->now + numbers->ramp_out, 1u << slot);
    if (is_wanted(pe, queue)) {
        wse_region_wake_ce(self->region, pe, self->number, self->now, last + 1);
    } else {
        self->region->left_out = MAX(self->region->left_out, last + 1);
    }
}

/* Lets the token in front of the queue go, if it can. */
G_ALWAYS_INLINE static inline bool inject(Ramp *self, guint queue)
{
    WseRing *from = &self->rings[self->kind->output_rings[queue]];

    if (!is_free(self, wse_ring_front_time(from, self->slots))) {
        return false;
    }
    const guint slot = wse_ring_front(from, self->slots)->flags >> WSE_TOKEN_SLOT;
    const WseColor *colors = wse_pe_colors(self->pe, &self->fabric->block);
    WseRing *to = &self->rings[colors[slot].rings[ARCH_WSE_RAMP]];

    if (is_refused(self, slot, to)) {
        to->waiting |= WSE_SENDER;
        return false;
    }
    if (!has_space(self, queue, to)) {
        return false;
    }
    move(self, queue, from, slot, to);
    return true;
}

G_ALWAYS_INLINE static inline void inject_one(Ramp *self)
{
    WsePe *pe = self->pe;
    const guint first = pe->first_queue;
    const guint outputs = pe->outputs;
    guint left = outputs >> first | outputs << (WSE_OUTPUT_QUEUES - first);

    for (left &= (1u << WSE_OUTPUT_QUEUES) - 1; left != 0; left &= left - 1) {
        const guint queue = (first + (guint) __builtin_ctz(left)) % WSE_OUTPUT_QUEUES;

        if (inject(self, queue)) {
            pe->first_queue = sim_u8((queue + 1) % WSE_OUTPUT_QUEUES);
            if (pe->outputs != 0) {
                self->again = MIN(self->again, pe->ramp_out_free);
            }
            return;
        }
    }
}

void wse_ramp_poll(WseRegion *region, WsePe *pe, uint32_t number, uint32_t now)
{
    const WseBlock *parts = &region->fabric->block;
    Ramp self = {
        .region = region,
        .fabric = region->fabric,
        .kind = wse_region_kind(region, pe),
        .pe = pe,
        .rings = wse_pe_rings(pe, parts),
        .slots = wse_pe_slots(pe, parts),
        .number = number,
        .now = now,
        .again = WSE_NEVER,
    };

    if (is_free(&self, pe->ramp_out_free)) {
        inject_one(&self);
    }
    if (self.again != WSE_NEVER) {
        wse_region_wake_pe(region, pe, number, now, self.again, WSE_DUE_OUTPUTS);
    }
}
