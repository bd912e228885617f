/* Tests of the writer of traces, read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "tests/traces/pftrace_sample.h"
#include "tests/traces/timeline_text.h"
#include "traces/error.h"
#include "traces/perfetto.pb-c.h"
#include "traces/reading/timeline.h"
#include "traces/writing/pftrace/wire.h"

/* What a reader finds in the trace of `func`; the caller frees it. */
static char *seen(PftraceSampleFunc func, const TracePftraceConfig *config)
{
    g_autoptr(GByteArray) bytes = pftrace_sample_write(func, config);
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceTimeline) timeline =
        trace_timeline_parse("t.pftrace", bytes->data, bytes->len, &error);

    if (timeline == NULL) {
        fail_msg("%s", error->message);
    }
    return timeline_text(timeline);
}

static void a_trace_has_what_was_probed(void **state)
{
    g_autofree char *text = seen(NULL, NULL);

    (void) state;
    assert_string_equal(
        text, "pcie: write@100-108/0\n"
              "core[0,0].reader: noc_async_write@110-130/0,bytes=2048,x=1,y=-1"
              " noc_async_write_barrier@145-145/0 stall noc@130+15\n"
              "core[0,0].math: add_tiles@101-165/0\n"
              "core[1,0].reader: mark arrive@144\n"
              "core[0,1].buffers:\n"
              "core[1,1].zones: outer@110-140/0 inner@120-130/1"
              " outer@149-161/0 inner@150-160/1\n"
              "noc0[1,0].east:\n"
              "core[0,1].buffers/cb 3(pages,0): 4@120 2@150\n"
              "core[0,1].buffers/in flight(transactions,0): 5@100\n"
              "noc0[1,0].east/busy(cycles,16): 0@0 12@96 16@112 12@128 1@144\n"
              "flow 77: core[0,0].reader.noc_async_write core[1,0].reader.arrive\n");
}

static void a_window_begins_with_the_values_of_counters(void **state)
{
    g_autofree char *text = seen(NULL, &(TracePftraceConfig){.from = 130, .to = 149});

    (void) state;
    assert_string_equal(
        text, "core[0,0].reader: noc_async_write@110-130/0,bytes=2048,x=1,y=-1"
              " noc_async_write_barrier@145-145/0 stall noc@130+15\n"
              "core[0,0].math: add_tiles@101-165/0\n"
              "core[1,0].reader: mark arrive@144\n"
              "core[0,1].buffers:\n"
              "core[1,1].zones: outer@110-140/0 inner@120-130/1 outer@149-161/0\n"
              "noc0[1,0].east:\n"
              "core[0,1].buffers/cb 3(pages,0): 4@130\n"
              "noc0[1,0].east/busy(cycles,16): 10@130\n");
}

static void chosen_cores_are_seen_alone(void **state)
{
    const TraceSquare squares[] = {{1, 0, 1, 0}, {1, 1, 1, 1}};
    g_autofree char *text =
        seen(NULL, &(TracePftraceConfig){.cores = squares, .core_count = 2});

    (void) state;
    assert_non_null(strstr(text, "core[1,0].reader: mark arrive@144\n"));
    assert_non_null(strstr(text, "core[1,1].zones: outer"));
    assert_non_null(strstr(text, "noc0[1,0].east/busy"));
    assert_null(strstr(text, "core[0,"));
}

static void blocks_have_use_only(void **state)
{
    g_autofree char *text =
        seen(NULL, &(TracePftraceConfig){.level = TRACE_LEVEL_BLOCKS});

    (void) state;
    assert_null(strstr(text, "@110-130"));
    assert_non_null(strstr(text, "core[0,0].reader/busy(cycles,16): 0@0 2@96 16@112 "));
    assert_non_null(strstr(text, "core[0,0].reader/stalled(cycles,16): "));
}

static void probe_nothing(SimRegion *region, const PftraceSample *sample)
{
    (void) region;
    (void) sample;
}

static void a_run_without_probes_has_a_trace(void **state)
{
    g_autofree char *text = seen(probe_nothing, NULL);

    (void) state;
    assert_string_equal(text, "");
}

static void notes_say_what_ran_and_what_came_of_it(void **state)
{
    g_autoptr(GByteArray) bytes = pftrace_sample_write(NULL, NULL);
    g_autoptr(TraceTimeline) timeline =
        trace_timeline_parse("t.pftrace", bytes->data, bytes->len, NULL);

    (void) state;
    assert_true(timeline->clock_hz == 2e9);
    assert_null(timeline->warning);
    assert_string_equal(json_object_get_string_member(timeline->start, "chip_digest"),
                        "abc");
    assert_int_equal(json_object_get_int_member(timeline->result, "cycles"), 99);
    assert_true(json_object_get_double_member(timeline->result, "seconds") == 1e-8);
    assert_true(json_object_get_double_member(timeline->start, "tolerance") == 1e-8);
    assert_false(json_object_has_member(timeline->result, "host"));
    assert_int_equal(timeline->begin, 0);
    assert_int_equal(timeline->end, 165);
}

