/* Traces of NoC events: what is read, and what is refused in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "traces/error.h"
#include "traces/reading/noc_events.h"

#define KINDS GRIDLOOM_SOURCE_DIR "/tests/traces/noc_events/kinds.json"

/* A read from (3,4) to (1,2) at 100; `type` and what follows it are the caller's. */
#define EVENT                                                                          \
    "\"proc\":\"BRISC\",\"noc\":\"NOC_1\",\"sx\":1,\"sy\":2,\"dx\":3,\"dy\":4,"        \
    "\"num_bytes\":32,\"timestamp\":100,"
#define READ "{" EVENT "\"type\":\"READ\"}"

/* A row of refusals: the elements of the list, and the message after the name. */
typedef struct {
    const char *text;
    const char *message;
} Row;

static TraceNocEvents *parse(const char *text, GError **error)
{
    return trace_noc_events_parse("t.json", text, strlen(text), error);
}

static TraceNocEvents *parse_good(const char *text)
{
    g_autoptr(GError) error = NULL;
    TraceNocEvents *events = parse(text, &error);

    if (events == NULL) {
        fail_msg("%s", error->message);
    }
    return events;
}

static void assert_refused(const Row *rows, gsize row_count)
{
    for (gsize i = 0; i < row_count; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(TraceNocEvents) events = parse(rows[i].text, &error);
        g_autofree char *message = g_strconcat("t.json: ", rows[i].message, NULL);

        if (events != NULL) {
            fail_msg("accepted: %s", rows[i].text);
        }
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, message);
    }
}

static void text_that_is_no_list_of_events_is_refused(void **state)
{
    (void) state;
    static const Row rows[] = {
        {"", "line 1: the file ends, expected a list of NoC events in [ ]"},
        {" \n ", "line 2: the file ends, expected a list of NoC events in [ ]"},
        {"hello", "line 1: expected a list of NoC events in [ ], found h"},
        {"{}", "line 1: expected a list of NoC events in [ ], found {"},
        {"\x1f\x8b\x08", "line 1: expected JSON, found byte 0x8b"},
        {"[]", "the list of events is empty"},
        {"[1]", "event 1: line 1: expected an event in { }, found 1"},
        {"[" READ ",[]]", "event 2: line 1: expected an event in { }, found ["},
        {"[" READ ",]", "event 2: line 1: expected an event in { }, found ]"},
        {"[" READ "\n" READ "]",
         "line 2: expected a comma or the ] of the list, found {"},
        {"[" READ "] x", "line 1: expected nothing after the list, found x"},
        {"[" READ "][]", "line 1: expected nothing after the list, found ["},
    };

    assert_refused(rows, G_N_ELEMENTS(rows));
}

static void text_that_breaks_off_is_refused(void **state)
{
    (void) state;
    static const Row rows[] = {
        {"[", "event 1: line 1: the file ends, expected an event in { }"},
        {"[{", "event 1: line 1: the file ends, expected the name of a field"},
        {"[{\"pr", "event 1: line 1: the file ends, expected the name of a field"},
        {"[{\"proc\"", "event 1: line 1: the file ends, expected a colon"},
        {"[{\"proc\":", "event 1: line 1: the file ends, expected a value"},
        {"[{\"proc\":\"BR", "event 1: line 1: the file ends, expected a value"},
        {"[{\"sx\":1", "event 1: line 1: the file ends, expected a comma or }"},
        {"[{\"sx\":1,", "event 1: line 1: the file ends, expected the name of a field"},
        {"[" READ, "line 1: the file ends, expected a comma or the ] of the list"},
        {"[" READ ",\n", "event 2: line 2: the file ends, expected an event in { }"},
    };

    assert_refused(rows, G_N_ELEMENTS(rows));
}

static void values_that_are_no_json_are_refused(void **state)
{
    (void) state;
    static const Row rows[] = {
        {"[{sx:1}]", "event 1: line 1: expected the name of a field, found s"},
        {"[{\"sx\" 1}]", "event 1: line 1: expected a colon, found 1"},
        {"[{\"sx\":01}]", "event 1: line 1: expected a comma or }, found 1"},
        {"[{\"sx\":+1}]", "event 1: line 1: expected a value, found +"},
        {"[{\"sx\":1.}]", "event 1: line 1: expected a value, found }"},
        {"[{\"sx\":NaN}]", "event 1: line 1: expected a value, found N"},
        {"[{\"sx\":\"\\q\"}]", "event 1: line 1: expected a value, found q"},
        {"[{\"sx\":\"a\nb\"}]", "event 1: line 1: expected a value, found byte 0x0a"},
        {"[{\"a\":[1,{\"b\":2]}]", "event 1: line 1: expected a value, found ]"},
        {"[{\"a\":[1,]}]", "event 1: line 1: expected a value, found ]"},
    };

    assert_refused(rows, G_N_ELEMENTS(rows));
}

