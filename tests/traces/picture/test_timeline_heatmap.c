/* Heat maps of timelines: what counts, in which square and window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/traces/picture.h"
#include "tests/traces/timeline_fixture.h"
#include "traces/error.h"
#include "traces/picture/timeline_heatmap.h"

static char *draw(const TraceTimeline *timeline, TraceHeatBy by, guint windows)
{
    return trace_timeline_heatmap_to_svg(
        &(TraceTimelineHeatmap){.timeline = timeline,
                                .title = "a test",
                                .by = by,
                                .end = SIM_TIME_NEVER,
                                .window_count = windows},
        NULL);
}

/* core[0,0] works 60 and waits 20 of 100 cycles, core[1,0] works all the time. */
static TraceTimeline *two_cores(void)
{
    TraceTimeline *self = fixture_new();
    guint32 place = fixture_place(self, "core", 0, 0);
    guint32 lane = fixture_lane(self, place, "math");

    fixture_slice(self, lane, "op", 0, 60);
    fixture_slice(self, lane, "inner", 0, 30);
    g_array_index(self->slices, TraceSlice, self->slices->len - 1).depth = 1;
    fixture_stall(self, lane, "wait", 60, 20);
    lane = fixture_lane(self, place, "pack");
    fixture_slice(self, lane, "op", 0, 10);
    place = fixture_place(self, "core", 1, 0);
    lane = fixture_lane(self, place, "zones_math");
    fixture_slice(self, lane, "zone", 0, 900);
    lane = fixture_lane(self, place, "math");
    fixture_slice(self, lane, "op", 0, 100);
    return self;
}

static void places_show_their_busiest_unit(void **state)
{
    g_autoptr(TraceTimeline) timeline = two_cores();
    g_autofree char *svg = draw(timeline, TRACE_HEAT_BUSY, 0);
    Picture picture = picture_read(svg);

    (void) state;
    (void) picture_titled(&picture, "core[0,0]: 0.6");
    (void) picture_titled(&picture, "core[1,0]: 1");
    assert_true(
        picture_says(&picture, "cycles 0 to 100; most core[1,0] at 1; mean 0.8"));
    assert_true(picture_says(&picture, "squares are cores"));
    picture_clear(&picture);
}

static void stalls_count_where_they_are(void **state)
{
    g_autoptr(TraceTimeline) timeline = two_cores();
    g_autofree char *svg = draw(timeline, TRACE_HEAT_STALLS, 0);
    Picture picture = picture_read(svg);

    (void) state;
    /* From cycle 60 to 80, where something waits. */
    (void) picture_titled(&picture, "core[0,0]: 1");
    (void) picture_titled(&picture, "core[1,0]: 0");
    picture_clear(&picture);
}

static void windows_share_the_time(void **state)
{
    g_autoptr(TraceTimeline) timeline = two_cores();
    g_autofree char *svg =
        trace_timeline_heatmap_to_svg(&(TraceTimelineHeatmap){.timeline = timeline,
                                                              .title = "a test",
                                                              .unit = "math",
                                                              .begin = 20,
                                                              .end = 100,
                                                              .window_count = 2},
                                      NULL);
    Picture picture = picture_read(svg);

    (void) state;
    (void) picture_titled(&picture, "core[0,0]: 0.5");
    assert_int_equal(picture.window_count, 2);
    assert_true(picture_says(&picture, "20 to 60, max 1"));
    assert_true(picture_says(&picture, "60 to 100, max 1"));
    picture_clear(&picture);
}

static void links_come_from_counters_of_use(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    g_autofree char *svg = draw(timeline, TRACE_HEAT_LINKS, 0);
    Picture picture = picture_read(svg);

    (void) state;
    /* 24 + 41 of 1024 cycles. */
    (void) picture_titled(&picture, "noc0[1,1].east to [0,1]: 0.0635");
    picture_clear(&picture);
}

/* Links at one place of two chips are two, of which the busier chip's is shown. */
static void links_of_two_chips_do_not_add_up(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_new();

    (void) state;
    for (guint i = 0; i < 3; i++) {
        static const char *const kinds[] = {"chip0.noc0", "chip1.noc0", "chip2.noc0"};
        static const double cycles[] = {60, 80, 70};
        guint32 place = fixture_place(timeline, kinds[i], 1, 1);
        guint32 lane = fixture_lane(timeline, place, "east");

        fixture_slice(timeline, lane, "use", 0, (SimTime) cycles[i]);
        fixture_slice(timeline, lane, "use", 90, 100);
    }
    g_autofree char *svg = draw(timeline, TRACE_HEAT_LINKS, 0);
    Picture picture = picture_read(svg);

    (void) picture_titled(&picture, "chip1.noc0[1,1].east to [0,1]: 0.9");
    assert_true(picture_says(&picture, "a test: chip1, the busiest chip"));
    assert_true(
        picture_says(&picture, "squares are tiles; stubs at the edge wrap around"));
    picture_clear(&picture);
}

