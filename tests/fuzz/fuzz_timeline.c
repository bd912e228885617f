/* Fuzzes the reader of traces with any bytes. */
#include <stdint.h>
#include <string.h>

#include <glib.h>

#include "traces/error.h"
#include "traces/reading/timeline.h"

/* The name that libFuzzer calls. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(const GError *error)
{
    g_assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    g_assert_null(strpbrk(error->message, "\r\n"));
    g_assert_true(g_utf8_validate(error->message, -1, NULL));
}

static void check_slices(const TraceTimeline *timeline, guint number)
{
    const TraceLane *lane = &g_array_index(timeline->lanes, TraceLane, number);

    g_assert_cmpuint(lane->place, <, timeline->places->len);
    g_assert_true(g_utf8_validate(lane->name, -1, NULL));
    for (guint i = 0; i < lane->slice_count; i++) {
        const TraceSlice *slice =
            &g_array_index(timeline->slices, TraceSlice, lane->first_slice + i);

        g_assert_cmpuint(slice->lane, ==, number);
        g_assert_true(slice->begin <= slice->end);
        g_assert_true(slice->begin >= timeline->begin && slice->end <= timeline->end);
        g_assert_true(i == 0 || slice[-1].begin <= slice->begin);
        g_assert_true((guint64) slice->first_argument + slice->argument_count <=
                      timeline->arguments->len);
        g_assert_true(g_utf8_validate(slice->name, -1, NULL));
    }
    for (guint i = 0; i < lane->mark_count; i++) {
        const TraceMark *mark =
            &g_array_index(timeline->marks, TraceMark, lane->first_mark + i);

        g_assert_cmpuint(mark->lane, ==, number);
        g_assert_true(i == 0 || mark[-1].at <= mark->at);
    }
}

static void check_timeline(const TraceTimeline *timeline)
{
    guint64 slices = 0;
    guint64 marks = 0;
    guint64 samples = 0;

    for (guint i = 0; i < timeline->lanes->len; i++) {
        check_slices(timeline, i);
        slices += g_array_index(timeline->lanes, TraceLane, i).slice_count;
        marks += g_array_index(timeline->lanes, TraceLane, i).mark_count;
    }
    for (guint i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter =
            &g_array_index(timeline->counters, TraceCounter, i);

        g_assert_cmpuint(counter->lane, <, timeline->lanes->len);
        samples += counter->sample_count;
    }
    g_assert_cmpuint(slices, ==, timeline->slices->len);
    g_assert_cmpuint(marks, ==, timeline->marks->len);
    g_assert_cmpuint(samples, ==, timeline->samples->len);
    for (guint i = 0; i < timeline->flows->len; i++) {
        const TraceFlow *flow = &g_array_index(timeline->flows, TraceFlow, i);

        g_assert_true(flow->from != TRACE_NONE || flow->to != TRACE_NONE);
        g_assert_true(flow->from == TRACE_NONE ||
                      flow->from < (flow->is_from_mark ? marks : slices));
        g_assert_true(flow->to == TRACE_NONE ||
                      flow->to < (flow->is_to_mark ? marks : slices));
    }
    g_assert_true(timeline->warning == NULL ||
                  strpbrk(timeline->warning, "\r\n") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceTimeline) timeline =
        trace_timeline_parse("fuzz.pftrace", data, size, &error);

    g_assert_true((timeline == NULL) == (error != NULL));
    if (timeline == NULL) {
        check_error(error);
    } else {
        check_timeline(timeline);
    }
    return 0;
}
