/* Designs of GPUs: how many there are, that a search finds what trying everything
 * finds, and which are chosen. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/model/codesign/bottleneck.h"
#include "arch/model/codesign/codesign.h"
#include "tests/arch/near.h"
#include "tests/arch/shipped.h"

#define ROUNDING 1e-12 /* of times that are added up in another order */

enum {
    KILOBYTE = 1024,
    CASES = 96,
    SEED = 12,
};

static const char *const flat[] = {"jacobi2d", "gradient2d"};
static const char *const deep[] = {"heat3d", "laplacian3d"};

static void rules_init(GpuCodesignRules *self)
{
    g_autoptr(ArchParams) gpu = shipped_params("gtx980");

    *self = (GpuCodesignRules){0};
    assert_true(gpu_tiling_machine(gpu, &self->gpu, NULL));
}

static GArray *designs_of(double low, double high)
{
    g_autoptr(ArchParams) gpu = shipped_params("gtx980");
    GpuAreaCosts costs;
    GpuAreaDesign built;

    assert_true(gpu_area_read(gpu, &costs, &built, NULL));
    return gpu_designs(&costs, &built, &(GpuAreaRange){low, high});
}

static void there_are_3737_designs_in_200_to_650_mm2(void **state)
{
    g_autoptr(GArray) designs = designs_of(200, 650);
    g_autoptr(GArray) none = designs_of(0, 16.8);
    g_autoptr(GArray) smallest = designs_of(0, 16.9);
    guint large = 0;
    double before = 0;

    (void) state;
    for (guint i = 0; i < designs->len; i++) {
        const GpuDesign *design = &g_array_index(designs, GpuDesign, i);

        large += design->shared_kilobytes >= 48 ? 1 : 0;
        assert_true(design->mm2 >= before && design->mm2 >= 200 && design->mm2 <= 650);
        assert_int_equal(design->multiprocessors % 2, 0);
        assert_int_equal(design->vector_units % 32, 0);
        before = design->mm2;
    }
    assert_int_equal(designs->len, 3737);
    assert_int_equal(large, 2852);
    assert_int_equal(none->len, 0);
    /* 2 (32 (.04282 + .004305 x 2 + .001947) + .01565 x 12 + .09281 + 6.4156) */
    assert_int_equal(smallest->len, 1);
    assert_near("the smallest", g_array_index(smallest, GpuDesign, 0).mm2, 16.808548,
                1e-9);
}

static void a_design_is_the_gpu_with_other_parts(void **state)
{
    GpuCodesignRules rules;
    GpuTilingMachine machine;
    const GpuDesign same = {
        .multiprocessors = 16, .vector_units = 128, .shared_kilobytes = 96};
    const GpuDesign other = {
        .multiprocessors = 32, .vector_units = 64, .shared_kilobytes = 24};

    (void) state;
    rules_init(&rules);
    gpu_design_machine(&same, &rules, &machine);
    assert_memory_equal(&machine, &rules.gpu, sizeof machine);
    rules.block = GPU_BLOCK_HALF;
    gpu_design_machine(&same, &rules, &machine);
    assert_memory_equal(&machine, &rules.gpu, sizeof machine);
    gpu_design_machine(&other, &rules, &machine);
    assert_int_equal(machine.multiprocessors, 32);
    assert_int_equal(machine.vector_units, 64);
    assert_int_equal(machine.shared_bytes, 24 * KILOBYTE);
    assert_int_equal(machine.block_shared_bytes, 12 * KILOBYTE);
    /* Twice the multiprocessors, twice the bandwidth. */
    assert_near("scaled", machine.word_seconds, rules.gpu.word_seconds / 2, 0);
    rules.bandwidth = GPU_BANDWIDTH_FIXED;
    rules.block = GPU_BLOCK_FIXED;
    gpu_design_machine(&other, &rules, &machine);
    assert_near("fixed", machine.word_seconds, rules.gpu.word_seconds, 0);
    assert_int_equal(machine.block_shared_bytes, 24 * KILOBYTE);
    rules.bandwidth = GPU_BANDWIDTH_SCALED;
    rules.form = GPU_TILING_AS_PRINTED;
    gpu_design_machine(&other, &rules, &machine);
    assert_near("as printed", machine.word_seconds, rules.gpu.word_seconds, 0);
}

