/* Tests of critical paths, on timelines made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/traces/timeline_fixture.h"
#include "traces/error.h"
#include "traces/reading/path.h"
#include "traces/reading/timeline_items.h"

static TraceTimeline *make(int64_t cycles, int64_t used)
{
    TraceTimeline *timeline = fixture_new();
    JsonObject *chip = json_object_new();

    timeline->result = json_object_new();
    json_object_set_int_member(timeline->result, "cycles", cycles);
    json_object_set_int_member(chip, "used", used);
    json_object_set_object_member(timeline->result, "chip_used", chip);
    return timeline;
}

/* The steps as text, one a line; they touch, and are as long as the path. */
static char *steps_of(const TraceTimeline *timeline, const TracePath *path)
{
    static const char *const kinds[] = {"work", "wait", "launch"};
    GString *text = g_string_new(NULL);
    SimTime at = path->begin;

    for (guint i = 0; i < path->steps->len; i++) {
        const TraceStep *step = &g_array_index(path->steps, TraceStep, i);

        assert_int_equal(step->begin, at);
        assert_true(step->end > step->begin);
        at = step->end;
        g_string_append_printf(text, "%u..%u %s %s", (guint) step->begin,
                               (guint) step->end, kinds[step->kind], step->name);
        if (step->lane != TRACE_NONE) {
            g_string_append_printf(text, " %s",
                                   trace_lane_at(timeline, step->lane)->name);
        }
        if (step->by != TRACE_NONE) {
            g_string_append_printf(text, " by %s",
                                   trace_lane_at(timeline, step->by)->name);
        }
        if (step->file != NULL) {
            g_string_append_printf(text, " at %s:%u", step->file, step->line);
        }
        g_string_append_c(text, '\n');
    }
    assert_int_equal(at, path->end);
    return g_string_free(text, FALSE);
}

static void
assert_steps(const TraceTimeline *timeline, SimTime cycles, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TracePath) path = trace_path_find(timeline, "t", &error);

    assert_null(error);
    assert_non_null(path);
    assert_int_equal(path->end - path->begin, cycles);
    g_autofree char *steps = steps_of(timeline, path);

    assert_string_equal(steps, expected);
}

