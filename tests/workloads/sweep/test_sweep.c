/* Tests of sweep files: axes, combinations, filters, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/workloads/folder.h"
#include "workloads/error.h"
#include "workloads/sweep.h"

/* A file with these axes, and with more fields. */
#define SWEEP(axes, more)                                                              \
    "return { summary = 's', script = 'dot', axes = { " axes " }, " more " }"

static WlSweep *load(Folder *folder, const char *text, GError **error)
{
    WlSandboxConfig config = wl_sandbox_config_default();

    config.memory_bytes = 64 << 20;
    config.steps = 1000000;
    return wl_sweep_load(folder_write(folder, "my.lua", text, -1), &config, error);
}

static WlSweep *load_good(const char *text)
{
    g_auto(Folder) folder = folder_new();
    g_autoptr(GError) error = NULL;
    WlSweep *sweep = load(&folder, text, &error);

    if (sweep == NULL) {
        fail_msg("%s\ngives %s", text, error->message);
    }
    return sweep;
}

/* All runs, "a b|a b|": the values of all axes of each. */
static char *runs_text(const WlSweep *sweep)
{
    GString *text = g_string_new(NULL);

    for (guint run = 0; run < wl_sweep_run_count(sweep); run++) {
        for (guint i = 0; i < wl_sweep_axis_count(sweep); i++) {
            g_string_append_printf(text, "%s%s", i == 0 ? "" : " ",
                                   wl_sweep_run_text(sweep, run, i));
        }
        g_string_append_c(text, '|');
    }
    return g_string_free(text, FALSE);
}

static void assert_runs(const char *text, const char *expected)
{
    g_autoptr(WlSweep) sweep = load_good(text);
    g_autofree char *runs = runs_text(sweep);

    assert_string_equal(runs, expected);
}

/* Refused with that code and message after the folder. */
static void assert_refused(const char *text, int code, const char *message)
{
    g_auto(Folder) folder = folder_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(WlSweep) sweep = load(&folder, text, &error);
    g_autofree char *expected = g_strdup_printf("%s/my.lua:%s", folder.path, message);

    if (sweep != NULL || !g_error_matches(error, WL_ERROR, code)) {
        fail_msg("%s\ngives %s", text, error == NULL ? "a sweep" : error->message);
    }
    error->message[strcspn(error->message, "\n")] = '\0';
    if (!g_str_has_prefix(error->message, expected)) {
        fail_msg("%s\nis not\n%s", error->message, expected);
    }
}

static void the_last_axis_varies_fastest(void **state)
{
    (void) state;
    assert_runs(SWEEP("{ name = 'a', values = { 1, 2 } },"
                      "{ name = 'b', values = { 'x', true, 0.5 } }",
                      ""),
                "1 x|1 on|1 0.5|2 x|2 on|2 0.5|");
}

static void axes_go_along_with_others(void **state)
{
    (void) state;
    assert_runs(SWEEP("{ name = 'a', values = { 1, 2, 3 } }, { name = 'b', values = { "
                      "'x', 'y' } },"
                      "{ name = 'c', with = 'a', values = { 7, 7, 9 } },"
                      "{ name = 'd', with = 'c', values = { 4, 5, 6 } }",
                      ""),
                "1 x 7 4|1 y 7 4|2 x 7 5|2 y 7 5|3 x 9 6|3 y 9 6|");
    assert_runs(SWEEP("{ name = 'a', values = { 1, 2, 3, 4 } },"
                      "{ name = 'b', with = 'a', from = 10, to = 40, step = 10 }",
                      "where = function(p) return p.b ~= 10 * p.a or p.a > 2 end"),
                "3 30|4 40|");
    /* Samples, too: the same whether the other is there or not. */
    g_autoptr(WlSweep) sweep =
        load_good(SWEEP("{ name = 'a', values = { 1, 2, 3 } },"
                        "{ name = 'b', with = 'a', values = { 10, 20, 30 } }",
                        "combine = 'random', samples = 20"));

    for (guint run = 0; run < wl_sweep_run_count(sweep); run++) {
        assert_int_equal(wl_sweep_run_value(sweep, run, 0),
                         wl_sweep_run_value(sweep, run, 1));
    }
}

