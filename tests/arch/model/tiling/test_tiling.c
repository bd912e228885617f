/* The time of tiled stencils: small cases by hand, the example of Gradient 2D, bounds
 * that hold for all tiles, and tiles that are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/tiling/tiling.h"
#include "tests/arch/near.h"
#include "tests/arch/shipped.h"

/* Round numbers: a word takes 1 s, a barrier 10 s, a launch 100 s. */
static GpuTilingMachine small_machine(guint vector_units)
{
    return (GpuTilingMachine){
        .multiprocessors = 2,
        .vector_units = vector_units,
        .shared_bytes = 65536,
        .block_shared_bytes = 32768,
        .blocks = 8,
        .word_seconds = 1,
        .barrier_seconds = 10,
        .launch_seconds = 100,
    };
}

/* What is worked out by hand, as printed and corrected. */
typedef struct {
    GpuTilingProblem problem;
    GpuTile tile;
    guint vector_units;
    struct {
        uint64_t pitch;
        uint64_t tiles;
        uint64_t rounds;
        uint64_t strips;
        double move;
        double tile;
        double seconds;
    } printed, corrected;
    uint64_t moved_words;
    uint64_t bytes;
    uint64_t points;
    uint64_t passes;
    double compute;
    double ideal;
} Case;

/* All of them: T = 10, t_T = 4, so that 2 ceil(10 / 4) = 6 wavefronts; C_iter = 1000 s.
 * Rows of hexagons are t_S1 and t_S1 + 2 wide, twice. */
static const Case cases[] = {
    /* m_io = 2 (2 + 8); rows of 2 and 4 points are one pass each of 4 units:
     * c = 4 x 1000 + 4 x 10; m' = 20 + 20 or, by two multiprocessors, 40 + 20.
     * As printed 6 x (100 + 2 x (40 + 4040)). */
    {.problem = {1, {20}, 10, 1000},
     .tile = {{2}, 4, 1},
     .vector_units = 4,
     .printed = {8, 3, 2, 1, 40, 4080, 49560},
     .corrected = {6, 4, 2, 1, 60, 4100, 49800},
     .moved_words = 20,
     .bytes = 48,
     .points = 12,
     .passes = 4,
     .compute = 4040,
     .ideal = 25000},
    /* A second one hides its transfers: (A.13), 40 + 4040 + 4040. */
    {.problem = {1, {20}, 10, 1000},
     .tile = {{2}, 4, 2},
     .vector_units = 4,
     .printed = {8, 3, 1, 1, 40, 8120, 49320},
     .corrected = {6, 4, 1, 1, 60, 8140, 49440},
     .moved_words = 20,
     .bytes = 48,
     .points = 12,
     .passes = 4,
     .compute = 4040,
     .ideal = 25000},
    /* N = ceil(104 / 32) = 4; rows of 64 and 128 points: 2 + 3 passes of 48 units,
     * twice; M_tile = 2 x 7 x 37 words. */
    {.problem = {2, {20, 100}, 10, 1000},
     .tile = {{2, 32}, 4, 1},
     .vector_units = 48,
     .printed = {8, 3, 2, 4, 660, 42800, 514200},
     .corrected = {6, 4, 2, 4, 1300, 45360, 544920},
     .moved_words = 640,
     .bytes = 2072,
     .points = 384,
     .passes = 10,
     .compute = 10040,
     .ideal = 20 * 100 * 10 * 1000.0 / 96},
    /* (A.17): 660 + 2 x 10040 x 4; or 1300 + 10040 + 7 x 10040, which is the same. */
    {.problem = {2, {20, 100}, 10, 1000},
     .tile = {{2, 32}, 4, 2},
     .vector_units = 48,
     .printed = {8, 3, 1, 4, 660, 80980, 486480},
     .corrected = {6, 4, 1, 4, 1300, 81620, 490320},
     .moved_words = 640,
     .bytes = 2072,
     .points = 384,
     .passes = 10,
     .compute = 10040,
     .ideal = 20 * 100 * 10 * 1000.0 / 96},
    /* Half of the pitch, 7 for 8; ceil(14 x 74 / 96) = 11 strips for 5 x 3; rows of
     * 288 and 480 points. */
    {.problem = {3, {22, 10, 70}, 10, 1000},
     .tile = {{3, 3, 32}, 4, 1},
     .vector_units = 48,
     .printed = {7, 4, 2, 11, 2132, 375892, 4511304},
     .corrected = {8, 3, 2, 15, 4244, 544260, 6531720},
     .moved_words = 2112,
     .bytes = 18944,
     .points = 1536,
     .passes = 32,
     .compute = 32040,
     .ideal = 22 * 10 * 70 * 10 * 1000.0 / 96},
    /* (A.30): 2132 + 3 x 32040 x 11. */
    {.problem = {3, {22, 10, 70}, 10, 1000},
     .tile = {{3, 3, 32}, 4, 3},
     .vector_units = 48,
     .printed = {7, 4, 1, 11, 2132, 1059452, 6357312},
     .corrected = {8, 3, 1, 15, 4244, 1446044, 8676864},
     .moved_words = 2112,
     .bytes = 18944,
     .points = 1536,
     .passes = 32,
     .compute = 32040,
     .ideal = 22 * 10 * 70 * 10 * 1000.0 / 96},
};

