/* Writes timelines as text. */
#include "tests/traces/timeline_text.h"

static void add_arguments(GString *text,
                          const TraceTimeline *timeline,
                          guint32 first,
                          guint32 count)
{
    for (guint32 i = first; i < first + count; i++) {
        const TraceArgument *argument =
            &g_array_index(timeline->arguments, TraceArgument, i);

        g_string_append_printf(text, ",%s=%" G_GINT64_FORMAT, argument->name,
                               argument->value);
    }
}

static void
add_lane(GString *text, const TraceTimeline *timeline, const TraceLane *lane)
{
    g_string_append_printf(text, "%s:", lane->name);
    for (guint32 i = 0; i < lane->slice_count; i++) {
        const TraceSlice *slice =
            &g_array_index(timeline->slices, TraceSlice, lane->first_slice + i);

        g_string_append_printf(text, " %s@%u-%u/%u", slice->name, (guint) slice->begin,
                               (guint) slice->end, slice->depth);
        add_arguments(text, timeline, slice->first_argument, slice->argument_count);
    }
    for (guint32 i = 0; i < lane->mark_count; i++) {
        const TraceMark *mark =
            &g_array_index(timeline->marks, TraceMark, lane->first_mark + i);

        g_string_append_printf(text, " %s %s@%u", mark->is_stall ? "stall" : "mark",
                               mark->name, (guint) mark->at);
        if (mark->is_stall) {
            g_string_append_printf(text, "+%u", (guint) mark->cycles);
        }
        add_arguments(text, timeline, mark->first_argument, mark->argument_count);
    }
    g_string_append_c(text, '\n');
}

static void
add_counter(GString *text, const TraceTimeline *timeline, const TraceCounter *counter)
{
    g_string_append_printf(
        text,
        "%s/%s(%s,%u):", g_array_index(timeline->lanes, TraceLane, counter->lane).name,
        counter->name, counter->unit, (guint) counter->width);
    for (guint32 i = 0; i < counter->sample_count; i++) {
        const TraceSample *sample =
            &g_array_index(timeline->samples, TraceSample, counter->first_sample + i);

        g_string_append_printf(text, " %" G_GINT64_FORMAT "@%u", sample->value,
                               (guint) sample->at);
    }
    g_string_append_c(text, '\n');
}

static void
add_end(GString *text, const TraceTimeline *timeline, guint32 number, bool is_mark)
{
    if (number == TRACE_NONE) {
        g_string_append(text, " none");
        return;
    }
    const guint32 lane = is_mark
                             ? g_array_index(timeline->marks, TraceMark, number).lane
                             : g_array_index(timeline->slices, TraceSlice, number).lane;

    g_string_append_printf(
        text, " %s.%s", g_array_index(timeline->lanes, TraceLane, lane).name,
        is_mark ? g_array_index(timeline->marks, TraceMark, number).name
                : g_array_index(timeline->slices, TraceSlice, number).name);
}

char *timeline_text(const TraceTimeline *timeline)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < timeline->lanes->len; i++) {
        add_lane(text, timeline, &g_array_index(timeline->lanes, TraceLane, i));
    }
    for (guint i = 0; i < timeline->counters->len; i++) {
        add_counter(text, timeline,
                    &g_array_index(timeline->counters, TraceCounter, i));
    }
    for (guint i = 0; i < timeline->flows->len; i++) {
        const TraceFlow *flow = &g_array_index(timeline->flows, TraceFlow, i);

        g_string_append_printf(text, "flow %u:", (guint) flow->id);
        add_end(text, timeline, flow->from, flow->is_from_mark);
        add_end(text, timeline, flow->to, flow->is_to_mark);
        g_string_append_c(text, '\n');
    }
    return g_string_free(text, FALSE);
}
