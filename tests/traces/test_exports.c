/* Timelines in the formats of other programs: the files in exports/, byte for byte. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/traces/timeline_fixture.h"
#include "traces/chrome_trace.h"
#include "traces/csv.h"
#include "traces/paje_trace.h"
#include "traces/timeline_csv.h"
#include "traces/timeline_items.h"

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
        cmocka_unit_test(anything_can_be_written),
        cmocka_unit_test(an_empty_timeline_can_be_written),
        cmocka_unit_test(a_flow_arrives_inside_what_receives_it),
    };

    return cmocka_run_group_tests_name("traces.exports", tests, NULL, NULL);
}
