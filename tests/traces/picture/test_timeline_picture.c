/* Timelines as pictures: rows, colours, hatching, what has no room. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/traces/picture.h"
#include "tests/traces/timeline_fixture.h"
#include "traces/picture/timeline_picture.h"

enum {
    LANES = 5, /* of fixture_cores() */
};

static char *draw(const TraceTimeline *timeline, SimTime begin, SimTime end)
{
    const guint32 lanes[LANES] = {0, 1, 2, 3, 4};

    return trace_timeline_picture_to_svg(
        &(TraceTimelinePicture){.timeline = timeline,
                                .title = "a <test>",
                                .lanes = lanes,
                                .lane_count = MIN(timeline->lanes->len, LANES),
                                .begin = begin,
                                .end = end});
}

static guint count(const char *text, const char *part)
{
    guint found = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        found++;
    }
    return found;
}

static void every_lane_has_a_row_and_every_slice_a_title(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    g_autofree char *svg = draw(timeline, 0, 1536);
    Picture picture = picture_read(svg);

    (void) state;
    assert_int_equal(count(svg, "class=\"timeline-row\""), LANES);
    assert_true(picture_says(&picture, "a <test>"));
    assert_true(picture_says(&picture, "core[0,0].math"));
    assert_true(picture_says(&picture, "noc0[1,1].east"));
    assert_true(picture_says(&picture, "cycles, of 1 ns each"));
    (void) picture_titled(&picture, "noc_async_write, 1000 to 1040 (40 cycles) "
                                    "bytes=2048 x=2 y=1");
    (void) picture_titled(&picture, "stall noc, 1040 to 1100 (60 cycles)");
    (void) picture_titled(&picture, "arrive at 1100");
    (void) picture_titled(&picture, "busy 4.7 % of 512 to 1024");
    picture_clear(&picture);
}

static void lanes_that_are_left_out_show_no_use(void **state)
{
    const guint32 lanes[] = {0, 1};
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    g_autofree char *svg = trace_timeline_picture_to_svg(
        &(TraceTimelinePicture){.timeline = timeline,
                                .title = "two lanes",
                                .lanes = lanes,
                                .lane_count = G_N_ELEMENTS(lanes),
                                .end = 1536});

    (void) state;
    assert_int_equal(count(svg, "class=\"timeline-row\""), 2);
    assert_int_equal(count(svg, "busy 4.7 %"), 0);
    assert_int_equal(count(svg, "class=\"timeline-flow\""), 0);
}

static void bars_lie_where_their_time_is(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    g_autofree char *svg = draw(timeline, 0, 960);
    Picture picture = picture_read(svg);
    const PictureShape *first =
        picture_titled(&picture, "add_tiles, 0 to 26 (26 cycles) ");
    const PictureShape *inner = picture_titled(&picture, "inner, 4 to 10 (6 cycles) ");

    (void) state;
    /* A pixel is a cycle. */
    assert_true(fabs(inner->x - first->x - 4) < 0.01);
    assert_true(inner->y > first->y);
    /* Behind the window. */
    assert_int_equal(count(svg, "noc_async_write"), 0);
    picture_clear(&picture);
}

static void stalls_are_hatched(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    g_autofree char *svg = draw(timeline, 0, 1536);
    Picture picture = picture_read(svg);

    (void) state;
    assert_string_equal(
        picture_titled(&picture, "stall noc, 1040 to 1100 (60 cycles)")->fill,
        "url(#timeline-stall)");
    assert_int_equal(count(svg, "<pattern id=\"timeline-stall\""), 1);
    assert_true(picture_says(&picture, "stalls: noc 0.8 %"));
    picture_clear(&picture);
}

/* Ten operations: seven colours, and one for the others. */
static void rare_operations_share_a_colour(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", "e",
                                        "f", "g", "h", "i", "j"};
    g_autoptr(TraceTimeline) timeline = fixture_new();
    guint32 lane =
        fixture_lane(timeline, fixture_place(timeline, "core", 0, 0), "math");
    SimTime at = 0;
    g_autofree char *svg = NULL;
    Picture picture;

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        fixture_slice(timeline, lane, names[i], at, at + 20 - i);
        at += 20 - i;
    }
    svg = draw(timeline, 0, at);
    picture = picture_read(svg);
    assert_string_equal(picture_titled(&picture, "h, 119 to 132 (13 cycles) ")->fill,
                        picture_titled(&picture, "j, 144 to 155 (11 cycles) ")->fill);
    assert_string_not_equal(picture_titled(&picture, "a, 0 to 20 (20 cycles) ")->fill,
                            picture_titled(&picture, "b, 20 to 39 (19 cycles) ")->fill);
    assert_true(picture_says(&picture, "a 12.9 %"));
    assert_true(picture_says(&picture, "other operations 23.2 %"));
    picture_clear(&picture);
}

