/* Distributes the use of links over steps. */
#include "traces/writing/npeviz/demand.h"

#include "traces/reading/lane_use.h"
#include "traces/reading/timeline_items.h"

enum {
    STEPS_MAXIMUM = 4096,
    STEP_MINIMUM = 64, /* cycles */
};

typedef struct {
    NpeDemand *demand;
    guint32 *links; /* of lanes; TRACE_NONE: no link */
} Deal;

/* The link that the lane is, on the network of its kind. */
static guint32
link_of(const TraceTimeline *timeline, const NpeTiles *tiles, const TraceLane *lane)
{
    static const char *const kinds[NPE_NOCS] = {"noc0", "noc1"};
    static const char *const units[NPE_NOCS][NPE_AXES] = {{"east", "south"},
                                                          {"west", "north"}};
    const TracePlace *place = trace_place_at(timeline, lane->place);

    if (!place->has_place || place->x != place->x_end || place->y != place->y_end ||
        place->x >= tiles->columns || place->y >= tiles->rows) {
        return TRACE_NONE;
    }
    for (guint noc = 0; noc < NPE_NOCS; noc++) {
        for (guint axis = 0; axis < NPE_AXES; axis++) {
            if (g_str_equal(place->kind, kinds[noc]) &&
                g_str_equal(lane->unit, units[noc][axis])) {
                return ((noc * tiles->rows + place->y) * tiles->columns + place->x) *
                           NPE_AXES +
                       axis;
            }
        }
    }
    return TRACE_NONE;
}

/* From where cores begin to work or links to carry something, to where they end. */
static void find_span(const TraceTimeline *timeline,
                      const guint32 *links,
                      SimTime *from,
                      SimTime *to)
{
    g_autofree bool *is_shown = g_new(bool, timeline->lanes->len);

    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(timeline, i);

        is_shown[i] = links[i] != TRACE_NONE ||
                      g_str_equal(trace_place_at(timeline, lane->place)->kind, "core");
    }
    *from = SIM_TIME_NEVER;
    *to = 0;
    trace_lane_use_span(timeline, TRACE_USE_BUSY, is_shown, from, to);
    for (guint32 i = 0; i < timeline->marks->len; i++) {
        *to = MAX(*to, trace_mark_at(timeline, i)->at);
    }
    *from = MIN(*from, *to);
}

/* Makes steps as wide as the timeline's samples of links, and limits their number. */
static void cut_steps(NpeDemand *self, SimTime from, SimTime to, SimTime width)
{
    self->width = MAX(width, STEP_MINIMUM);
    while ((to - from) / self->width >= STEPS_MAXIMUM - 1) {
        self->width *= 2;
    }
    self->origin = from - from % self->width;
    self->step_count =
        (guint) ((MAX(to, 1) - 1 - MIN(self->origin, MAX(to, 1) - 1)) / self->width) +
        1;
}

static void deal(gpointer data, guint32 lane, SimTime begin, SimTime end, double cycles)
{
    const Deal *self = data;
    NpeDemand *demand = self->demand;
    guint32 link = self->links[lane];
    guint step;

    if (link == TRACE_NONE || end <= demand->origin) {
        return;
    }
    step = (guint) MIN((MAX(begin, demand->origin) - demand->origin) / demand->width,
                       demand->step_count);
    for (; step < demand->step_count; step++) {
        SimTime from = demand->origin + step * demand->width;

        if (from >= end) {
            break;
        }
        demand->parts[(gsize) step * demand->link_count + link] +=
            trace_lane_use_within(begin, end, cycles, from,
                                  trace_time_after(from, demand->width)) /
            (double) demand->width;
    }
}

void npe_demand_init(NpeDemand *self,
                     const TraceTimeline *timeline,
                     const NpeTiles *tiles)
{
    g_autofree guint32 *links = g_new(guint32, timeline->lanes->len);
    Deal work = {.demand = self, .links = links};
    SimTime width = 0;
    SimTime from;
    SimTime to;

    *self =
        (NpeDemand){.link_count = NPE_NOCS * tiles->rows * tiles->columns * NPE_AXES};
    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        links[i] = link_of(timeline, tiles, trace_lane_at(timeline, i));
        self->is_seen = self->is_seen || links[i] != TRACE_NONE;
    }
    for (guint32 i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);

        if (links[counter->lane] != TRACE_NONE) {
            width = MAX(width, counter->width);
        }
    }
    find_span(timeline, links, &from, &to);
    cut_steps(self, from, to, width);
    self->parts = g_new0(double, (gsize) self->step_count * self->link_count);
    trace_lane_use_each(timeline, TRACE_USE_BUSY, deal, &work);
}

void npe_demand_clear(NpeDemand *self)
{
    g_clear_pointer(&self->parts, g_free);
}

double npe_demand_at(const NpeDemand *self, guint step, guint link)
{
    return self->parts[(gsize) step * self->link_count + link];
}

double npe_demand_mean(const NpeDemand *self, guint step, guint noc)
{
    guint links = self->link_count / NPE_NOCS;
    double sum = 0;

    for (guint i = 0; i < links; i++) {
        sum += npe_demand_at(self, step, noc * links + i);
    }
    return sum / links;
}
