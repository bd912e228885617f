/* Opens and closes the lanes of PEs around a program, and holds back slices that
 * may still grow. */
#include "arch/wse/watch/watch.h"

#include "arch/wse/naps.h"
#include "sim/narrow.h"

/* Those with more than one position in a router, as far as there are lanes. */
static void choose_switches(const WseFabric *fabric, uint8_t *switches)
{
    const GArray *routers = fabric->layout->routers;
    bool is_switching[WSE_COLORS] = {false};
    guint count = 0;

    for (guint i = 0; i < routers->len; i++) {
        const WseRouter *router = &g_array_index(routers, WseRouter, i);

        for (guint slot = 0; slot < router->route_count; slot++) {
            const WseRoute *route = &router->routes[slot];

            is_switching[route->color] =
                is_switching[route->color] || route->position_count > 1;
        }
    }
    for (guint color = 0; color < WSE_COLORS; color++) {
        switches[color] = sim_u8(
            is_switching[color] && count < WSE_SWITCHES ? count++ : WSE_SWITCHES);
    }
}

static SimLane lanes_of(WseFabric *fabric)
{
    static const char *const units[WSE_UNITS] = {
        "ce",      "main",    "thread0", "thread1", "thread2", "thread3", "thread4",
        "thread5", "thread6", "thread7", "router",  "switch0", "switch1", "switch2",
        "switch3", "ramp",    "zones",   "west",    "east",    "north",   "south"};
    const SimLaneGrid grid = {.kind = fabric->lane_kind,
                              .columns = fabric->layout->columns,
                              .rows = fabric->layout->rows,
                              .units = units,
                              .unit_count = WSE_UNITS};

    return sim_engine_lanes(fabric->engine, &grid);
}

static bool is_all_full(const WseFabric *fabric, SimLane first)
{
    const guint pes = fabric->layout->columns * fabric->layout->rows;

    for (guint i = 0; i < pes; i++) {
        if (sim_engine_lane_level(fabric->engine, first + i * WSE_UNITS) !=
            SIM_LANE_FULL) {
            return false;
        }
    }
    return true;
}

bool wse_watch_can_fold(WseFabric *fabric)
{
    return !SIM_PROBES || !sim_region_is_watched(fabric->regions[0].sim) ||
           sim_engine_can_fold(fabric->engine, lanes_of(fabric));
}

static SimLaneFolds folds_of(const WseAxis *axis, SimLaneFold *folds)
{
    for (guint i = 0; i < axis->count; i++) {
        const WseFold *fold = &axis->folds[i];

        folds[i] = (SimLaneFold){.first = wse_axis_whole(axis, fold->first),
                                 .period = fold->period,
                                 .repeats = fold->repeats};
    }
    return (SimLaneFolds){.folds = folds, .count = axis->count};
}

static void fold_lanes(const WseFabric *fabric, SimLane first)
{
    SimLaneFold columns[WSE_MOST_FOLDS];
    SimLaneFold rows[WSE_MOST_FOLDS];

    sim_engine_fold_lanes(fabric->engine, first, folds_of(&fabric->columns, columns),
                          folds_of(&fabric->rows, rows));
}

/* The first of a PE, or of the first one that it stands for. */
static SimLane lane_of(const WseFabric *fabric, SimLane first, uint32_t pe)
{
    const WseRegion *region = &fabric->regions[0];

    return first + wse_layout_pe(fabric->layout, wse_region_x(region, pe),
                                 wse_region_y(region, pe)) *
                       WSE_UNITS;
}

static WseWatch *watch_new(const WseFabric *fabric, SimLane first, bool has_flows)
{
    WseWatch *self = g_new0(WseWatch, 1);

    self->first = first;
    self->slot_count =
        sim_u32((fabric->block.threads - fabric->block.slots) / sizeof(WseToken));
    choose_switches(fabric, self->switches);
    if (has_flows) {
        self->trails = g_new0(WseTrail, (gsize) fabric->pe_count * self->slot_count);
    }
    self->seen = g_new0(WseSeen, fabric->pe_count);
    for (guint i = 0; i < fabric->pe_count; i++) {
        WseSeen *seen = &self->seen[i];

        seen->lane = lane_of(fabric, first, i);
        seen->main_since = WSE_NEVER;
        if (sim_engine_lane_level(fabric->engine, seen->lane) == SIM_LANE_FULL) {
            seen->spans = g_new0(WseSpans, 1);
        }
    }
    return self;
}

void wse_watch_start(WseFabric *fabric)
{
    wse_watch_free(fabric);
    if (!SIM_PROBES || !sim_region_is_watched(fabric->regions[0].sim)) {
        return;
    }
    const SimLane first = lanes_of(fabric);

    fold_lanes(fabric, first);
    WseWatch *watch = watch_new(fabric, first, is_all_full(fabric, first));

    for (guint i = 0; i < fabric->region_count; i++) {
        fabric->regions[i].watch = watch;
    }
}

