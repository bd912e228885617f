/* Tests of numbers that many results have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "traces/suite/trials.h"

static const char central[] =
    "{\"seconds\": 2, \"cycles\": 8, \"iterations\": 4, \"energy_joules\": null, "
    "\"metrics\": {\"a.b\": 3, \"word\": \"x\", \"error\": 0.5}}";
static const char without[] =
    "{\"seconds\": 2, \"cycles\": 8, \"iterations\": 4, \"energy_joules\": null, "
    "\"metrics\": {\"a.b\": 3, \"error\": 0}}";
static const char *const formulas[] = {"seconds/iterations", "nosuch", NULL};

static JsonObject *parse(const char *text)
{
    g_autoptr(JsonNode) node = json_from_string(text, NULL);

    return json_node_dup_object(node);
}

static void every_number_and_formula_is_kept(void **state)
{
    static const struct {
        const char *name;
        double value; /* not a number: of a formula without one */
    } rows[] = {{"seconds", 2},
                {"cycles", 8},
                {"metrics.a.b", 3},
                {"metrics.error", 0.5},
                {"seconds/iterations", 0.5},
                {"nosuch", NAN}};
    g_autoptr(JsonObject) result = parse(central);
    TraceTrials self;

    (void) state;
    trace_trials_init(&self, result, formulas, 1);
    assert_int_equal(self.numbers->len, G_N_ELEMENTS(rows));
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const TraceTrialNumber *number = trace_trials_number(&self, i);

        assert_string_equal(number->name, rows[i].name);
        assert_true(number->value == rows[i].value ||
                    (isnan(number->value) && isnan(rows[i].value)));
        assert_true(isnan(number->trials[0]));
    }
    trace_trials_keep(&self, 0, result);
    assert_true(trace_trials_number(&self, 2)->trials[0] == 3);
    trace_trials_clear(&self);
}

static void numbers_that_differ_without_data_are_left_out(void **state)
{
    g_autoptr(JsonObject) result = parse(central);
    g_autoptr(JsonObject) same = parse(without);
    g_autoptr(JsonObject) longer = parse("{\"seconds\": 3}");
    TraceTrials self;

    (void) state;
    trace_trials_init(&self, result, formulas, 1);
    assert_false(trace_trials_narrow(&self, result, longer));
    assert_int_equal(self.numbers->len, 6);
    assert_true(trace_trials_narrow(&self, result, same));
    assert_int_equal(self.numbers->len, 5);
    assert_int_equal(self.left_out->len, 1);
    assert_string_equal(g_ptr_array_index(self.left_out, 0), "metrics.error");
    trace_trials_clear(&self);
}

static void failures_are_counted(void **state)
{
    g_autoptr(JsonObject) result = parse(central);
    const char *why = NULL;
    TraceTrials self;

    (void) state;
    trace_trials_init(&self, result, NULL, 4);
    self.failures->pdata[1] = g_strdup("first");
    self.failures->pdata[3] = g_strdup("second");
    assert_int_equal(trace_trials_failed(&self, 0, 4, &why), 2);
    assert_string_equal(why, "first");
    assert_int_equal(trace_trials_failed(&self, 2, 3, &why), 0);
    assert_null(why);
    trace_trials_clear(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_and_formula_is_kept),
        cmocka_unit_test(numbers_that_differ_without_data_are_left_out),
        cmocka_unit_test(failures_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
