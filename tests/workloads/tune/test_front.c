/* The front of windows, the choice on it, and how far others are from it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "workloads/tune/search.h"

static const double tolerance = 1e-9;

static WlTuneGoal goals[2] = {
    {.name = (char *) "performance", .formula = (char *) "p", .is_maximum = true},
    {.name = (char *) "resources", .formula = (char *) "r"},
};

typedef struct {
    double performance;
    double resources;
} Pair;

static GArray *points_of(const Pair *pairs, gsize count)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(WlTunePoint));

    for (gsize i = 0; i < count; i++) {
        const WlTunePoint point = {
            .is_candidate = true, .values = {pairs[i].performance, pairs[i].resources}};

        g_array_append_val(points, point);
    }
    return points;
}

/* On the front are 3 (10), 1 (9.9), 0 (8) and 4 (1). */
static const Pair pairs[] = {{8, 20}, {9.9, 30}, {7, 25}, {10, 60}, {1, 5}, {9.9, 45}};

static void the_front_is_what_nothing_beats(void **state)
{
    static const guint expected[] = {3, 1, 0, 4};
    g_autoptr(GArray) points = points_of(pairs, G_N_ELEMENTS(pairs));
    g_autoptr(GArray) front = wl_tune_front_new(points, goals);

    (void) state;
    assert_int_equal(front->len, G_N_ELEMENTS(expected));
    assert_memory_equal(front->data, expected, sizeof expected);
}

static void only_candidates_that_ran_are_on_it(void **state)
{
    static const guint expected[] = {0, 4};
    g_autoptr(GArray) points = points_of(pairs, G_N_ELEMENTS(pairs));
    g_autoptr(GArray) front = NULL;

    (void) state;
    g_array_index(points, WlTunePoint, 3).is_candidate = false;
    g_array_index(points, WlTunePoint, 1).status = WL_TUNE_REFUSED;
    g_array_index(points, WlTunePoint, 5).status = WL_TUNE_FAILED;
    front = wl_tune_front_new(points, goals);
    assert_int_equal(front->len, 2);
    assert_memory_equal(front->data, expected, sizeof expected);
}

static void the_choice_is_cheap_and_near_the_best(void **state)
{
    static const struct {
        double within;
        int chosen;
    } rows[] = {{0, 3}, {0.99, 3}, {1, 1}, {2, 1}, {19.9, 1}, {20, 0}, {90, 4}};
    g_autoptr(GArray) points = points_of(pairs, G_N_ELEMENTS(pairs));
    g_autoptr(GArray) front = wl_tune_front_new(points, goals);
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(guint));

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_int_equal(wl_tune_front_choose(points, front, goals, rows[i].within),
                         rows[i].chosen);
    }
    assert_int_equal(wl_tune_front_choose(points, none, goals, 2), -1);
}

/* The first goal may be one of which less is better. */
static void the_choice_knows_which_way_is_better(void **state)
{
    static WlTuneGoal times[2] = {
        {.name = (char *) "seconds", .formula = (char *) "s"},
        {.name = (char *) "energy", .formula = (char *) "e", .is_maximum = true},
    };
    static const Pair runs[] = {{100, 5}, {101, 7}, {103, 9}, {102, 6}};
    g_autoptr(GArray) points = points_of(runs, G_N_ELEMENTS(runs));
    g_autoptr(GArray) front = wl_tune_front_new(points, times);

    (void) state;
    assert_int_equal(front->len, 3);
    assert_int_equal(wl_tune_front_choose(points, front, times, 0.5), 0);
    assert_int_equal(wl_tune_front_choose(points, front, times, 2), 1);
    assert_int_equal(wl_tune_front_choose(points, front, times, 3), 2);
}

static void the_distance_is_what_both_numbers_lack(void **state)
{
    static const struct {
        double performance;
        double resources;
        double percent;
        guint beaten_by;
    } rows[] = {
        {8, 20, 0, 0}, /* as one of them */
        {8, 21, 0, 1}, /* beaten, but as fast: the least better and it is not */
        {7, 25, 14.28571428571428, 1}, /* 8/7 faster, 25/20 cheaper */
        {9, 33, 10, 1},                /* 9.9/9 faster, 33/30 cheaper; 8 is slower */
        {5, 60, 98, 5},  /* of 3, 1 and 0 that which is farthest: 9.9/5 and 2 */
        {11, 100, 0, 0}, /* ahead */
        {0.5, 4, 0, 0},
    };
    g_autoptr(GArray) points = points_of(pairs, G_N_ELEMENTS(pairs));
    g_autoptr(GArray) front = wl_tune_front_new(points, goals);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const WlTunePoint point = {.values = {rows[i].performance, rows[i].resources}};

        const WlTunePlace place = wl_tune_front_place(points, front, goals, &point);

        assert_true(fabs(place.percent - rows[i].percent) < tolerance);
        assert_int_equal(place.beaten_by, rows[i].beaten_by);
    }
}

/* What one number lacks where the other stays: that of the best window of the front
 * that is as good in the other. */
static void alone_a_number_lacks_more(void **state)
{
    static const struct {
        double performance;
        double resources;
        double percents[2];
    } rows[] = {
        {8, 20, {0, 0}},
        {8, 21, {0, 5}},
        {5, 60, {100, 200}}, /* 10/5 at 60, 60/20 at 8 */
        {9, 33, {10, 10}},
    };
    g_autoptr(GArray) points = points_of(pairs, G_N_ELEMENTS(pairs));
    g_autoptr(GArray) front = wl_tune_front_new(points, goals);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const WlTunePoint point = {.values = {rows[i].performance, rows[i].resources}};

        for (guint k = 0; k < 2; k++) {
            assert_true(
                fabs(
                    wl_tune_front_place(points, front, goals, &point).percent_alone[k] -
                    rows[i].percents[k]) < tolerance);
        }
    }
}

static void what_did_not_run_has_no_distance(void **state)
{
    g_autoptr(GArray) points = points_of(pairs, G_N_ELEMENTS(pairs));
    g_autoptr(GArray) front = wl_tune_front_new(points, goals);
    const WlTunePoint refused = {.status = WL_TUNE_REFUSED, .values = {NAN, NAN}};
    const WlTunePoint nothing = {.values = {0, 100}}; /* no percent of 0 */

    (void) state;
    assert_true(isnan(wl_tune_front_place(points, front, goals, &refused).percent));
    assert_true(isnan(wl_tune_front_place(points, front, goals, &nothing).percent));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_front_is_what_nothing_beats),
        cmocka_unit_test(only_candidates_that_ran_are_on_it),
        cmocka_unit_test(the_choice_is_cheap_and_near_the_best),
        cmocka_unit_test(the_choice_knows_which_way_is_better),
        cmocka_unit_test(the_distance_is_what_both_numbers_lack),
        cmocka_unit_test(alone_a_number_lacks_more),
        cmocka_unit_test(what_did_not_run_has_no_distance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
