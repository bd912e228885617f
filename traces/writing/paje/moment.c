/* Sorts the events of all lanes by time. */
#include "traces/writing/paje/moment.h"

#include "traces/reading/timeline_items.h"

static void add(GArray *moments, const PajeMoment *moment)
{
    g_array_append_vals(moments, moment, 1);
}

static void add_span(GArray *moments, PajeMoment begin, PajeWhat end, SimTime end_time)
{
    PajeMoment last = begin;

    last.what = end;
    last.time = end_time;
    add(moments, &begin);
    add(moments, &last);
}

static void add_slices(GArray *moments, const TraceTimeline *timeline)
{
    for (guint32 i = 0; i < timeline->slices->len; i++) {
        const TraceSlice *slice = trace_slice_at(timeline, i);
        PajeMoment moment = {.time = slice->begin,
                             .what = PAJE_SLICE_BEGIN,
                             .index = i,
                             .counter = slice->depth};

        if (slice->end > slice->begin) {
            add_span(moments, moment, PAJE_SLICE_END, slice->end);
        } else {
            moment.what = PAJE_SLICE_EVENT;
            add(moments, &moment);
        }
    }
}

static void add_marks(GArray *moments, const TraceTimeline *timeline)
{
    for (guint32 i = 0; i < timeline->marks->len; i++) {
        const TraceMark *mark = trace_mark_at(timeline, i);
        SimTime end = trace_time_after(mark->at, mark->cycles);
        PajeMoment moment = {.time = mark->at, .what = PAJE_STALL_BEGIN, .index = i};

        if (mark->is_stall && end > mark->at) {
            add_span(moments, moment, PAJE_STALL_END, end);
        } else {
            moment.what = PAJE_MARK;
            add(moments, &moment);
        }
    }
}

static void
add_samples(GArray *moments, const TraceTimeline *timeline, guint32 counter_index)
{
    const TraceCounter *counter = trace_counter_at(timeline, counter_index);

    for (guint32 i = 0; i < counter->sample_count; i++) {
        const TraceSample *sample =
            trace_sample_at(timeline, counter->first_sample + i);
        SimTime end = trace_time_after(sample->at, counter->width);
        PajeMoment moment = {.time = sample->at,
                             .what = PAJE_SAMPLE,
                             .index = counter->first_sample + i,
                             .counter = counter_index};

        if (counter->width > 0 && sample->value != 0 &&
            (i + 1 == counter->sample_count || sample[1].at > end)) {
            add_span(moments, moment, PAJE_USE_END, end);
        } else {
            add(moments, &moment);
        }
    }
}

static void add_flows(GArray *moments, const TraceTimeline *timeline)
{
    TraceFlowEnd from;
    TraceFlowEnd to;

    for (guint32 i = 0; i < timeline->flows->len; i++) {
        if (trace_flow_ends(timeline, i, &from, &to)) {
            PajeMoment moment = {
                .time = from.begin, .what = PAJE_FLOW_BEGIN, .index = i};

            add_span(moments, moment, PAJE_FLOW_END,
                     MAX(from.begin, trace_flow_arrival(&from, &to)));
        }
    }
}

static int sign(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* The inner slice begins last; which of them ends first makes no difference, as states
 * are popped without a name. */
static int compare(gconstpointer a, gconstpointer b)
{
    const PajeMoment *first = a;
    const PajeMoment *second = b;
    if (first->time != second->time) {
        return sign(first->time, second->time);
    }
    if (first->what != second->what) {
        return sign(first->what, second->what);
    }
    if (first->counter != second->counter) {
        return sign(first->counter, second->counter);
    }
    return sign(first->index, second->index);
}

GArray *paje_moments(const TraceTimeline *timeline)
{
    GArray *moments = g_array_new(FALSE, FALSE, sizeof(PajeMoment));

    add_slices(moments, timeline);
    add_marks(moments, timeline);
    for (guint32 i = 0; i < timeline->counters->len; i++) {
        add_samples(moments, timeline, i);
    }
    add_flows(moments, timeline);
    g_array_sort(moments, compare);
    return moments;
}
