/* Tests of the reader of traces: of other writers, cut off, damaged, and of no trace.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "tests/traces/pftrace_sample.h"
#include "tests/traces/timeline_text.h"
#include "traces/error.h"
#include "traces/perfetto.pb-c.h"
#include "traces/timeline.h"

typedef Perfetto__TracePacket Packet;
typedef Perfetto__TrackEvent Event;
typedef Perfetto__TrackDescriptor Descriptor;

static void add(GByteArray *bytes, Packet *packet)
{
    Perfetto__Trace trace = PERFETTO__TRACE__INIT;
    const guint before = bytes->len;

    trace.n_packet = 1;
    trace.packet = &packet;
    g_byte_array_set_size(bytes,
                          before + (guint) perfetto__trace__get_packed_size(&trace));
    (void) perfetto__trace__pack(&trace, bytes->data + before);
}

static void add_event(GByteArray *bytes, guint32 sequence, SimTime at, Event *event)
{
    Packet packet = PERFETTO__TRACE_PACKET__INIT;

    packet.has_timestamp = true;
    packet.timestamp = at;
    packet.has_trusted_packet_sequence_id = true;
    packet.trusted_packet_sequence_id = sequence;
    packet.track_event = event;
    add(bytes, &packet);
}

/* An event that says everything itself. */
static Event event_of(guint type, uint64_t track, const char *name)
{
    Event event = PERFETTO__TRACK_EVENT__INIT;

    event.has_type = true;
    event.type = (Perfetto__TrackEvent__Type) type;
    event.has_track_uuid = true;
    event.track_uuid = track;
    event.name = (char *) name;
    return event;
}

static void
add_plain(GByteArray *bytes, SimTime at, guint type, uint64_t track, const char *name)
{
    Event event = event_of(type, track, name);

    add_event(bytes, 1, at, &event);
}

enum {
    BEGIN = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN,
    END = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END,
    INSTANT = PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT,
    COUNTER = PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER,
};

static void add_descriptor(GByteArray *bytes, Descriptor *descriptor)
{
    Packet packet = PERFETTO__TRACE_PACKET__INIT;

    packet.track_descriptor = descriptor;
    add(bytes, &packet);
}

static Descriptor track_of(uint64_t id, uint64_t parent, const char *name)
{
    Descriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;

    track.has_uuid = true;
    track.uuid = id;
    track.has_parent_uuid = parent != 0;
    track.parent_uuid = parent;
    track.name = (char *) name;
    return track;
}

static void add_track(GByteArray *bytes, uint64_t id, uint64_t parent, const char *name)
{
    Descriptor track = track_of(id, parent, name);

    add_descriptor(bytes, &track);
}

static void add_process(GByteArray *bytes, uint64_t id, int pid, const char *name)
{
    Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;
    Descriptor track = track_of(id, 0, NULL);

    process.has_pid = true;
    process.pid = pid;
    process.process_name = (char *) name;
    track.process = &process;
    add_descriptor(bytes, &track);
}

static void
add_thread(GByteArray *bytes, uint64_t id, int pid, int tid, const char *name)
{
    Perfetto__ThreadDescriptor thread = PERFETTO__THREAD_DESCRIPTOR__INIT;
    Descriptor track = track_of(id, 0, NULL);

    thread.has_pid = true;
    thread.pid = pid;
    thread.has_tid = true;
    thread.tid = tid;
    thread.thread_name = (char *) name;
    track.thread = &thread;
    add_descriptor(bytes, &track);
}

static void add_counter(GByteArray *bytes, uint64_t id, uint64_t parent, bool is_delta)
{
    Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;
    Descriptor track = track_of(id, parent, "level");

    counter.has_is_incremental = is_delta;
    counter.is_incremental = is_delta;
    counter.unit_name = (char *) "litres";
    track.counter = &counter;
    add_descriptor(bytes, &track);
}

static void
add_value(GByteArray *bytes, SimTime at, uint64_t track, bool is_double, double value)
{
    Event event = event_of(COUNTER, track, NULL);

    event.has_double_counter_value = is_double;
    event.double_counter_value = value;
    event.has_counter_value = !is_double;
    event.counter_value = (int64_t) value;
    add_event(bytes, 1, at, &event);
}

static void
add_flow(GByteArray *bytes, SimTime at, uint64_t track, const char *name, gint64 flow)
{
    Event event = event_of(INSTANT, track, name);
    uint64_t id = (uint64_t) (flow < 0 ? -flow : flow);

    if (flow < 0) {
        event.n_terminating_flow_ids = 1;
        event.terminating_flow_ids = &id;
    } else {
        event.n_flow_ids = 1;
        event.flow_ids = &id;
    }
    add_event(bytes, 1, at, &event);
}