static void places_of_one_chip_are_shown(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_new();
    guint32 lane =
        fixture_lane(timeline, fixture_place(timeline, "chip0.core", 0, 0), "math");

    (void) state;
    fixture_slice(timeline, lane, "op", 0, 50);
    lane = fixture_lane(timeline, fixture_place(timeline, "chip1.core", 0, 0), "math");
    fixture_slice(timeline, lane, "op", 0, 40);
    g_autofree char *svg = draw(timeline, TRACE_HEAT_BUSY, 0);
    Picture picture = picture_read(svg);

    (void) picture_titled(&picture, "chip0.core[0,0]: 1");
    assert_true(picture_says(&picture, "a test: chip0, the busiest chip"));
    picture_clear(&picture);
}

/* Whatever the order in which they come out of a table. */
static void of_equal_chips_the_first_is_shown(void **state)
{
    static const char *const kinds[] = {"chip3.core", "chip1.core", "chip2.core",
                                        "chip4.core"};
    g_autoptr(TraceTimeline) timeline = fixture_new();

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        fixture_slice(
            timeline,
            fixture_lane(timeline, fixture_place(timeline, kinds[i], 0, 0), "math"),
            "op", 0, 50);
    }
    g_autofree char *svg = draw(timeline, TRACE_HEAT_BUSY, 0);
    Picture picture = picture_read(svg);

    assert_true(picture_says(&picture, "a test: chip1, the busiest chip"));
    picture_clear(&picture);
}

/* Squares of 2 x 2 PEs on a grid of 3 x 2: the last square has half as many. */
static void squares_of_places_are_means(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_new();
    guint32 place = fixture_place(timeline, "pe", 0, 0);
    guint32 lane;
    g_autofree char *svg = NULL;
    Picture picture;

    (void) state;
    g_array_index(timeline->places, TracePlace, place).x_end = 1;
    g_array_index(timeline->places, TracePlace, place).y_end = 1;
    lane = fixture_lane(timeline, place, "main");
    fixture_counter(timeline, lane, "busy", "cycles", 100);
    fixture_sample(timeline, 0, 200);
    place = fixture_place(timeline, "pe", 2, 0);
    g_array_index(timeline->places, TracePlace, place).y_end = 1;
    lane = fixture_lane(timeline, place, "main");
    fixture_counter(timeline, lane, "busy", "cycles", 100);
    fixture_sample(timeline, 0, 150);
    svg = draw(timeline, TRACE_HEAT_BUSY, 0);
    picture = picture_read(svg);
    (void) picture_titled(&picture, "pe[0:1,0:1]: 0.5");
    (void) picture_titled(&picture, "pe[2:3,0:1]: 0.75");
    assert_true(picture_says(&picture, "squares are means of 2 x 2 PEs"));
    picture_clear(&picture);
}

static void nothing_to_show_is_said(void **state)
{
    g_autoptr(TraceTimeline) empty = fixture_new();
    g_autoptr(TraceTimeline) timeline = two_cores();
    TraceTimelineHeatmap map = {.timeline = empty, .title = "t", .end = SIM_TIME_NEVER};
    g_autoptr(GError) error = NULL;

    (void) state;
    assert_null(trace_timeline_heatmap_to_svg(&map, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_LACKS));
    g_clear_error(&error);
    map.timeline = timeline;
    map.by = TRACE_HEAT_LINKS;
    assert_null(trace_timeline_heatmap_to_svg(&map, &error));
    assert_non_null(strstr(error->message, "no links"));
    g_clear_error(&error);
    map.by = TRACE_HEAT_BUSY;
    map.begin = 100;
    assert_null(trace_timeline_heatmap_to_svg(&map, &error));
    assert_non_null(strstr(error->message, "no unit works there"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_show_their_busiest_unit),
        cmocka_unit_test(stalls_count_where_they_are),
        cmocka_unit_test(windows_share_the_time),
        cmocka_unit_test(links_come_from_counters_of_use),
        cmocka_unit_test(links_of_two_chips_do_not_add_up),
        cmocka_unit_test(places_of_one_chip_are_shown),
        cmocka_unit_test(of_equal_chips_the_first_is_shown),
        cmocka_unit_test(squares_of_places_are_means),
        cmocka_unit_test(nothing_to_show_is_said),
    };

    return cmocka_run_group_tests_name("traces.timeline_heatmap", tests, NULL, NULL);
}
