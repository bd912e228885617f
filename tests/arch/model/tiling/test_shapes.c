/* Times of tiles of several shapes: small cases by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/tiling/shapes.h"
#include "tests/arch/near.h"

/* A word takes 1 s of each of two multiprocessors, a barrier 10, a launch 100, a point
 * 1000; one tile fits a multiprocessor. */
static const GpuTilingMachine machine = {
    .multiprocessors = 2,
    .vector_units = 4,
    .shared_bytes = 32768,
    .block_shared_bytes = 32768,
    .blocks = 1,
    .word_seconds = 0.5,
    .barrier_seconds = 10,
    .launch_seconds = 100,
};
static const GpuTilingProblem flat = {2, {16, 64, 0}, 4, 1000};

static GpuShapeTime time_of(GpuShape shape, const GpuTile *tile)
{
    GpuShapeTime time;

    assert_true(gpu_shape_time(shape, &flat, tile, &machine, &time, NULL));
    return time;
}

/* 2 x 2 tiles of 8 x 32 points: 10 x 34 words in and 8 x 32 out, 64 passes. */
static void tiles_of_one_step_bring_their_rim(void **state G_GNUC_UNUSED)
{
    const GpuShapeTime time = time_of(GPU_SHAPE_HALO, &(GpuTile){{8, 32, 0}, 4, 0});

    assert_int_equal(time.tile.steps, 1);
    assert_int_equal(time.bytes, 4 * 10 * 34);
    assert_int_equal(time.wavefronts, 4);
    assert_int_equal(time.rounds, 4);
    assert_int_equal(time.strips, 2);
    assert_int_equal(time.moved_words, 340 + 256);
    assert_int_equal(time.passes, 64);
    assert_near("words", time.words, 4 * 2 * 2 * 596, 1e-9);
    assert_near("seconds", time.seconds,
                4 * 100 + 4 * 2 * (596 + 2 * 10 + 64 * 1000 + 10), 1e-6);
}

/* Two steps: 12 x 36 words in; 10 x 34 and 8 x 32 points, 85 and 64 passes. */
static void streams_compute_their_rim_twice(void **state G_GNUC_UNUSED)
{
    const GpuShapeTime time = time_of(GPU_SHAPE_STREAMED, &(GpuTile){{8, 32, 0}, 2, 0});

    assert_int_equal(time.points, 10 * 34 + 8 * 32);
    assert_int_equal(time.passes, 10 * 9 + 8 * 8);
    assert_int_equal(time.bytes, 3 * 4 * (36 + 34));
    assert_int_equal(time.moved_words, 12 * 36 + 8 * 32);
    assert_int_equal(time.wavefronts, 2);
    assert_int_equal(time.rounds, 2 * 2);
    assert_near("computed", time.redundancy, 596.0 / 512, 1e-12);
    assert_near("seconds", time.seconds,
                2 * 100 + 4 * (688 + 2 * 10 + 154 * 1000 + (8 + 4) * 10), 1e-6);
}

/* All four rows of 8 x 32 points; tiles lean 3 points back over 4 steps. */
static void skewed_tiles_have_rows_of_one_length(void **state G_GNUC_UNUSED)
{
    const GpuShapeTime time = time_of(GPU_SHAPE_SKEWED, &(GpuTile){{8, 32, 0}, 4, 0});

    assert_int_equal(time.points, 4 * 8 * 32);
    assert_int_equal(time.passes, 4 * 64);
    assert_int_equal(time.moved_words, 2 * 32 * (8 + 8));
    assert_int_equal(time.strips, 3);
    assert_int_equal(time.wavefronts, 3);
    assert_int_equal(time.rounds, 3);
    assert_near("seconds", time.seconds,
                3 * 100 + 3 * 3 * (1024 + 2 * 10 + 256 * 1000 + 4 * 10), 1e-6);
}

/* Hexagons cost what the model of hexagons says, in the rounds of their schedule. */
static void hexagons_cost_what_their_model_says(void **state G_GNUC_UNUSED)
{
    const GpuTile tile = {{3, 32, 0}, 4, 1};
    const GpuShapeTime time = time_of(GPU_SHAPE_HYBRID, &tile);
    const GpuShapeTime diamond = time_of(GPU_SHAPE_DIAMOND, &tile);
    GpuTilingTime terms;

    gpu_tiling_time(&flat, &tile, &machine, GPU_TILING_CORRECTED, &terms);
    assert_int_equal(time.passes, terms.passes);
    assert_int_equal(time.moved_words, terms.moved_words);
    assert_near("seconds", time.seconds,
                (double) time.wavefronts * 100 +
                    (double) time.rounds * terms.tile_seconds,
                1e-6);
    assert_int_equal(diamond.tile.space[0], 1);
    assert_true(diamond.words > time.words);
}

static void what_does_not_fit_is_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        GpuShape shape;
        GpuTile tile;
        const char *why;
    } wrong[] = {
        {GPU_SHAPE_HYBRID, {{3, 32, 0}, 3, 0}, "they are even"},
        {GPU_SHAPE_SKEWED, {{8, 32, 0}, 5, 0}, "allowed is 1..4"},
        {GPU_SHAPE_SKEWED, {{0, 32, 0}, 4, 0}, "t_S1 = 0"},
        {GPU_SHAPE_HALO, {{256, 64, 0}, 1, 0}, "of shared memory"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        GpuShapeTime time;

        assert_false(gpu_shape_time(wrong[i].shape, &flat, &wrong[i].tile, &machine,
                                    &time, &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
        assert_non_null(strstr(error->message, wrong[i].why));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_of_one_step_bring_their_rim),
        cmocka_unit_test(streams_compute_their_rim_twice),
        cmocka_unit_test(skewed_tiles_have_rows_of_one_length),
        cmocka_unit_test(hexagons_cost_what_their_model_says),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests_name("arch.tiling_shapes", tests, NULL, NULL);
}
