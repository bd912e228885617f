/* Energy of tiled programs against the worked example of the thesis, and the choice of
 * tiles against trying them one by one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/energy/energy.h"
#include "arch/model/energy/search.h"
#include "sim/random.h"
#include "tests/arch/near.h"
#include "tests/arch/shipped.h"

#define EXACT 1e-12

static GpuEnergyCosts costs_of(const char *chip, GpuEnergySet set)
{
    g_autoptr(ArchParams) params = shipped_params(chip);
    g_autoptr(GError) error = NULL;
    GpuEnergyCosts costs;

    if (!gpu_energy_costs(params, set, &costs, &error)) {
        fail_msg("%s: %s", chip, error->message);
    }
    return costs;
}

static GpuEnergyProblem
problem_of(const char *program, uint64_t first, uint64_t second, uint64_t steps)
{
    return (GpuEnergyProblem){.program = gpu_energy_program_find(program),
                              .space = {first, second},
                              .steps = steps};
}

static void the_worked_example_of_jacobi_2d_is_exact(void **state)
{
    const GpuEnergyCosts a = costs_of("k20c", GPU_ENERGY_MICROBENCHMARK);
    const GpuEnergyCosts b = costs_of("k20c", GPU_ENERGY_REGRESSION);
    const GpuEnergyProblem problem = problem_of("j2d", 4096, 4096, 1024);
    const GpuEnergyTile tile = {.space = {16, 64}, .steps = 16};
    GpuEnergy energy;

    (void) state;
    gpu_energy_model(&problem, &tile, &a, NAN, &energy);
    assert_near("M_io", energy.words, 6144, 0);
    assert_near("V_tile", energy.points, 23552, 0);
    assert_near("N", energy.tiles, 732293.57, 0.005);
    assert_near("N V", energy.tiles * energy.points, 1024.0 * 4096 * (4096 + 16), 1);
    assert_near("E_tile", energy.tile_joules, 5.0893824e-05, 1e-15);
    assert_near("global", energy.global, 6144 * 2.2e-9, 1e-15);
    assert_near("shared", energy.shared, 6 * 2.23e-10 * 23552, 1e-15);
    assert_near("arithmetic", energy.arithmetic, 2.49e-10 * 23552, 1e-15);
    assert_near("E_dyn", energy.dynamic_joules, 37.269, 0.0005);
    assert_true(isnan(energy.static_joules) && isnan(energy.joules));
    gpu_energy_model(&problem, &tile, &b, 2, &energy);
    assert_near("E_dyn of B", energy.dynamic_joules, 37.372, 0.0005);
    assert_near("static", energy.static_joules, 106, EXACT);
    assert_near("E_alg", energy.joules, energy.dynamic_joules + 106, EXACT);
}

static void one_dimensional_programs_follow_their_formulas(void **state)
{
    const GpuEnergyCosts a = costs_of("k20c", GPU_ENERGY_MICROBENCHMARK);
    const GpuEnergyProblem sw = problem_of("sw", 4096, 0, 8192);
    const GpuEnergyProblem j1d = problem_of("j1d", 4096, 0, 8192);
    const GpuEnergyTile tile = {.space = {64}, .steps = 32, .subtile = 8};
    GpuEnergy energy;

    (void) state;
    gpu_energy_model(&sw, &tile, &a, 0, &energy);
    assert_near("SW words", energy.words, 4.25 * 96, 0);
    assert_near("SW tiles", energy.tiles, 64 * 256, 0);
    assert_near("SW shared", energy.shared, (2048 + 5 * 32 * 8) * 2.23e-10, 1e-18);
    assert_near("SW arithmetic", energy.arithmetic, 5 * 2048 * 12e-11, 1e-18);
    assert_near("SW", energy.tile_joules,
                408 * 2.2e-9 + 3328 * 2.23e-10 + 10240 * 12e-11, 1e-18);
    gpu_energy_model(&j1d, &tile, &a, 0, &energy);
    assert_near("J1D words", energy.words, 2 * 128, 0);
    assert_near("J1D shared", energy.shared, 4 * (128 + 4 * 32 * 8) * 2.23e-10, 1e-18);
    assert_near("J1D arithmetic", energy.arithmetic, 2048 * 1.43e-10, 1e-18);
}

/* The regression needs the model as a product of uses and prices. */
static void uses_and_prices_multiply_to_the_energy(void **state)
{
    const GpuEnergyCosts a = costs_of("k20c", GPU_ENERGY_MICROBENCHMARK);
    uint64_t random = sim_random_stream(7, 1);

    (void) state;
    for (guint i = 0; i < 300; i++) {
        const GpuEnergyProgram *program = gpu_energy_program_at(i % 3);
        const GpuEnergyProblem problem = {program,
                                          {512 + sim_random_below(&random, 4096),
                                           512 + sim_random_below(&random, 4096)},
                                          64 + sim_random_below(&random, 4096)};
        const GpuEnergyTile tile = {{8 * (1 + sim_random_below(&random, 6)),
                                     32 * (1 + sim_random_below(&random, 2))},
                                    2 * (1 + sim_random_below(&random, 8)),
                                    4};
        const double seconds = sim_random_share(&random);
        GpuEnergy energy;

        assert_true(
            gpu_energy_tile_check(&tile, &problem, GPU_ENERGY_BLOCK_BYTES, NULL));
        gpu_energy_model(&problem, &tile, &a, seconds, &energy);
        const GpuEnergyUse use = gpu_energy_use(&problem, &tile, seconds);

        assert_near(program->name, gpu_energy_of(&use, &a) / energy.joules, 1, EXACT);
    }
}