static void ranges_have_both_ends(void **state)
{
    (void) state;
    static const struct {
        const char *axis;
        const char *runs;
    } cases[] = {
        {"from = 5, to = 13, step = 4", "5|9|13|"},
        {"from = 5, to = 12, step = 4", "5|9|"},
        {"from = 0, to = 0.3, step = 0.1", "0|0.1|0.2|0.3|"},
        {"from = 1, to = 2, step = 0.5", "1|1.5|2|"},
        {"from = 0, to = 1.0, points = 5", "0|0.25|0.5|0.75|1|"},
        {"from = 16, to = 1024, points = 7, scale = 'log'",
         "16|32|64|128|256|512|1024|"},
        {"from = 0.001, to = 1000.0, points = 7, scale = 'log'",
         "0.001|0.01|0.1|1|10|100|1000|"},
        {"from = 1, to = 4, points = 9", "1|2|3|4|"},
        {"from = 1000000, to = 3000000, step = 1000000", "1000000|2000000|3000000|"},
        {"from = 1e6, to = 3e6, step = 1e6", "1000000|2000000|3000000|"},
        {"from = -2, to = 2, step = 2, scale = 'linear'", "-2|0|2|"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf(SWEEP("{ name = 'a', %s }", ""), cases[i].axis);

        assert_runs(text, cases[i].runs);
    }
}

static void names_say_what_they_mean(void **state)
{
    (void) state;
    g_autoptr(WlSweep) sweep =
        load_good(SWEEP("{ name = 'noc.hop_cycles', values = { 1 } },"
                        "{ name = 'seed', values = { 1 } },"
                        "{ name = 'tiles', values = { 1 } }",
                        "chip = 'c', fixed = { z = 1, ['a.b'] = 2, a = 'x' }"));

    assert_int_equal(wl_sweep_axis(sweep, 0)->kind, WL_SWEEP_KEY);
    assert_int_equal(wl_sweep_axis(sweep, 1)->kind, WL_SWEEP_OPTION);
    assert_int_equal(wl_sweep_axis(sweep, 2)->kind, WL_SWEEP_WORD);
    assert_int_equal(wl_sweep_fixed_count(sweep), 4);
    assert_string_equal(wl_sweep_fixed(sweep, 0)->name, "a");
    assert_string_equal(wl_sweep_fixed(sweep, 1)->name, "a.b");
    assert_string_equal(wl_sweep_fixed(sweep, 2)->name, "chip");
    assert_string_equal(wl_sweep_fixed(sweep, 3)->value, "1");
    assert_int_equal(wl_sweep_fixed(sweep, 1)->kind, WL_SWEEP_KEY);
    assert_int_equal(wl_sweep_fixed(sweep, 2)->kind, WL_SWEEP_OPTION);
}

static void a_filter_sees_all_values_and_keeps_numbers_in_order(void **state)
{
    (void) state;
    assert_runs(SWEEP("{ name = 'a', from = 1, to = 3, step = 1 },"
                      "{ name = 'x.y', values = { 1, 2, 3 } },"
                      "{ name = 'c', values = { 'u', true } }",
                      "fixed = { limit = 4 }, where = function(p) return p.a * "
                      "p['x.y'] == p.limit and p.c == true end"),
                "2 2 on|");
    assert_runs(SWEEP("{ name = 'a', from = 1, to = 3000, step = 1 }",
                      "where = function(p) return p.a % 1000 == 1 end"),
                "1|1001|2001|");
}

static void samples_are_the_same_for_a_seed(void **state)
{
    (void) state;
    static const char form[] = SWEEP("{ name = 'a', from = 1, to = 1000000 },"
                                     "{ name = 'b', from = 0.0, to = 1.0 }",
                                     "combine = '%s', samples = 50, seed = %d");
    static const char *const how[] = {"random", "latin"};

    for (gsize i = 0; i < G_N_ELEMENTS(how); i++) {
        g_autofree char *text = g_strdup_printf(form, how[i], 7);
        g_autofree char *other = g_strdup_printf(form, how[i], 8);
        g_autoptr(WlSweep) first = load_good(text);
        g_autoptr(WlSweep) again = load_good(text);
        g_autoptr(WlSweep) second = load_good(other);
        g_autofree char *first_runs = runs_text(first);
        g_autofree char *again_runs = runs_text(again);
        g_autofree char *second_runs = runs_text(second);

        assert_string_equal(first_runs, again_runs);
        assert_string_not_equal(first_runs, second_runs);
    }
}

/* How many runs have each value of an axis with values 1..n. */
static guint *count_values(const WlSweep *sweep, guint axis, guint value_count)
{
    guint *counts = g_new0(guint, value_count);

    for (guint run = 0; run < wl_sweep_run_count(sweep); run++) {
        const gint64 value =
            g_ascii_strtoll(wl_sweep_run_text(sweep, run, axis), NULL, 10);

        assert_in_range(value, 1, value_count);
        counts[value - 1]++;
    }
    return counts;
}

static void latin_samples_are_even_along_every_axis(void **state)
{
    (void) state;
    g_autoptr(WlSweep) sweep =
        load_good(SWEEP("{ name = 'open', from = 1, to = 30 },"
                        "{ name = 'list', values = { 1, 2, 3 } },"
                        "{ name = 'steps', from = 1, to = 10, step = 1 }",
                        "combine = 'latin', samples = 30"));
    g_autofree guint *open = count_values(sweep, 0, 30);
    g_autofree guint *list = count_values(sweep, 1, 3);
    g_autofree guint *steps = count_values(sweep, 2, 10);

    for (guint i = 0; i < 30; i++) {
        assert_int_equal(open[i], 1);
        assert_int_equal(list[i % 3], 10);
        assert_int_equal(steps[i % 10], 3);
    }
}

/* From this seed the first sample lies so far up that its share rounds to 1. */
static void the_last_sample_has_the_last_value(void **state G_GNUC_UNUSED)
{
    assert_runs(SWEEP("{ name = 'a', values = { 1, 2, 3 } }",
                      "combine = 'latin', samples = 2, seed = 19990019346211826"),
                "3|2|");
}

/* Mean and extremes of 10000 samples, within five standard errors of the mean. */
static void random_samples_fill_their_range(void **state)
{
    (void) state;
    g_autoptr(WlSweep) sweep =
        load_good(SWEEP("{ name = 'a', from = 1, to = 5 },"
                        "{ name = 'b', from = 1.0, to = 100.0, scale = 'log' },"
                        "{ name = 'c', values = { 1, 2 } }",
                        "combine = 'random', samples = 1e4"));
    g_autofree guint *whole = count_values(sweep, 0, 5);
    g_autofree guint *list = count_values(sweep, 2, 2);
    double logs = 0;

    for (guint run = 0; run < 10000; run++) {
        const double value = g_ascii_strtod(wl_sweep_run_text(sweep, run, 1), NULL);

        assert_true(value >= 1 && value <= 100);
        logs += log10(value);
    }
    assert_true(fabs(logs / 10000 - 1) < 5 * 2 / sqrt(12) / 100);
    assert_in_range(list[0], 5000 - 5 * 50, 5000 + 5 * 50);
    for (guint i = 0; i < 5; i++) {
        assert_in_range(whole[i], 2000 - 5 * 40, 2000 + 5 * 40);
    }
}

static void records_have_names_and_formulas(void **state)
{
    (void) state;
    g_autoptr(WlSweep) sweep = load_good(
        SWEEP("{ name = 'a', values = { 1 } }",
              "record = { 'seconds', 'metrics.x', z = 'a/b', b = 'cycles' },"
              "plots = { { x = 'a', by = 'b', y = 'z', log_x = true, title = 't',"
              "  levels = { { name = 'one', y = 1.5 }, { name = 'two', y = -2 } } },"
              " { x = 'a' } },"
              "pareto = { 'seconds', 'z' }, timing_only = true"));
    g_autoptr(WlSweep) bare = load_good(SWEEP("{ name = 'a', values = { 1 } }", ""));
    const char *pareto[2];

    assert_int_equal(wl_sweep_record_count(sweep), 4);
    assert_string_equal(wl_sweep_record(sweep, 1)->name, "metrics.x");
    assert_string_equal(wl_sweep_record(sweep, 1)->formula, "metrics.x");
    assert_string_equal(wl_sweep_record(sweep, 2)->name, "b");
    assert_string_equal(wl_sweep_record(sweep, 3)->formula, "a/b");
    assert_int_equal(wl_sweep_plot_count(sweep), 2);
    assert_int_equal(wl_sweep_plot(sweep, 0)->level_count, 2);
    assert_string_equal(wl_sweep_plot(sweep, 0)->levels[1].name, "two");
    assert_true(wl_sweep_plot(sweep, 0)->levels[0].y == 1.5);
    assert_int_equal(wl_sweep_plot(sweep, 1)->level_count, 0);
    assert_string_equal(wl_sweep_plot(sweep, 0)->by, "b");
    assert_true(wl_sweep_plot(sweep, 0)->is_log_x);
    assert_false(wl_sweep_plot(sweep, 0)->is_log_y);
    assert_true(wl_sweep_pareto(sweep, pareto));
    assert_string_equal(pareto[1], "z");
    assert_true(wl_sweep_is_timing_only(sweep));
    assert_int_equal(wl_sweep_record_count(bare), 2);
    assert_string_equal(wl_sweep_record(bare, 0)->name, "seconds");
    assert_false(wl_sweep_pareto(bare, pareto));
}

static const struct {
    const char *text;
    const char *says;
} refusals[] = {
    {"return 7", " the file returns no sweep, but a number; expected return {"},
    {"return { summary = 's' }", " script is missing, expected a string"},
    {"return { summary = 's', script = 'dot' }",
     " axes is not a list of 1..64 tables { name = ..., values = ... }"},
    {SWEEP("", ""), " axes is not a list of 1..64 tables"},
    {SWEEP("7", ""), " axes[1]: is not a table { name = ..., values = ... }"},
    {SWEEP("{ values = { 1 } }", ""), " axes[1]: name is missing"},
    {SWEEP("{ name = 'a' }", ""), " axes[1]: a: has no values"},
    {SWEEP("{ name = 'a', values = {} }", ""), " axes[1]: a: has no values"},
    {SWEEP("{ name = 'a', values = 7 }", ""), " axes[1]: a: values is not a plain"},
    {SWEEP("{ name = 'a', values = { {} } }", ""),
     " axes[1]: a: values[1] is a table, expected a number, a text or true or"},
    {SWEEP("{ name = 'a', values = { 0/0 } }", ""),
     " axes[1]: a: values[1] is no finite number"},
    {SWEEP("{ name = 'a', values = { 1, 2, 1 } }", ""),
     " axes[1]: a: has the value 1 twice"},
    {SWEEP("{ name = 'a', values = { 1 }, step = 1 }", ""),
     " axes[1]: a: has values and step, expected one of them"},
    {SWEEP("{ name = 'a', form = 1 }", ""), " axes[1]: unknown field 'form'; known"},
    {SWEEP("{ name = 'a', from = 1, to = 4 }", ""),
     " axes[1]: a: has no values; a range without step or points is for"},
    {SWEEP("{ name = 'a', from = 4, to = 1, step = 1 }", ""),
     " axes[1]: a: from = 4 is not below to = 1, it has no values"},
    {SWEEP("{ name = 'a', from = 1, to = 2, step = 0 }", ""),
     " axes[1]: a: step is not above 0"},
    {SWEEP("{ name = 'a', from = 1, to = 2, step = 1, points = 2 }", ""),
     " axes[1]: a: has step and points, expected one of them"},
    {SWEEP("{ name = 'a', from = 1, to = 2, points = 1 }", ""),
     " axes[1]: a: points is not one of 2..1000000"},
    {SWEEP("{ name = 'a', from = 0, to = 2, points = 2, scale = 'log' }", ""),
     " axes[1]: a: a log range is above 0"},
    {SWEEP("{ name = 'a', from = 1, to = 2, step = 1, scale = 'log' }", ""),
     " axes[1]: a: a log range has points, not step"},
    {SWEEP("{ name = 'a', from = 1, to = 2, step = 1, scale = 'lin' }", ""),
     " axes[1]: a: scale is neither \"linear\" nor \"log\""},
    {SWEEP("{ name = 'a', from = 'x', to = 2, step = 1 }", ""),
     " axes[1]: a: from is no number between -2^53 and 2^53"},
    {SWEEP("{ name = 'a', with = 'b', values = { 1 } }, { name = 'b', values = { 1 } }",
           ""),
     " axes[1]: a goes with b, which is no axis before it"},
    {SWEEP("{ name = 'a', with = 'a', values = { 1 } }", ""),
     " axes[1]: a goes with a, which is no axis before it"},
    {SWEEP("{ name = 'b', values = { 1 } }, { name = 'a', with = 'b', values = { 1, 2 "
           "} }",
           ""),
     " axes[2]: a has 2 values and goes with b, which has 1"},
    {SWEEP(
         "{ name = 'b', from = 1, to = 2 }, { name = 'a', with = 'b', values = { 1 } }",
         "combine = 'latin', samples = 2"),
     " axes[2]: a has 1 values and goes with b, which has 0"},
    {SWEEP("{ name = 'a', with = 7, values = { 1 } }", ""), " axes[1]: a: with is"},
    {SWEEP("{ name = 'a b', values = { 1 } }", ""), " axes[1]: 'a b' is no name"},
    {SWEEP("{ name = '--x', values = { 1 } }", ""), " axes[1]: '--x' is no name"},
    {SWEEP("{ name = 'a', values = { 1 } }, { name = 'a', values = { 1 } }", ""),
     " axes[2]: a is an axis twice"},
    {SWEEP("{ name = 'a', values = { 1 } }", "fixed = { a = 1 }"),
     " axes[1]: a is fixed and cannot be varied"},
    {SWEEP("{ name = 'a', values = { 1 } }", "fixed = { 1 }"),
     " fixed is not a table of name = value"},
    {SWEEP("{ name = 'a', values = { 1 } }", "fixed = { b = {} }"),
     " fixed: b is a table, expected a number"},
    {SWEEP("{ name = 'a', values = { 1 } }", "chip = 7"),
     " chip is a number, expected a string"},
    {SWEEP("{ name = 'a', values = { 1 } }", "chip = 'x', fixed = { chip = 'x' }"),
     " fixed: chip is there twice"},
    {SWEEP("{ name = 'a', values = { 1 } }", "combine = 'all'"),
     " combine is none of \"full\", \"random\", \"latin\""},
    {SWEEP("{ name = 'a', values = { 1 } }", "combine = 'latin'"),
     " samples is missing, combine needs 1..10000000 of them"},
    {SWEEP("{ name = 'a', values = { 1 } }, { name = 'b', values = { 1 } }",
           "combine = 'random', samples = 5000001"),
     " samples is too large, combine needs 1..5000000 of them"},
    {SWEEP("{ name = 'a', values = { 1 } }", "samples = 4"),
     " samples is for combine = \"random\" or \"latin\""},
    {SWEEP("{ name = 'a', values = { 1 } }", "combine = 'random', samples = 0"),
     " samples is not a whole number from 1 on"},
    {SWEEP("{ name = 'a', values = { 1 } }", "combine = 'random', samples = 1.5"),
     " samples is not a whole number from 1 on"},
    {SWEEP("{ name = 'a', values = { 1 } }", "combine = 'random', samples = '4'"),
     " samples is not a whole number from 1 on"},
    {SWEEP("{ name = 'a', values = { 1 } }", "record = {}"),
     " record is not a table with 1..1000 names and formulas"},
    {SWEEP("{ name = 'a', values = { 1 } }", "record = { 7 }"),
     " record[1] is not the name of a member of results, or a formula"},
    {SWEEP("{ name = 'a', values = { 1 } }", "record = { x = 7 }"),
     " record is not a list of names and formulas"},
    {SWEEP("{ name = 'a', values = { 1 } }", "record = { 'A' }"),
     " A: a column of this name is there already"},
    {SWEEP("{ name = 'a', values = { 1 } }", "record = { 'status' }"),
     " status: a column of this name is there already"},
    {SWEEP("{ name = 'a', values = { 1 } }", "plots = { { y = 'a' } }"),
     " plots[1]: x is missing"},
    {SWEEP("{ name = 'a', values = { 1 } }", "plots = { { x = 'a', levels = 1 } }"),
     " plots[1]: levels is not a list of at most 8 tables"},
    {SWEEP("{ name = 'a', values = { 1 } }",
           "plots = { { x = 'a', levels = { {}, {}, {}, {}, {}, {}, {}, {}, {} } } }"),
     " plots[1]: levels is not a list of at most 8 tables"},
    {SWEEP("{ name = 'a', values = { 1 } }", "plots = { { x = 'a', levels = { 7 } } }"),
     " plots[1]: levels[1] is not a table { name = ..., y = ... }"},
    {SWEEP(
         "{ name = 'a', values = { 1 } }",
         "plots = { { x = 'a', levels = { { name = 'n', y = 1 }, { name = 'n' } } } }"),
     " plots[1]: levels[2] needs a name and a number y"},
    {SWEEP("{ name = 'a', values = { 1 } }",
           "plots = { { x = 'a', levels = { { y = 1 / 0, name = 'n' } } } }"),
     " plots[1]: levels[1] needs a name and a number y"},
    {SWEEP("{ name = 'a', values = { 1 } }",
           "plots = { { x = 'a', levels = { { y = 1, z = 2, name = 'n' } } } }"),
     " plots[1]: levels[1] unknown field 'z'; known: name, y"},
    {SWEEP("{ name = 'a', values = { 1 } }", "pareto = { 'a' }"),
     " pareto is not a list of the names of two columns"},
    {SWEEP("{ name = 'a', values = { 1 } }", "timing_only = 1"),
     " timing_only is neither true nor false"},
    {SWEEP("{ name = 'a', values = { 1 } }", "where = 7"),
     " where is a number, expected a function"},
    {SWEEP("{ name = 'a', values = { 1 } }", "axis = 7"),
     " unknown field 'axis'; known: summary, script"},
};

static void what_is_no_sweep_is_refused(void **state)
{
    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(refusals); i++) {
        assert_refused(refusals[i].text, WL_ERROR_SYNTAX, refusals[i].says);
    }
}