static void hand_worked_cases_are_exact(void **state)
{
    (void) state;
    for (gsize i = 0; i < 2 * G_N_ELEMENTS(cases); i++) {
        const Case *at = &cases[i / 2];
        const bool is_printed = i % 2 == 0;
        const GpuTilingMachine machine = small_machine(at->vector_units);
        g_autofree char *name =
            g_strdup_printf("case %u %s", (guint) i / 2, is_printed ? "p" : "c");
        GpuTilingTime time;

        gpu_tiling_time(&at->problem, &at->tile, &machine,
                        is_printed ? GPU_TILING_AS_PRINTED : GPU_TILING_CORRECTED,
                        &time);
        assert_int_equal(time.wavefronts, 6);
        assert_int_equal(time.moved_words, at->moved_words);
        assert_int_equal(time.tile_bytes, at->bytes);
        assert_int_equal(time.points, at->points);
        assert_int_equal(time.passes, at->passes);
        assert_near(name, time.compute_seconds, at->compute, 1e-9);
        assert_near(name, time.ideal_seconds, at->ideal, 1e-6);
        assert_int_equal(time.pitch,
                         is_printed ? at->printed.pitch : at->corrected.pitch);
        assert_int_equal(time.tiles,
                         is_printed ? at->printed.tiles : at->corrected.tiles);
        assert_int_equal(time.rounds,
                         is_printed ? at->printed.rounds : at->corrected.rounds);
        assert_int_equal(time.strips,
                         is_printed ? at->printed.strips : at->corrected.strips);
        assert_near(name, time.move_seconds,
                    is_printed ? at->printed.move : at->corrected.move, 1e-9);
        assert_near(name, time.tile_seconds,
                    is_printed ? at->printed.tile : at->corrected.tile, 1e-6);
        assert_near(name, time.seconds,
                    is_printed ? at->printed.seconds : at->corrected.seconds, 1e-6);
    }
}

/* Memory is what takes long: (A.17) has m' once more than (A.13), c once less. */
static void transfers_that_take_longer_than_computing_lead(void **state)
{
    GpuTilingMachine machine = small_machine(48);
    const Case *at = &cases[3];
    GpuTilingTime time;

    (void) state;
    machine.word_seconds = 100;
    gpu_tiling_time(&at->problem, &at->tile, &machine, GPU_TILING_AS_PRINTED, &time);
    assert_near("A.17", time.tile_seconds, 64020 + 8 * 64020, 1e-6);
    gpu_tiling_time(&at->problem, &at->tile, &machine, GPU_TILING_CORRECTED, &time);
    assert_near("A.13", time.tile_seconds, 128020 + 10040 + 7 * 128020, 1e-6);
}

static GpuTilingMachine machine_of(const char *name)
{
    g_autoptr(ArchParams) gpu = shipped_params(name);
    g_autoptr(GError) error = NULL;
    GpuTilingMachine machine;

    if (!gpu_tiling_machine(gpu, &machine, &error)) {
        fail_msg("%s", error->message);
    }
    return machine;
}

