/* The data of reports: what is packed comes back, and what does not fit is said. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>
#include <json-glib/json-glib.h>

#include "tests/traces/sample_timeline.h"
#include "tests/traces/timeline_fixture.h"
#include "traces/report/page/cut.h"
#include "traces/report/page/events.h"
#include "traces/report/page/table.h"
#include "traces/report/report.h"

static const char result_text[] =
    "{\"schema_version\":1,\"workload\":\"w\",\"chip\":\"c\",\"busy\":{},\"roofs\":[]}";

/* The data of one run with a trace of this shape, or without one. */
static JsonParser *parse(const SampleShape *shape)
{
    TraceRun *run = trace_run_new(
        "run", result_text, shape != NULL ? sample_timeline_new(shape) : NULL, NULL);
    g_autofree char *text = trace_report_data(&run, 1, NULL);
    JsonParser *parser = json_parser_new();

    assert_null(strchr(text, '<'));
    assert_null(strchr(text, '>'));
    assert_null(strchr(text, '&'));
    assert_null(strchr(text, '\n'));
    assert_true(json_parser_load_from_data(parser, text, -1, NULL));
    trace_run_free(run);
    return parser;
}

static JsonObject *run_of(JsonParser *parser)
{
    return json_array_get_object_element(
        json_object_get_array_member(json_node_get_object(json_parser_get_root(parser)),
                                     "runs"),
        0);
}

static JsonObject *timeline_of(JsonParser *parser)
{
    return json_object_get_object_member(run_of(parser), "timeline");
}

/* Numbers as the page reads them. */
typedef struct {
    guchar *bytes;
    gsize size;
    gsize place;
} Reader;

static Reader reader_of(JsonObject *object, const char *member)
{
    Reader self = {0};

    self.bytes =
        g_base64_decode(json_object_get_string_member(object, member), &self.size);
    return self;
}

static uint64_t next(Reader *self)
{
    uint64_t value = 0;
    guint shift = 0;

    do {
        assert_true(self->place < self->size);
        value |= (uint64_t) (self->bytes[self->place] & 127) << shift;
        shift += 7;
    } while ((self->bytes[self->place++] & 128) != 0);
    return value;
}

static int64_t next_signed(Reader *self)
{
    const uint64_t value = next(self);

    return value & 1 ? -(int64_t) (value >> 1) - 1 : (int64_t) (value >> 1);
}

static void numbers_come_back(void **state G_GNUC_UNUSED)
{
    static const int64_t values[] = {0,   1,     -1,          63,        64,       -64,
                                     -65, 12345, -1000000007, INT64_MAX, INT64_MIN};
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
        trace_report_bytes_add_signed(bytes, values[i]);
    }
    trace_report_bytes_add(bytes, UINT64_MAX);
    Reader reader = {bytes->data, bytes->len, 0};

    for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
        assert_int_equal(next_signed(&reader), values[i]);
    }
    assert_true(next(&reader) == UINT64_MAX);
    assert_int_equal(reader.place, reader.size);
}

/* Reads one event and compares it. */
static void assert_event(Reader *reader,
                         JsonObject *packed,
                         const TraceTimeline *timeline,
                         const TraceSlice *slice)
{
    JsonArray *strings = json_object_get_array_member(packed, "strings");
    JsonArray *shape = json_array_get_array_element(
        json_object_get_array_member(packed, "shapes"), (guint) next(reader));

    assert_string_equal(json_array_get_string_element(
                            strings, (guint) json_array_get_int_element(shape, 0)),
                        slice->name);
    assert_int_equal(json_array_get_int_element(shape, 1), slice->depth);
    assert_int_equal(json_array_get_length(shape), 2 + slice->argument_count);
    for (guint i = 0; i < slice->argument_count; i++) {
        const TraceArgument *argument = &g_array_index(
            timeline->arguments, TraceArgument, slice->first_argument + i);

        assert_int_equal(next_signed(reader), argument->value);
    }
}

