/* Counts the events of a trace by time and place. */
#include "traces/report/page/cut.h"

#include "sim/compare.h"
#include "traces/reading/timeline_items.h"

enum {
    EDGE_MAXIMUM = 1 << 16, /* places farther out come with the last one */
};

/* The time of the first that is too much; sorts them. */
static SimTime first_beyond(GArray *times, guint limit)
{
    if (times->len <= limit) {
        return SIM_TIME_NEVER;
    }
    g_array_sort(times, sim_compare_times);
    return g_array_index(times, SimTime, limit);
}

/* When the items that a page limits begin: slices, marks and counter values. */
static GArray *times_of(const TraceTimeline *timeline)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(SimTime));

    for (guint i = 0; i < timeline->slices->len; i++) {
        g_array_append_val(times, trace_slice_at(timeline, i)->begin);
    }
    for (guint i = 0; i < timeline->marks->len; i++) {
        g_array_append_val(times, trace_mark_at(timeline, i)->at);
    }
    for (guint i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);

        for (guint j = 0;
             j < counter->sample_count && !trace_report_cut_is_use(counter); j++) {
            g_array_append_val(
                times, trace_sample_at(timeline, counter->first_sample + j)->at);
        }
    }
    return times;
}

static SimTime find_time(const TraceTimeline *timeline, guint limit)
{
    g_autoptr(GArray) times = times_of(timeline);

    return first_beyond(times, limit);
}

static bool holds_half(const TraceTimeline *timeline, SimTime time)
{
    guint count = 0;

    for (guint i = 0; i < timeline->slices->len; i++) {
        count += trace_slice_at(timeline, i)->begin < time;
    }
    return 2 * (guint64) count >= timeline->slices->len;
}

/* The smallest edge with which a lane is shown. */
static guint edge_of(const TraceTimeline *timeline, const TraceLane *lane)
{
    const TracePlace *place = trace_place_at(timeline, lane->place);

    return place->has_place ? MIN(MAX(place->x_end, place->y_end) + 1, EDGE_MAXIMUM)
                            : 0;
}

/* How many items come with each edge; the caller frees it. */
static guint64 *count_by_edge(const TraceTimeline *timeline, guint *edges)
{
    *edges = 1;
    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        *edges = MAX(*edges, edge_of(timeline, trace_lane_at(timeline, i)) + 1);
    }
    guint64 *counts = g_new0(guint64, *edges);

    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(timeline, i);

        counts[edge_of(timeline, lane)] +=
            (guint64) lane->slice_count + lane->mark_count;
    }
    for (guint i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);

        if (!trace_report_cut_is_use(counter)) {
            counts[edge_of(timeline, trace_lane_at(timeline, counter->lane))] +=
                counter->sample_count;
        }
    }
    return counts;
}

/* The largest that fits; 0: not even one place does. */
static guint find_edge(const TraceTimeline *timeline, guint limit)
{
    guint edges;
    g_autofree guint64 *counts = count_by_edge(timeline, &edges);
    guint64 sum = 0;

    for (guint edge = 0; edge < edges; edge++) {
        sum += counts[edge];
        if (sum > limit) {
            return edge > 0 ? edge - 1 : 0;
        }
    }
    return edges;
}

TraceReportCut trace_report_cut_find(const TraceTimeline *timeline, guint limit)
{
    TraceReportCut cut = {.time = find_time(timeline, limit), .edge = G_MAXUINT};
    guint edge;

    if (cut.time == SIM_TIME_NEVER || holds_half(timeline, cut.time)) {
        return cut;
    }
    edge = find_edge(timeline, limit);
    return edge > 0 ? (TraceReportCut){.time = SIM_TIME_NEVER, .edge = edge} : cut;
}

bool trace_report_cut_has(const TraceReportCut *self,
                          const TraceTimeline *timeline,
                          const TraceLane *lane)
{
    return edge_of(timeline, lane) <= self->edge;
}

bool trace_report_cut_is_use(const TraceCounter *counter)
{
    return counter->width > 0;
}
