/* All forms of a stencil on numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/stencil/trial.h"

static void every_form_gives_what_the_stencil_gives(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < 2 * 3 * 3 * 3; i++) {
        const GpuTrialSetting setting = {.stencil = {i % 2 == 0 ? GPU_BOX : GPU_STAR,
                                                     1 + i / 2 % 3, 1 + i / 6 % 3,
                                                     1 + i / 18, GPU_FLOAT},
                                         .has_check = true,
                                         .seed = i};
        GpuTrial trial;

        if (setting.stencil.dimension == 3 &&
            setting.stencil.radius * setting.stencil.fusion > 4) {
            continue;
        }
        assert_true(gpu_trial_run(&trial, &setting, NULL));
        assert_true(trial.point_count > 0);
        assert_true(gpu_trial_is_equal(&trial));
        assert_true(trial.forms[GPU_FORM_FLATTENED].sparsity ==
                    gpu_stencil_sparsity(&setting.stencil, GPU_SCHEME_FLATTEN, false));
        assert_true(
            trial.forms[GPU_FORM_SPARSE].sparsity ==
            gpu_stencil_sparsity(&setting.stencil, GPU_SCHEME_DECOMPOSE, false));
    }
}

/* Two matrices of 16 x 225; 15 of 16 x 32, stored with half of the columns. */
static void forms_are_counted(void **state G_GNUC_UNUSED)
{
    const GpuTrialSetting setting = {.stencil = {GPU_STAR, 2, 7, 1, GPU_FLOAT}};
    GpuTrial trial;

    assert_true(gpu_trial_run(&trial, &setting, NULL));
    assert_int_equal(trial.forms[GPU_FORM_DIRECT].matrix_count, 0);
    assert_true(trial.forms[GPU_FORM_DIRECT].multiplications == 29);
    assert_int_equal(trial.forms[GPU_FORM_FLATTENED].entries, 2 * 16 * 225);
    assert_true(trial.forms[GPU_FORM_FLATTENED].multiplications == 450);
    assert_int_equal(trial.forms[GPU_FORM_DECOMPOSED].matrix_count, 15);
    assert_int_equal(trial.forms[GPU_FORM_DECOMPOSED].nonzeros, 16 * 29);
    assert_true(trial.forms[GPU_FORM_DECOMPOSED].multiplications == 480);
    assert_int_equal(trial.forms[GPU_FORM_SPARSE].column_count, 16);
    assert_true(trial.forms[GPU_FORM_SPARSE].multiplications == 240);
    assert_true(isnan(trial.forms[GPU_FORM_SPARSE].largest_error));
    assert_false(gpu_trial_is_equal(&trial)); /* nothing was run */
}

static void a_difference_is_seen(void **state G_GNUC_UNUSED)
{
    const GpuTrialSetting setting = {.stencil = {GPU_BOX, 2, 1, 2, GPU_FLOAT},
                                     .has_check = true};
    GpuTrial trial;

    assert_true(gpu_trial_run(&trial, &setting, NULL));
    trial.forms[GPU_FORM_SPARSE].largest_error = 1;
    assert_false(gpu_trial_is_equal(&trial));
}

static void what_is_too_large_is_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        GpuTrialSetting setting;
        const char *part;
    } rows[] = {
        {{.stencil = {GPU_BOX, 8, 3, 1, GPU_FLOAT}}, "a kernel of radius 3"},
        {{.stencil = {GPU_BOX, 2, 3, 2, GPU_FLOAT}, .has_check = true, .size = 12},
         "a grid of 12 points a side, the stencil has 13"},
        {{.stencil = {GPU_BOX, 3, 1, 1, GPU_FLOAT}, .has_check = true, .size = 400},
         "at most 16777216 are tried"},
        {{.stencil = {GPU_BOX, 2, 20, 2, GPU_FLOAT}, .has_check = true, .size = 2000},
         "multiplications, at most"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        GpuTrial trial;

        assert_false(gpu_trial_run(&trial, &rows[i].setting, &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
        assert_non_null(strstr(error->message, rows[i].part));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_gives_what_the_stencil_gives),
        cmocka_unit_test(forms_are_counted),
        cmocka_unit_test(a_difference_is_seen),
        cmocka_unit_test(what_is_too_large_is_refused),
    };

    return cmocka_run_group_tests_name("arch.gpu_trial", tests, NULL, NULL);
}