/* A million cycles of slices and stalls of one cycle each are few shapes. */
static void what_has_no_room_is_put_together(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_new();
    guint32 lane =
        fixture_lane(timeline, fixture_place(timeline, "core", 0, 0), "math");
    g_autofree char *svg = NULL;

    (void) state;
    for (SimTime at = 0; at < 1000000; at += 10) {
        fixture_slice(timeline, lane, "op", at, at + 5);
        fixture_stall(timeline, lane, "wait", at + 5, 5);
    }
    svg = draw(timeline, 0, 1000000);
    /* The background, a row, keys of the legend; one run of each colour. */
    assert_true(count(svg, "<rect") < 40);
    assert_non_null(strstr(svg, "height=\"7\" fill=\"#0072b2\""));
    assert_non_null(strstr(svg, "height=\"7\" fill=\"url(#timeline-stall)\""));
}

static void the_end_of_time_is_no_trouble(void **state)
{
    g_autoptr(TraceTimeline) timeline = fixture_new();
    guint32 lane =
        fixture_lane(timeline, fixture_place(timeline, "odd\"<>", -1, -1), "");
    g_autofree char *svg = NULL;
    g_autofree char *late = NULL;

    (void) state;
    fixture_slice(timeline, lane, "\xff<b>", 0, SIM_TIME_NEVER);
    fixture_stall(timeline, lane, "w", 5, SIM_TIME_NEVER);
    fixture_mark(timeline, lane, "m", SIM_TIME_NEVER);
    fixture_counter(timeline, lane, "busy", "", SIM_TIME_NEVER);
    fixture_sample(timeline, 7, G_MAXINT64);
    fixture_sample(timeline, 8, -1);
    timeline->clock_hz = 0;
    svg = draw(timeline, 0, SIM_TIME_NEVER);
    late = draw(timeline, SIM_TIME_NEVER - 1, SIM_TIME_NEVER);
    assert_non_null(strstr(svg, "&lt;b&gt;"));
    assert_non_null(late);
}

/* A path that goes to and fro many times a pixel, lane 2 is not shown. */
static void long_paths_have_few_points(void **state)
{
    enum {
        STEPS = 100000,
        CYCLES = 1536,
        MOST_BYTES = 200000
    };
    const guint32 lanes[] = {0, 1};
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(TraceStep));
    TracePath path = {.steps = steps, .end = CYCLES * (SimTime) STEPS};

    (void) state;
    for (guint32 ways = 2; ways <= 3; ways++) {
        g_array_set_size(steps, 0);
        for (guint32 i = 0; i < STEPS; i++) {
            const TraceStep step = {.begin = CYCLES * (SimTime) i,
                                    .end = CYCLES * ((SimTime) i + 1),
                                    .lane = i % ways,
                                    .by = TRACE_NONE,
                                    .name = "w"};

            g_array_append_val(steps, step);
        }
        g_autofree char *svg = trace_timeline_picture_to_svg(
            &(TraceTimelinePicture){.timeline = timeline,
                                    .title = "path",
                                    .lanes = lanes,
                                    .lane_count = G_N_ELEMENTS(lanes),
                                    .end = path.end,
                                    .path = &path});

        assert_true(count(svg, "class=\"timeline-path\"") >= 1);
        assert_true(strlen(svg) < MOST_BYTES);
    }
}

static void wider_columns_put_more_together(void **state)
{
    const guint32 lanes[] = {0};
    g_autoptr(TraceTimeline) timeline = fixture_cores();
    guint titles[2] = {0};

    (void) state;
    for (guint i = 0; i < 2; i++) {
        g_autofree char *svg = trace_timeline_picture_to_svg(
            &(TraceTimelinePicture){.timeline = timeline,
                                    .title = "columns",
                                    .lanes = lanes,
                                    .lane_count = G_N_ELEMENTS(lanes),
                                    .end = 1536,
                                    .least_width = i == 0 ? 1 : 960});

        titles[i] = count(svg, "class=\"timeline-slice\"");
    }
    assert_true(titles[0] > 0);
    assert_int_equal(titles[1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lane_has_a_row_and_every_slice_a_title),
        cmocka_unit_test(lanes_that_are_left_out_show_no_use),
        cmocka_unit_test(bars_lie_where_their_time_is),
        cmocka_unit_test(stalls_are_hatched),
        cmocka_unit_test(rare_operations_share_a_colour),
        cmocka_unit_test(what_has_no_room_is_put_together),
        cmocka_unit_test(the_end_of_time_is_no_trouble),
        cmocka_unit_test(long_paths_have_few_points),
        cmocka_unit_test(wider_columns_put_more_together),
    };

    return cmocka_run_group_tests_name("traces.timeline_picture", tests, NULL, NULL);
}
