/* Timelines in the formats of other programs: the files in exports/, byte for byte. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/traces/timeline_fixture.h"
#include "traces/error.h"
#include "traces/file/csv.h"
#include "traces/reading/timeline_items.h"
#include "traces/writing/chrome_trace.h"
#include "traces/writing/npeviz.h"
#include "traces/writing/paje_trace.h"
#include "traces/writing/timeline_csv.h"

/* With GRIDLOOM_UPDATE_EXPECTED set, what is written is what is expected. */
static void assert_file(const char *name, const char *text)
{
    g_autofree char *path =
        g_build_filename(GRIDLOOM_SOURCE_DIR, "tests", "traces", "exports", name, NULL);
    g_autofree char *expected = NULL;

    if (g_getenv("GRIDLOOM_UPDATE_EXPECTED") != NULL) {
        assert_true(g_file_set_contents(path, text, -1, NULL));
    }
    assert_true(g_file_get_contents(path, &expected, NULL, NULL));
    assert_string_equal(text, expected);
}

static void chrome_has_a_line_for_everything(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    g_autofree char *text = fixture_written(timeline, trace_chrome_write);

    (void) state;
    assert_file("cores.json", text);
}

static void csv_has_a_row_for_everything(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    g_autofree char *text = fixture_written(timeline, trace_timeline_csv_write);

    (void) state;
    assert_file("cores.csv", text);
}

static void paje_tells_everything_by_time(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    g_autofree char *text = fixture_written(timeline, trace_paje_write);

    (void) state;
    assert_file("cores.paje", text);
}

static void write_npeviz(const TraceTimeline *timeline, TraceStream *stream)
{
    g_autoptr(GError) error = NULL;

    assert_true(trace_npeviz_write(timeline, stream, &error));
}

static void npeviz_has_transfers_links_and_steps(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    g_autofree char *text = fixture_written(timeline, write_npeviz);

    (void) state;
    assert_file("cores.npeviz", text);
}

static void assert_lacks(const TraceTimeline *timeline, const char *what)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceStream) stream = trace_stream_open("/dev/full", NULL);

    assert_false(trace_npeviz_write(timeline, stream, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_LACKS));
    assert_non_null(strstr(error->message, what));
    /* Nothing was written, so nothing went wrong. */
    assert_true(trace_stream_close(stream, NULL));
}

static void npeviz_refuses_what_has_no_network(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    g_autoptr(JsonObject) result = g_steal_pointer(&timeline->result);

    (void) state;
    assert_lacks(timeline, "numbers of its chip");
    timeline->result = json_object_new();
    json_object_set_array_member(timeline->result, "chip_parameters", json_array_new());
    assert_lacks(timeline, "no Wormhole");
    json_object_unref(timeline->result);
    timeline->result = json_object_ref(result);
    g_array_set_size(timeline->flows, 0);
    assert_lacks(timeline, "no transfer");
    g_array_index(timeline->places, TracePlace, 2).kind = "pe";
    assert_lacks(timeline, "no links");
}

/* From core[1,1] a write to core[0,0] around the edges, and a read from a bank. */
static void npeviz_routes_go_the_way_of_their_network(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    guint32 place = fixture_place(timeline, "core", 1, 1);
    guint32 target = fixture_place(timeline, "core", 0, 0);
    guint32 writer = fixture_lane(timeline, place, "writer");
    guint32 sent = fixture_slice(timeline, writer, "noc_async_write", 2000, 2010);
    guint32 asked = fixture_slice(timeline, writer, "noc_async_read", 2010, 2020);
    guint32 noc;
    g_autofree char *text = NULL;

    (void) state;
    fixture_argument(timeline, "bytes", 64);
    fixture_argument(timeline, "bank", 1);
    noc = fixture_lane(timeline, place, "noc1");
    fixture_flow(timeline, asked, fixture_mark(timeline, noc, "arrive", 2200));
    noc = fixture_lane(timeline, target, "noc0");
    fixture_flow(timeline, sent, fixture_mark(timeline, noc, "arrive", 2100));
    text = fixture_written(timeline, write_npeviz);
    assert_non_null(strstr(text, "\"links\":[[0,2,2,\"NOC0_IN\"],[0,2,2,\"NOC0_EAST\"],"
                                 "[0,2,3,\"NOC0_EAST\"],[0,2,0,\"NOC0_EAST\"],"
                                 "[0,2,1,\"NOC0_SOUTH\"],[0,0,1,\"NOC0_SOUTH\"],"
                                 "[0,1,1,\"NOC0_OUT\"]]"));
    assert_non_null(strstr(text,
                           "\"links\":[[0,1,0,\"NOC1_IN\"],[0,1,0,\"NOC1_NORTH\"],"
                           "[0,0,0,\"NOC1_NORTH\"],[0,2,0,\"NOC1_WEST\"],"
                           "[0,2,3,\"NOC1_WEST\"],[0,2,2,\"NOC1_OUT\"]]"));
}

