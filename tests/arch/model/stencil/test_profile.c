/* What a profiler counts: rims of tiles, bytes that L2 keeps, and the rate that follows
 * from both. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/model/stencil/profile.h"
#include "tests/arch/shipped.h"

static GpuProfile
profile_of(const char *gpu_name, const char *program, const GpuStencil *stencil)
{
    g_autoptr(ArchParams) gpu = shipped_params(gpu_name);
    const GpuStencilSetting setting = {.gpu = gpu};
    const GpuImplementation *implementation = gpu_implementation_find(program);
    GpuStencilModel model;
    GpuProfile profile;

    assert_true(gpu_stencil_model(stencil, implementation, &setting, &model, NULL));
    gpu_profile_init(&profile, stencil, implementation, &model,
                     stencil->dimension == 2 ? 10240 : 1024);
    return profile;
}

static void assert_near(double value, double expected, double percent)
{
    if (!(fabs(value / expected - 1) <= percent / 100)) {
        fail_msg("%g is not within %g %% of %g", value, percent, expected);
    }
}

/* Table 2 of Gu et al., as profiled. */
static void rims_and_cache_explain_the_profiler(void **state G_GNUC_UNUSED)
{
    static const struct {
        GpuStencil stencil;
        double flops;
        double bytes;
    } rows[] = {
        {{GPU_BOX, 2, 1, 3, GPU_DOUBLE}, 55.78, 15.95},
        {{GPU_BOX, 2, 3, 1, GPU_DOUBLE}, 100.65, 15.92},
        {{GPU_BOX, 2, 1, 7, GPU_FLOAT}, 137.35, 7.93},
        {{GPU_BOX, 2, 7, 1, GPU_FLOAT}, 484.51, 7.91},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const GpuProfile profile = profile_of("a100_80gb", "ebisu", &rows[i].stencil);

        assert_near(profile.flops, rows[i].flops, 2.1);
        assert_near(profile.bytes, rows[i].bytes, 0.2);
        assert_true(profile.updates == 0); /* no rate is known */
    }
}

/* What the kernels say that they executed, with the strips that were fastest. */
static void tiles_are_those_of_our_kernels(void **state G_GNUC_UNUSED)
{
    const GpuStencil fused = {GPU_BOX, 2, 1, 8, GPU_DOUBLE};
    const GpuStencil deep = {GPU_STAR, 3, 1, 2, GPU_FLOAT};
    const GpuStencil wide = {GPU_BOX, 2, 7, 1, GPU_FLOAT};

    assert_near(profile_of("h200", "gridloom", &fused).flops, 175.9, 0.1);
    assert_near(profile_of("h200", "gridloom", &deep).flops, 35.3, 1);
    assert_true(profile_of("h200", "gridloom-tensor", &wide).flops == 720);
}

static void the_shorter_is_hidden_in_part(void **state G_GNUC_UNUSED)
{
    const GpuStencil stencil = {GPU_BOX, 2, 7, 1, GPU_FLOAT};
    const GpuProfile profile = profile_of("h200", "gridloom-tensor", &stencil);
    const double work = profile.flops / 494.7e12;
    const double transfer = profile.bytes / 4800e9;

    assert_true(transfer > work);
    assert_near(profile.updates, 1 / (transfer + 0.45 * work), 1e-9);
}

static void without_tiles_there_is_no_profile(void **state G_GNUC_UNUSED)
{
    const GpuStencil stencil = {GPU_BOX, 2, 1, 1, GPU_DOUBLE};
    const GpuProfile profile = profile_of("a100_80gb", "cudnn", &stencil);

    assert_true(profile.flops == 0);
    assert_true(profile.bytes > 15.9 && profile.bytes < 16);
}

/* Radius 3: 7 lines of 256 / 10; sums of 3, 5 and 7 points; 2 bands of 8 columns. */
static void schemes_of_tiles_have_their_zeros(void **state G_GNUC_UNUSED)
{
    const GpuStencil box = {GPU_BOX, 2, 3, 1, GPU_HALF};
    const GpuStencil star = {GPU_STAR, 2, 3, 1, GPU_HALF};
    const GpuStencil wide = {GPU_BOX, 2, 8, 1, GPU_HALF};

    assert_near(gpu_stencil_sparsity(&box, GPU_SCHEME_TILES, false), 49 / (7 * 25.6),
                1e-9);
    assert_near(gpu_stencil_sparsity(&star, GPU_SCHEME_TILES, false), 13 / (2 * 25.6),
                1e-9);
    assert_true(gpu_stencil_sparsity(&wide, GPU_SCHEME_TILES, false) == 0);
    assert_near(gpu_stencil_sparsity(&box, GPU_SCHEME_RANKS, false),
                49.0 / (1 + 30 + 30 + 48), 1e-9);
    assert_near(gpu_stencil_sparsity(&star, GPU_SCHEME_RANKS, false), 13.0 / 33, 1e-9);
    assert_near(gpu_stencil_sparsity(&box, GPU_SCHEME_BANDS, false), 49.0 / 112, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rims_and_cache_explain_the_profiler),
        cmocka_unit_test(tiles_are_those_of_our_kernels),
        cmocka_unit_test(the_shorter_is_hidden_in_part),
        cmocka_unit_test(without_tiles_there_is_no_profile),
        cmocka_unit_test(schemes_of_tiles_have_their_zeros),
    };

    return cmocka_run_group_tests_name("arch.gpu_profile", tests, NULL, NULL);
}
