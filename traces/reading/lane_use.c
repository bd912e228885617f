/* Derives use from slices, stalls and counters. */
#include "traces/reading/lane_use.h"

#include <string.h>

#include "traces/reading/timeline_items.h"

typedef struct {
    const TraceTimeline *timeline;
    TraceGroupFunc group;
    gpointer data;
    GHashTable *sums; /* of doubles, by group */
} Count;

static void
count(gpointer data, guint32 lane, SimTime begin, SimTime end, double cycles)
{
    const Count *self = data;
    const char *group = self->group(self->data, trace_lane_at(self->timeline, lane));
    double *sum = group == NULL ? NULL : g_hash_table_lookup(self->sums, group);

    (void) begin;
    (void) end;
    if (group == NULL) {
        return;
    }
    if (sum == NULL) {
        sum = g_new0(double, 1);
        g_hash_table_insert(self->sums, (gpointer) group, sum);
    }
    *sum += cycles;
}

const char *trace_busiest(const TraceTimeline *timeline,
                          TraceUse use,
                          TraceGroupFunc group,
                          gpointer data)
{
    g_autoptr(GHashTable) sums =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    Count all = {timeline, group, data, sums};
    const char *busiest = NULL;
    double most = 0;
    GHashTableIter each;
    gpointer name;
    gpointer sum;

    trace_lane_use_each(timeline, use, count, &all);
    g_hash_table_iter_init(&each, sums);
    while (g_hash_table_iter_next(&each, &name, &sum)) {
        double cycles = *(double *) sum;

        if (cycles > most ||
            (cycles == most && busiest != NULL && strcmp(name, busiest) < 0)) {
            most = cycles;
            busiest = name;
        }
    }
    return busiest;
}

typedef struct {
    const TraceTimeline *timeline;
    TraceUseFunc func;
    gpointer data;
} Walk;

static void visit(const Walk *self, guint32 lane, SimTime begin, SimTime end)
{
    if (end > begin) {
        self->func(self->data, lane, begin, end, (double) (end - begin));
    }
}

static void visit_slices(const Walk *self)
{
    for (guint32 i = 0; i < self->timeline->slices->len; i++) {
        const TraceSlice *slice = trace_slice_at(self->timeline, i);

        if (slice->depth == 0) {
            visit(self, slice->lane, slice->begin, slice->end);
        }
    }
}

static void visit_stalls(const Walk *self)
{
    for (guint32 i = 0; i < self->timeline->marks->len; i++) {
        const TraceMark *mark = trace_mark_at(self->timeline, i);

        if (mark->is_stall) {
            visit(self, mark->lane, mark->at, trace_time_after(mark->at, mark->cycles));
        }
    }
}

static void visit_counter(const Walk *self, const TraceCounter *counter)
{
    for (guint32 i = 0; i < counter->sample_count; i++) {
        const TraceSample *sample =
            trace_sample_at(self->timeline, counter->first_sample + i);

        if (sample->value > 0) {
            self->func(self->data, counter->lane, sample->at,
                       trace_time_after(sample->at, counter->width),
                       (double) sample->value);
        }
    }
}

void trace_lane_use_each(const TraceTimeline *timeline,
                         TraceUse use,
                         TraceUseFunc func,
                         gpointer data)
{
    static const char *const names[] = {
        [TRACE_USE_BUSY] = "busy", [TRACE_USE_STALLED] = "stalled"};
    const Walk walk = {.timeline = timeline, .func = func, .data = data};

    if (use == TRACE_USE_BUSY) {
        visit_slices(&walk);
    } else {
        visit_stalls(&walk);
    }
    for (guint32 i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);

        if (counter->width > 0 && g_str_equal(counter->name, names[use])) {
            visit_counter(&walk, counter);
        }
    }
}

double trace_lane_use_within(
    SimTime begin, SimTime end, double cycles, SimTime from, SimTime to)
{
    SimTime first = MAX(begin, from);
    SimTime last = MIN(end, to);

    return first >= last ? 0
                         : cycles * ((double) (last - first) / (double) (end - begin));
}

typedef struct {
    const bool *is_shown;
    SimTime from;
    SimTime to;
} Span;

static void
cover(gpointer data, guint32 lane, SimTime begin, SimTime end, double cycles)
{
    Span *self = data;

    (void) cycles;
    if (self->is_shown[lane]) {
        self->from = MIN(self->from, begin);
        self->to = MAX(self->to, end);
    }
}

void trace_lane_use_span(const TraceTimeline *timeline,
                         TraceUse use,
                         const bool *is_shown,
                         SimTime *from,
                         SimTime *to)
{
    Span span = {.is_shown = is_shown, .from = *from, .to = *to};

    trace_lane_use_each(timeline, use, cover, &span);
    *from = span.from;
    *to = span.to;
}
