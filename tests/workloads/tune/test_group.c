/* A group of windows is searched, compared with others, and one of it chosen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "workloads/tune/search.h"
#include "workloads/tune_place.h"

static const WlTuneGoal goals[2] = {
    {.name = (char *) "speed", .formula = (char *) "s", .is_maximum = true},
    {.name = (char *) "cost", .formula = (char *) "c"},
};

/* Speed is the size up to 8, cost the size; 16 and more do not fit, and z is 4. */
static bool run(gpointer data, guint group, GArray *points, guint first, GError **error)
{
    (void) group;
    (void) error;
    for (guint i = first; i < points->len; i++) {
        WlTunePoint *point = &g_array_index(points, WlTunePoint, i);
        const guint size = point->window.sizes[0];

        (*(guint *) data)++;
        if (size > 8) {
            point->status = WL_TUNE_REFUSED;
            point->why = g_strdup_printf("%u is too large", size);
        } else {
            point->whole.sizes[2] = 4;
            point->values[0] = size;
            point->values[1] = size;
        }
    }
    return true;
}

static bool
stop(gpointer data, guint group, GArray *points, guint first, GError **error)
{
    (void) data;
    (void) group;
    (void) points;
    (void) first;
    g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "stopped");
    return false;
}

static WlTuneSpace *space_of(guint least)
{
    const WlTuneAxis axis = {.domain = 32, .least = least, .most = 32};

    return wl_tune_space_new(&axis, 1, WL_TUNE_POWERS, NULL);
}

static void windows_are_searched_compared_and_chosen(void **state G_GNUC_UNUSED)
{
    static const WlTuneGuest marked = {.window = {{3}}, .is_marked = true, .group = 1};
    static const WlTuneGuest hand = {.window = {{8}}, .group = -1};
    static const WlTuneGuest other = {.window = {{5}}, .group = 0};
    g_autoptr(WlTuneSpace) space = space_of(1);
    g_autoptr(GArray) guests = g_array_new(FALSE, FALSE, sizeof(WlTuneGuest));
    guint runs = 0;
    const WlTuneTask task = {.space = space,
                             .goals = goals,
                             .guests = guests,
                             .limit = 100,
                             .within_percent = 50,
                             .run = run,
                             .data = &runs};
    WlTuneGroup group;

    g_array_append_val(guests, marked);
    g_array_append_val(guests, hand);
    g_array_append_val(guests, other);
    wl_tune_group_init(&group);
    assert_true(wl_tune_group_do(&group, 1, &task, NULL));
    assert_int_equal(runs, 7); /* 1, 2, 4, 8, 16, 32, and 3; 8 has run */
    assert_int_equal(wl_tune_group_count(&group, WL_TUNE_RAN), 4);
    assert_int_equal(wl_tune_group_count(&group, WL_TUNE_REFUSED), 2);
    assert_int_equal(group.front->len, 4);
    assert_string_equal(wl_tune_group_chosen(&group)->name, "4x4");
    assert_string_equal(wl_tune_group_point(&group, 5)->name, "32x4");
    assert_true(wl_tune_group_point(&group, 3)->is_hand);
    assert_true(wl_tune_group_point(&group, 6)->is_marked);
    assert_false(wl_tune_place(&group, goals, 6).is_on_front);
    g_autoptr(GArray) reasons = wl_tune_reasons(&group);

    assert_int_equal(reasons->len, 1);
    assert_int_equal(g_array_index(reasons, WlTuneReason, 0).count, 2);
    wl_tune_group_clear(&group);
}

/* The front of the group's first points, as the search takes it. */
static GArray *front_of(const WlTuneGroup *group, guint count)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(WlTunePoint));
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint64_t));

    g_array_append_vals(points, group->points->data, count);
    g_autoptr(GArray) front = wl_tune_front_new(points, goals);

    for (guint i = 0; i < front->len; i++) {
        const guint index = g_array_index(front, guint, i);

        g_array_append_val(numbers, wl_tune_group_point(group, index)->number);
    }
    return numbers;
}

static void a_search_goes_on_from_the_whole_front(void **state G_GNUC_UNUSED)
{
    const WlTuneAxis axes[] = {{.domain = 64, .least = 1, .most = 64},
                               {.domain = 1024, .least = 1, .most = 1024}};
    g_autoptr(WlTuneSpace) space = wl_tune_space_new(axes, 2, WL_TUNE_POWERS, NULL);
    g_autoptr(GArray) guests = g_array_new(FALSE, FALSE, sizeof(WlTuneGuest));
    guint runs = 0;
    guint count = 0;
    const WlTuneTask task = {.space = space,
                             .goals = goals,
                             .guests = guests,
                             .limit = 60,
                             .seed = 3,
                             .run = run,
                             .data = &runs};
    WlTuneGroup group;

    wl_tune_group_init(&group);
    assert_true(wl_tune_group_do(&group, 0, &task, NULL));
    assert_true(group.front->len > 1);
    g_autoptr(WlTuneSearch) search = wl_tune_search_new(space, task.limit, task.seed);

    while (count < group.points->len) {
        g_autoptr(GArray) front = front_of(&group, count);
        g_autoptr(GArray) numbers = wl_tune_search_next(search, front);

        assert_in_range(numbers->len, 1, group.points->len - count);
        for (guint i = 0; i < numbers->len; i++) {
            assert_int_equal(wl_tune_group_point(&group, count++)->number,
                             g_array_index(numbers, uint64_t, i));
        }
    }
    wl_tune_group_clear(&group);
}

static void a_group_fails_with_its_runs(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlTuneSpace) space = space_of(16);
    g_autoptr(GArray) guests = g_array_new(FALSE, FALSE, sizeof(WlTuneGuest));
    g_autoptr(GError) none = NULL;
    g_autoptr(GError) stopped = NULL;
    guint runs = 0;
    WlTuneTask task = {.space = space,
                       .goals = goals,
                       .guests = guests,
                       .limit = 100,
                       .run = run,
                       .data = &runs};
    WlTuneGroup group;

    wl_tune_group_init(&group);
    assert_false(wl_tune_group_do(&group, 0, &task, &none));
    assert_string_equal(none->message,
                        "no window runs; the first, because: 16 is too large");
    wl_tune_group_clear(&group);
    task.run = stop;
    wl_tune_group_init(&group);
    assert_false(wl_tune_group_do(&group, 0, &task, &stopped));
    assert_string_equal(stopped->message, "stopped");
    wl_tune_group_clear(&group);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_searched_compared_and_chosen),
        cmocka_unit_test(a_search_goes_on_from_the_whole_front),
        cmocka_unit_test(a_group_fails_with_its_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
