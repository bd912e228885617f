/* Tests of the reader with traces that are cut off or damaged, and with no traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "tests/traces/packet_builder.h"
#include "tests/traces/pftrace_sample.h"
#include "traces/error.h"
#include "traces/reading/timeline.h"

static void assert_refused(const void *bytes, gsize size, const char *expected)
{
    g_autoptr(GError) error = NULL;

    assert_null(trace_timeline_parse("t.pftrace", bytes, size, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    assert_string_equal(error->message, expected);
}

/* Cut at every byte: what is whole is read; no other outcome is possible. */
static void a_trace_may_be_cut_anywhere(void **state)
{
    g_autoptr(GByteArray) bytes = pftrace_sample_write(NULL, NULL);
    guint last = 0;

    (void) state;
    for (guint size = 0; size < bytes->len; size++) {
        g_autofree guint8 *part = g_memdup(bytes->data, size); /* for sanitizers */
        g_autoptr(GError) error = NULL;
        g_autoptr(TraceTimeline) timeline =
            trace_timeline_parse("t.pftrace", part, size, &error);

        if (timeline == NULL) {
            assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
            assert_int_equal(last, 0);
            continue;
        }
        guint found = 1 + timeline->slices->len + timeline->marks->len +
                      timeline->samples->len + timeline->lanes->len;

        assert_true(found >= last);
        last = found;
        assert_null(timeline->result);
        assert_non_null(timeline->warning);
        assert_non_null(strstr(timeline->warning, "t.pftrace: cut off, "));
        for (guint i = 0; i < timeline->slices->len; i++) {
            const TraceSlice *slice = &g_array_index(timeline->slices, TraceSlice, i);

            assert_true(slice->end >= slice->begin && slice->end <= timeline->end);
        }
    }
    assert_int_equal(last, 1 + 8 + 2 + 8 + 7);
}

static void what_follows_damage_is_left_out(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint whole;

    (void) state;
    add_track(bytes, 1, 0, "a");
    add_plain(bytes, 10, INSTANT, 1, "b");
    whole = bytes->len;
    g_byte_array_set_size(bytes, whole + 1000);
    memset(bytes->data + whole, 0, 1000);
    g_autoptr(TraceTimeline) timeline =
        trace_timeline_parse("t.pftrace", bytes->data, bytes->len, NULL);
    g_autofree char *expected =
        g_strdup_printf("t.pftrace: damaged, the %u bytes up to there are read", whole);

    assert_string_equal(timeline->warning, expected);
    assert_int_equal(timeline->marks->len, 1);
}

static void what_is_no_trace_is_refused(void **state)
{
    static const char json[] = "\n{\"traceEvents\": []}\n";
    static const char text[] = "time,value\n1,2\n";
    static const char empty_packets[] = "\n\0\n\0\n\0";
    static const char number[] = "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";

    (void) state;
    assert_refused("", 0, "t.pftrace: empty, no trace");
    assert_refused(json, strlen(json), "t.pftrace: no trace that Perfetto would read");
    assert_refused(text, strlen(text), "t.pftrace: no trace that Perfetto would read");
    assert_refused(empty_packets, 6, "t.pftrace: no trace that Perfetto would read");
    assert_refused(number, 12, "t.pftrace: no trace that Perfetto would read");
}

static void newer_formats_are_refused(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    Perfetto__DebugAnnotation format = PERFETTO__DEBUG_ANNOTATION__INIT;
    Event event = event_of(INSTANT, 1, "gridloom");

    (void) state;
    format.name = (char *) "format";
    format.has_int_value = true;
    format.int_value = 2;
    event.n_debug_annotations = 1;
    event.debug_annotations = (Perfetto__DebugAnnotation *[]){&format};
    add_event(bytes, 1, 0, &event);

    assert_refused(
        bytes->data, bytes->len,
        "t.pftrace: of format 2, made by a newer gridloom; this one reads up "
        "to 1");
}

/* What the parser of JSON has no stack for is not given to it. */
static void objects_that_lie_too_deep_are_left_out(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autofree char *deep = g_strnfill(2000000, '[');
    Perfetto__DebugAnnotation format = PERFETTO__DEBUG_ANNOTATION__INIT;
    Perfetto__DebugAnnotation start = PERFETTO__DEBUG_ANNOTATION__INIT;
    Event event = event_of(INSTANT, 1, "gridloom");

    (void) state;
    format.name = (char *) "format";
    format.has_int_value = true;
    format.int_value = 1;
    start.name = (char *) "start";
    start.string_value = deep;
    event.n_debug_annotations = 2;
    event.debug_annotations = (Perfetto__DebugAnnotation *[]){&format, &start};
    add_event(bytes, 1, 0, &event);
    g_autoptr(TraceTimeline) timeline =
        trace_timeline_parse("t.pftrace", bytes->data, bytes->len, NULL);

    assert_non_null(timeline);
    assert_null(timeline->start);
}