static void slices_come_back(void **state G_GNUC_UNUSED)
{
    const SampleShape shape = {.columns = 3, .rows = 2, .slices = 17, .cycles = 50};
    g_autoptr(TraceTimeline) timeline = sample_timeline_new(&shape);
    g_autoptr(JsonParser) parser = parse(&shape);
    JsonObject *packed = timeline_of(parser);
    Reader reader = reader_of(packed, "slices");

    for (guint i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = &g_array_index(timeline->lanes, TraceLane, i);
        SimTime time = timeline->begin;

        assert_int_equal(next(&reader), lane->slice_count);
        for (guint j = 0; j < lane->slice_count; j++) {
            const TraceSlice *slice =
                &g_array_index(timeline->slices, TraceSlice, lane->first_slice + j);

            time += next(&reader);
            assert_int_equal(time, slice->begin);
            assert_int_equal(next(&reader), slice->end - slice->begin);
            assert_event(&reader, packed, timeline, slice);
        }
    }
    assert_int_equal(reader.place, reader.size);
    g_free(reader.bytes);
}

static void flows_join_slices_to_marks(void **state G_GNUC_UNUSED)
{
    const SampleShape shape = {.columns = 3, .rows = 2, .slices = 17, .cycles = 50};
    g_autoptr(TraceTimeline) timeline = sample_timeline_new(&shape);
    g_autoptr(JsonParser) parser = parse(&shape);
    Reader reader = reader_of(timeline_of(parser), "flows");

    assert_int_equal(timeline->flows->len, 5);
    for (guint i = 0; i < timeline->flows->len; i++) {
        const TraceFlow *flow = &g_array_index(timeline->flows, TraceFlow, i);

        /* Nothing is left out, so numbers are those of the timeline. */
        assert_int_equal(next(&reader), 2 * flow->from);
        assert_int_equal(next(&reader), 2 * flow->to + 1);
    }
    assert_int_equal(reader.place, reader.size);
    g_free(reader.bytes);
}

/* The sum of a lane's bins, of 255 each. */
static guint heat_of(Reader *reader, guint bins)
{
    guint sum = 0;

    for (guint bin = 0; bin < bins;) {
        const guint8 value = reader->bytes[reader->place++];

        sum += value;
        bin += value == 0 ? (guint) next(reader) : 1;
    }
    return sum;
}

static void heat_is_what_slices_add_up_to(void **state G_GNUC_UNUSED)
{
    const SampleShape shape = {.columns = 2, .rows = 2, .slices = 40, .cycles = 100};
    g_autoptr(TraceTimeline) timeline = sample_timeline_new(&shape);
    g_autoptr(JsonParser) parser = parse(&shape);
    JsonObject *heat = json_object_get_object_member(timeline_of(parser), "heat");
    const guint bins = (guint) json_object_get_int_member(heat, "bins");
    const double span = (double) (json_object_get_int_member(heat, "end") -
                                  json_object_get_int_member(heat, "begin"));
    Reader reader = reader_of(heat, "busy");

    for (guint i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = &g_array_index(timeline->lanes, TraceLane, i);
        const double part = heat_of(&reader, bins) / 255.0 / bins;
        double cycles = 0;

        for (guint j = 0; j < lane->slice_count; j++) {
            const TraceSlice *slice =
                &g_array_index(timeline->slices, TraceSlice, lane->first_slice + j);

            cycles += slice->depth == 0 ? (double) (slice->end - slice->begin) : 0;
        }
        if (lane->slice_count > 1) {
            /* Half a step of 255 in each bin, at most. */
            assert_true(fabs(part - cycles / span) <= 0.5 / 255);
        }
    }
    assert_int_equal(reader.place, reader.size);
    g_free(reader.bytes);
}