static void probe_many(SimRegion *region, const PftraceSample *sample)
{
    const SimLane lane = pftrace_sample_lane(sample, 0, 0, SAMPLE_MATH);

    for (guint i = 0; i < 1000; i++) {
        const SimProbeDetail detail = {.flow = i + 1, .flow_since = 200 + 10 * i};
        const SimProbeDetail end = {
            .flow = i + 1, .is_flow_end = true, .flow_since = 200 + 10 * i};

        sim_region_slice(region, lane, "work", 200 + 10 * i, 205 + 10 * i, &detail);
        sim_region_mark(region, lane, "done", 20000, &end);
    }
}

static void beyond_the_limit_only_flows_end(void **state)
{
    g_autoptr(GByteArray) bytes =
        pftrace_sample_write(probe_many, &(TracePftraceConfig){.limit_bytes = 8000});
    g_autoptr(TraceTimeline) timeline =
        trace_timeline_parse("t.pftrace", bytes->data, bytes->len, NULL);
    const guint slices = timeline->slices->len;

    (void) state;
    assert_in_range(slices, 50, 500);
    assert_int_equal(timeline->marks->len, slices);
    assert_int_equal(timeline->flows->len, slices);
    for (guint i = 0; i < slices; i++) {
        assert_true(g_array_index(timeline->flows, TraceFlow, i).from != TRACE_NONE);
        assert_true(g_array_index(timeline->flows, TraceFlow, i).to != TRACE_NONE);
    }
    g_autofree char *expected =
        g_strdup_printf("t.pftrace: slices that end from cycle %u on are missing, its "
                        "limit was reached",
                        205 + 10 * slices);

    assert_string_equal(timeline->warning, expected);
}

