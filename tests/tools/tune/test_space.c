/* Windows to try: sizes along axes, their numbers, and windows as texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/tune/space.h"

static TuneSpace *space_of(guint x, guint y, TuneSizes sizes)
{
    const TuneAxis axes[] = {{.axis = 0, .domain = x, .least = 1, .most = 1000},
                             {.axis = 2, .domain = y, .least = 1, .most = 1000}};
    TuneSpace *space = tune_space_new(axes, 2, sizes, NULL);

    assert_non_null(space);
    return space;
}

/* "1x1 1x2 ..." of all windows. */
static char *all_windows(const TuneSpace *space)
{
    GString *text = g_string_new(NULL);

    for (uint64_t i = 0; i < tune_space_count(space); i++) {
        const TuneWindow window = tune_space_window(space, i);
        g_autofree char *name = tune_window_text(&window);

        g_string_append_printf(text, "%s%s", i > 0 ? " " : "", name);
    }
    return g_string_free(text, FALSE);
}

static void sizes_are_powers_divisors_or_all(void **state)
{
    static const struct {
        guint x;
        guint z;
        TuneSizes sizes;
        const char *windows;
    } rows[] = {
        {8, 1, TUNE_SIZES_POWERS, "1x1 2x1 4x1 8x1"},
        {6, 2, TUNE_SIZES_POWERS, "1x1 1x2 2x1 2x2 4x1 4x2 6x1 6x2"},
        {6, 1, TUNE_SIZES_DIVISORS, "1x1 2x1 3x1 6x1"},
        {5, 1, TUNE_SIZES_ALL, "1x1 2x1 3x1 4x1 5x1"},
        {1, 1, TUNE_SIZES_POWERS, "1x1"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(TuneSpace) space = space_of(rows[i].x, rows[i].z, rows[i].sizes);
        g_autofree char *windows = all_windows(space);

        assert_string_equal(windows, rows[i].windows);
    }
}

static void sizes_stay_in_what_the_word_allows(void **state)
{
    const TuneAxis axis = {.axis = 1, .domain = 64, .least = 4, .most = 16};
    const TuneAxis narrow = {.axis = 1, .domain = 64, .least = 65, .most = 100};
    g_autoptr(TuneSpace) space = tune_space_new(&axis, 1, TUNE_SIZES_POWERS, NULL);
    g_autofree char *windows = all_windows(space);
    g_autoptr(GError) error = NULL;

    (void) state;
    assert_string_equal(windows, "4 8 16");
    assert_null(tune_space_new(&narrow, 1, TUNE_SIZES_POWERS, &error));
    assert_string_equal(error->message, "--window: no size along y; the grid has 64, "
                                        "and window_y takes 65..100");
}

static void too_many_windows_are_refused(void **state)
{
    const TuneAxis axes[] = {
        {.axis = 0, .domain = 100000, .least = 1, .most = G_MAXINT32},
        {.axis = 1, .domain = 100000, .least = 1, .most = G_MAXINT32},
        {.axis = 2, .domain = 2000000, .least = 1, .most = G_MAXINT32}};
    g_autoptr(GError) many = NULL;
    g_autoptr(GError) large = NULL;

    (void) state;
    assert_null(tune_space_new(axes, 2, TUNE_SIZES_ALL, &many));
    assert_string_equal(many->message, "--window: more than 2^32 windows; take --sizes "
                                       "powers or divisors");
    assert_null(tune_space_new(axes, 3, TUNE_SIZES_POWERS, &large));
    assert_string_equal(large->message,
                        "nz = 2000000: windows are tuned on grids of up to 1000000");
}

static void a_move_changes_one_size(void **state)
{
    g_autoptr(TuneSpace) space = space_of(8, 4, TUNE_SIZES_POWERS);

    (void) state;
    for (uint64_t i = 0; i < tune_space_count(space); i++) {
        for (guint axis = 0; axis < 2; axis++) {
            for (guint place = 0; place < tune_space_size_count(space, axis); place++) {
                const uint64_t moved = tune_space_move(space, i, axis, place);

                assert_int_equal(tune_space_place(space, moved, axis), place);
                assert_int_equal(tune_space_place(space, moved, 1 - axis),
                                 tune_space_place(space, i, 1 - axis));
            }
        }
    }
}

static void windows_are_read(void **state)
{
    static const struct {
        const char *text;
        guint sizes[TUNE_AXES];
    } rows[] = {{"64x2", {64, 0, 2}}, {"64x2x8", {64, 2, 8}}, {"1x1", {1, 0, 1}}};
    static const char *const wrong[] = {"",      "64",      "64x",  "x2",  "0x2",
                                        "64x-2", "1x2x3x4", "64,2", "axb", "64x2x"};
    g_autoptr(TuneSpace) space = space_of(64, 64, TUNE_SIZES_POWERS);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        TuneWindow window;
        const TuneWindow expected = {
            {rows[i].sizes[0], rows[i].sizes[1], rows[i].sizes[2]}};
        g_autofree char *text = NULL;

        assert_true(tune_window_parse(&window, space, "--hand", rows[i].text, NULL));
        assert_true(tune_window_equal(&window, &expected));
        text = tune_window_text(&window);
        assert_string_equal(text, rows[i].text);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        TuneWindow window;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_powers_divisors_or_all),
        cmocka_unit_test(sizes_stay_in_what_the_word_allows),
        cmocka_unit_test(too_many_windows_are_refused),
        cmocka_unit_test(a_move_changes_one_size),
        cmocka_unit_test(windows_are_read),
        cmocka_unit_test(axes_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