static void heat_of_links_comes_from_their_use(void **state G_GNUC_UNUSED)
{
    const SampleShape shape = {.columns = 1, .rows = 1, .slices = 400, .cycles = 100};
    g_autoptr(TraceTimeline) timeline = sample_timeline_new(&shape);
    g_autoptr(JsonParser) parser = parse(&shape);
    JsonObject *heat = json_object_get_object_member(timeline_of(parser), "heat");
    const guint bins = (guint) json_object_get_int_member(heat, "bins");
    Reader reader = reader_of(heat, "busy");

    for (guint i = 0; i < timeline->lanes->len; i++) {
        const guint sum = heat_of(&reader, bins);

        if (g_str_equal(g_array_index(timeline->lanes, TraceLane, i).unit, "buffers")) {
            assert_int_equal(sum, 0);
        } else {
            assert_true(sum > 0);
        }
    }
    g_free(reader.bytes);
}

/* Values of a counter that a page limits. */
static guint samples_of(const TraceCounter *counter)
{
    return trace_report_cut_is_use(counter) ? 0 : counter->sample_count;
}

/* Slices, marks and counter values that begin before `time`. */
static guint items_before(const TraceTimeline *timeline, SimTime time)
{
    guint count = 0;

    for (guint i = 0; i < timeline->slices->len; i++) {
        count += g_array_index(timeline->slices, TraceSlice, i).begin < time;
    }
    for (guint i = 0; i < timeline->marks->len; i++) {
        count += g_array_index(timeline->marks, TraceMark, i).at < time;
    }
    for (guint i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter =
            &g_array_index(timeline->counters, TraceCounter, i);

        for (guint j = 0; j < samples_of(counter); j++) {
            count +=
                g_array_index(timeline->samples, TraceSample, counter->first_sample + j)
                    .at < time;
        }
    }
    return count;
}

static void a_large_trace_is_cut_by_time(void **state G_GNUC_UNUSED)
{
    const SampleShape shape = {.columns = 2, .rows = 2, .slices = 40, .cycles = 100};
    g_autoptr(TraceTimeline) timeline = sample_timeline_new(&shape);
    const guint items = items_before(timeline, SIM_TIME_NEVER);
    const guint limit = items * 3 / 4;
    const TraceReportCut cut = trace_report_cut_find(timeline, limit);
    const TraceReportCut all = trace_report_cut_find(timeline, items);

    assert_int_equal(cut.edge, G_MAXUINT);
    assert_true(items_before(timeline, cut.time) <= limit);
    assert_true(items_before(timeline, cut.time + 1) > limit);
    assert_true(all.time == SIM_TIME_NEVER);
    assert_int_equal(all.edge, G_MAXUINT);
}

static void samples_at_the_cut_are_left_out(void **state G_GNUC_UNUSED)
{
    g_autoptr(TraceTimeline) timeline = fixture_new();
    const guint32 lane =
        fixture_lane(timeline, fixture_place(timeline, "core", 0, 0), "buffers");
    const TraceReportCut cut = {.time = 20, .edge = G_MAXUINT};
    g_auto(TraceReportEvents) events = {.timeline = timeline, .cut = cut};
    g_autofree char *packed = NULL;
    Reader reader = {0};

    (void) fixture_counter(timeline, lane, "cb 0", "pages", 0);
    fixture_sample(timeline, 19, 3);
    fixture_sample(timeline, 20, 4);
    packed = trace_report_events_samples(&events);
    reader.bytes = g_base64_decode(packed, &reader.size);

    assert_int_equal(next(&reader), 1);
    assert_int_equal(next(&reader), 19);
    assert_int_equal(next_signed(&reader), 3);
    assert_int_equal(reader.place, reader.size);
    g_free(reader.bytes);
}

static void a_larger_one_by_places(void **state G_GNUC_UNUSED)
{
    const SampleShape shape = {.columns = 4, .rows = 4, .slices = 40, .cycles = 100};
    g_autoptr(TraceTimeline) timeline = sample_timeline_new(&shape);
    const guint limit = items_before(timeline, SIM_TIME_NEVER) / 3;
    const TraceReportCut cut = trace_report_cut_find(timeline, limit);
    guint shown = 0;

    assert_true(cut.time == SIM_TIME_NEVER);
    assert_int_equal(cut.edge, 2);
    for (guint i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = &g_array_index(timeline->lanes, TraceLane, i);

        if (trace_report_cut_has(&cut, timeline, lane)) {
            shown += lane->slice_count + lane->mark_count;
        }
    }
    for (guint i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter =
            &g_array_index(timeline->counters, TraceCounter, i);
        const TraceLane *lane =
            &g_array_index(timeline->lanes, TraceLane, counter->lane);

        if (trace_report_cut_has(&cut, timeline, lane)) {
            shown += samples_of(counter);
        }
    }
    assert_true(shown > limit / 2 && shown <= limit);
}