static void gradient_2d_takes_16_50_seconds_on_a_gtx_980(void **state)
{
    const GpuTilingMachine machine = machine_of("gtx980");
    const GpuTilingProblem problem = {2, {8192, 8192}, 8192, 6.09e-8};
    const GpuTile tile = {{16, 64}, 34, 2};
    GpuTilingTime time;

    (void) state;
    gpu_tiling_time(&problem, &tile, &machine, GPU_TILING_CORRECTED, &time);
    assert_int_equal(time.wavefronts, 482);
    assert_int_equal(time.pitch, 64);
    assert_int_equal(time.tiles, 128);
    assert_int_equal(time.rounds, 4);
    assert_int_equal(time.strips, 129);
    assert_int_equal(time.tile_bytes, 40392);
    assert_int_equal(time.passes, 2 * 272);
    assert_near("c", time.compute_seconds, 2 * 6.09e-8 * 272 + 34 * 7.96e-10, 1e-18);
    assert_near("T_alg", time.seconds, 16.50313, 1e-5);
    assert_near("T_ideal", time.ideal_seconds, 16.34772, 1e-5);
    gpu_tiling_time(&problem, &tile, &machine, GPU_TILING_AS_PRINTED, &time);
    assert_int_equal(time.pitch, 66);
    assert_int_equal(time.tiles, 125);
    assert_near("T_alg as printed", time.seconds, 16.49398, 1e-5);
}

static GpuTile random_tile(GRand *random, guint dimension)
{
    GpuTile tile = {.steps = 2 * (guint64) g_rand_int_range(random, 1, 20)};

    for (guint i = 0; i < dimension; i++) {
        tile.space[i] = (guint64) g_rand_int_range(random, 1, dimension == 3 ? 8 : 60);
    }
    if (dimension > 1) {
        tile.space[dimension - 1] =
            GPU_TILING_WARP * (guint64) g_rand_int_range(random, 1, 5);
    }
    return tile;
}

/* Tiles cover every point: no corrected time is below the ideal one. As printed some
 * are. */
static void no_corrected_time_is_below_the_ideal_one(void **state)
{
    const GpuTilingMachine machine = machine_of("gtx980");
    g_autoptr(GRand) random = g_rand_new_with_seed(12);
    guint checked = 0;
    guint below = 0;

    (void) state;
    for (guint i = 0; i < 6000; i++) {
        GpuTilingProblem problem = {.dimension = 1 + i % 3, .point_seconds = 5e-8};
        GpuTile tile = random_tile(random, problem.dimension);
        GpuTilingTime time;

        problem.steps = (guint64) g_rand_int_range(random, 100, 2000);
        for (guint d = 0; d < problem.dimension; d++) {
            problem.space[d] = (guint64) g_rand_int_range(random, 200, 5000);
        }
        tile.resident = gpu_tile_most_resident(&tile, problem.dimension, &machine);
        if (!gpu_tile_check(&tile, &problem, &machine, NULL)) {
            continue;
        }
        checked++;
        tile.resident = (guint) g_rand_int_range(random, 1, (gint) tile.resident + 1);
        assert_true(gpu_tile_check(&tile, &problem, &machine, NULL));
        gpu_tiling_time(&problem, &tile, &machine, GPU_TILING_CORRECTED, &time);
        assert_true(time.seconds >= time.ideal_seconds);
        assert_true(time.passes * machine.vector_units >= time.points);
        gpu_tiling_time(&problem, &tile, &machine, GPU_TILING_AS_PRINTED, &time);
        below += time.seconds < time.ideal_seconds ? 1 : 0;
    }
    assert_in_range(checked, 3000, 6000);
    assert_in_range(below, 1, checked);
}

/* Doubling the steps of whole tiles doubles the time; the rows of a hexagon are its
 * points. */
static void parts_follow_from_the_sizes(void **state)
{
    const GpuTilingMachine machine = machine_of("titanx");
    g_autoptr(GRand) random = g_rand_new_with_seed(13);

    (void) state;
    for (guint i = 0; i < 500; i++) {
        GpuTilingProblem problem = {2, {4096, 4096}, 0, 5e-8};
        GpuTile tile = random_tile(random, 2);
        GpuTileShape shape;
        GpuTilingTime times[2];

        tile.resident = 1 + i % 4;
        gpu_tile_shape(&tile, 2, 1, &shape);
        assert_int_equal(shape.passes, shape.points);
        for (guint k = 0; k < 2; k++) {
            problem.steps = 10 * tile.steps * (k + 1);
            gpu_tiling_time(&problem, &tile, &machine, i % 2, &times[k]);
        }
        assert_near("twice", times[1].seconds, 2 * times[0].seconds,
                    1e-12 * times[1].seconds);
    }
}

