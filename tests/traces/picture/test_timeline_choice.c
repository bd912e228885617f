/* Tests of what a picture of a timeline shows: cores, units, and their span. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/traces/timeline_fixture.h"
#include "traces/picture/timeline_choice.h"

/* A core whose first unit rests, one that works, and a link. */
static TraceTimeline *make(void)
{
    TraceTimeline *timeline = fixture_new();
    const guint32 first = fixture_place(timeline, "core", 0, 0);
    const guint32 second = fixture_place(timeline, "core", 1, 0);
    const guint32 link = fixture_place(timeline, "noc0", 1, 0);
    guint32 lane;

    (void) fixture_lane(timeline, first, "idle");
    lane = fixture_lane(timeline, first, "math");
    (void) fixture_slice(timeline, lane, "add", 20, 40);
    lane = fixture_lane(timeline, second, "math");
    (void) fixture_slice(timeline, lane, "add", 30, 70);
    lane = fixture_lane(timeline, link, "east");
    (void) fixture_slice(timeline, lane, "flits", 5, 90);
    return timeline;
}

static bool is_second(gconstpointer data, guint x, guint y)
{
    assert_string_equal(data, "data");
    return x == 1 && y == 0;
}

static void assert_lanes(const TraceTimelineChoice *choice,
                         const guint32 *lanes,
                         guint count,
                         SimTime begin,
                         SimTime end)
{
    g_autoptr(TraceTimeline) timeline = make();
    g_autoptr(GArray) chosen = trace_timeline_choose(choice, timeline);
    SimTime from;
    SimTime to;

    trace_timeline_span(timeline, chosen, &from, &to);
    assert_int_equal(chosen->len, count);
    for (guint i = 0; i < count; i++) {
        assert_int_equal(g_array_index(chosen, guint32, i), lanes[i]);
    }
    assert_int_equal(from, begin);
    assert_int_equal(to, end);
}

static void lanes_of_cores_that_did_anything_are_shown(void **state)
{
    (void) state;
    const TraceTimelineChoice all = {0};

    assert_lanes(&all, (const guint32[]){1, 2}, 2, 20, 70);
}

static void chosen_cores_and_units_are_shown(void **state)
{
    (void) state;
    char *units[] = {(char *) "east", NULL};
    const TraceTimelineChoice core = {.has_core = is_second, .data = "data"};
    const TraceTimelineChoice link = {.units = units};

    /* Networks have coordinates of their own. */
    assert_lanes(&core, (const guint32[]){2}, 1, 30, 70);
    assert_lanes(&link, (const guint32[]){3}, 1, 5, 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_cores_that_did_anything_are_shown),
        cmocka_unit_test(chosen_cores_and_units_are_shown),
    };

    return cmocka_run_group_tests_name("traces.picture_timeline_choice", tests, NULL,
                                       NULL);
}