static TraceTimeline *parse(const GByteArray *bytes)
{
    g_autoptr(GError) error = NULL;
    TraceTimeline *timeline =
        trace_timeline_parse("t.pftrace", bytes->data, bytes->len, &error);

    if (timeline == NULL) {
        fail_msg("%s", error->message);
    }
    return timeline;
}

static void assert_text(const GByteArray *bytes, const char *expected)
{
    g_autoptr(TraceTimeline) timeline = parse(bytes);
    g_autofree char *text = timeline_text(timeline);

    assert_null(timeline->warning);
    assert_string_equal(text, expected);
}

static void assert_refused(const void *bytes, gsize size, const char *expected)
{
    g_autoptr(GError) error = NULL;

    assert_null(trace_timeline_parse("t.pftrace", bytes, size, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    assert_string_equal(error->message, expected);
}

static void traces_of_other_programs_are_read(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_process(bytes, 10, 5, "server");
    add_thread(bytes, 11, 5, 7, "worker");
    add_track(bytes, 12, 11, "request");
    add_track(bytes, 13, 0, "alone");
    add_plain(bytes, 30, BEGIN, 11, "call");
    add_plain(bytes, 35, END, 11, NULL);
    add_plain(bytes, 31, BEGIN, 12, "wait");
    add_plain(bytes, 40, END, 12, NULL);
    add_plain(bytes, 33, INSTANT, 13, "tick");
    add_plain(bytes, 34, INSTANT, 10, "fork");
    add_plain(bytes, 36, INSTANT, 99, "nobody said where");

    assert_text(bytes, "alone: mark tick@33\n"
                       "track 99: mark nobody said where@36\n"
                       "server: mark fork@34\n"
                       "server.request: wait@31-40/0\n"
                       "server.worker: call@30-35/0\n");
}

static void tracks_may_be_described_late(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_plain(bytes, 30, INSTANT, 11, "early");
    add_thread(bytes, 11, 5, 7, "math");
    add_process(bytes, 10, 5, "core[3,4]");

    assert_text(bytes, "core[3,4].math: mark early@30\n");
}

static void places_are_read_from_names(void **state)
{
    static const struct {
        const char *name;
        const char *kind;
        bool has_place;
        guint spans[4];
    } cases[] = {
        {"core[3,4]", "core", true, {3, 4, 3, 4}},
        {"pe[0:15,16:31]", "pe", true, {0, 16, 15, 31}},
        {"pcie", "pcie", false, {0, 0, 0, 0}},
        {"core[3]", "core[3]", false, {0, 0, 0, 0}},
        {"core[3,4]x", "core[3,4]x", false, {0, 0, 0, 0}},
        {"[3,4]", "[3,4]", false, {0, 0, 0, 0}},
        {"pe[9:1,0]", "pe[9:1,0]", false, {0, 0, 0, 0}},
        {"pe[99999999999,0]", "pe[99999999999,0]", false, {0, 0, 0, 0}},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GByteArray) bytes = g_byte_array_new();

        add_process(bytes, 1, 1, cases[i].name);
        add_plain(bytes, 1, INSTANT, 1, "x");
        g_autoptr(TraceTimeline) timeline = parse(bytes);
        const TracePlace *place = &g_array_index(timeline->places, TracePlace, 0);

        assert_string_equal(place->name, cases[i].name);
        assert_string_equal(place->kind, cases[i].kind);
        assert_int_equal(place->has_place, cases[i].has_place);
        assert_int_equal(place->x, cases[i].spans[0]);
        assert_int_equal(place->y, cases[i].spans[1]);
        assert_int_equal(place->x_end, cases[i].spans[2]);
        assert_int_equal(place->y_end, cases[i].spans[3]);
    }
}

static void slices_nest_whatever_their_order(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    Event begin = event_of(BEGIN, 1, "outer");
    Event end = event_of(END, 1, NULL);

    (void) state;
    add_track(bytes, 1, 0, "lane");
    add_plain(bytes, 10, BEGIN, 1, "inner");
    add_plain(bytes, 20, END, 1, NULL);
    add_event(bytes, 2, 10, &begin);
    add_event(bytes, 2, 20, &end);
    add_plain(bytes, 20, END, 1, NULL); /* ends nothing */
    add_plain(bytes, 30, BEGIN, 1, "open");
    add_plain(bytes, 45, BEGIN, 1, "within");
    add_plain(bytes, 40, END, 1, NULL); /* before it begins */

    assert_text(bytes, "lane: inner@10-20/0 outer@10-20/1 open@30-45/0 "
                       "within@45-45/0\n");
}

static void counters_have_values_of_any_kind(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_process(bytes, 1, 1, "tank");
    add_counter(bytes, 2, 1, false);
    add_counter(bytes, 3, 0, true);
    add_value(bytes, 10, 2, false, -5);
    add_value(bytes, 8, 2, true, 7.9);
    add_value(bytes, 9, 3, false, 4);
    add_value(bytes, 12, 3, false, -1);

    assert_text(bytes, "level:\n"
                       "tank:\n"
                       "level/level(litres,0): 4@9 3@12\n"
                       "tank/level(litres,0): 7@8 -5@10\n");
}

static void flows_lead_from_event_to_event(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_track(bytes, 1, 0, "a");
    add_track(bytes, 2, 0, "b");
    add_flow(bytes, 20, 2, "end", -7);
    add_flow(bytes, 10, 1, "begin", 7); /* later in the file */
    add_flow(bytes, 30, 1, "again", 7);
    add_flow(bytes, 35, 1, "step", 7);
    add_flow(bytes, 40, 2, "end", -7);
    add_flow(bytes, 41, 2, "other end", -7);
    add_flow(bytes, 50, 1, "lost", 8);
    add_flow(bytes, 60, 2, "found", -9);

    assert_text(bytes, "a: mark begin@10 mark again@30 mark step@35 mark lost@50\n"
                       "b: mark end@20 mark end@40 mark other end@41 mark found@60\n"
                       "flow 7: a.begin b.end\n"
                       "flow 7: a.again a.step\n"
                       "flow 7: a.step b.end\n"
                       "flow 7: a.step b.other end\n"
                       "flow 8: a.lost none\n"
                       "flow 9: none b.found\n");
}

static void what_is_not_known_is_passed_over(void **state)
{
    static const guint8 strange[] = {0x12, 2, 'h', 'i', /* fields of a trace: text, */
                                     0x18, 0x96, 1,     /* a number, */
                                     0x25, 1, 2, 3, 4,  /* 32 bits, */
                                     0x29, 1, 2, 3, 4, 5, 6, 7, 8,
                                     /* and of a packet: text with number 3 */
                                     0x0a, 4, 0x1a, 2, 'x', 'y'};
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_track(bytes, 1, 0, "a");
    g_byte_array_append(bytes, strange, sizeof(strange));
    add_plain(bytes, 10, INSTANT, 1, "b");

    assert_text(bytes, "a: mark b@10\n");
}

static void names_that_are_no_text_are_mended(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_track(bytes, 1, 0, "a\xff");
    add_plain(bytes, 10, INSTANT, 1, "b\xc3");

    assert_text(bytes, "a\xef\xbf\xbd: mark b\xef\xbf\xbd@10\n");
}

static void parents_may_go_round_in_circles(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_track(bytes, 1, 2, "a");
    add_track(bytes, 2, 1, "b");
    add_track(bytes, 3, 3, "c");
    add_plain(bytes, 10, INSTANT, 1, "x");
    add_plain(bytes, 10, INSTANT, 3, "y");
    g_autoptr(TraceTimeline) timeline = parse(bytes);

    assert_int_equal(timeline->marks->len, 2);
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
    g_autoptr(TraceTimeline) timeline = parse(bytes);
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
    add(bytes, &packet);
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

    assert_null(trace_timeline_read(path, &error));
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
    g_autoptr(TraceTimeline) timeline = trace_timeline_read(path, NULL);
    assert_null(timeline->warning);
    /* Two gigabytes of nothing behind it, and more than is read at all. */
    assert_int_equal(truncate(path, 1L << 31), 0);
    g_autoptr(TraceTimeline) sparse = trace_timeline_read(path, NULL);
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
        cmocka_unit_test(traces_of_other_programs_are_read),
        cmocka_unit_test(tracks_may_be_described_late),
        cmocka_unit_test(places_are_read_from_names),
        cmocka_unit_test(slices_nest_whatever_their_order),
        cmocka_unit_test(counters_have_values_of_any_kind),
        cmocka_unit_test(flows_lead_from_event_to_event),
        cmocka_unit_test(what_is_not_known_is_passed_over),
        cmocka_unit_test(names_that_are_no_text_are_mended),
        cmocka_unit_test(parents_may_go_round_in_circles),
        cmocka_unit_test(a_trace_may_be_cut_anywhere),
        cmocka_unit_test(what_follows_damage_is_left_out),
        cmocka_unit_test(what_is_no_trace_is_refused),
        cmocka_unit_test(newer_formats_are_refused),
        cmocka_unit_test(clocks_of_their_own_are_refused),
        cmocka_unit_test(packets_that_would_take_all_memory_are_refused),
        cmocka_unit_test(files_are_read_or_refused),
    };

    return cmocka_run_group_tests_name("traces.timeline", tests, NULL, NULL);
}
