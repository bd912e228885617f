/* Instructions of tensor cores: their shapes, and how stencils fill them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/model/stencil/mma.h"
#include "arch/model/stencil/weights.h"

static void assert_sizes(const char *name, GpuType type, bool is_sparse)
{
    const GpuMma *self = gpu_mma_find(name, type, is_sparse);
    g_autofree char *sizes = g_strdup_printf("m%un%uk%u", self->m, self->n, self->k);

    assert_string_equal(sizes, name);
}

static void names_tell_the_sizes(void **state G_GNUC_UNUSED)
{
    guint count = 0;

    for (guint i = 0; i < 6; i++) {
        g_autofree char *list = gpu_mma_names((GpuType) (i / 2), i % 2 == 1);
        g_auto(GStrv) names = g_strsplit(list, ", ", -1);

        for (char **name = names; *name != NULL; name++, count++) {
            assert_sizes(*name, (GpuType) (i / 2), i % 2 == 1);
        }
    }
    assert_true(count > 8);
}

static void every_type_has_its_shapes(void **state G_GNUC_UNUSED)
{
    g_autofree char *doubles = gpu_mma_names(GPU_DOUBLE, false);
    g_autofree char *floats = gpu_mma_names(GPU_FLOAT, true);

    assert_string_equal(gpu_mma_default(GPU_DOUBLE, false)->name, "m8n8k4");
    assert_string_equal(gpu_mma_default(GPU_FLOAT, false)->name, "m16n8k8");
    assert_string_equal(gpu_mma_default(GPU_FLOAT, true)->name, "m16n8k16");
    assert_string_equal(gpu_mma_default(GPU_HALF, false)->name, "m16n8k16");
    assert_null(gpu_mma_default(GPU_DOUBLE, true));
    assert_null(gpu_mma_find("m8n8k4", GPU_FLOAT, false));
    assert_string_equal(doubles, "m8n8k4, m16n8k4, m16n8k8, m16n8k16");
    assert_string_equal(floats, "m16n8k16, m16n8k8");
}

/* 2.2.2: a vector fills an eighth. 2.2.3: 3 rows of 9 leave 62.5 % of the rows. */
static void the_papers_padding_is_found(void **state G_GNUC_UNUSED)
{
    const GpuMma *self = gpu_mma_find("m8n8k4", GPU_DOUBLE, false);
    GpuMmaFit fit;

    gpu_mma_fit(self, 1, 4, &fit);
    assert_true(fit.row_share == 0.125);
    assert_true(fit.column_share == 1);
    assert_int_equal(fit.count, 1);
    gpu_mma_fit(self, 3, 9, &fit);
    assert_true(1 - fit.row_share == 0.625);
    assert_true(fit.column_share == 0.75);
    assert_int_equal(fit.count, 3);
    gpu_mma_fit(self, 9, 4, &fit);
    assert_int_equal(fit.count, 2);
}

typedef GpuTransform *(*TransformFunc)(const GpuGrid *weights);

static GpuMmaUse use_of(const GpuMma *mma, TransformFunc transform, guint radius)
{
    const GpuStencil stencil = {.shape = GPU_BOX, .dimension = 2, .radius = radius};
    g_autoptr(GpuGrid) weights = gpu_weights_new(&stencil, NULL);
    g_autoptr(GpuTransform) matrices = transform(weights);
    GpuMmaUse use;

    gpu_mma_use(mma, matrices, &use);
    return use;
}

/* What the profiler of the paper counted, Table 2, "experimental" C: instructions do
 * this much for a point. 196 and 900 are needed without padding. */
static void whole_instructions_do_what_was_measured(void **state G_GNUC_UNUSED)
{
    const GpuMma *doubles = gpu_mma_default(GPU_DOUBLE, false);
    const GpuMma *floats = gpu_mma_default(GPU_FLOAT, false);
    const GpuMma *sparse = gpu_mma_default(GPU_FLOAT, true);

    assert_true(use_of(doubles, gpu_transform_flatten, 3).flops == 208);
    assert_true(use_of(floats, gpu_transform_flatten, 7).flops == 928);
    assert_true(use_of(floats, gpu_transform_decompose, 7).flops == 960);
    assert_true(use_of(sparse, gpu_transform_decompose, 7).flops == 960);
}

static void use_adds_up(void **state G_GNUC_UNUSED)
{
    const GpuMma *mma = gpu_mma_default(GPU_DOUBLE, false);
    const GpuMmaUse flat = use_of(mma, gpu_transform_flatten, 1);
    const GpuMmaUse band = use_of(mma, gpu_transform_decompose, 1);

    /* Two matrices of 4 x 9, which need 8 x 12 each, and have 3 used rows. */
    assert_int_equal(flat.matrix_count, 2);
    assert_int_equal(flat.count, 6);
    assert_int_equal(flat.used_rows, 3);
    assert_int_equal(flat.row_count, 4);
    assert_int_equal(flat.column_count, 9);
    assert_true(flat.padding == 1 - 72.0 / 192);
    assert_true(flat.nonzero == 36.0 / 192);
    assert_true(flat.flops == 192.0 * 2 / 4);
    /* Three of 4 x 8, of which 3 in a row are weights. */
    assert_int_equal(band.matrix_count, 3);
    assert_int_equal(band.count, 6);
    assert_int_equal(band.used_rows, 4);
    assert_true(band.padding == 0.5);
    assert_true(band.nonzero == 0.1875);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_tell_the_sizes),
        cmocka_unit_test(every_type_has_its_shapes),
        cmocka_unit_test(the_papers_padding_is_found),
        cmocka_unit_test(whole_instructions_do_what_was_measured),
        cmocka_unit_test(use_adds_up),
    };

    return cmocka_run_group_tests_name("arch.gpu_mma", tests, NULL, NULL);
}
