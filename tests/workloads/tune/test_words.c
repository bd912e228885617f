/* Axes and windows as users give them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "workloads/tune_words.h"

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

        assert_true(wl_tune_window_parse(&window, space, rows[i].text));
        assert_true(wl_tune_window_equal(&window, &expected));
        text = wl_tune_window_text(&window);
        assert_string_equal(text, rows[i].text);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        WlTuneWindow window;

        assert_false(wl_tune_window_parse(&window, space, wrong[i]));
    }
    g_autofree char *allowed = wl_tune_window_allowed(space);

    assert_string_equal(allowed, "a size for each axis, as 64x2 or 64x2x64");
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

        assert_true(wl_tune_axes_parse(rows[i].text, &mask));
        assert_int_equal(mask, rows[i].mask);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        guint mask = 0;

        assert_false(wl_tune_axes_parse(wrong[i], &mask));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_read),
        cmocka_unit_test(axes_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
