/* Windows to try: sizes along axes, their numbers, and windows as texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "workloads/tune/search.h"

static WlTuneSpace *space_of(guint x, guint y, WlTuneSizes sizes)
{
    const WlTuneAxis axes[] = {{.axis = 0, .domain = x, .least = 1, .most = 1000},
                               {.axis = 2, .domain = y, .least = 1, .most = 1000}};
    WlTuneSpace *space = wl_tune_space_new(axes, 2, sizes, NULL);

    assert_non_null(space);
    return space;
}

/* "1x1 1x2 ..." of all windows. */
static char *all_windows(const WlTuneSpace *space)
{
    GString *text = g_string_new(NULL);

    for (uint64_t i = 0; i < wl_tune_space_count(space); i++) {
        const WlTuneWindow window = wl_tune_space_window(space, i);
        g_autofree char *name = wl_tune_window_text(&window);

        g_string_append_printf(text, "%s%s", i > 0 ? " " : "", name);
    }
    return g_string_free(text, FALSE);
}

static void sizes_are_powers_divisors_or_all(void **state)
{
    static const struct {
        guint x;
        guint z;
        WlTuneSizes sizes;
        const char *windows;
    } rows[] = {
        {8, 1, WL_TUNE_POWERS, "1x1 2x1 4x1 8x1"},
        {6, 2, WL_TUNE_POWERS, "1x1 1x2 2x1 2x2 4x1 4x2 6x1 6x2"},
        {6, 1, WL_TUNE_DIVISORS, "1x1 2x1 3x1 6x1"},
        {5, 1, WL_TUNE_ALL, "1x1 2x1 3x1 4x1 5x1"},
        {1, 1, WL_TUNE_POWERS, "1x1"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(WlTuneSpace) space = space_of(rows[i].x, rows[i].z, rows[i].sizes);
        g_autofree char *windows = all_windows(space);

        assert_string_equal(windows, rows[i].windows);
    }
}

static void sizes_stay_in_what_the_word_allows(void **state)
{
    const WlTuneAxis axis = {.axis = 1, .domain = 64, .least = 4, .most = 16};
    const WlTuneAxis narrow = {.axis = 1, .domain = 64, .least = 65, .most = 100};
    g_autoptr(WlTuneSpace) space = wl_tune_space_new(&axis, 1, WL_TUNE_POWERS, NULL);
    g_autofree char *windows = all_windows(space);
    g_autoptr(GError) error = NULL;

    (void) state;
    assert_string_equal(windows, "4 8 16");
    assert_null(wl_tune_space_new(&narrow, 1, WL_TUNE_POWERS, &error));
    assert_string_equal(error->message, "--window: no size along y; the grid has 64, "
                                        "and window_y takes 65..100");
}

static void too_many_windows_are_refused(void **state)
{
    const WlTuneAxis axes[] = {
        {.axis = 0, .domain = 100000, .least = 1, .most = G_MAXINT32},
        {.axis = 1, .domain = 100000, .least = 1, .most = G_MAXINT32},
        {.axis = 2, .domain = 2000000, .least = 1, .most = G_MAXINT32}};
    g_autoptr(GError) many = NULL;
    g_autoptr(GError) large = NULL;

    (void) state;
    assert_null(wl_tune_space_new(axes, 2, WL_TUNE_ALL, &many));
    assert_string_equal(many->message, "--window: more than 2^32 windows; take --sizes "
                                       "powers or divisors");
    assert_null(wl_tune_space_new(axes, 3, WL_TUNE_POWERS, &large));
    assert_string_equal(large->message,
                        "nz = 2000000: windows are tuned on grids of up to 1000000");
}

static void a_move_changes_one_size(void **state)
{
    g_autoptr(WlTuneSpace) space = space_of(8, 4, WL_TUNE_POWERS);

    (void) state;
    for (uint64_t i = 0; i < wl_tune_space_count(space); i++) {
        for (guint axis = 0; axis < 2; axis++) {
            for (guint place = 0; place < wl_tune_space_size_count(space, axis);
                 place++) {
                const uint64_t moved = wl_tune_space_move(space, i, axis, place);

                assert_int_equal(wl_tune_space_place(space, moved, axis), place);
                assert_int_equal(wl_tune_space_place(space, moved, 1 - axis),
                                 wl_tune_space_place(space, i, 1 - axis));
            }
        }
    }
}

static void usual_windows_are_those_that_fit(void **state)
{
    g_autoptr(WlTuneSpace) space = space_of(20, 64, WL_TUNE_POWERS);
    g_autoptr(GArray) guests = g_array_new(FALSE, FALSE, sizeof(WlTuneGuest));
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);

    (void) state;
    wl_tune_usual_guests(space, guests);
    assert_int_equal(guests->len, 2); /* 8 and 16; 32 is too long along x */
    wl_tune_window_add_words(&g_array_index(guests, WlTuneGuest, 1).window, words);
    assert_int_equal(words->len, 2);
    assert_string_equal(g_ptr_array_index(words, 0), "window_x=16");
    assert_string_equal(g_ptr_array_index(words, 1), "window_z=16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_powers_divisors_or_all),
        cmocka_unit_test(sizes_stay_in_what_the_word_allows),
        cmocka_unit_test(too_many_windows_are_refused),
        cmocka_unit_test(a_move_changes_one_size),
        cmocka_unit_test(usual_windows_are_those_that_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