/* A core sends to all; but for the last one, arrivals end no flow. */
static void npeviz_multicasts_have_all_receivers(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    guint32 places[3];
    guint32 noc;
    guint32 sent;
    g_autofree char *text = NULL;

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        places[i] = fixture_place(timeline, "core", (int) i, 1);
    }
    sent = fixture_slice(timeline, fixture_lane(timeline, places[0], "writer"),
                         "noc_async_write_multicast", 3000, 3010);
    noc = fixture_lane(timeline, places[1], "noc0");
    (void) fixture_mark(timeline, noc, "arrive", 3050);
    fixture_mark_argument(timeline, "x", 0);
    fixture_mark_argument(timeline, "y", 1);
    (void) fixture_mark(timeline, noc, "arrive", 3070);
    fixture_mark_argument(timeline, "x", 0);
    fixture_mark_argument(timeline, "y", 1);
    noc = fixture_lane(timeline, places[2], "noc0");
    fixture_flow(timeline, sent, fixture_mark(timeline, noc, "arrive", 3060));
    text = fixture_written(timeline, write_npeviz);
    assert_non_null(strstr(text, "\"src\":[0,2,1],\"dst\":[[0,2,2],[0,2,3]],"));
    assert_non_null(strstr(text, "\"links\":[[0,2,1,\"NOC0_IN\"],"
                                 "[0,2,1,\"NOC0_EAST\"],[0,2,2,\"NOC0_EAST\"],"
                                 "[0,2,2,\"NOC0_OUT\"],[0,2,3,\"NOC0_OUT\"]]"));
}

/* Names as a script may choose them, times at the end of time, a flow without an end,
 * one back in time, slices that overlap as they must not. */
static TraceTimeline *strange(void)
{
    TraceTimeline *self = fixture_new();
    guint32 place = fixture_place(self, "odd \"kind\",<b>", -1, -1);
    guint32 lane = fixture_lane(self, place, "");
    guint32 slice = fixture_slice(self, lane, "\xff\x01 \"%#\\\n<script>", 10, 30);

    fixture_argument(self, "a,b", G_MININT64);
    fixture_slice(self, lane, "", 20, 40);
    fixture_slice(self, lane, "none", 40, 40);
    fixture_slice(self, lane, "late", SIM_TIME_NEVER - 1, SIM_TIME_NEVER);
    fixture_slice(self, lane, "backward", 50, 45);
    fixture_flow(self, slice, fixture_mark(self, lane, "before", 5));
    fixture_stall(self, lane, "for ever", 60, SIM_TIME_NEVER);
    fixture_stall(self, lane, "not at all", 61, 0);
    fixture_flow(self, slice, TRACE_NONE);
    fixture_flow(self, TRACE_NONE, TRACE_NONE);
    fixture_counter(self, lane, "none", "", 0);
    fixture_counter(self, lane, "use", "", SIM_TIME_NEVER);
    fixture_sample(self, 5, G_MAXINT64);
    fixture_sample(self, 6, -1);
    self->clock_hz = INFINITY;
    return self;
}

