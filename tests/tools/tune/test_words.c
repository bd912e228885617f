/* Windows, axes and goals as users give them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/tune/options.h"

static void windows_are_read(void **state)
{
    static const struct {
        const char *text;
        guint sizes[WL_TUNE_AXES];
    } rows[] = {{"64x2", {64, 0, 2}}, {"64x2x8", {64, 2, 8}}, {"1x1", {1, 0, 1}}};
    static const char *const wrong[] = {"",      "64",      "64x",  "x2",  "0x2",
                                        "64x-2", "1x2x3x4", "64,2", "axb", "64x2x"};
    static const WlTuneAxis axes[] = {
        {.axis = 0, .domain = 64, .least = 1, .most = G_MAXINT32},
        {.axis = 2, .domain = 64, .least = 1, .most = G_MAXINT32}};
    g_autoptr(WlTuneSpace) space = wl_tune_space_new(axes, 2, WL_TUNE_POWERS, NULL);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        WlTuneWindow window;
        const WlTuneWindow expected = {
            {rows[i].sizes[0], rows[i].sizes[1], rows[i].sizes[2]}};
        g_autofree char *text = NULL;

        assert_true(tune_window_parse(&window, space, "--hand", rows[i].text, NULL));
        assert_true(wl_tune_window_equal(&window, &expected));
        text = wl_tune_window_text(&window);
        assert_string_equal(text, rows[i].text);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        WlTuneWindow window;
        g_autoptr(GError) error = NULL;

        assert_false(tune_window_parse(&window, space, "--hand", wrong[i], &error));
        assert_non_null(strstr(error->message,
                               "allowed is a size for each axis, as 64x2 or 64x2x64"));
    }
}

static void axes_are_read(void **state)
{
    static const struct {
        const char *text;
        guint mask;
    } rows[] = {{"x,y", 3}, {"x,y,z", 7}, {"z,x", 5}, {"y", 2}};
    static const char *const wrong[] = {"", "x,", "x,x", "xy", "w", "x,y,z,z", "X"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint mask = 0;

        assert_true(tune_axes_parse(rows[i].text, &mask, NULL));
        assert_int_equal(mask, rows[i].mask);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        guint mask = 0;
        g_autoptr(GError) error = NULL;

        assert_false(tune_axes_parse(wrong[i], &mask, &error));
        assert_non_null(strstr(error->message, "--window = "));
    }
}

static void goals_are_names_or_formulas(void **state)
{
    static const struct {
        const char *text;
        const char *formulas[2];
        bool is_maximum[2];
    } rows[] = {
        {"performance,resources",
         {"metrics.gflops", "metrics.resource_percent"},
         {true, false}},
        {"energy,uram",
         {"metrics.gflops_per_watt", "metrics.resources.URAM"},
         {true, false}},
        {"seconds,max:metrics.a/metrics.b",
         {"seconds", "metrics.a/metrics.b"},
         {false, true}},
        {"min:seconds*2,dsp", {"seconds*2", "metrics.resources.DSP"}, {false, false}},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        WlTuneGoal read[2] = {{0}};

        assert_true(tune_goals_parse(read, rows[i].text, NULL));
        for (guint k = 0; k < 2; k++) {
            assert_string_equal(read[k].formula, rows[i].formulas[k]);
            assert_int_equal(read[k].is_maximum, rows[i].is_maximum[k]);
        }
        tune_goals_clear(read);
    }
}

static void what_is_no_goal_is_refused(void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } rows[] = {
        {"performance", "--objective = performance, allowed is two of performance, "},
        {"performance,speed", "--objective = speed, allowed is two of performance, "},
        {"performance,resources,dsp", "--objective = performance,resources,dsp, "},
        {"performance,min:", "--objective min:: "},
        {"performance,max:a+", "--objective max:a+: "},
        {"seconds,min:seconds",
         "--objective = seconds,min:seconds, allowed is two different numbers"},
        {"", "--objective = (nothing), allowed is two of performance, "},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        WlTuneGoal read[2] = {{0}};
        g_autoptr(GError) error = NULL;

        assert_false(tune_goals_parse(read, rows[i].text, &error));
        assert_true(g_str_has_prefix(error->message, rows[i].says));
        tune_goals_clear(read);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_read),
        cmocka_unit_test(axes_are_read),
        cmocka_unit_test(goals_are_names_or_formulas),
        cmocka_unit_test(what_is_no_goal_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
