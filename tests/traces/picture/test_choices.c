/* Things to choose from: each point in its place, stairs along the front, names that do
 * not cover each other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/traces/picture.h"
#include "traces/picture/choices.h"

static const double close = 0.02; /* pixels are written with two decimals */

static const TraceChoice choices[] = {
    {.x = 25, .y = 1, .name = "small", .is_front = true},
    {.x = 40, .y = 4, .name = "large", .is_front = true, .is_chosen = true},
    {.x = 30, .y = 3, .name = "middle", .is_front = true, .sign = 1},
    {.x = 35, .y = 2, .name = "beaten"},
    {.x = 39, .y = 1, .name = "odd", .sign = 2},
    {.x = NAN, .y = NAN, .name = "refused", .sign = 1},
};
static const char *const signs[] = {"by hand", "marked", NULL};

static char *draw_panels(const TraceChoicePanel *panels, gsize count, bool is_x_maximum)
{
    static const char *const notes[] = {"a note", NULL};

    return trace_choices_to_svg(&(TraceChoices){.title = "all",
                                                .x = "cost",
                                                .y = "gain",
                                                .is_x_maximum = is_x_maximum,
                                                .signs = signs,
                                                .chosen = "the best",
                                                .panels = panels,
                                                .panel_count = count,
                                                .notes = notes});
}

static char *draw(const TraceChoice *of, gsize count, bool is_x_maximum)
{
    const TraceChoicePanel panel = {
        .title = "one", .note = "below", .choices = of, .choice_count = count};

    return draw_panels(&panel, 1, is_x_maximum);
}

typedef struct {
    double x;
    double y;
} Place;

/* Numbers of the first text that a pattern with two groups finds. */
static Place find(const char *svg, const char *pattern)
{
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;

    assert_true(g_regex_match(regex, svg, 0, &match));
    g_autofree char *x = g_match_info_fetch(match, 1);
    g_autofree char *y = g_match_info_fetch(match, 2);

    return (Place){g_ascii_strtod(x, NULL), g_ascii_strtod(y, NULL)};
}