/* Memory is not taken by how far out a place lies. */
static void places_may_be_far_out(void **state G_GNUC_UNUSED)
{
    const SampleShape shape = {.columns = 4, .rows = 4, .slices = 40, .cycles = 100};
    g_autoptr(TraceTimeline) timeline = sample_timeline_new(&shape);
    TracePlace *last =
        &g_array_index(timeline->places, TracePlace, timeline->places->len - 1);
    const guint limit = items_before(timeline, SIM_TIME_NEVER) / 3;

    last->x = last->x_end = G_MAXINT32;
    const TraceReportCut cut = trace_report_cut_find(timeline, limit);

    assert_true(cut.time == SIM_TIME_NEVER);
    assert_int_equal(cut.edge, 2);
}

static void a_page_says_what_it_leaves_out(void **state G_GNUC_UNUSED)
{
    const SampleShape small = {.columns = 1, .rows = 1, .slices = 10, .cycles = 100};
    const SampleShape large = {
        .columns = 2, .rows = 1, .slices = TRACE_REPORT_ITEMS / 7, .cycles = 20};
    g_autoptr(JsonParser) all = parse(&small);
    g_autoptr(JsonParser) some = parse(&large);
    JsonObject *shown = json_object_get_object_member(timeline_of(all), "shown");

    assert_false(json_object_has_member(shown, "to"));
    assert_false(json_object_has_member(shown, "edge"));
    shown = json_object_get_object_member(timeline_of(some), "shown");
    assert_true(json_object_has_member(shown, "to"));
    assert_true(json_object_get_int_member(shown, "slices") > TRACE_REPORT_ITEMS);
}

static void a_run_without_a_trace_has_no_timeline(void **state G_GNUC_UNUSED)
{
    g_autoptr(JsonParser) parser = parse(NULL);

    assert_false(json_object_has_member(run_of(parser), "timeline"));
    assert_true(json_object_has_member(run_of(parser), "limit"));
    assert_true(json_object_get_boolean_member(run_of(parser), "is_whole"));
}

static void names_with_html_are_escaped(void **state G_GNUC_UNUSED)
{
    const SampleShape shape = {.columns = 1,
                               .rows = 1,
                               .slices = 2,
                               .cycles = 10,
                               .marker = "</script><b>&amp;\xff"};
    g_autoptr(JsonParser) parser = parse(&shape);
    JsonArray *strings = json_object_get_array_member(timeline_of(parser), "strings");
    bool is_there = false;

    for (guint i = 0; i < json_array_get_length(strings); i++) {
        is_there |= g_str_has_prefix(json_array_get_string_element(strings, i),
                                     "core[0,0]</script><b>&amp;\xef\xbf\xbd");
    }
    assert_true(is_there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(slices_come_back),
        cmocka_unit_test(flows_join_slices_to_marks),
        cmocka_unit_test(heat_is_what_slices_add_up_to),
        cmocka_unit_test(heat_of_links_comes_from_their_use),
        cmocka_unit_test(a_large_trace_is_cut_by_time),
        cmocka_unit_test(samples_at_the_cut_are_left_out),
        cmocka_unit_test(a_larger_one_by_places),
        cmocka_unit_test(places_may_be_far_out),
        cmocka_unit_test(a_page_says_what_it_leaves_out),
        cmocka_unit_test(a_run_without_a_trace_has_no_timeline),
        cmocka_unit_test(names_with_html_are_escaped),
    };

    return cmocka_run_group_tests_name("traces.report", tests, NULL, NULL);
}