static void tiles_that_break_a_constraint_are_refused_with_it(void **state)
{
    static const struct {
        const char *program;
        GpuEnergyTile tile;
        const char *says;
    } rows[] = {
        {"j2d", {{16, 64}, 15, 0}, "t_T = 15, allowed are even"},
        {"j2d", {{16, 48}, 16, 0}, "t_S2 = 48, allowed are multiples of 32"},
        {"j2d", {{0, 64}, 16, 0}, "t_S1 = 0"},
        {"j2d", {{16, 0}, 16, 0}, "t_S2 = 0"},
        {"j2d", {{16, 64}, 0, 0}, "t_T = 0"},
        {"j2d", {{16, 64}, 1026, 0}, "t_T = 1026, allowed is 1 to the 1024 steps"},
        {"j2d", {{4097, 64}, 16, 0}, "t_S1 = 4097"},
        {"j2d", {{16, 8192}, 16, 0}, "t_S2 = 8192"},
        {"j2d",
         {{64, 64}, 32, 0},
         "the tile takes 75272 bytes of shared memory, "
         "allowed are 49152"},
        {"j2d", {{4096, 4096}, 1024, 0}, "bytes of shared memory"},
        {"sw", {{64, 0}, 16, 7}, "s_S = 7, allowed are divisors of t_S = 64"},
        {"j1d", {{64, 0}, 16, 0}, "s_S = 0"},
        {"sw", {{2048, 0}, 1024, 8}, "the tile takes 52224 bytes"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const GpuEnergyProblem problem = problem_of(rows[i].program, 4096, 4096, 1024);
        g_autoptr(GError) error = NULL;

        assert_false(gpu_energy_tile_check(&rows[i].tile, &problem,
                                           GPU_ENERGY_BLOCK_BYTES, &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
        if (g_strstr_len(error->message, -1, rows[i].says) == NULL) {
            fail_msg("%s instead of %s", error->message, rows[i].says);
        }
    }
}

static void tiles_fill_shared_memory_to_the_last_byte(void **state)
{
    static const struct {
        const char *program;
        GpuEnergyTile tile;
        double bytes;
    } rows[] = {
        {"sw", {{64, 0}, 32, 8}, 4.25 * (64 + 32) * 4},
        {"j1d", {{64, 0}, 32, 8}, 2 * (64 + 32) * 4},
        {"j2d", {{16, 64}, 16, 0}, 2 * (16 + 16 + 1) * (64 + 16 + 1) * 4},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const GpuEnergyProblem problem = problem_of(rows[i].program, 4096, 4096, 1024);

        assert_near(rows[i].program,
                    gpu_energy_tile_bytes(problem.program, &rows[i].tile),
                    rows[i].bytes, 0);
        assert_true(
            gpu_energy_tile_check(&rows[i].tile, &problem, rows[i].bytes, NULL));
        assert_false(
            gpu_energy_tile_check(&rows[i].tile, &problem, rows[i].bytes - 1, NULL));
    }
}

static void chips_without_prices_are_refused(void **state)
{
    static const char *const chips[] = {"gtx980", "a100_80gb", "wse2"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(chips); i++) {
        g_autoptr(ArchParams) chip = shipped_params(chips[i]);
        g_autoptr(GError) error = NULL;
        GpuEnergyCosts costs;

        assert_false(gpu_energy_costs(chip, GPU_ENERGY_REGRESSION, &costs, &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED));
    }
}

static void an_operation_costs_what_is_left_of_static_power(void **state)
{
    (void) state;
    assert_near("e_j", gpu_energy_price(48 * 2 + 5.3, 48, 2, 1e11), 5.3e-11, 1e-22);
}

/* A time that likes small tiles, and is not known for every seventh. */
static double
time_of(const GpuEnergyProblem *problem, const GpuEnergyTile *tile, gconstpointer data)
{
    (void) problem;
    (void) data;
    return tile->space[0] % 7 == 0
               ? NAN
               : 0.01 * (double) (tile->space[0] + tile->space[1] + tile->steps);
}

/* What the goals want little of, by hand. */
static double score_of(const GpuEnergyChoice *choice, GpuEnergyGoal goal)
{
    const double dynamic = choice->energy.dynamic_joules;
    const double joules =
        isnan(choice->seconds) ? dynamic : dynamic + choice->energy.static_joules;

    if (goal == GPU_ENERGY_LEAST_JOULES) {
        return joules;
    }
    return goal == GPU_ENERGY_LEAST_SECONDS ? choice->seconds
                                            : choice->seconds * joules;
}

/* Trying the whole box and asking gpu_energy_tile_check() finds the same best tiles. */
static void assert_search(const GpuEnergySearch *search)
{
    g_auto(GpuEnergyFound) found = {0};
    const GpuEnergyProgram *program = search->problem.program;
    double least[GPU_ENERGY_GOALS] = {INFINITY, INFINITY, INFINITY};
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(double));
    guint rows = 0;
    guint near = 0;

    assert_true(gpu_energy_search(search, &found, NULL));
    for (uint64_t steps = 1; steps <= search->problem.steps; steps++) {
        double least_of_steps = INFINITY;

        for (uint64_t first = 1; first <= search->problem.space[0]; first++) {
            for (uint64_t second = 0; second <= search->problem.space[1]; second++) {
                GpuEnergyChoice choice = {
                    .tile = {{first, second}, steps, search->subtile},
                    .seconds = search->seconds};

                if ((program->dimension == 1 && (first % 32 != 0 || second > 0)) ||
                    !gpu_energy_tile_check(&choice.tile, &search->problem,
                                           search->block_bytes, NULL)) {
                    continue;
                }
                if (search->seconds_of != NULL) {
                    choice.seconds = time_of(NULL, &choice.tile, NULL);
                    if (isnan(choice.seconds)) {
                        continue;
                    }
                }
                gpu_energy_model(&search->problem, &choice.tile, &search->costs,
                                 choice.seconds, &choice.energy);
                for (guint goal = 0; goal < GPU_ENERGY_GOALS; goal++) {
                    least[goal] =
                        fmin(least[goal], score_of(&choice, (GpuEnergyGoal) goal));
                }
                const double joules = score_of(&choice, GPU_ENERGY_LEAST_JOULES);

                g_array_append_val(all, joules);
                least_of_steps = fmin(least_of_steps, joules);
            }
        }
        if (isfinite(least_of_steps)) {
            const GpuEnergyChoice *row =
                &g_array_index(found.by_steps, GpuEnergyChoice, rows++);

            assert_int_equal(row->tile.steps, steps);
            assert_near("of t_T", score_of(row, GPU_ENERGY_LEAST_JOULES),
                        least_of_steps, 0);
        }
    }
    for (guint i = 0; i < all->len; i++) {
        near += g_array_index(all, double, i) <= 1.1 * least[0] ? 1 : 0;
    }
    assert_int_equal(found.candidates, all->len);
    assert_int_equal(found.near, near);
    assert_int_equal(found.by_steps->len, rows);
    for (guint goal = 0; goal < GPU_ENERGY_GOALS; goal++) {
        if (goal == GPU_ENERGY_LEAST_JOULES || search->seconds_of != NULL) {
            assert_near(gpu_energy_goal_name((GpuEnergyGoal) goal),
                        score_of(&found.best[goal], (GpuEnergyGoal) goal), least[goal],
                        0);
        }
    }
}

static void the_search_finds_what_trying_all_tiles_finds(void **state)
{
    const GpuEnergyCosts a = costs_of("k20c", GPU_ENERGY_MICROBENCHMARK);

    (void) state;
    for (guint i = 0; i < 3; i++) {
        const GpuEnergyProgram *program = gpu_energy_program_at(i);
        GpuEnergySearch search = {
            .problem = {program, {130, program->dimension == 1 ? 0 : 130}, 40},
            .costs = a,
            .block_bytes = program->dimension == 1 ? 2000 : 16384,
            .subtile = program->has_subtiles ? 16 : 0,
            .seconds = NAN,
        };

        assert_search(&search);
        search.seconds_of = time_of;
        search.subtile = program->has_subtiles ? 24 : 0; /* 32 is no multiple of it */
        assert_search(&search);
    }
}

static void goals_weigh_energy_time_and_their_product(void **state)
{
    GpuEnergyChoice choice = {.seconds = 2,
                              .energy = {.dynamic_joules = 3, .joules = 5}};

    (void) state;
    assert_near("E", gpu_energy_choice_score(&choice, GPU_ENERGY_LEAST_JOULES), 5, 0);
    assert_near("T", gpu_energy_choice_score(&choice, GPU_ENERGY_LEAST_SECONDS), 2, 0);
    assert_near("ET", gpu_energy_choice_score(&choice, GPU_ENERGY_LEAST_PRODUCT), 10,
                0);
    choice.seconds = NAN;
    assert_near("E", gpu_energy_choice_score(&choice, GPU_ENERGY_LEAST_JOULES), 3, 0);
}

static void a_problem_without_a_tile_is_refused(void **state)
{
    const GpuEnergySearch search = {.problem = problem_of("j2d", 4096, 31, 1024),
                                    .block_bytes = GPU_ENERGY_BLOCK_BYTES,
                                    .seconds = NAN};
    g_auto(GpuEnergyFound) found = {0};
    g_autoptr(GError) error = NULL;

    (void) state;
    assert_false(gpu_energy_search(&search, &found, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example_of_jacobi_2d_is_exact),
        cmocka_unit_test(one_dimensional_programs_follow_their_formulas),
        cmocka_unit_test(uses_and_prices_multiply_to_the_energy),
        cmocka_unit_test(tiles_that_break_a_constraint_are_refused_with_it),
        cmocka_unit_test(tiles_fill_shared_memory_to_the_last_byte),
        cmocka_unit_test(chips_without_prices_are_refused),
        cmocka_unit_test(an_operation_costs_what_is_left_of_static_power),
        cmocka_unit_test(the_search_finds_what_trying_all_tiles_finds),
        cmocka_unit_test(goals_weigh_energy_time_and_their_product),
        cmocka_unit_test(a_problem_without_a_tile_is_refused),
    };

    return cmocka_run_group_tests_name("arch.gpu_energy", tests, NULL, NULL);
}