/* Each end would look at all of them. */
static void ends_of_another_sequence_end_the_innermost(void **state)
{
    enum {
        COUNT = 200000,
    };
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    for (guint i = 0; i < COUNT; i++) {
        add_plain(bytes, i, BEGIN, 1, "a");
    }
    for (guint i = 0; i < COUNT; i++) {
        Event event = event_of(END, 1, NULL);

        add_event(bytes, 2, COUNT + i, &event);
    }
    g_autoptr(TraceTimeline) timeline =
        trace_timeline_parse("t.pftrace", bytes->data, bytes->len, NULL);

    assert_int_equal(timeline->slices->len, COUNT);
    assert_int_equal(g_array_index(timeline->slices, TraceSlice, 0).end, 2 * COUNT - 1);
    assert_int_equal(g_array_index(timeline->slices, TraceSlice, COUNT - 1).end, COUNT);
}

static void clocks_of_their_own_are_refused(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    Perfetto__TracePacketDefaults defaults = PERFETTO__TRACE_PACKET_DEFAULTS__INIT;
    Packet packet = PERFETTO__TRACE_PACKET__INIT;

    (void) state;
    defaults.has_timestamp_clock_id = true;
    defaults.timestamp_clock_id = 64;
    packet.has_trusted_packet_sequence_id = true;
    packet.trusted_packet_sequence_id = 1;
    packet.trace_packet_defaults = &defaults;
    add_packet(bytes, &packet);
    add_plain(bytes, 10, INSTANT, 1, "b");

    assert_refused(
        bytes->data, bytes->len,
        "t.pftrace: its stamps are of clock 64, which is one of its own; read "
        "are those of the trace's clock");
}

/* A packet whose parts are empty takes a hundred times its size. */
static void packets_that_would_take_all_memory_are_refused(void **state)
{
    enum {
        PARTS = 12 << 20,
    };
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    static const guint8 head[] = {0x0a, 0x84, 0x80, 0x80, 0x0c,  /* a packet with */
                                  0x5a, 0x80, 0x80, 0x80, 0x0c}; /* an event */

    (void) state;
    g_byte_array_append(bytes, head, sizeof(head));
    g_byte_array_set_size(bytes, sizeof(head) + 2 * PARTS);
    for (guint i = 0; i < PARTS; i++) {
        bytes->data[sizeof(head) + 2 * i] = 0x22; /* of annotations without content */
        bytes->data[sizeof(head) + 2 * i + 1] = 0;
    }

    assert_refused(bytes->data, bytes->len,
                   "t.pftrace: no trace that Perfetto would read");
}

static void assert_unreadable(const char *path, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *message = g_strconcat(path, expected, NULL);

    assert_null(trace_timeline_read(path, NULL, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    assert_string_equal(error->message, message);
}

static void files_are_read_or_refused(void **state)
{
    g_autofree char *folder = g_dir_make_tmp("gridloom.XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "t.pftrace", NULL);
    g_autoptr(GByteArray) bytes = pftrace_sample_write(NULL, NULL);

    (void) state;
    assert_unreadable(folder, ": cannot be read, it is a folder");
    assert_unreadable(path, ": cannot be read, No such file or directory");
    assert_true(g_file_set_contents(path, "", 0, NULL));
    assert_unreadable(path, ": empty, no trace");
    assert_true(
        g_file_set_contents(path, (char *) bytes->data, (gssize) bytes->len, NULL));
    g_autoptr(TraceTimeline) timeline = trace_timeline_read(path, NULL, NULL);
    assert_null(timeline->warning);
    /* Two gigabytes of nothing behind it, and more than is read at all. */
    assert_int_equal(truncate(path, 1L << 31), 0);
    g_autoptr(TraceTimeline) sparse = trace_timeline_read(path, NULL, NULL);
    assert_int_equal(sparse->slices->len, timeline->slices->len);
    assert_non_null(strstr(sparse->warning, "damaged"));
    assert_int_equal(truncate(path, (1L << 32) + 1), 0);
    assert_unreadable(path, ": too large, at most 4 GiB are read; see --trace-window");
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(truncate(path, 1L << 31), 0);
    assert_unreadable(path, ": no trace that Perfetto would read");
    (void) g_unlink(path);
    (void) g_rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_may_be_cut_anywhere),
        cmocka_unit_test(what_follows_damage_is_left_out),
        cmocka_unit_test(what_is_no_trace_is_refused),
        cmocka_unit_test(newer_formats_are_refused),
        cmocka_unit_test(objects_that_lie_too_deep_are_left_out),
        cmocka_unit_test(ends_of_another_sequence_end_the_innermost),
        cmocka_unit_test(clocks_of_their_own_are_refused),
        cmocka_unit_test(packets_that_would_take_all_memory_are_refused),
        cmocka_unit_test(files_are_read_or_refused),
    };

    return cmocka_run_group_tests_name("traces.timeline_damage", tests, NULL, NULL);
}