static void anything_can_be_written(void **state)
{
    g_autoptr(TraceTimeline) timeline = strange();
    g_autofree char *chrome = fixture_written(timeline, trace_chrome_write);
    g_autofree char *paje = fixture_written(timeline, trace_paje_write);
    g_autofree char *csv = fixture_written(timeline, trace_timeline_csv_write);
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(TraceCsv) table = trace_csv_parse("table", csv, strlen(csv), NULL);

    (void) state;
    assert_true(json_parser_load_from_data(parser, chrome, -1, NULL));
    assert_non_null(strstr(chrome, "\xef\xbf\xbd\\u0001 \\\"%#\\\\\\u000a<script>"));
    assert_non_null(strstr(paje, "\"__ _____<script>\""));
    assert_non_null(table);
    /* 5 slices, 3 marks, 2 samples and the one flow with two ends. */
    assert_int_equal(trace_csv_row_count(table), 11);
    assert_string_equal(trace_csv_field(table, 0, 6),
                        "\xef\xbf\xbd\x01 \"%#\\\n<script>");
    assert_string_equal(trace_csv_field(table, 4, 9), "0");
}

static void an_empty_timeline_can_be_written(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_new();
    g_autofree char *chrome = fixture_written(timeline, trace_chrome_write);
    g_autofree char *paje = fixture_written(timeline, trace_paje_write);
    g_autofree char *csv = fixture_written(timeline, trace_timeline_csv_write);

    (void) state;
    assert_true(g_str_has_suffix(chrome, "\"traceEvents\":[\n]}\n"));
    assert_true(g_str_has_suffix(paje, "6 0 run R 0 \"run\"\n7 0 R run\n"));
    assert_true(g_str_has_suffix(csv, "to_lane,arguments\n"));
}

/* Chrome binds an arrow to the slice that its end lies in. */
static void chrome_ends_flows_inside_slices(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_new();
    guint32 place = fixture_place(timeline, "pe", 0, 0);
    guint32 lane = fixture_lane(timeline, place, "main");
    guint32 sent = fixture_slice(timeline, lane, "send", 100, 110);
    TraceFlow flow = {.from = sent};
    g_autofree char *text = NULL;

    (void) state;
    lane = fixture_lane(timeline, place, "thread0");
    flow.to = fixture_slice(timeline, lane, "receive", 50, 80);
    g_array_append_val(timeline->flows, flow);
    text = fixture_written(timeline, trace_chrome_write);
    assert_non_null(strstr(text, "\"bp\":\"e\",\"ts\":0.079}"));
}

/* What waits for data began before they were sent. */
static void a_flow_arrives_inside_what_receives_it(void **state)
{
    const TraceFlowEnd from = {.begin = 100, .end = 110};

    (void) state;
    assert_int_equal(
        trace_flow_arrival(&from, &(TraceFlowEnd){.begin = 50, .end = 200}), 100);
    assert_int_equal(
        trace_flow_arrival(&from, &(TraceFlowEnd){.begin = 150, .end = 200}), 150);
    assert_int_equal(trace_flow_arrival(&from, &(TraceFlowEnd){.begin = 50, .end = 80}),
                     80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chrome_has_a_line_for_everything),
        cmocka_unit_test(csv_has_a_row_for_everything),
        cmocka_unit_test(paje_tells_everything_by_time),
        cmocka_unit_test(npeviz_has_transfers_links_and_steps),
        cmocka_unit_test(npeviz_refuses_what_has_no_network),
        cmocka_unit_test(npeviz_routes_go_the_way_of_their_network),
        cmocka_unit_test(npeviz_multicasts_have_all_receivers),
        cmocka_unit_test(anything_can_be_written),
        cmocka_unit_test(an_empty_timeline_can_be_written),
        cmocka_unit_test(chrome_ends_flows_inside_slices),
        cmocka_unit_test(a_flow_arrives_inside_what_receives_it),
    };

    return cmocka_run_group_tests_name("traces.exports", tests, NULL, NULL);
}
