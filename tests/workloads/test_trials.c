/* Samples of ranges: every part once, by seed and name alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "workloads/trials.h"

#define CHIP GRIDLOOM_SOURCE_DIR "/arch/chips/wormhole_n300.ini"

enum {
    SAMPLES = 40,
};

static ArchParams *params_new(void)
{
    ArchParams *params = arch_params_load(CHIP, NULL);

    assert_non_null(params);
    return params;
}

static guint find_key(const WlTrials *plan, const char *path)
{
    guint i = 0;

    while (i < wl_trials_key_count(plan) &&
           !g_str_equal(wl_trials_key(plan, i)->path, path)) {
        i++;
    }
    return i;
}

static void every_part_of_a_range_has_one_sample(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = params_new();
    g_autoptr(WlTrials) plan = wl_trials_new(params, SAMPLES, false, 1);
    const guint key = find_key(plan, "host.launch_us");
    const double *levels = wl_trials_key(plan, key)->levels;
    bool is_there[SAMPLES] = {false};

    for (guint i = 0; i < SAMPLES; i++) {
        const guint part = (guint) ((levels[i] - 25) / (38 - 25) * SAMPLES);

        assert_true(part < SAMPLES);
        assert_false(is_there[part]);
        is_there[part] = true;
        assert_true(g_ascii_strtod(wl_trials_value(plan, i, key), NULL) == levels[i]);
    }
}

static void two_keys_are_not_sorted_alike(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = params_new();
    g_autoptr(WlTrials) plan = wl_trials_new(params, SAMPLES, false, 1);
    const double *launch =
        wl_trials_key(plan, find_key(plan, "host.launch_us"))->levels;
    const double *read = wl_trials_key(plan, find_key(plan, "host.read_us"))->levels;
    guint against = 0;

    for (guint i = 1; i < SAMPLES; i++) {
        against += (launch[i] > launch[i - 1]) != (read[i] > read[i - 1]) ? 1 : 0;
    }
    assert_in_range(against, SAMPLES / 4, SAMPLES * 3 / 4);
}

/* A key's samples do not change when another one is set or fixed. */
static void samples_depend_on_seed_and_name_alone(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = params_new();
    g_autoptr(ArchParams) other = params_new();
    g_autoptr(WlTrials) plan = wl_trials_new(params, SAMPLES, false, 1);
    g_autoptr(WlTrials) seeded = wl_trials_new(params, SAMPLES, false, 2);
    const guint key = find_key(plan, "host.launch_us");
    guint same = 0;

    assert_true(arch_params_override(other, "noc.dateline=wrap", NULL));
    g_autoptr(WlTrials) without = wl_trials_new(other, SAMPLES, false, 1);

    assert_int_equal(wl_trials_key_count(without), wl_trials_key_count(plan) - 1);
    for (guint i = 0; i < SAMPLES; i++) {
        const char *value = wl_trials_value(plan, i, key);

        assert_string_equal(
            value, wl_trials_value(without, i, find_key(without, "host.launch_us")));
        same += g_str_equal(value, wl_trials_value(seeded, i, key)) ? 1 : 0;
    }
    assert_true(same < SAMPLES / 4);
}

static void every_sample_can_be_set(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = params_new();
    g_autoptr(WlTrials) plan = wl_trials_new(params, SAMPLES, false, 7);

    for (guint i = 0; i < SAMPLES; i++) {
        g_auto(GStrv) words = wl_trials_assignments(plan, i);
        g_autoptr(ArchParams) sample = params_new();

        assert_int_equal(g_strv_length(words), wl_trials_key_count(plan));
        for (char **word = words; *word != NULL; word++) {
            assert_true(arch_params_override(sample, *word, NULL));
        }
    }
}

/* Behind the samples come chips with one number at an end of its range. */
static void ends_change_one_number(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = params_new();
    g_autoptr(WlTrials) trials = wl_trials_new(params, SAMPLES, true, 1);
    const guint key = find_key(trials, "host.launch_us");
    const WlTrialKey *launch = wl_trials_key(trials, key);
    g_auto(GStrv) low = wl_trials_assignments(trials, launch->first_end);
    g_auto(GStrv) high = wl_trials_assignments(trials, launch->first_end + 1);

    assert_true(launch->first_end >= SAMPLES);
    assert_int_equal(launch->end_count, 2);
    assert_int_equal(g_strv_length(low), 1);
    assert_string_equal(low[0], "host.launch_us=25");
    assert_string_equal(high[0], "host.launch_us=38");
    assert_null(wl_trials_value(trials, launch->first_end, key + 1));
    assert_int_equal(wl_trials_sample_count(trials), SAMPLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_of_a_range_has_one_sample),
        cmocka_unit_test(two_keys_are_not_sorted_alike),
        cmocka_unit_test(samples_depend_on_seed_and_name_alone),
        cmocka_unit_test(every_sample_can_be_set),
        cmocka_unit_test(ends_change_one_number),
    };

    return cmocka_run_group_tests_name("workloads.trials", tests, NULL, NULL);
}