static void sizes_are_those_with_no_more_steps_than_points(void **state)
{
    GpuCodesignSizes sizes;

    (void) state;
    gpu_codesign_sizes(2, false, &sizes);
    assert_int_equal(sizes.count, 16);
    assert_int_equal(sizes.at[0].space, 4096);
    assert_int_equal(sizes.at[0].steps, 1024);
    assert_int_equal(sizes.at[7].space, 12288);
    assert_int_equal(sizes.at[15].steps, 16384);
    gpu_codesign_sizes(2, true, &sizes);
    assert_int_equal(sizes.at[7].space, 12228);
    gpu_codesign_sizes(3, true, &sizes);
    assert_int_equal(sizes.count, 12);
    assert_int_equal(sizes.at[0].space, 384);
    assert_int_equal(sizes.at[11].steps, 640);
}

/* Tries all tiles there can be of at most `most` bytes, and all k. */
typedef struct {
    GpuTilingProblem problem;
    GpuTilingMachine machine;
    GpuTilingForm form;
    double seconds;
} Everything;

static void try_all_k(Everything *self, GpuTile *tile)
{
    if (gpu_tile_bytes(tile, self->problem.dimension) >
        self->machine.block_shared_bytes) {
        return; /* the check below says so, too, but slowly */
    }
    for (tile->resident = 1; tile->resident <= self->machine.blocks; tile->resident++) {
        GpuTilingTime time;

        if (!gpu_tile_check(tile, &self->problem, &self->machine, NULL)) {
            return;
        }
        gpu_tiling_time(&self->problem, tile, &self->machine, self->form, &time);
        self->seconds = fmin(self->seconds, time.seconds);
    }
}

static void try_sides(Everything *self, GpuTile *tile)
{
    const guint last = self->problem.dimension - 1;
    const uint64_t most = self->machine.block_shared_bytes / 8 / 32;

    for (tile->space[last] = 32; tile->space[last] <= most * 32;
         tile->space[last] += 32) {
        for (tile->space[0] = 1; tile->space[0] <= most; tile->space[0]++) {
            if (last == 1) {
                try_all_k(self, tile);
                continue;
            }
            for (tile->space[1] = 1; tile->space[1] <= most; tile->space[1]++) {
                try_all_k(self, tile);
            }
        }
    }
}

static double least_of_all(Everything *self)
{
    GpuTile tile = {.steps = 2};

    self->seconds = INFINITY;
    for (; tile.steps <= 64; tile.steps += 2) {
        try_sides(self, &tile);
    }
    return self->seconds;
}

static guint pick(GRand *random, guint from, guint to)
{
    return (guint) g_rand_int_range(random, (gint32) from, (gint32) to + 1);
}

/* Slow memories, dear barriers: whatever may be the bottleneck. */
static void random_rules(GRand *random, GpuCodesignRules *rules)
{
    rules_init(rules);
    rules->form =
        pick(random, 0, 1) == 0 ? GPU_TILING_CORRECTED : GPU_TILING_AS_PRINTED;
    rules->bandwidth =
        pick(random, 0, 1) == 0 ? GPU_BANDWIDTH_SCALED : GPU_BANDWIDTH_FIXED;
    rules->block = pick(random, 0, 1) == 0 ? GPU_BLOCK_HALF : GPU_BLOCK_FIXED;
    rules->gpu.word_seconds *= pow(10, g_rand_double_range(random, -2, 2));
    rules->gpu.barrier_seconds *= pow(10, g_rand_double_range(random, -1, 3));
    rules->gpu.launch_seconds *= pow(10, g_rand_double_range(random, -1, 2));
    rules->gpu.blocks = pick(random, 1, 8);
}