static void assert_lacks(const TraceTimeline *timeline, const char *expected)
{
    g_autoptr(GError) error = NULL;

    assert_null(trace_path_find(timeline, "t", &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    assert_non_null(strstr(error->message, expected));
    assert_null(strchr(error->message, '\n'));
}

/* A reader asks DRAM and pushes a page; unpack waits for it, and works longest. */
static TraceTimeline *make_core(void)
{
    TraceTimeline *timeline = make(200, 1);
    const guint32 core = fixture_place(timeline, "core", 0, 0);
    guint32 lane = fixture_lane(timeline, core, "reader");

    (void) fixture_slice(timeline, lane, "noc_async_read", 100, 120);
    (void) fixture_stall(timeline, lane, "noc", 120, 60);
    fixture_mark_argument(timeline, "line a.lua", 7);
    fixture_mark_argument(timeline, "by core[0,0].reader", 120);
    (void) fixture_slice(timeline, lane, "cb_push_back", 180, 190);
    lane = fixture_lane(timeline, core, "unpack");
    (void) fixture_slice(timeline, lane, "cb_wait_front", 100, 110);
    (void) fixture_stall(timeline, lane, "circular_buffer", 110, 90);
    fixture_mark_argument(timeline, "line a.lua", 31);
    fixture_mark_argument(timeline, "by core[0,0].reader", 190);
    (void) fixture_slice(timeline, lane, "add_tiles", 200, 280);
    return timeline;
}

static void waits_lead_to_who_ended_them(void **state)
{
    (void) state;
    g_autoptr(TraceTimeline) timeline = make_core();

    assert_steps(
        timeline, 200,
        "80..100 launch launch\n"
        "100..120 work noc_async_read core[0,0].reader\n"
        "120..180 wait noc core[0,0].reader by core[0,0].reader at a.lua:7\n"
        "180..190 work cb_push_back core[0,0].reader\n"
        "190..200 wait circular_buffer core[0,0].unpack by core[0,0].reader at "
        "a.lua:31\n"
        "200..280 work add_tiles core[0,0].unpack\n");
}

static void a_path_is_of_what_was_measured(void **state)
{
    (void) state;
    g_autoptr(TraceTimeline) timeline = make_core();

    json_object_set_int_member(timeline->result, "cycles", 65);
    timeline->measured_end = 250;
    assert_steps(
        timeline, 65,
        "185..190 work cb_push_back core[0,0].reader\n"
        "190..200 wait circular_buffer core[0,0].unpack by core[0,0].reader at "
        "a.lua:31\n"
        "200..250 work add_tiles core[0,0].unpack\n");
}

/* Nobody works between two programs. */
static void programs_are_apart_by_a_launch(void **state)
{
    (void) state;
    g_autoptr(TraceTimeline) timeline = make(100, 1);
    const guint32 core = fixture_place(timeline, "core", 0, 0);
    guint32 lane = fixture_lane(timeline, core, "reader");

    (void) fixture_slice(timeline, lane, "first", 0, 30);
    lane = fixture_lane(timeline, core, "writer");
    (void) fixture_slice(timeline, lane, "second", 70, 100);
    assert_steps(timeline, 100,
                 "0..30 work first core[0,0].reader\n"
                 "30..70 launch launch\n"
                 "70..100 work second core[0,0].writer\n");
}

/* What a unit does after a wait that is not over yet, another one of its stream did. */
static void units_of_a_stream_stand_for_each_other(void **state)
{
    (void) state;
    g_autoptr(TraceTimeline) timeline = make(100, 1);
    const guint32 core = fixture_place(timeline, "core", 0, 0);
    guint32 lane = fixture_lane(timeline, core, "math");

    (void) fixture_slice(timeline, lane, "start", 0, 10);
    (void) fixture_stall(timeline, lane, "unit", 10, 60);
    fixture_mark_argument(timeline, "by core[0,0].fpu", 66);
    (void) fixture_slice(timeline, lane, "finish", 70, 100);
    lane = fixture_lane(timeline, core, "fpu");
    (void) fixture_stall(timeline, lane, "issue", 0, 100);
    lane = fixture_lane(timeline, core, "sfpu");
    (void) fixture_stall(timeline, lane, "issue", 0, 10);
    fixture_mark_argument(timeline, "by core[0,0].math", 10);
    (void) fixture_slice(timeline, lane, "recip_tile", 10, 64);
    assert_steps(timeline, 100,
                 "0..10 work start core[0,0].math\n"
                 "10..64 work recip_tile core[0,0].sfpu\n"
                 "64..66 wait latency core[0,0].fpu\n"
                 "66..70 wait unit core[0,0].math by core[0,0].fpu\n"
                 "70..100 work finish core[0,0].math\n");
}

/* A PE sends; the next one's operation is fed, its end activates a task. */
static TraceTimeline *make_wafer(void)
{
    TraceTimeline *timeline = make(120, 2);
    const guint32 first = fixture_place(timeline, "pe", 0, 0);
    const guint32 second = fixture_place(timeline, "pe", 1, 0);
    guint32 lane = fixture_lane(timeline, first, "main");

    (void) fixture_slice(timeline, lane, "begin", 0, 20);
    lane = fixture_lane(timeline, first, "thread0");
    (void) fixture_slice(timeline, lane, "fmovs", 20, 60);
    fixture_argument(timeline, "line b.lua", 12);
    fixture_argument(timeline, "credits", 15);
    lane = fixture_lane(timeline, second, "main");
    (void) fixture_slice(timeline, lane, "begin", 0, 25);
    (void) fixture_slice(timeline, lane, "received", 80, 120);
    lane = fixture_lane(timeline, second, "thread4");
    (void) fixture_slice(timeline, lane, "fadds", 25, 70);
    fixture_argument(timeline, "fed", 66);
    fixture_argument(timeline, "line b.lua", 40);
    fixture_argument(timeline, "by pe[0,0].thread0", 58);
    return timeline;
}

static void data_lead_to_their_sender(void **state)
{
    (void) state;
    g_autoptr(TraceTimeline) timeline = make_wafer();

    assert_steps(timeline, 120,
                 "0..20 work begin pe[0,0].main\n"
                 "20..35 wait credits pe[0,0].thread0 at b.lua:12\n"
                 "35..58 work fmovs pe[0,0].thread0 at b.lua:12\n"
                 "58..66 wait data pe[1,0].thread4 by pe[0,0].thread0 at b.lua:40\n"
                 "66..70 work fadds pe[1,0].thread4 at b.lua:40\n"
                 "70..80 wait dispatch pe[1,0].main\n"
                 "80..120 work received pe[1,0].main\n");
}

static void traces_that_lack_something_are_refused(void **state)
{
    (void) state;
    g_autoptr(TraceTimeline) whole = make_core();
    g_autoptr(TraceTimeline) left_out = make_core();
    g_autoptr(TraceTimeline) empty = make(10, 1);
    g_autoptr(TraceTimeline) foreign = make_core();
    g_autoptr(TraceTimeline) beyond = make_core();
    g_autoptr(TraceTimeline) part = make_core();
    g_autoptr(TraceTimeline) several = make_core();
    g_autoptr(TraceTimeline) silent = make_wafer();
    JsonObject *chip = json_object_get_object_member(left_out->result, "chip_used");

    json_object_set_int_member(chip, "used", 4);
    assert_lacks(left_out, "1 of 4 cores or PEs are in it");
    assert_lacks(empty, "no core or PE is traced in full");
    whole->warning = g_strdup("t: cut off");
    assert_lacks(whole, "t: cut off, so there is no critical path");
    g_clear_pointer(&foreign->result, json_object_unref);
    assert_lacks(foreign, "not a trace of gridloom's");
    json_object_set_int_member(beyond->result, "cycles", 1000);
    assert_lacks(beyond, "1000 cycles");
    json_object_set_int_member(several->result, "chips", 2);
    assert_lacks(several, "of several chips");
    part->is_part = true;
    assert_lacks(part, "needs all cycles");
    for (guint i = 0; i < silent->arguments->len; i++) {
        g_array_index(silent->arguments, TraceArgument, i).name = "x";
    }
    assert_lacks(silent, "it does not say who waited for whom");
}

static void whoever_ended_a_wait_must_be_there(void **state)
{
    (void) state;
    g_autoptr(TraceTimeline) timeline = make_core();

    g_array_index(timeline->arguments, TraceArgument, timeline->arguments->len - 1)
        .name = "by core[0,1].writer";
    assert_lacks(timeline, "is not in it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_lead_to_who_ended_them),
        cmocka_unit_test(a_path_is_of_what_was_measured),
        cmocka_unit_test(programs_are_apart_by_a_launch),
        cmocka_unit_test(units_of_a_stream_stand_for_each_other),
        cmocka_unit_test(data_lead_to_their_sender),
        cmocka_unit_test(traces_that_lack_something_are_refused),
        cmocka_unit_test(whoever_ended_a_wait_must_be_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