static void deep_nesting_is_refused(void **state)
{
    (void) state;
    g_autoptr(GString) text = g_string_new("[{\"a\":");
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < 1000000; i++) {
        g_string_append_c(text, '[');
    }

    assert_null(parse(text->str, &error));
    assert_string_equal(error->message,
                        "t.json: event 1: line 1: expected a value, found [");
}

static void missing_fields_are_named(void **state)
{
    (void) state;
    static const Row rows[] = {
        {"[{}]", "event 1: type is missing, expected a type of event or a zone"},
        {"[" READ ",{\"type\":\"READ\"}]",
         "event 2: timestamp is missing, expected 0.."},
        {"[{\"type\":\"READ\",\"timestamp\":1}]",
         "event 1: sx is missing, expected 0..63"},
        {"[{\"type\":\"READ\",\"timestamp\":1,\"sx\":1}]",
         "event 1: sy is missing, expected 0..63"},
        {"[{\"type\":\"READ\",\"timestamp\":1,\"sx\":1,\"sy\":1}]",
         "event 1: proc is missing, expected BRISC, NCRISC or ERISC"},
        {"[{\"type\":\"READ\",\"timestamp\":1,\"sx\":1,\"sy\":1,\"proc\":\"BRISC\"}]",
         "event 1: noc is missing, expected NOC_0 or NOC_1"},
        {"[{" EVENT "\"type\":\"READ\",\"dx\":null}]",
         "event 1: dx is missing, expected 0..63"},
        {"[{" EVENT "\"type\":\"READ\",\"num_bytes\":null}]",
         "event 1: num_bytes is missing, expected 0.."},
        {"[{" EVENT "\"type\":\"WRITE_MULTICAST\"}]",
         "event 1: mcast_start_x is missing, expected 0..63"},
        {"[{\"zone\":\"Z\",\"timestamp\":1,\"sx\":1,\"sy\":1}]",
         "event 1: zone_phase is missing, expected begin or end"},
    };

    assert_refused(rows, G_N_ELEMENTS(rows));
}

static void values_out_of_range_are_named(void **state)
{
    (void) state;
    static const Row rows[] = {
        {"[{" EVENT "\"type\":\"READ\",\"num_bytes\":-4}]",
         "event 1: num_bytes = -4, expected 0..16777216"},
        {"[{" EVENT "\"type\":\"READ\",\"num_bytes\":16777217}]",
         "event 1: num_bytes = 16777217, expected 0..16777216"},
        {"[{" EVENT "\"type\":\"READ\",\"num_bytes\":\"32\"}]",
         "event 1: num_bytes = \"32\", expected 0..16777216"},
        {"[{" EVENT "\"type\":\"READ\",\"num_bytes\":32.5}]",
         "event 1: num_bytes = 32.5, expected 0..16777216"},
        {"[{" EVENT "\"type\":\"READ\",\"timestamp\":-1}]",
         "event 1: timestamp = -1, expected 0.."},
        {"[{" EVENT "\"type\":\"READ\",\"timestamp\":9223372036854775808}]",
         "event 1: timestamp = 9223372036854775808, expected 0.."},
        {"[{" EVENT "\"type\":\"READ\",\"timestamp\":1e3}]",
         "event 1: timestamp = 1e3, expected 0.."},
        {"[{" EVENT "\"type\":\"READ\",\"sx\":64}]",
         "event 1: sx = 64, expected 0..63"},
        {"[{" EVENT "\"type\":\"READ\",\"sy\":-1}]",
         "event 1: sy = -1, expected 0..63"},
        {"[{" EVENT "\"type\":\"READ\",\"dx\":-1}]",
         "event 1: dx = -1, expected 0..63"},
        {"[{" EVENT "\"type\":\"READ\",\"dy\":[4]}]",
         "event 1: dy = [4], expected 0..63"},
        {"[{" EVENT "\"type\":\"READ_BARRIER_END\",\"dx\":99}]",
         "event 1: dx = 99, expected 0..63"},
        {"[{" EVENT "\"type\":\"READ\",\"vc\":16}]",
         "event 1: vc = 16, expected -1..15"},
        {"[{" EVENT "\"type\":\"READ\",\"proc\":\"TRISC_0\"}]",
         "event 1: proc = \"TRISC_0\", expected BRISC, NCRISC or ERISC"},
        {"[{" EVENT "\"type\":\"READ\",\"noc\":\"NOC_2\"}]",
         "event 1: noc = \"NOC_2\", expected NOC_0 or NOC_1"},
        {"[{" EVENT "\"type\":7}]", "event 1: type = 7, expected the name of a type"},
        {"[{\"zone\":\"Z\",\"zone_phase\":\"mid\",\"timestamp\":1,\"sx\":1,\"sy\":1}]",
         "event 1: zone_phase = \"mid\", expected begin or end"},
        {"[{" EVENT "\"type\":\"READ\",\"sx\":\"a\\n\xc3\xa4"
         "0123456789012345678901234567890123456789\"}]",
         "event 1: sx = \"a\\n\?\?0123456789012345678901234567890123..., expected "
         "0..63"},
    };

    assert_refused(rows, G_N_ELEMENTS(rows));
}