/* Designs that share searches: of one number of multiprocessors and vector units, and
 * of more of these. */
static GArray *random_designs(GRand *random)
{
    static const guint shared[] = {1, 2, 3, 4, 6};
    GArray *designs = g_array_new(FALSE, FALSE, sizeof(GpuDesign));
    const guint multiprocessors = pick(random, 1, 16);

    for (guint i = 0; i < 3; i++) {
        const guint vector_units = 32 * pick(random, 1, 8) + (i == 0 ? 0 : 256 * i);

        for (guint j = pick(random, 0, 2); j < G_N_ELEMENTS(shared); j++) {
            const GpuDesign design = {.multiprocessors = multiprocessors,
                                      .vector_units = vector_units,
                                      .shared_kilobytes = shared[j]};

            g_array_append_val(designs, design);
        }
    }
    return designs;
}

static void check_designs(const GpuCodesign *codesign)
{
    const GpuCodesignPlan *plan = gpu_codesign_plan(codesign);

    for (guint i = 0; i < plan->designs->len; i++) {
        for (guint code = 0; code < plan->code_count; code++) {
            const uint64_t space = plan->sizes.at[0].space;
            const double seconds = gpu_codesign_seconds(codesign, i, code, 0);
            Everything all = {
                .problem = {.dimension = plan->codes[code].stencil->dimension,
                            .space = {space, space, space},
                            .steps = plan->sizes.at[0].steps,
                            .point_seconds = plan->codes[code].point_seconds},
                .form = plan->rules.form,
            };
            GpuTilingTime time;

            gpu_design_machine(gpu_codesign_design(codesign, i), &plan->rules,
                               &all.machine);
            const double expected = least_of_all(&all);

            if (isinf(expected)) {
                assert_true(isinf(seconds));
                continue;
            }
            assert_near("the best tile", seconds / expected, 1, ROUNDING);
            assert_true(gpu_tile_check(gpu_codesign_tile(codesign, i, code, 0),
                                       &all.problem, &all.machine, NULL));
            gpu_tiling_time(&all.problem, gpu_codesign_tile(codesign, i, code, 0),
                            &all.machine, all.form, &time);
            assert_near("its time", time.seconds / seconds, 1, ROUNDING);
        }
    }
}

static void a_search_finds_what_trying_everything_finds(void **state)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);

    (void) state;
    for (guint i = 0; i < CASES; i++) {
        const char *const *names = i % 2 == 0 ? flat : deep;
        GpuCodesignPlan plan = {.sizes = {.count = 1}, .code_count = 2};
        GpuCodesignCode codes[2];
        g_autoptr(GArray) designs = random_designs(random);

        random_rules(random, &plan.rules);
        for (guint j = 0; j < 2; j++) {
            codes[j] = (GpuCodesignCode){
                .stencil = gpu_tiling_stencil_find(names[j]),
                .point_seconds = pow(10, g_rand_double_range(random, -9, -6)),
                .weight = 1};
        }
        plan.sizes.at[0].space = pick(random, 5, 400);
        plan.sizes.at[0].steps = pick(random, 1, 60);
        plan.designs = designs;
        plan.codes = codes;
        g_autoptr(GpuCodesign) codesign = gpu_codesign_new(&plan, NULL, NULL);

        check_designs(codesign);
    }
}

/* Two codes on two sizes, 17:1 by weight. */
static GpuCodesign *small_codesign(void)
{
    g_autoptr(GArray) designs = designs_of(20, 40);
    GpuCodesignCode codes[2];
    GpuCodesignPlan plan = {.designs = designs, .code_count = 2};

    rules_init(&plan.rules);
    for (guint i = 0; i < 2; i++) {
        codes[i] = (GpuCodesignCode){.stencil = gpu_tiling_stencil_find(flat[i]),
                                     .point_seconds = i == 0 ? 3e-8 : 6e-8,
                                     .weight = i == 0 ? 17 : 1};
    }
    plan.codes = codes;
    plan.sizes.count = 2;
    plan.sizes.at[0].space = 512;
    plan.sizes.at[0].steps = 64;
    plan.sizes.at[1].space = 1024;
    plan.sizes.at[1].steps = 100;
    return gpu_codesign_new(&plan, NULL, NULL);
}

