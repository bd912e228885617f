/* Any bytes that the reader of traces takes can be exported and drawn. */
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "traces/error.h"
#include "traces/picture/timeline_heatmap.h"
#include "traces/picture/timeline_picture.h"
#include "traces/reading/timeline.h"
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(TraceTimeline) timeline =
        trace_timeline_parse("fuzz.pftrace", data, size, NULL);

    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    if (timeline != NULL) {
        check_exports(timeline);
        check_heatmaps(timeline);
        check_picture(timeline);
    }
    return 0;
}