static void too_many_and_none_do_not_fit(void **state)
{
    (void) state;
    assert_refused(SWEEP("{ name = 'a', from = 1, to = 10000, step = 1 },"
                         "{ name = 'b', from = 1, to = 10000, step = 1 }",
                         ""),
                   WL_ERROR_FIT,
                   " the axes make 100000000 combinations, at most 10000000 are");
    assert_refused(SWEEP("{ name = 'a', from = 1, to = 1e9, step = 1 }", ""),
                   WL_ERROR_FIT,
                   " axes[1]: a: has 1000000000 values, an axis has at most 1000000");
    assert_refused(SWEEP("{ name = 'a', values = { 1, 2 } }",
                         "where = function(p) return false end"),
                   WL_ERROR_FIT, " where keeps none of 2 combinations");
}

static void a_filter_that_fails_says_its_line(void **state)
{
    (void) state;
    assert_refused("return { summary = 's', script = 'dot',\n"
                   "axes = { { name = 'a', values = { 1 } } },\n"
                   "where = function(p) return p.b > 1 end }",
                   WL_ERROR_RUNTIME, "3: attempt to compare number with nil");
    assert_refused(SWEEP("{ name = 'a', values = { 1 } }",
                         "where = function(p) while true do end end"),
                   WL_ERROR_LIMIT, "");
}

