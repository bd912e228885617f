/* Designs from all sides: bests, GPUs beside them, shares, and what more would gain. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/model/codesign/study.h"
#include "tests/arch/shipped.h"

/* Jacobi 2D of one size on designs about as large as a GTX 980. */
typedef struct {
    GpuAreaCosts costs;
    GpuAreaDesign gpu;
    GpuCodesignCode code;
    GpuCodesignQuestion question;
    GpuCodesignClass class;
} Fixture;

static void fixture_init(Fixture *self, double at_low, double at_high)
{
    g_autoptr(ArchParams) gpu = shipped_params("gtx980");

    *self = (Fixture){.code = {gpu_tiling_stencil_find("jacobi2d"), 3.39e-8, 1}};
    assert_true(gpu_area_read(gpu, &self->costs, &self->gpu, NULL));
    self->question = (GpuCodesignQuestion){
        .costs = &self->costs,
        .gpu = &self->gpu,
        .codes = &self->code,
        .code_count = 1,
        .sizes = {.count = 1, .at = {{4096, 1024}}},
        .area = {390, 450},
        .at = {at_low, at_high},
    };
    assert_true(gpu_tiling_machine(gpu, &self->question.rules.gpu, NULL));
    self->question.designs =
        gpu_designs(&self->costs, &self->gpu, &self->question.area);
    for (guint i = 0; i < GPU_CODESIGN_BUILT; i++) {
        g_autoptr(ArchParams) built = shipped_params(gpu_codesign_built_names[i]);

        assert_true(gpu_codesign_built_read(&self->question.built[i], built,
                                            &self->costs, NULL));
    }
    gpu_codesign_class_init(&self->class, &self->question, 0, NULL, NULL);
}

static void fixture_clear(Fixture *self)
{
    gpu_codesign_class_clear(&self->class);
    g_array_unref(self->question.designs);
}

static void the_best_is_in_range_and_on_the_front(void **state G_GNUC_UNUSED)
{
    Fixture fixture;
    bool is_on_front = false;

    fixture_init(&fixture, 425, 440);
    const GpuCodesignClass *class = &fixture.class;
    const GpuDesign *best = gpu_codesign_design(class->sweep, (guint) class->best);

    assert_string_equal(class->name, "class_2d");
    assert_true(best->mm2 >= 425 && best->mm2 <= 440);
    assert_int_equal(class->code_bests[0], class->best);
    for (guint i = 0; i < class->front->len; i++) {
        is_on_front =
            is_on_front || g_array_index(class->front, guint, i) == (guint) class->best;
    }
    assert_true(is_on_front);
    assert_true(gpu_codesign_class_rate(class, best, 0) == class->rates[class->best]);
    assert_true(isnan(gpu_codesign_class_rate(class, &(GpuDesign){1, 1, 1, 1}, 0)));
    assert_true(class->area_gain >= 0);
    assert_true(class->vector_share.low <= class->vector_share.middle);
    assert_true(class->vector_share.middle <= class->vector_share.high);
    fixture_clear(&fixture);
}

static void gpus_stand_beside_designs_of_their_area(void **state G_GNUC_UNUSED)
{
    Fixture fixture;

    fixture_init(&fixture, 425, 450);
    const GpuCodesignClass *class = &fixture.class;

    /* A GTX 980 has 398 mm2, and 237 without caches; a Titan X 597 and 356. */
    assert_string_equal(class->gains[0].name, "gtx980");
    assert_true(class->gains[0].design >= 0);
    assert_true(class->gains[0].percent > 0);
    assert_true(
        gpu_codesign_design(class->sweep, (guint) class->gains[0].design)->mm2 <=
        class->gains[0].mm2);
    assert_true(class->gains[2].rate == class->gains[0].rate);
    for (guint i = 1; i < G_N_ELEMENTS(class->gains); i++) {
        assert_int_equal(class->gains[i].design, -1);
        assert_true(isnan(class->gains[i].percent));
    }
    assert_true(isnan(class->area_gain)); /* 460 mm2 were not asked for */
    fixture_clear(&fixture);
}

static void no_design_where_one_looks_is_told(void **state G_GNUC_UNUSED)
{
    Fixture fixture;

    fixture_init(&fixture, 449.9999, 449.99991);
    assert_int_equal(fixture.class.best, -1);
    assert_true(fixture.class.front->len > 0);
    fixture_clear(&fixture);
}

static void table_c2_is_what_the_thesis_prints(void **state G_GNUC_UNUSED)
{
    const GpuCodesignPrinted *row = gpu_codesign_printed("heat3d");

    assert_int_equal(row->design.multiprocessors, 18);
    assert_true(row->gflops == 3600);
    assert_null(gpu_codesign_printed("jacobi3d"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_is_in_range_and_on_the_front),
        cmocka_unit_test(gpus_stand_beside_designs_of_their_area),
        cmocka_unit_test(no_design_where_one_looks_is_told),
        cmocka_unit_test(table_c2_is_what_the_thesis_prints),
    };

    return cmocka_run_group_tests_name("arch.codesign_study", tests, NULL, NULL);
}