void wse_watch_go_on(WseFabric *fabric, uint32_t now)
{
    if (wse_is_watched(&fabric->regions[0])) {
        return;
    }
    if (sim_region_is_watched(fabric->regions[0].sim)) {
        wse_naps_end(fabric);
    }
    wse_watch_start(fabric);
    const WseRegion *region = &fabric->regions[0];

    for (guint i = 0; wse_is_watched(region) && i < fabric->pe_count; i++) {
        WseSpans *spans = region->watch->seen[i].spans;

        for (guint k = 0; spans != NULL && k < WSE_SWITCHES; k++) {
            spans->switch_since[k] = now;
        }
    }
}

void wse_watch_move(WseFabric *fabric, const uint32_t *from)
{
    WseWatch *self = fabric->regions[0].watch;
    g_autofree WseSeen *before = g_steal_pointer(&self->seen);

    fold_lanes(fabric, self->first);
    self->seen = g_new(WseSeen, fabric->pe_count);
    for (guint i = 0; i < fabric->pe_count; i++) {
        self->seen[i] = before[from[i]];
        self->seen[i].lane = lane_of(fabric, self->first, i);
    }
}

void wse_watch_free(WseFabric *fabric)
{
    WseWatch *self = fabric->regions[0].watch;

    if (self == NULL) {
        return;
    }
    for (guint i = 0; i < fabric->pe_count; i++) {
        g_free(self->seen[i].spans);
    }
    g_free(self->seen);
    g_free(self->trails);
    g_free(self);
    for (guint i = 0; i < fabric->region_count; i++) {
        fabric->regions[i].watch = NULL;
    }
}

/* The end of the last slice seen. */
static uint32_t last_of(const WseRegion *region)
{
    uint32_t last = 0;

    for (guint i = 0; i < region->fabric->pe_count; i++) {
        const WsePe *pe = wse_region_pe(region, i);
        const WseSeen *seen = &region->watch->seen[i];

        last = MAX(last, pe->end);
        if (seen->main_since != WSE_NEVER) {
            last = MAX(last, seen->main_since);
        }
        for (uint32_t left = pe->threads; left != 0; left &= left - 1) {
            last = MAX(last, seen->thread_since[__builtin_ctz(left)]);
        }
        for (guint j = 0; seen->spans != NULL && j < WSE_SWITCHES; j++) {
            last = MAX(last, seen->spans->switch_since[j]);
        }
    }
    return last;
}

/* Operations that never ended, as in a deadlock; then what may have gone on. */
static void finish_pe(WseRegion *region, uint32_t number, uint32_t last)
{
    const WseBlock *parts = &region->fabric->block;
    WsePe *pe = wse_region_pe(region, number);
    WseVisit visit = {
        .region = region,
        .fabric = region->fabric,
        .pe = pe,
        .kind = wse_region_kind(region, pe),
        .threads = wse_pe_threads(pe, parts),
        .number = number,
        .now = last,
    };
    const WseSeen *seen = &region->watch->seen[number];

    for (uint32_t left = pe->threads; left != 0; left &= left - 1) {
        wse_watch_vector_end(&visit, (guint) __builtin_ctz(left), last);
    }
    if (seen->main_since != WSE_NEVER && seen->is_vector) {
        wse_watch_vector_end(&visit, WSE_MAIN, last);
    }
    wse_watch_rest(&visit, last);
    if (seen->spans != NULL) {
        wse_span_end(region, seen->lane + WSE_UNIT_CE, &seen->spans->issue);
        wse_watch_end_router(region, number, last);
    }
}

void wse_watch_finish(WseFabric *fabric)
{
    WseRegion *region = &fabric->regions[0];
    const uint32_t last = wse_is_watched(region) ? last_of(region) : 0;

    for (guint i = 0; wse_is_watched(region) && i < fabric->pe_count; i++) {
        finish_pe(region, i, last);
    }
    wse_watch_free(fabric);
}

enum {
    NO_COLOR = WSE_COLORS,
};

void wse_span_end(WseRegion *region, SimLane lane, WseSpan *self)
{
    if (self->begin < self->end) {
        const SimProbeDetail detail = {
            .argument_count = self->color < NO_COLOR,
            .arguments = {{"color", self->color}},
        };

        sim_region_slice(region->sim, lane, self->name,
                         wse_watch_time(region, self->begin),
                         wse_watch_time(region, self->end), &detail);
    }
    self->begin = self->end;
}

void wse_span_add(WseRegion *region, SimLane lane, WseSpan *self, const WseSpan *added)
{
    const uint32_t begin = MAX(added->begin, self->end);

    if (self->end != begin || self->name != added->name ||
        self->color != added->color) {
        wse_span_end(region, lane, self);
        *self = *added;
        self->begin = begin;
    }
    self->end = begin + (added->end - added->begin);
}
