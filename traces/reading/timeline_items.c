/* Finds flows between slices and marks, and empty lanes. */
#include "traces/reading/timeline_items.h"

static TraceFlowEnd end_of(const TraceTimeline *timeline, bool is_mark, guint32 index)
{
    if (is_mark) {
        const TraceMark *mark = trace_mark_at(timeline, index);

        return (TraceFlowEnd){.name = mark->name,
                              .lane = mark->lane,
                              .begin = mark->at,
                              .end = mark->at,
                              .first_argument = mark->first_argument,
                              .argument_count = mark->argument_count};
    }
    const TraceSlice *slice = trace_slice_at(timeline, index);

    return (TraceFlowEnd){.name = slice->name,
                          .lane = slice->lane,
                          .begin = slice->begin,
                          .end = slice->end,
                          .first_argument = slice->first_argument,
                          .argument_count = slice->argument_count};
}

bool trace_flow_ends(const TraceTimeline *timeline,
                     guint32 flow,
                     TraceFlowEnd *from,
                     TraceFlowEnd *to)
{
    const TraceFlow *shown = trace_flow_at(timeline, flow);

    if (shown->from == TRACE_NONE || shown->to == TRACE_NONE) {
        return false;
    }
    *from = end_of(timeline, shown->is_from_mark, shown->from);
    *to = end_of(timeline, shown->is_to_mark, shown->to);
    return true;
}

SimTime trace_flow_arrival(const TraceFlowEnd *from, const TraceFlowEnd *to)
{
    return CLAMP(from->begin, to->begin, MAX(to->begin, to->end));
}

bool trace_flow_argument(const TraceTimeline *timeline,
                         const TraceFlowEnd *end,
                         const char *name,
                         int64_t *value)
{
    for (guint32 i = 0; i < end->argument_count; i++) {
        const TraceArgument *argument =
            trace_argument_at(timeline, end->first_argument + i);

        if (g_str_equal(argument->name, name)) {
            *value = argument->value;
            return true;
        }
    }
    return false;
}

char *trace_arguments_text(const TraceTimeline *timeline, guint32 first, guint32 count)
{
    GString *text = g_string_new(NULL);

    for (guint32 i = 0; i < count; i++) {
        const TraceArgument *argument = trace_argument_at(timeline, first + i);

        g_string_append_printf(text, "%s%s=%" G_GINT64_FORMAT, i > 0 ? " " : "",
                               argument->name, argument->value);
    }
    return g_string_free(text, FALSE);
}

bool *trace_timeline_used_lanes(const TraceTimeline *timeline)
{
    bool *is_used = g_new0(bool, timeline->lanes->len);

    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(timeline, i);

        is_used[i] = lane->slice_count > 0 || lane->mark_count > 0;
    }
    for (guint32 i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);

        if (counter->sample_count > 0) {
            is_used[counter->lane] = true;
        }
    }
    return is_used;
}
