/* Finds the PEs to which nothing happens but what ranks know of. */
#include "arch/wse/rank/fit.h"

#include <string.h>

#include "arch/wse/rank/rank.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    /* Wavelets of a stream for which it is worth to join, where one thread visits all
     * PEs, and where several could. */
    LONG = 400,
    LONGER = 1000,
    MANY = 8, /* PEs */
};

uint32_t wse_fit_latency(const WseNumbers *numbers, guint key)
{
    if (key >= WSE_FIT_OUTPUTS) {
        return numbers->enqueue;
    }
    if (key >= WSE_FIT_INPUTS) {
        return numbers->ramp_in;
    }
    return key % ARCH_WSE_DIRECTIONS == ARCH_WSE_RAMP ? numbers->ramp_out
                                                      : numbers->hop;
}

static bool is_short(uint32_t latency)
{
    return latency >= 1 && latency <= 1 + WSE_RANK_FLIGHTS;
}

bool wse_fit_may_go_on(const WseFabric *fabric)
{
    return !wse_is_watched(&fabric->regions[0]) && fabric->races == NULL;
}

/* Wavelets come from one side at a time, and none of them concerns the host. */
static bool has_plain_routes(const WseRouter *router)
{
    for (guint slot = 0; slot < router->route_count; slot++) {
        const WseRoute *route = &router->routes[slot];

        if (route->host != ARCH_WSE_NO_HOST ||
            route->filter.kind != ARCH_WSE_FILTER_NONE) {
            return false;
        }
        for (guint i = 0; i < route->position_count; i++) {
            if ((route->rx[i] & (route->rx[i] - 1)) != 0) {
                return false;
            }
        }
    }
    return true;
}

static void name_rings(WseFit *self, const WseKind *kind)
{
    guint ring = 0;

    for (guint slot = 0; slot < kind->router->route_count; slot++) {
        const WseRoute *route = &kind->router->routes[slot];

        for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
            if ((route->sources & (1u << i)) != 0) {
                self->keys[ring++] = sim_u8(route->color * ARCH_WSE_DIRECTIONS + i);
            }
        }
    }
    self->router_rings = ring;
    for (guint i = 0; i < WSE_INPUT_QUEUES; i++) {
        if (kind->input_rings[i] != WSE_NO_RING) {
            self->keys[kind->input_rings[i]] = sim_u8(WSE_FIT_INPUTS + i);
        }
    }
    for (guint i = 0; i < WSE_OUTPUT_QUEUES; i++) {
        if (kind->output_rings[i] != WSE_NO_RING) {
            self->keys[kind->output_rings[i]] = sim_u8(WSE_FIT_OUTPUTS + i);
        }
    }
}

WseFit wse_fit_of(const WseKind *kind)
{
    WseFit self = {.ring_count = kind->ring_count};

    self.is_fit = !kind->has_routed_tasks && kind->ring_count <= WSE_RANK_RINGS &&
                  has_plain_routes(kind->router);
    for (guint i = 0; self.is_fit && i < kind->ring_count; i++) {
        self.is_fit = kind->rings[i].depth <= WSE_RANK_DEPTH;
    }
    name_rings(&self, kind);
    return self;
}

static bool has_long_streams(const WseKind *kind, guint least)
{
    for (guint i = 0; i < kind->program->dsds->len; i++) {
        const WseDsd *dsd = &g_array_index(kind->program->dsds, WseDsd, i);

        if ((dsd->kind == WSE_FABRIC_IN || dsd->kind == WSE_FABRIC_OUT) &&
            dsd->length >= least * MAX(dsd->elements_per_wavelet, 1u)) {
            return true;
        }
    }
    return false;
}

/* Whether all that happens to wavelets takes as long as ranks know. */
static bool is_usual(const WseFabric *fabric)
{
    const WseNumbers *numbers = &fabric->numbers;

    return !fabric->is_functional && !fabric->is_stream && !fabric->has_lines &&
           fabric->block.routes == 0 && numbers->is_usual &&
           numbers->link_credit == 1 && numbers->input_credit == 1 &&
           is_short(numbers->hop) && is_short(numbers->ramp_in) &&
           is_short(numbers->ramp_out) && is_short(numbers->enqueue) &&
           numbers->arbitration == WSE_LOWEST_ID && numbers->thread_switch == 0;
}

bool wse_fit_suits(const WseFabric *fabric, guint threads)
{
    const guint least = threads > 1 ? LONGER : LONG;
    const bool may_all = fabric->ranks == WSE_FIT_WHEREVER_IT_CAN;

    if (fabric->ranks == WSE_FIT_NOWHERE || !is_usual(fabric) ||
        (fabric->layout->columns * fabric->layout->rows < MANY && !may_all)) {
        return false;
    }
    for (guint i = 0; i < fabric->kinds->len; i++) {
        const WseKind *kind = &g_array_index(fabric->kinds, WseKind, i);

        if ((may_all || has_long_streams(kind, least)) && wse_fit_of(kind).is_fit) {
            return true;
        }
    }
    return false;
}
