/* Any bytes that the reader of traces takes can be exported, drawn and added up. */
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "traces/error.h"
#include "traces/picture/timeline_heatmap.h"
#include "traces/picture/timeline_picture.h"
#include "traces/reading/path.h"
#include "traces/reading/timeline.h"
#include "traces/roofline/work.h"
#include "traces/writing/chrome_trace.h"
#include "traces/writing/npeviz.h"
#include "traces/writing/paje_trace.h"
#include "traces/writing/timeline_csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    LANES_MOST = 20,
};

typedef void (*WriteFunc)(const TraceTimeline *timeline, TraceStream *stream);

static void write_npeviz(const TraceTimeline *timeline, TraceStream *stream)
{
    g_autoptr(GError) error = NULL;

    g_assert_true(trace_npeviz_write(timeline, stream, &error) ||
                  g_error_matches(error, TRACE_ERROR, TRACE_ERROR_LACKS));
}

static void check_exports(const TraceTimeline *timeline)
{
    static const WriteFunc writers[] = {trace_chrome_write, trace_timeline_csv_write,
                                        write_npeviz, trace_paje_write};

    for (gsize i = 0; i < G_N_ELEMENTS(writers); i++) {
        g_autoptr(TraceStream) stream = trace_stream_open("/dev/null", NULL);

        writers[i](timeline, stream);
        g_assert_true(trace_stream_close(stream, NULL));
    }
}

static void check_heatmaps(const TraceTimeline *timeline)
{
    static const TraceHeatBy ways[] = {TRACE_HEAT_BUSY, TRACE_HEAT_STALLS,
                                       TRACE_HEAT_LINKS};

    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *svg =
            trace_timeline_heatmap_to_svg(&(TraceTimelineHeatmap){.timeline = timeline,
                                                                  .title = "fuzz",
                                                                  .by = ways[i],
                                                                  .end = SIM_TIME_NEVER,
                                                                  .window_count = 2},
                                          &error);

        g_assert_true((svg == NULL) == (error != NULL));
    }
}

static void check_picture(const TraceTimeline *timeline)
{
    guint32 lanes[LANES_MOST];
    guint32 count = 0;

    while (count < timeline->lanes->len && count < LANES_MOST) {
        lanes[count] = count;
        count++;
    }
    if (timeline->begin < timeline->end) {
        g_autofree char *svg = trace_timeline_picture_to_svg(
            &(TraceTimelinePicture){.timeline = timeline,
                                    .title = "fuzz",
                                    .lanes = lanes,
                                    .lane_count = count,
                                    .begin = timeline->begin,
                                    .end = timeline->end});

        g_assert_nonnull(svg);
    }
}

static void check_path(const TraceTimeline *timeline)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TracePath) path = trace_path_find(timeline, "fuzz", &error);
    SimTime end;

    g_assert_true((path == NULL) == (error != NULL));
    if (path == NULL) {
        return;
    }
    end = path->begin;
    for (guint i = 0; i < path->steps->len; i++) {
        const TraceStep *step = &g_array_index(path->steps, TraceStep, i);

        g_assert_true(step->begin == end && step->end >= step->begin);
        end = step->end;
    }
    g_assert_true(end == path->end);
}

static void check_work(const TraceTimeline *timeline)
{
    TraceWorkChoice choice = {.to = SIM_TIME_NEVER};
    g_autoptr(TraceWork) work = trace_work_new("fuzz", timeline, NULL);

    if (work != NULL && trace_work_narrow(work, &choice, NULL)) {
        const SimTime bounds[] = {choice.from, choice.to};
        g_autoptr(GArray) whole = trace_work_split(work, &choice, bounds, 1);
        g_autoptr(GArray) zones = trace_work_zones(work, &choice, NULL);
        g_autoptr(GArray) iterations = trace_work_iterations(work, &choice, NULL);

        g_assert_true(whole->len == 1);
        g_assert_true(zones == NULL || zones->len > 0);
        g_assert_true(iterations == NULL || iterations->len != 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(TraceTimeline) timeline =
        trace_timeline_parse("fuzz.pftrace", data, size, NULL);

    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    if (timeline != NULL) {
        check_exports(timeline);
        check_heatmaps(timeline);
        check_picture(timeline);
        check_path(timeline);
        check_work(timeline);
    }
    return 0;
}
