/* Samples of ranges: every part once, by seed and name alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/uncertainty/plan.h"

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

static guint find_key(const UncertaintyPlan *plan, const char *path)
{
    guint i = 0;

    while (i < uncertainty_plan_key_count(plan) &&
           !g_str_equal(uncertainty_plan_key(plan, i)->path, path)) {
        i++;
    }
    return i;
}

static void every_part_of_a_range_has_one_sample(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = params_new();
    g_autoptr(UncertaintyPlan) plan = uncertainty_plan_new(params, SAMPLES, 1);
    const guint key = find_key(plan, "host.launch_us");
    const double *levels = uncertainty_plan_levels(plan, key);
    bool is_there[SAMPLES] = {false};

    for (guint i = 0; i < SAMPLES; i++) {
        const guint part = (guint) ((levels[i] - 25) / (38 - 25) * SAMPLES);

        assert_true(part < SAMPLES);
        assert_false(is_there[part]);
        is_there[part] = true;
        assert_true(g_ascii_strtod(uncertainty_plan_sample(plan, i, key), NULL) ==
                    levels[i]);
    }
}

static void two_keys_are_not_sorted_alike(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = params_new();
    g_autoptr(UncertaintyPlan) plan = uncertainty_plan_new(params, SAMPLES, 1);
    const double *launch =
        uncertainty_plan_levels(plan, find_key(plan, "host.launch_us"));
    const double *read = uncertainty_plan_levels(plan, find_key(plan, "host.read_us"));
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
    g_autoptr(UncertaintyPlan) plan = uncertainty_plan_new(params, SAMPLES, 1);
    g_autoptr(UncertaintyPlan) seeded = uncertainty_plan_new(params, SAMPLES, 2);
    const guint key = find_key(plan, "host.launch_us");
    guint same = 0;

    assert_true(arch_params_override(other, "noc.dateline=wrap", NULL));
    g_autoptr(UncertaintyPlan) without = uncertainty_plan_new(other, SAMPLES, 1);

    assert_int_equal(uncertainty_plan_key_count(without),
                     uncertainty_plan_key_count(plan) - 1);
    for (guint i = 0; i < SAMPLES; i++) {
        const char *value = uncertainty_plan_sample(plan, i, key);

        assert_string_equal(
            value,
            uncertainty_plan_sample(without, i, find_key(without, "host.launch_us")));
        same += g_str_equal(value, uncertainty_plan_sample(seeded, i, key)) ? 1 : 0;
    }
    assert_true(same < SAMPLES / 4);
}

static void every_sample_can_be_set(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = params_new();
    g_autoptr(UncertaintyPlan) plan = uncertainty_plan_new(params, SAMPLES, 7);

    for (guint i = 0; i < SAMPLES; i++) {
        g_auto(GStrv) words = uncertainty_plan_assignments(plan, i);
        g_autoptr(ArchParams) sample = params_new();

        assert_int_equal(g_strv_length(words), uncertainty_plan_key_count(plan));
        for (char **word = words; *word != NULL; word++) {
            assert_true(arch_params_override(sample, *word, NULL));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_of_a_range_has_one_sample),
        cmocka_unit_test(two_keys_are_not_sorted_alike),
        cmocka_unit_test(samples_depend_on_seed_and_name_alone),
        cmocka_unit_test(every_sample_can_be_set),
    };

    return cmocka_run_group_tests_name("tools.uncertainty_plan", tests, NULL, NULL);
}