static void files_appear_when_they_are_finished(void **state)
{
    g_autofree char *folder = g_dir_make_tmp("gridloom.XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "t.pftrace", NULL);
    TracePftrace *trace = trace_pftrace_new(path, &(TracePftraceConfig){0}, NULL);

    (void) state;
    assert_int_not_equal(g_rmdir(folder), 0);
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    trace_pftrace_free(trace);
    assert_int_equal(g_rmdir(folder), 0);
}

static void a_folder_that_is_not_there_is_an_error(void **state)
{
    g_autoptr(GError) error = NULL;

    (void) state;
    assert_null(
        trace_pftrace_new("/proc/no/such/t.pftrace", &(TracePftraceConfig){0}, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
}

/* Also where an inner zone comes before the outer one. */
static void stamps_of_a_sequence_are_in_order(void **state)
{
    enum {
        SEQUENCES = 32,
    };
    g_autoptr(GByteArray) bytes = pftrace_sample_write(NULL, NULL);
    Perfetto__Trace *trace = perfetto__trace__unpack(NULL, bytes->len, bytes->data);
    uint64_t lasts[SEQUENCES] = {0};
    bool are_clear[SEQUENCES] = {false};

    (void) state;
    assert_non_null(trace);
    for (gsize i = 0; i < trace->n_packet; i++) {
        const Perfetto__TracePacket *packet = trace->packet[i];
        const guint32 number = packet->trusted_packet_sequence_id;

        if (!packet->has_trusted_packet_sequence_id) {
            continue;
        }
        assert_in_range(number, 1, SEQUENCES - 1);
        are_clear[number] = are_clear[number] || packet->sequence_flags == 1;
        assert_true(are_clear[number]);
        if (packet->has_timestamp) {
            assert_true(packet->timestamp >= lasts[number]);
            lasts[number] = packet->timestamp;
        }
    }
    perfetto__trace__free_unpacked(trace, NULL);
}

typedef struct {
    guint32 name;
    int64_t value;
} Argument;

typedef struct {
    SimTime at;
    guint32 sequence;
    guint32 type;
    guint32 name;
    guint32 category; /* 0: none */
    uint64_t flow;    /* 0: none */
    bool is_flow_end;
    guint argument_count;
    const Argument *arguments;
} Event;

/* Writes the event by its pieces; returns its size. */
static gsize encode(guint8 *out, const Event *event)
{
    const WirePiece sequence = wire_sequence(event->sequence);
    const WirePiece name = wire_event_name(event->name);
    WirePacket packet = wire_open(out, &sequence, event->at);

    if (event->category != 0) {
        *packet.next++ = WIRE_CATEGORY;
        *packet.next++ = (guint8) event->category;
    }
    for (guint i = 0; i < event->argument_count; i++) {
        const WirePiece argument = wire_argument_name(event->arguments[i].name);

        wire_argument(&packet, &argument, event->arguments[i].value);
    }
    wire_name(&packet, &name, (guint8) event->type);
    if (event->flow != 0) {
        wire_flow(&packet, event->flow, event->is_flow_end);
    }
    return (gsize) (wire_close(&packet) - out);
}

/* The bytes of an event as protobuf-c makes them. */
static GByteArray *packed(const Event *wire)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
    Perfetto__Trace trace = PERFETTO__TRACE__INIT;
    Perfetto__DebugAnnotation annotations[WIRE_ARGUMENTS];
    Perfetto__DebugAnnotation *pointers[WIRE_ARGUMENTS];
    uint64_t category = wire->category;
    uint64_t flow = wire->flow;
    GByteArray *bytes = g_byte_array_new();

    for (guint i = 0; i < wire->argument_count; i++) {
        perfetto__debug_annotation__init(&annotations[i]);
        annotations[i].has_name_iid = true;
        annotations[i].name_iid = wire->arguments[i].name;
        annotations[i].has_int_value = true;
        annotations[i].int_value = wire->arguments[i].value;
        pointers[i] = &annotations[i];
    }
    event.n_debug_annotations = wire->argument_count;
    event.debug_annotations = pointers;
    event.has_type = true;
    event.type = (Perfetto__TrackEvent__Type) wire->type;
    event.has_name_iid = true;
    event.name_iid = wire->name;
    event.n_category_iids = wire->category != 0;
    event.category_iids = &category;
    event.n_flow_ids = wire->flow != 0 && !wire->is_flow_end;
    event.flow_ids = &flow;
    event.n_terminating_flow_ids = wire->flow != 0 && wire->is_flow_end;
    event.terminating_flow_ids = &flow;
    packet.has_timestamp = true;
    packet.timestamp = wire->at;
    packet.has_trusted_packet_sequence_id = true;
    packet.trusted_packet_sequence_id = wire->sequence;
    packet.has_sequence_flags = true;
    packet.sequence_flags = 2;
    packet.track_event = &event;
    trace.n_packet = 1;
    trace.packet = (Perfetto__TracePacket *[]){&packet};
    g_byte_array_set_size(bytes, (guint) perfetto__trace__get_packed_size(&trace));
    (void) perfetto__trace__pack(&trace, bytes->data);
    return bytes;
}

static void events_have_the_bytes_of_protobuf(void **state)
{
    static const Argument small[] = {{1, 0}, {2, -1}, {300, 127}, {4, 128}};
    static const Argument large[] = {{(1u << 28) - 1, INT64_MIN},
                                     {(1u << 28) - 1, INT64_MIN},
                                     {(1u << 28) - 1, INT64_MIN},
                                     {(1u << 28) - 1, INT64_MIN},
                                     {(1u << 28) - 1, INT64_MIN}};
    const Event events[] = {
        {.at = 0, .sequence = 1, .type = 1, .name = 1},
        {.at = 127, .sequence = 127, .type = 3, .name = 128, .category = 1},
        {.at = UINT64_MAX,
         .sequence = UINT32_MAX,
         .type = 1,
         .name = UINT32_MAX,
         .flow = UINT64_MAX,
         .argument_count = 5,
         .arguments = large},
        {.at = 1u << 28,
         .sequence = 70000,
         .type = 1,
         .name = 5,
         .flow = 9,
         .is_flow_end = true,
         .argument_count = 4,
         .arguments = small},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(events); i++) {
        g_autoptr(GByteArray) expected = packed(&events[i]);
        guint8 bytes[WIRE_BYTES];
        const gsize size = encode(bytes, &events[i]);

        assert_int_equal(size, expected->len);
        assert_memory_equal(bytes, expected->data, size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_has_what_was_probed),
        cmocka_unit_test(a_window_begins_with_the_values_of_counters),
        cmocka_unit_test(chosen_cores_are_seen_alone),
        cmocka_unit_test(blocks_have_use_only),
        cmocka_unit_test(a_run_without_probes_has_a_trace),
        cmocka_unit_test(notes_say_what_ran_and_what_came_of_it),
        cmocka_unit_test(beyond_the_limit_only_flows_end),
        cmocka_unit_test(files_appear_when_they_are_finished),
        cmocka_unit_test(a_folder_that_is_not_there_is_an_error),
        cmocka_unit_test(stamps_of_a_sequence_are_in_order),
        cmocka_unit_test(events_have_the_bytes_of_protobuf),
    };

    return cmocka_run_group_tests_name("traces.pftrace", tests, NULL, NULL);
}