static void broken_constraints_are_named(void **state)
{
    const GpuTilingMachine machine = machine_of("gtx980");
    const GpuTilingProblem flat = {2, {100, 100}, 50, 1};
    const GpuTilingProblem line = {1, {100000}, 50, 1};
    const GpuTilingProblem deep = {3, {100, 100, 100}, 50, 1};
    const struct {
        const GpuTilingProblem *problem;
        GpuTile tile;
        const char *says;
    } rows[] = {
        {&flat, {{16, 64}, 33, 2}, "t_T = 33, allowed are even numbers from 2"},
        {&flat, {{16, 64}, 0, 2}, "t_T = 0, allowed are even numbers from 2"},
        {&flat, {{16, 48}, 34, 2}, "t_S2 = 48, allowed are multiples of 32"},
        {&flat, {{16, 0}, 34, 2}, "t_S2 = 0, allowed are multiples of 32"},
        {&flat, {{0, 32}, 34, 2}, "t_S1 = 0, allowed is 1 or more"},
        {&flat, {{101, 32}, 2, 2}, "t_S1 = 101, but the problem has only 100 there"},
        {&flat, {{1, 160}, 2, 2}, "t_S2 = 160, but the problem has only 100 there"},
        {&flat, {{1, 32}, 52, 2}, "t_T = 52, but the problem has only 50 there"},
        {&flat, {{90, 96}, 34, 1}, "M_tile = 131000 bytes, allowed are 49152"},
        {&flat, {{16, 64}, 34, 0}, "k = 0, allowed is 1..32"},
        {&flat, {{1, 32}, 2, 33}, "k = 33, allowed is 1..32"},
        {&flat, {{16, 64}, 34, 3}, "k = 3 tiles of 40392 bytes do not fit"},
        {&line, {{1000}, 3, 1}, "t_T = 3, allowed are even"},
        {&line, {{6143}, 2, 1}, "M_tile = 49160 bytes"},
        {&deep, {{8, 8, 16}, 2, 1}, "t_S3 = 16, allowed are multiples of 32"},
        {&deep, {{16, 16, 32}, 2, 1}, "M_tile = 101080 bytes"},
        {&line, {{G_MAXUINT64}, 2, 1}, "but the problem has only"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;

        assert_false(gpu_tile_check(&rows[i].tile, rows[i].problem, &machine, &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
        if (strstr(error->message, rows[i].says) == NULL) {
            fail_msg("'%s' instead of '%s'", error->message, rows[i].says);
        }
    }
}

static void tiles_at_the_limits_are_taken(void **state)
{
    const GpuTilingMachine machine = machine_of("gtx980");
    const GpuTilingProblem line = {1, {100000}, 1, 1};
    const GpuTilingProblem flat = {2, {20, 20}, 50, 1};
    const GpuTile longest = {{6142}, 2, 2}; /* 49152 bytes, twice */
    const GpuTile widest = {{20, 32}, 50, 1};
    const GpuTile huge = {{G_MAXUINT64, G_MAXUINT64, 1}, 2, 1};

    (void) state;
    assert_true(gpu_tile_check(&longest, &line, &machine, NULL));
    assert_int_equal(gpu_tile_most_resident(&longest, 1, &machine), 2);
    assert_true(gpu_tile_check(&widest, &flat, &machine, NULL));
    assert_int_equal(gpu_tile_bytes(&huge, 3), UINT64_MAX);
    assert_int_equal(gpu_tile_most_resident(&huge, 3, &machine), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_worked_cases_are_exact),
        cmocka_unit_test(transfers_that_take_longer_than_computing_lead),
        cmocka_unit_test(gradient_2d_takes_16_50_seconds_on_a_gtx_980),
        cmocka_unit_test(no_corrected_time_is_below_the_ideal_one),
        cmocka_unit_test(parts_follow_from_the_sizes),
        cmocka_unit_test(broken_constraints_are_named),
        cmocka_unit_test(tiles_at_the_limits_are_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