static void a_run_says_which_keys_of_the_chip_it_sets(void **state)
{
    g_autoptr(WlSweep) sweep = load_good(
        SWEEP("{ name = 'noc.a', values = { 1, 2 } }, { name = 'b', values = { 3 } }",
              "chip = 'wse2', fixed = { ['l1.c'] = 4, d = 5 }, "
              "record = { 'seconds', mine = '2*seconds' }"));
    g_auto(GStrv) keys = wl_sweep_keys(sweep, 1);
    g_autofree char *all = g_strjoinv(" ", keys);

    (void) state;
    assert_string_equal(all, "l1.c=4 noc.a=2");
    assert_string_equal(wl_sweep_fixed_value(sweep, WL_SWEEP_OPTION, "chip"), "wse2");
    assert_string_equal(wl_sweep_fixed_value(sweep, WL_SWEEP_WORD, "d"), "5");
    assert_null(wl_sweep_fixed_value(sweep, WL_SWEEP_KEY, "d"));
    assert_string_equal(wl_sweep_formula(sweep, "mine"), "2*seconds");
    assert_null(wl_sweep_formula(sweep, "yours"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_axis_varies_fastest),
        cmocka_unit_test(axes_go_along_with_others),
        cmocka_unit_test(ranges_have_both_ends),
        cmocka_unit_test(names_say_what_they_mean),
        cmocka_unit_test(a_filter_sees_all_values_and_keeps_numbers_in_order),
        cmocka_unit_test(samples_are_the_same_for_a_seed),
        cmocka_unit_test(latin_samples_are_even_along_every_axis),
        cmocka_unit_test(the_last_sample_has_the_last_value),
        cmocka_unit_test(random_samples_fill_their_range),
        cmocka_unit_test(records_have_names_and_formulas),
        cmocka_unit_test(what_is_no_sweep_is_refused),
        cmocka_unit_test(too_many_and_none_do_not_fit),
        cmocka_unit_test(a_filter_that_fails_says_its_line),
        cmocka_unit_test(a_run_says_which_keys_of_the_chip_it_sets),
    };

    return cmocka_run_group_tests_name("workloads.sweep", tests, NULL, NULL);
}
