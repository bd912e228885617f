/* A tuning whose runs are processes: this test is the program that they run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "workloads/tune_study.h"

static char speed[] = "speed";
static char cost[] = "cost";
static char fame[] = "fame";
static const WlTuneGoal goals[2] = {
    {.name = speed, .formula = speed, .is_maximum = true},
    {.name = cost, .formula = cost}};

/* Windows of 8 are refused; with data the cost of 2 is another in the second group. */
static int be_a_run(char **words)
{
    const int size = atoi(words[2]);

    if (size == 8) {
        (void) fprintf(stderr, "gridloom: too large\n");
        return WL_EXIT_INPUT;
    }
    printf("{\"speed\": %d, \"cost\": %d, \"check\": {\"status\": \"pass\"}}\n", size,
           g_str_equal(words[3], "data") && g_str_equal(words[1], "1") ? 99 : size);
    return 0;
}

static char *name_of(gpointer data, guint group)
{
    (void) data;
    return g_strdup_printf("n=%u", group);
}

static char **
words_of(gpointer data, guint group, const WlTuneWindow *window, bool is_functional)
{
    GPtrArray *words = g_ptr_array_new();

    (void) data;
    wl_words_option(words, NULL, "run");
    g_ptr_array_add(words, g_strdup_printf("%u", group));
    g_ptr_array_add(words, g_strdup_printf("%u", window->sizes[0]));
    wl_words_option(words, NULL, is_functional ? "data" : "none");
    return wl_words_end(words);
}

static bool
number_of(JsonObject *result, const char *formula, double *value, GError **error)
{
    if (!json_object_has_member(result, formula)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "no %s", formula);
        return false;
    }
    *value = json_object_get_double_member(result, formula);
    return true;
}

static void tell(gpointer data, guint done, guint count, guint failed)
{
    guint *told = data;

    assert_true(done <= count && failed <= done);
    told[0] = done;
    told[1] = failed;
}

static bool go_on(gpointer data)
{
    (void) data;
    return false;
}

static WlTuneSpace *space_new(void)
{
    static const WlTuneAxis axis = {.domain = 8, .least = 1, .most = 8};

    return wl_tune_space_new(&axis, 1, WL_TUNE_POWERS, NULL);
}

static WlTuneOrder order_of(const WlTuneSpace *space, const GArray *guests, guint *told)
{
    return (WlTuneOrder){.task = {.space = space,
                                  .goals = goals,
                                  .guests = guests,
                                  .limit = 10,
                                  .within_percent = 60},
                         .group_count = 2,
                         .jobs = 2,
                         .name = name_of,
                         .words = words_of,
                         .number = number_of,
                         .tell = tell,
                         .is_stopping = go_on,
                         .data = told};
}

static void chosen_windows_run_again_with_data(void **state)
{
    guint told[2] = {0};
    g_autoptr(WlTuneSpace) space = space_new();
    g_autoptr(GArray) guests = g_array_new(FALSE, FALSE, sizeof(WlTuneGuest));
    const WlTuneOrder order = order_of(space, guests, told);
    WlTuneStudy study = {0};

    (void) state;
    assert_true(wl_tune_study_do(&study, &order, NULL));
    assert_int_equal(told[0], 10);
    assert_int_equal(told[1], 2);
    for (guint i = 0; i < 2; i++) {
        const WlTuned *group = wl_tune_study_group(&study, i);

        assert_string_equal(wl_tune_group_chosen(&group->windows)->name, "2");
        assert_int_equal(wl_tune_group_count(&group->windows, WL_TUNE_REFUSED), 1);
        assert_string_equal(wl_process_check(&group->run), "pass");
        assert_int_equal(group->is_same, i == 0);
    }
    assert_int_equal(wl_tune_study_code(&study), 0);
    wl_tune_study_clear(&study);
}

static void a_goal_that_no_result_has_stops_it(void **state)
{
    static const WlTuneGoal others[2] = {{.name = fame, .formula = fame},
                                         {.name = cost, .formula = cost}};
    guint told[2] = {0};
    g_autoptr(WlTuneSpace) space = space_new();
    g_autoptr(GArray) guests = g_array_new(FALSE, FALSE, sizeof(WlTuneGuest));
    g_autoptr(GError) error = NULL;
    WlTuneOrder order = order_of(space, guests, told);
    WlTuneStudy study = {0};

    (void) state;
    order.task.goals = others;
    assert_false(wl_tune_study_do(&study, &order, &error));
    assert_string_equal(error->message, "fame: no fame");
    wl_tune_study_clear(&study);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_windows_run_again_with_data),
        cmocka_unit_test(a_goal_that_no_result_has_stops_it),
    };

    if (argc > 1 && strcmp(argv[1], "run") == 0) {
        return be_a_run(argv + 1);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