static void rates_weigh_codes_and_add_sizes(void **state)
{
    g_autoptr(GpuCodesign) self = small_codesign();
    const double points = 512.0 * 512 * 64 + 1024.0 * 1024 * 100;
    double seconds[2] = {0, 0};

    (void) state;
    for (guint code = 0; code < 2; code++) {
        for (guint size = 0; size < 2; size++) {
            seconds[code] += gpu_codesign_seconds(self, 3, code, size);
        }
    }
    assert_near("one", gpu_codesign_code_rate(self, 3, 1) * seconds[1] / points, 1,
                ROUNDING);
    assert_near("all",
                gpu_codesign_rate(self, 3) * (17 * seconds[0] + seconds[1]) /
                    (18 * points),
                1, ROUNDING);
}

static void the_front_has_what_nothing_smaller_beats(void **state)
{
    g_autoptr(GpuCodesign) self = small_codesign();
    g_autoptr(GArray) front = gpu_codesign_front(self);
    const guint count = gpu_codesign_plan(self)->designs->len;
    guint at = 0;

    (void) state;
    assert_true(count > 10 && front->len > 1 && front->len < count);
    for (guint i = 0; i < count; i++) {
        bool is_beaten = false;

        for (guint j = 0; j < count; j++) {
            const double areas[] = {gpu_codesign_design(self, i)->mm2,
                                    gpu_codesign_design(self, j)->mm2};
            const double rates[] = {gpu_codesign_rate(self, i),
                                    gpu_codesign_rate(self, j)};

            is_beaten = is_beaten || (areas[1] <= areas[0] && rates[1] > rates[0]) ||
                        (areas[1] < areas[0] && rates[1] >= rates[0]);
        }
        if (!is_beaten) {
            assert_int_equal(g_array_index(front, guint, at++), i);
        }
    }
    assert_int_equal(at, front->len);
}

static void the_best_of_a_range_is_in_it(void **state)
{
    g_autoptr(GpuCodesign) self = small_codesign();
    const GpuAreaRange range = {25, 35};

    (void) state;
    for (int code = GPU_CODESIGN_ALL; code < 2; code++) {
        const int best = gpu_codesign_best(self, &range, code);

        assert_true(best >= 0);
        for (guint i = 0; i < gpu_codesign_plan(self)->designs->len; i++) {
            const double mm2 = gpu_codesign_design(self, i)->mm2;
            const double rates[] = {
                code < 0 ? gpu_codesign_rate(self, i)
                         : gpu_codesign_code_rate(self, i, (guint) code),
                code < 0 ? gpu_codesign_rate(self, (guint) best)
                         : gpu_codesign_code_rate(self, (guint) best, (guint) code)};

            assert_true(mm2 < range.low || mm2 > range.high || rates[0] <= rates[1]);
        }
        assert_true(gpu_codesign_design(self, (guint) best)->mm2 <= range.high);
    }
    assert_int_equal(gpu_codesign_best(self, &(GpuAreaRange){1, 2}, 0), -1);
}

/* A machine on which hardly anything but the one thing costs. */
static void hold_back(GpuLimitKind kind, GpuCodesignRules *rules)
{
    rules->gpu.barrier_seconds = 0;
    rules->gpu.launch_seconds = 0;
    rules->gpu.word_seconds *= kind == GPU_LIMIT_BANDWIDTH ? 1e6 : 1e-6;
    rules->gpu.blocks = kind == GPU_LIMIT_RESIDENT ? 1 : 32;
}