static void traces_that_cannot_be_replayed_are_refused(void **state)
{
    (void) state;
    static const Row rows[] = {
        {"[{\"zone\":\"Z\",\"zone_phase\":\"end\",\"timestamp\":1,\"sx\":1,\"sy\":1}]",
         "zones only, expected at least one NoC event"},
        {"[{\"type\":\"B\",\"timestamp\":1},{\"type\":\"A\",\"timestamp\":1},"
         "{\"type\":\"B\",\"timestamp\":1}]",
         "no NoC event of a known type, only A (1), B (2)"},
        {"[" READ ",{" EVENT "\"type\":\"READ_WITH_STATE\"}]",
         "event 2: type = READ_WITH_STATE, expected an event before it that sets the "
         "state"},
        {"[{" EVENT "\"type\":\"READ\",\"src_device_id\":0},"
         "{" EVENT "\"type\":\"READ\",\"src_device_id\":1}]",
         "event 2: src_device_id = 1, expected 0 as before: one device a file"},
    };

    assert_refused(rows, G_N_ELEMENTS(rows));
}

static void files_that_cannot_be_read_are_refused(void **state)
{
    (void) state;
    static const char *const names[] = {"", "/absent.json"};
    static const char *const reasons[] = {"it is a folder",
                                          "No such file or directory"};
    g_autofree char *folder = g_dir_make_tmp("gridloom-events-XXXXXX", NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_strconcat(folder, names[i], NULL);
        g_autofree char *message =
            g_strdup_printf("%s: cannot be read, %s", path, reasons[i]);
        g_autoptr(GError) error = NULL;

        assert_null(trace_noc_events_load(path, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, message);
    }
    (void) g_rmdir(folder);
}

static void a_file_without_an_end_is_refused(void **state)
{
    (void) state;
    g_autoptr(GError) error = NULL;

    assert_null(trace_noc_events_load("/dev/zero", &error));

    assert_string_equal(
        error->message,
        "/dev/zero: larger than 64 MiB, which is the most that is read");
}

static void assert_event(const TraceNocEvents *events,
                         gsize index,
                         TraceNocKind kind,
                         SimTime time,
                         gsize place)
{
    const TraceNocEvent *event = trace_noc_events_at(events, index);

    assert_string_equal(trace_noc_kind_name(event->kind), trace_noc_kind_name(kind));
    assert_int_equal(event->time, time);
    assert_int_equal(event->place, place);
    assert_int_equal(event->source_x, 1);
    assert_int_equal(event->source_y, 2);
}

static void events_come_by_time_and_then_by_place(void **state)
{
    (void) state;
    g_autoptr(TraceNocEvents) events = trace_noc_events_load(KINDS, NULL);

    assert_non_null(events);
    assert_int_equal(trace_noc_events_count(events), 11);
    assert_event(events, 0, TRACE_NOC_WRITE, 0, 7);
    assert_event(events, 1, TRACE_NOC_ZONE_BEGIN, 10, 1);
    assert_event(events, 2, TRACE_NOC_READ, 110, 2);
    assert_event(events, 3, TRACE_NOC_WRITE_MULTICAST, 110, 8);
    assert_event(events, 4, TRACE_NOC_READ_BARRIER_START, 140, 3);
    assert_event(events, 5, TRACE_NOC_SEMAPHORE_INC, 210, 9);
    assert_event(events, 6, TRACE_NOC_WRITE_BARRIER_START, 220, 10);
    assert_event(events, 7, TRACE_NOC_ZONE_BEGIN, 310, 12);
    assert_event(events, 8, TRACE_NOC_READ_BARRIER_END, 410, 4);
    assert_event(events, 9, TRACE_NOC_READ_SET_STATE, 420, 5);
    assert_event(events, 10, TRACE_NOC_READ_WITH_STATE, 430, 6);
    assert_int_equal(trace_noc_events_unsorted_count(events), 2);
}

static void times_count_events_of_every_type(void **state)
{
    (void) state;
    g_autoptr(TraceNocEvents) events = trace_noc_events_load(KINDS, NULL);

    assert_int_equal(trace_noc_events_last_time(events), 460);
    assert_int_equal(trace_noc_events_recorded_cycles(events), 440);
}

static void a_trace_shorter_than_the_profiler_takes_nothing(void **state)
{
    (void) state;
    g_autoptr(TraceNocEvents) events = parse_good("[" READ "]");

    assert_int_equal(trace_noc_events_recorded_cycles(events), 0);
}

static void unknown_types_are_counted_by_name(void **state)
{
    (void) state;
    g_autoptr(TraceNocEvents) events = parse_good(
        "[{\"type\":\"Z\\n\",\"timestamp\":1}," READ
        ",{\"type\":\"A\",\"timestamp\":2},{\"type\":\"A\",\"timestamp\":3}]");

    assert_int_equal(trace_noc_events_count(events), 1);
    assert_int_equal(trace_noc_events_unknown_count(events), 2);
    assert_string_equal(trace_noc_events_unknown(events, 0)->name, "A");
    assert_int_equal(trace_noc_events_unknown(events, 0)->count, 2);
    assert_string_equal(trace_noc_events_unknown(events, 1)->name, "Z\\n");
    assert_int_equal(trace_noc_events_unknown(events, 1)->count, 1);
}

static void an_event_carries_its_fields(void **state)
{
    (void) state;
    g_autoptr(TraceNocEvents) events = trace_noc_events_load(KINDS, NULL);
    const TraceNocEvent *write = trace_noc_events_at(events, 0);
    const TraceNocEvent *read = trace_noc_events_at(events, 2);
    const TraceNocEvent *barrier = trace_noc_events_at(events, 4);

    assert_int_equal(write->move, TRACE_NOC_MOVES_WRITE);
    assert_int_equal(write->processor, TRACE_NOC_NCRISC);
    assert_int_equal(write->noc, 0);
    assert_int_equal(write->vc, 1);
    assert_int_equal(write->bytes, 64);
    assert_int_equal(read->move, TRACE_NOC_MOVES_READ);
    assert_int_equal(read->processor, TRACE_NOC_BRISC);
    assert_int_equal(read->noc, 1);
    assert_int_equal(read->vc, -1);
    assert_true(read->has_target);
    assert_int_equal(read->target_x, 3);
    assert_int_equal(read->target_y, 4);
    assert_int_equal(read->target_end_x, 3);
    assert_int_equal(read->target_end_y, 4);
    assert_int_equal(read->bytes, 4096);
    assert_null(read->zone);
    assert_int_equal(barrier->move, TRACE_NOC_MOVES_NOTHING);
    assert_false(barrier->has_target);
}

static void a_multicast_has_two_corners(void **state)
{
    (void) state;
    g_autoptr(TraceNocEvents) events = trace_noc_events_load(KINDS, NULL);
    const TraceNocEvent *event = trace_noc_events_at(events, 3);

    assert_int_equal(event->move, TRACE_NOC_MOVES_MULTICAST);
    assert_int_equal(event->target_x, 1);
    assert_int_equal(event->target_y, 2);
    assert_int_equal(event->target_end_x, 4);
    assert_int_equal(event->target_end_y, 3);
}

static void zones_keep_their_name(void **state)
{
    (void) state;
    g_autoptr(TraceNocEvents) events = trace_noc_events_load(KINDS, NULL);
    const TraceNocEvent *kernel = trace_noc_events_at(events, 1);
    const TraceNocEvent *profiler = trace_noc_events_at(events, 7);

    assert_string_equal(kernel->zone, "BRISC-KERNEL");
    assert_int_equal(kernel->processor, TRACE_NOC_BRISC);
    assert_string_equal(profiler->zone, "PROFILER-NOC-QUICK-SEND");
    assert_int_equal(profiler->processor, TRACE_NOC_NO_PROCESSOR);
}

static void a_command_with_state_gets_target_and_bytes(void **state)
{
    (void) state;
    g_autoptr(TraceNocEvents) events = trace_noc_events_load(KINDS, NULL);
    const TraceNocEvent *event = trace_noc_events_at(events, 10);

    assert_int_equal(event->move, TRACE_NOC_MOVES_READ);
    assert_true(event->has_target);
    assert_int_equal(event->target_x, 0);
    assert_int_equal(event->target_y, 11);
    assert_int_equal(event->bytes, 2048);
}

static void states_of_reads_and_writes_and_nocs_are_apart(void **state)
{
    (void) state;
    static const char *const others[] = {
        "{" EVENT "\"type\":\"WRITE_SET_STATE\"}",
        "{" EVENT "\"type\":\"READ_SET_STATE\",\"noc\":\"NOC_0\"}",
        "{" EVENT "\"type\":\"READ_SET_STATE\",\"proc\":\"NCRISC\"}",
        "{" EVENT "\"type\":\"READ_SET_STATE\",\"sx\":2}",
        "{" EVENT "\"type\":\"READ_SET_STATE\",\"timestamp\":101}",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *text = g_strdup_printf(
            "[%s,{%s}]", others[i], EVENT "\"type\":\"READ_WITH_STATE_AND_TRID\"");

        assert_null(parse(text, NULL));
    }
}

/* Whoever sets the state may leave the length to the command. */
static void a_state_without_bytes_leaves_them_to_the_command(void **state)
{
    (void) state;
    g_autoptr(TraceNocEvents) events =
        parse_good("[{" EVENT "\"type\":\"READ_SET_STATE\",\"num_bytes\":0},"
                   "{" EVENT "\"type\":\"READ_WITH_STATE\",\"num_bytes\":96}]");

    assert_int_equal(trace_noc_events_at(events, 1)->bytes, 96);
}

static void equal_stamps_are_in_order(void **state)
{
    (void) state;
    g_autoptr(TraceNocEvents) events = parse_good("[" READ "," READ "]");

    assert_int_equal(trace_noc_events_unsorted_count(events), 0);
}

static void names_may_be_escaped(void **state)
{
    (void) state;
    g_autoptr(TraceNocEvents) events =
        parse_good("\xef\xbb\xbf[{" EVENT "\"t\\u0079pe\":\"\\u0052EAD\"},"
                   "{\"zone\":\"\\u00e4\\ud83d\\ude00\\ud800\\u0000\\/"
                   "\\t\",\"zone_phase\":\"ZONE_END\","
                   "\"sx\":0,\"sy\":0,\"timestamp\":200}]");

    assert_int_equal(trace_noc_events_at(events, 0)->kind, TRACE_NOC_READ);
    assert_int_equal(trace_noc_events_at(events, 1)->kind, TRACE_NOC_ZONE_END);
    assert_string_equal(trace_noc_events_at(events, 1)->zone,
                        "\xc3\xa4\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbd/\t");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_that_is_no_list_of_events_is_refused),
        cmocka_unit_test(text_that_breaks_off_is_refused),
        cmocka_unit_test(values_that_are_no_json_are_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(missing_fields_are_named),
        cmocka_unit_test(values_out_of_range_are_named),
        cmocka_unit_test(traces_that_cannot_be_replayed_are_refused),
        cmocka_unit_test(files_that_cannot_be_read_are_refused),
        cmocka_unit_test(a_file_without_an_end_is_refused),
        cmocka_unit_test(events_come_by_time_and_then_by_place),
        cmocka_unit_test(times_count_events_of_every_type),
        cmocka_unit_test(a_trace_shorter_than_the_profiler_takes_nothing),
        cmocka_unit_test(unknown_types_are_counted_by_name),
        cmocka_unit_test(an_event_carries_its_fields),
        cmocka_unit_test(a_multicast_has_two_corners),
        cmocka_unit_test(zones_keep_their_name),
        cmocka_unit_test(a_command_with_state_gets_target_and_bytes),
        cmocka_unit_test(states_of_reads_and_writes_and_nocs_are_apart),
        cmocka_unit_test(a_state_without_bytes_leaves_them_to_the_command),
        cmocka_unit_test(equal_stamps_are_in_order),
        cmocka_unit_test(names_may_be_escaped),
    };

    return cmocka_run_group_tests_name("traces.noc_events", tests, NULL, NULL);
}
