/* Runs windows of cycles, on several threads where the wafer has several bands. */
#include "arch/wse/advance.h"

#include "arch/error.h"
#include "arch/wse/folding.h"
#include "arch/wse/naps.h"
#include "arch/wse/print.h"
#include "arch/wse/rank/ranks.h"
#include "arch/wse/region.h"
#include "arch/wse/router/edge.h"
#include "arch/wse/side_by_side.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    POLL_PORT = 1,
    ALONE_CYCLES = 64, /* of a window where there is one band */
    TOGETHER_CYCLES = 16,
    LAST_CYCLE = INT32_MAX - 2 * WSE_WHEEL_CYCLES,
};

/* Cycles `now` to `end` - 1. */
typedef struct {
    WseFabric *fabric;
    uint32_t now;
    uint32_t end;
} Window;

/* The first failure so far, by time and PE, or NULL. */
static WseRegion *first_failure(const WseFabric *fabric)
{
    WseRegion *first = NULL;

    for (guint i = 0; i < fabric->region_count; i++) {
        WseRegion *region = &fabric->regions[i];

        if (region->failure != NULL &&
            (first == NULL || region->now < first->now ||
             (region->now == first->now && region->failed < first->failed))) {
            first = region;
        }
    }
    return first;
}

/* Returns the region that failed, or NULL. */
static WseRegion *run_together(Window *self)
{
    wse_side_by_side_run(self->fabric, self->now, self->end);
    WseRegion *failed = first_failure(self->fabric);

    if (failed != NULL) {
        self->end = failed->now + 1;
    }
    return failed;
}

/* The same where there is one band: from one cycle with something to do to the next.
 * `cycles` is how many of them came after the first. */
static WseRegion *run_alone(Window *self, uint32_t *cycles)
{
    WseRegion *region = &self->fabric->regions[0];
    const WseWheel *wheel = self->fabric->wheels[0];
    uint32_t at = self->now;

    for (*cycles = 0;;) {
        wse_region_visit(region, 0, at);
        *cycles += at != self->now && region->now == at;
        const uint32_t ahead = wse_ranks_next(region->ranks, wheel, at);

        if (region->failure != NULL || ahead == 0 || ahead >= self->end - at) {
            break;
        }
        at += ahead;
    }
    self->end = at + 1;
    return first_failure(self->fabric);
}

/* How many cycles a window may have; who watches sees each of them by itself. */
static uint32_t depth_of(const WseFabric *fabric)
{
    if (wse_is_watched(&fabric->regions[0])) {
        return 1;
    }
    return fabric->bands.band_count > 1 ? TOGETHER_CYCLES : ALONE_CYCLES;
}

/* The next cycle with something to do after those before `end`, or WSE_NEVER. */
static uint32_t next_cycle(const WseFabric *fabric, uint32_t end)
{
    uint32_t least = 0;

    for (guint i = 0; i < fabric->bands.strip_count; i++) {
        const uint32_t ahead =
            wse_ranks_next(fabric->regions[0].ranks, fabric->wheels[i], end - 1);

        least = ahead != 0 && (least == 0 || ahead < least) ? ahead : least;
    }
    return least == 0 ? WSE_NEVER : end - 1 + least;
}

/* The last cycle in which there was something to do, also if it was left out. Where
 * there are ranks, that need not be so in the first one. */
static uint32_t last_visit(const WseFabric *fabric, uint32_t now)
{
    uint32_t last = fabric->regions[0].ranks == NULL ? now : 0;

    for (guint i = 0; i < fabric->region_count; i++) {
        last = MAX(last, fabric->regions[i].now);
        last = MAX(last, MIN(fabric->regions[i].left_out, now));
    }
    return last;
}

/* The run ends with this cycle; bands that were further do not show it. */
static void end_at(WseFabric *fabric, uint32_t last)
{
    wse_prints_end_at(fabric->prints, last);
    for (guint i = 0; i < fabric->region_count; i++) {
        wse_edge_end_at(&fabric->regions[i], last);
    }
}

/* Nobody is visited any more: the run ends where CEs that nap have done all, and not
 * before the last visit that they were spared. */
static void end_naps(WseFabric *fabric, uint32_t last)
{
    const uint32_t end = wse_naps_finish(fabric);

    if (end > last) {
        wse_advance_call(fabric, end);
    }
}

static void advance(SimRegion *sim, gpointer data)
{
    WseFabric *fabric = data;
    const SimTime now = sim_region_now(sim);
    const SimTime horizon = sim_region_horizon(sim);
    Window window = {.fabric = fabric, .now = sim_u32(now - fabric->start)};
    WseRegion *failed = NULL;
    uint32_t cycles = 0;

    fabric->event = 0;
    fabric->horizon = sim_u32(MIN(horizon - fabric->start, (SimTime) WSE_NEVER));
    const bool is_done = wse_folding_visit(fabric, window.now);
    const bool is_alone = fabric->bands.band_count == 1;
    const uint32_t depth = is_done ? 1 : depth_of(fabric);

    window.end = window.now + sim_u32(MIN(horizon - now, (SimTime) depth));
    if (is_done) {
        failed = first_failure(fabric);
    } else {
        failed = is_alone ? run_alone(&window, &cycles) : run_together(&window);
    }
    const uint32_t last = failed != NULL ? failed->now : last_visit(fabric, window.now);

    for (guint i = 0; i < fabric->region_count; i++) {
        fabric->regions[i].now = last;
        sim_region_go_on(fabric->regions[i].sim, fabric->start + last, 0);
    }
    sim_region_go_on(sim, fabric->start + last, is_alone ? cycles : last - window.now);
    if (failed != NULL) {
        end_at(fabric, last);
        sim_region_fail(sim, g_steal_pointer(&failed->failure));
        return;
    }
    const uint32_t next = next_cycle(fabric, window.end);

    if (next != WSE_NEVER) {
        wse_advance_call(fabric, next);
    } else {
        end_naps(fabric, last);
    }
    if (last > LAST_CYCLE) {
        sim_region_fail(sim, g_error_new(ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                                         "a launch on a wafer may last %d cycles",
                                         (int) LAST_CYCLE));
    }
}

void wse_advance_call(WseFabric *fabric, uint32_t cycle)
{
    SimRegion *sim = fabric->regions[0].sim;
    const SimTime when = fabric->start + cycle;

    if (fabric->event != 0 && fabric->event_at <= when) {
        return;
    }
    if (fabric->event != 0) {
        sim_region_cancel(sim, fabric->event);
    }
    fabric->event_at = when;
    fabric->event = sim_region_at(sim, when, sim_key(0, POLL_PORT), advance, fabric);
}