static Place circle_of(const char *svg, const char *title)
{
    g_autofree char *pattern = g_strdup_printf(
        "<circle cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"[^>]*><title>%s</title>", title);

    return find(svg, pattern);
}

static guint count_of(const char *svg, const char *text)
{
    guint count = 0;

    for (const char *at = strstr(svg, text); at != NULL; at = strstr(at + 1, text)) {
        count++;
    }
    return count;
}

static void points_stand_in_their_places(void **state)
{
    g_autofree char *svg = draw(choices, G_N_ELEMENTS(choices), false);
    const Place small = circle_of(svg, "small");
    const Place middle = circle_of(svg, "middle");
    const Place large = circle_of(svg, "large");
    const Place beaten = circle_of(svg, "beaten");

    (void) state;
    assert_true(fabs((large.x - small.x) - 3 * (middle.x - small.x)) < 3 * close);
    assert_true(fabs((small.y - large.y) - 1.5 * (small.y - middle.y)) < 3 * close);
    assert_true(fabs(beaten.x - (middle.x + large.x) / 2) < close);
    assert_true(fabs(beaten.y - (small.y + middle.y) / 2) < close);
    assert_null(strstr(svg, "refused"));
}

static void the_chosen_one_has_a_ring(void **state)
{
    g_autofree char *svg = draw(choices, G_N_ELEMENTS(choices), false);
    const Place large = circle_of(svg, "large");
    g_autofree char *ring =
        g_strdup_printf("<circle cx=\"%g\" cy=\"%g\" r=\"8.5\" class=\"choices-ring\"",
                        large.x, large.y);

    (void) state;
    assert_int_equal(count_of(svg, "class=\"choices-ring\""), 2); /* and the legend's */
    assert_non_null(strstr(svg, ring));
}

static void none_need_be_chosen(void **state)
{
    const TraceChoicePanel panel = {
        .title = "one", .choices = choices, .choice_count = 1};
    g_autofree char *svg = trace_choices_to_svg(&(TraceChoices){.title = "all",
                                                                .x = "cost",
                                                                .y = "gain",
                                                                .signs = signs,
                                                                .point = "design",
                                                                .panels = &panel,
                                                                .panel_count = 1,
                                                                .notes = &signs[2]});

    (void) state;
    assert_int_equal(count_of(svg, "class=\"choices-ring\""), 0);
    assert_int_equal(count_of(svg, ">design<"), 1);
    assert_int_equal(count_of(svg, ">window<"), 0);
}

/* A front of which the horizontal goal is small goes level first; one of which it is
 * large goes up or down first. */
static void stairs_follow_the_goals(void **state)
{
    (void) state;
    for (guint i = 0; i < 2; i++) {
        const bool is_x_maximum = i == 1;
        g_autofree char *svg = draw(choices, G_N_ELEMENTS(choices), is_x_maximum);
        const Place small = circle_of(svg, "small");
        const Place middle = circle_of(svg, "middle");
        const Place corner =
            find(svg, "<polyline points=\"[0-9.,]+ ([0-9.]+),([0-9.]+) [^\"]*\" "
                      "class=\"choices-line\"");

        assert_true(fabs(corner.x - (is_x_maximum ? small.x : middle.x)) < close);
        assert_true(fabs(corner.y - (is_x_maximum ? middle.y : small.y)) < close);
    }
}

static void what_is_more_than_a_point_has_its_name(void **state)
{
    g_autofree char *svg = draw(choices, G_N_ELEMENTS(choices), false);
    Picture picture = picture_read(svg);

    (void) state;
    assert_true(picture_says(&picture, "small"));
    assert_true(picture_says(&picture, "middle"));
    assert_true(picture_says(&picture, "large"));
    assert_true(picture_says(&picture, "odd"));
    assert_false(picture_says(&picture, "beaten"));
    assert_true(picture_says(&picture, "by hand"));
    assert_true(picture_says(&picture, "marked"));
    assert_true(picture_says(&picture, "the best"));
    assert_true(picture_says(&picture, "a note"));
    assert_true(picture_says(&picture, "below"));
    picture_clear(&picture);
}

/* Texts of names with their places, as the picture has them. */
static void names_do_not_cover_each_other(void **state)
{
    enum {
        COUNT = 60,
    };
    const double width = 6.2 * (double) strlen("128x128x64");
    static const double line = 10;
    TraceChoice many[COUNT];
    g_autoptr(GRegex) regex = g_regex_new(
        "<text x=\"([0-9.]+)\" y=\"([0-9.]+)\"([^>]*)class=\"choices-name[^>]*>"
        "128x128x64<",
        0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    guint count = 0;
    double places[COUNT][2];

    (void) state;
    for (guint i = 0; i < COUNT; i++) {
        many[i] = (TraceChoice){.x = 10 + 0.3 * i,
                                .y = 1 + sqrt(i) / 4,
                                .name = "128x128x64",
                                .is_front = i % 2 == 0,
                                .sign = i % 3 == 0 ? 1 : 0};
    }
    g_autofree char *svg = draw(many, COUNT, false);

    (void) g_regex_match(regex, svg, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *x = g_match_info_fetch(match, 1);
        g_autofree char *y = g_match_info_fetch(match, 2);
        g_autofree char *rest = g_match_info_fetch(match, 3);
        const bool is_end = strstr(rest, "end") != NULL;

        places[count][0] = g_ascii_strtod(x, NULL) - (is_end ? width : 0);
        places[count][1] = g_ascii_strtod(y, NULL);
        for (guint k = 0; k < count; k++) {
            assert_true(fabs(places[k][0] - places[count][0]) >= width ||
                        fabs(places[k][1] - places[count][1]) >= line);
        }
        count++;
    }
    assert_true(count >= 10);
    assert_true(count < COUNT);
}

/* Each panel has axes of its own; costs that differ much stand on a logarithmic one. */
static void axes_are_those_of_the_panel(void **state)
{
    static const TraceChoice wide[] = {{.x = 1, .y = 1, .name = "one"},
                                       {.x = 10, .y = 1, .name = "ten"},
                                       {.x = 100, .y = 2, .name = "hundred"}};
    static const TraceChoice near[] = {{.x = 40, .y = 1, .name = "low"},
                                       {.x = 60, .y = 1, .name = "between"},
                                       {.x = 80, .y = 2, .name = "high"}};
    const TraceChoicePanel panels[] = {
        {.title = "one", .choices = wide, .choice_count = G_N_ELEMENTS(wide)},
        {.title = "two", .choices = near, .choice_count = G_N_ELEMENTS(near)},
        {.title = "none"},
    };
    g_autofree char *svg = draw_panels(panels, 3, false);

    (void) state;
    assert_int_equal(count_of(svg, "class=\"choices-panel\""), 3);
    assert_true(fabs(circle_of(svg, "ten").x -
                     (circle_of(svg, "one").x + circle_of(svg, "hundred").x) / 2) <
                close);
    assert_true(fabs(circle_of(svg, "between").x -
                     (circle_of(svg, "low").x + circle_of(svg, "high").x) / 2) < close);
    assert_true(circle_of(svg, "one").x < circle_of(svg, "low").x);
}

static char *draw_cloud(bool is_cloud, bool is_linear)
{
    static const TraceChoice wide[] = {
        {.x = 10, .y = 1, .name = "small", .is_front = true},
        {.x = 100, .y = 3, .name = "large", .is_front = true},
        {.x = 55, .y = 2},
        {.x = 60, .y = 1, .sign = 1},
    };
    static const char *const notes[] = {NULL};
    const TraceChoicePanel panel = {
        .title = "one", .choices = wide, .choice_count = G_N_ELEMENTS(wide)};

    return trace_choices_to_svg(&(TraceChoices){.title = "all",
                                                .x = "cost",
                                                .y = "gain",
                                                .is_linear = is_linear,
                                                .is_cloud = is_cloud,
                                                .point = "design",
                                                .signs = signs,
                                                .chosen = "the best",
                                                .panels = &panel,
                                                .panel_count = 1,
                                                .notes = notes});
}

static void a_cloud_has_a_front_without_stairs_and_names(void **state)
{
    g_autofree char *plain = draw_cloud(false, true);
    g_autofree char *cloud = draw_cloud(true, true);

    (void) state;
    assert_int_equal(count_of(plain, "<polyline"), 1);
    assert_int_equal(count_of(plain, ">small</text>"), 1);
    assert_int_equal(count_of(cloud, "<polyline"), 0);
    assert_int_equal(count_of(cloud, ">small</text>"), 0);
    assert_int_equal(count_of(cloud, "<title>small</title>"), 1);
    assert_int_equal(count_of(cloud, ">design</text>"), 1);
    assert_int_equal(count_of(cloud, ">window</text>"), 0);
}

static void an_axis_is_linear_where_one_says_so(void **state)
{
    g_autofree char *linear = draw_cloud(false, true);
    g_autofree char *logarithmic = draw_cloud(false, false);

    (void) state;
    const double ends[] = {circle_of(linear, "small").x, circle_of(linear, "large").x};
    const double others[] = {circle_of(logarithmic, "small").x,
                             circle_of(logarithmic, "large").x};

    /* From 0 on, or from 10 on. */
    assert_true(fabs(ends[0] / ends[1] - 0.1) < 0.001);
    assert_true(others[0] / others[1] < 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_stand_in_their_places),
        cmocka_unit_test(the_chosen_one_has_a_ring),
        cmocka_unit_test(none_need_be_chosen),
        cmocka_unit_test(stairs_follow_the_goals),
        cmocka_unit_test(what_is_more_than_a_point_has_its_name),
        cmocka_unit_test(names_do_not_cover_each_other),
        cmocka_unit_test(axes_are_those_of_the_panel),
        cmocka_unit_test(a_cloud_has_a_front_without_stairs_and_names),
        cmocka_unit_test(an_axis_is_linear_where_one_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
