/* CSL's <math>, evaluated at comptime and compared with the C library. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/checked.h"

enum {
    POINTS = 40
};

static float from_bits(uint32_t bits)
{
    float number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

static void append_number(GString *text, float number)
{
    uint32_t bits;

    memcpy(&bits, &number, sizeof bits);
    g_string_append_printf(text, "@bitcast(f32, @as(u32, 0x%08x))", bits);
}

/* What the library makes of numbers; of pairs where `others` is not NULL. */
static void
evaluate(const char *name, const float *numbers, const float *others, double *to)
{
    g_autoptr(GString) text =
        g_string_new("const m = @import_module(\"<math>\");\ncomptime {\n");

    for (guint i = 0; i < POINTS; i++) {
        g_string_append_printf(text, "const y%u = x%u;\n", i, i);
    }
    g_string_append(text, "}\n");
    for (guint i = 0; i < POINTS; i++) {
        g_string_append_printf(text, "const x%u = m.%s(", i, name);
        append_number(text, numbers[i]);
        if (others != NULL) {
            g_string_append(text, ", ");
            append_number(text, others[i]);
        }
        g_string_append(text, ");\n");
    }
    g_auto(CslChecked) checked = csl_checked(text->str, NULL);

    if (!checked.is_well) {
        print_error("%s", csl_diagnostics_text(checked.to));
    }
    assert_true(checked.is_well);
    for (guint i = 0; i < POINTS; i++) {
        const CslPeClass *pe = checked.program->classes->pdata[0];
        g_autofree char *global = g_strdup_printf("x%u", i);

        to[i] =
            csl_module_find(pe->root, csl_name(checked.program, global))->value.real;
    }
}

/* How far a number is from the true one, in units of the last place. */
static double error_of(double found, double expected)
{
    const float nearest = (float) expected;
    const float place = nextafterf(fabsf(nearest), INFINITY) - fabsf(nearest);

    if (isnan(expected) || isinf(nearest)) {
        return (isnan(expected) ? isnan(found) : found == (double) nearest) ? 0.0
                                                                            : INFINITY;
    }
    return fabs(found - expected) / (double) place;
}

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* Functions of one number, a range of it, and how wrong they may be. */
static const struct {
    const char *name;
    double (*reference)(double);
    double from;
    double to;
    double most; /* units of the last place */
} rows[] = {
    {"exp_f32", exp, -103.0, 88.7, 1.5},    {"exp_f32", exp, -1.0, 1.0, 1.5},
    {"log_f32", log, 0.4, 2.5, 1.5},        {"log_f32", log, 1e-39, 1e38, 1.5},
    {"sin_f32", sin, -7.0, 7.0, 2.0},       {"cos_f32", cos, -7.0, 7.0, 2.0},
    {"sin_f32", sin, -5000.0, 5e3, 2.5},    {"cos_f32", cos, -9000.0, 9e3, 2.5},
    {"sin_f32", sin, 0.0, 3e38, 2.0},       {"tanh_f32", tanh, -9.5, 9.5, 2.0},
    {"sig_f32", sigmoid, -80.0, 20.0, 2.5}, {"floor_f32", floor, -9.0, 9.0, 0.0},
    {"ceil_f32", ceil, -9.0, 9.0, 0.0},     {"abs_f32", fabs, -9.0, 9.0, 0.0},
};

static void functions_agree_with_the_c_library(void **state)
{
    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        float numbers[POINTS];
        double found[POINTS];

        for (guint k = 0; k < POINTS; k++) {
            numbers[k] =
                (float) (rows[i].from + (rows[i].to - rows[i].from) * k / (POINTS - 1));
        }
        evaluate(rows[i].name, numbers, NULL, found);
        for (guint k = 0; k < POINTS; k++) {
            const double error =
                error_of(found[k], rows[i].reference((double) numbers[k]));

            if (!(error <= rows[i].most)) {
                print_error("%s(%a) = %a: %g units wrong\n", rows[i].name,
                            (double) numbers[k], found[k], error);
            }
            assert_true(error <= rows[i].most);
        }
    }
}

static void powers_agree_with_the_c_library(void **state)
{
    static const float edges[][2] = {
        {0.0F, 2.0F},   {0.0F, -2.0F},     {-2.0F, 3.0F},     {-8.0F, 0.5F},
        {-0.0F, 3.0F},  {2.0F, 1e30F},     {0.5F, 1e30F},     {2.0F, -149.5F},
        {3.0F, -90.0F}, {1.0F, INFINITY},  {-1.0F, INFINITY}, {INFINITY, -1.0F},
        {NAN, 0.0F},    {-INFINITY, 3.0F}, {2.0F, NAN},       {1.1937853F, 473.31583F},
    };
    float numbers[POINTS];
    float others[POINTS];
    double found[POINTS];

    (void) state;
    for (guint i = 0; i < POINTS; i++) {
        const bool is_edge = i < G_N_ELEMENTS(edges);

        numbers[i] = is_edge ? edges[i][0] : 0.03F * (float) (i * i) + 0.01F;
        others[i] = is_edge ? edges[i][1] : 20.5F - (float) i;
    }
    evaluate("pow_f32", numbers, others, found);
    for (guint i = 0; i < POINTS; i++) {
        const double expected = pow((double) numbers[i], (double) others[i]);

        if (!(error_of(found[i], expected) <= 2.1)) {
            print_error("pow(%a, %a) = %a, not %a\n", (double) numbers[i],
                        (double) others[i], found[i], expected);
        }
        assert_true(error_of(found[i], expected) <= 2.1);
    }
}

static void borders_of_the_range_are_exact(void **state)
{
    static const float numbers[POINTS] = {89.0F, INFINITY, -INFINITY, -105.0F, 0.0F};
    static const float of_log[POINTS] = {0.0F, -1.0F, INFINITY, 1.0F, 1e-45F};
    double found[POINTS];

    (void) state;
    evaluate("exp_f32", numbers, NULL, found);
    assert_true(isinf(found[0]) && isinf(found[1]) && found[2] == 0.0 &&
                found[3] == 0.0 && found[4] == 1.0);
    evaluate("log_f32", of_log, NULL, found);
    assert_true(found[0] == -INFINITY && isnan(found[1]) && isinf(found[2]) &&
                found[3] == 0.0);
    assert_true(fabs(found[4] - log((double) from_bits(1))) < 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_agree_with_the_c_library),
        cmocka_unit_test(powers_agree_with_the_c_library),
        cmocka_unit_test(borders_of_the_range_are_exact),
    };

    return cmocka_run_group_tests_name("workloads.csl_lib_math", tests, NULL, NULL);
}