static void bottleneck_of(GpuLimitKind kind, GpuBottleneck *found)
{
    const GpuDesign design = {
        .multiprocessors = 4, .vector_units = 64, .shared_kilobytes = 24};
    g_autoptr(GArray) designs = g_array_new(FALSE, FALSE, sizeof(GpuDesign));
    const GpuCodesignCode code = {.stencil = gpu_tiling_stencil_find("heat2d"),
                                  .point_seconds = 1e-7,
                                  .weight = 3};
    GpuCodesignPlan plan = {.designs = designs, .codes = &code, .code_count = 1};

    g_array_append_val(designs, design);
    rules_init(&plan.rules);
    hold_back(kind, &plan.rules);
    plan.sizes.count = 1;
    plan.sizes.at[0].space = 512;
    plan.sizes.at[0].steps = 64;
    g_autoptr(GpuCodesign) codesign = gpu_codesign_new(&plan, NULL, NULL);

    gpu_bottleneck(codesign, 0, found);
}

static void bottlenecks_add_up_and_name_what_is_scarce(void **state)
{
    GpuBottleneck found;
    GpuTimeShares *shares = &found.shares;

    (void) state;
    /* Memory a million times slower: nothing else counts, twice as fast halves it. */
    bottleneck_of(GPU_LIMIT_BANDWIDTH, &found);
    assert_near("all time",
                shares->useful + shares->covering + shares->lanes + shares->rounds +
                    shares->memory + shares->barriers + shares->launches,
                1, ROUNDING);
    assert_true(shares->memory > 0.9);
    assert_true(found.limits[GPU_LIMIT_BANDWIDTH].use > 0.99);
    assert_near("twice", found.limits[GPU_LIMIT_BANDWIDTH].gain, 1, 0.01);
    assert_near("bytes per second", found.limits[GPU_LIMIT_BANDWIDTH].allowed,
                1 / (7.36e-12 * 1e6 * 4), 1);
    assert_near("no more lanes needed", found.limits[GPU_LIMIT_LANES].gain, 0, 0.01);
    assert_true(found.limits[GPU_LIMIT_SHARED].gain > 0.05);
    /* Free memory: vector units are all that counts, half as many again gain that. */
    bottleneck_of(GPU_LIMIT_LANES, &found);
    assert_true(shares->useful > 0.9 && shares->memory < 1e-3);
    assert_near("96 for 64", found.limits[GPU_LIMIT_LANES].gain, 0.5, 0.06);
    assert_near("6 for 4", found.limits[GPU_LIMIT_PROCESSORS].gain, 0.5, 0.06);
    assert_near("faster memory", found.limits[GPU_LIMIT_BANDWIDTH].gain, 0, 1e-3);
    /* All of 24 kB may be one tile's: there is no more of that. */
    assert_near("a tile's", found.limits[GPU_LIMIT_BLOCK].relaxed,
                found.limits[GPU_LIMIT_BLOCK].allowed, 0);
    assert_near("a tile's", found.limits[GPU_LIMIT_BLOCK].gain, 0, 0);
    /* One tile at a time. */
    bottleneck_of(GPU_LIMIT_RESIDENT, &found);
    assert_near("k", found.limits[GPU_LIMIT_RESIDENT].use, 1, ROUNDING);
    assert_near("k", found.limits[GPU_LIMIT_RESIDENT].relaxed, 2, 0);
    for (guint i = 0; i < GPU_LIMITS; i++) {
        assert_true(found.limits[i].use > 0 && found.limits[i].use <= 1 + ROUNDING);
        assert_true(found.limits[i].gain > -0.5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_3737_designs_in_200_to_650_mm2),
        cmocka_unit_test(a_design_is_the_gpu_with_other_parts),
        cmocka_unit_test(sizes_are_those_with_no_more_steps_than_points),
        cmocka_unit_test(a_search_finds_what_trying_everything_finds),
        cmocka_unit_test(rates_weigh_codes_and_add_sizes),
        cmocka_unit_test(the_front_has_what_nothing_smaller_beats),
        cmocka_unit_test(the_best_of_a_range_is_in_it),
        cmocka_unit_test(bottlenecks_add_up_and_name_what_is_scarce),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
