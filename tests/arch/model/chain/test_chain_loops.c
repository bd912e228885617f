/* Loops through a counted fast memory: equal to the plain product, and as many words as
 * the formulas say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/chain/loops.h"
#include "arch/model/chain/trial.h"
#include "sim/random.h"

static GpuMatrix *matrix_of(uint64_t rows, uint64_t columns, uint64_t *random)
{
    GpuMatrix *matrix = gpu_matrix_new((guint) rows, (guint) columns);

    for (guint i = 0; i < rows * columns; i++) {
        matrix->values[i] = (double) sim_random_below(random, 199) - 99;
    }
    return matrix;
}

static bool is_fused(ChainMethod method)
{
    return method == CHAIN_FUSE_LEFT || method == CHAIN_FUSE_RIGHT;
}

/* Multiplies random matrices of these sizes, compares with plain loops, and returns the
 * words that moved. */
static ChainTraffic multiply(ChainMethod method,
                             const uint64_t *sizes,
                             const ChainTile *tile,
                             uint64_t capacity,
                             uint64_t *random)
{
    const guint factor_count = is_fused(method) ? 3 : 2;
    GpuMatrix *factors[3] = {NULL};
    g_autoptr(GpuMatrix) result =
        gpu_matrix_new((guint) sizes[0], (guint) sizes[factor_count]);
    g_autoptr(GpuMatrix) plain =
        gpu_matrix_new((guint) sizes[0], (guint) sizes[factor_count]);
    g_autoptr(GpuMatrix) middle = gpu_matrix_new((guint) sizes[0], (guint) sizes[2]);
    ChainTraffic traffic = {0};

    for (guint i = 0; i < factor_count; i++) {
        factors[i] = matrix_of(sizes[i], sizes[i + 1], random);
    }
    chain_loops_multiply(method, (const GpuMatrix *const *) factors, tile, capacity,
                         result, &traffic);
    gpu_matrix_multiply_add(factor_count == 2 ? plain : middle, factors[0], factors[1]);
    if (factor_count == 3) {
        gpu_matrix_multiply_add(plain, middle, factors[2]);
    }
    assert_memory_equal(result->values, plain->values,
                        sizes[0] * sizes[factor_count] * sizeof(double));
    for (guint i = 0; i < factor_count; i++) {
        gpu_matrix_free(factors[i]);
    }
    return traffic;
}

/* Sizes that the best tiles divide: the closed forms hold to the word. */
static void closed_forms_count_every_word(void **state)
{
    static const struct {
        ChainMethod method;
        uint64_t sizes[CHAIN_METHOD_SIZES];
        uint64_t words;
        uint64_t expected;
    } rows[] = {
        /* 2 P0 P1 P2 / 8 + P0 P2 */
        {CHAIN_KEEP_OUTPUT, {24, 40, 16, 0}, 64, 3840 + 384},
        /* 2 sqrt2 P0 P1 P2 / sqrt(128) + P0 P1 - P0 P2, tile 8 x 16 */
        {CHAIN_KEEP_LEFT, {24, 48, 20, 0}, 128, 5760 + 1152 - 480},
        {CHAIN_KEEP_RIGHT, {20, 48, 24, 0}, 128, 5760 + 1152 - 480},
        /* alpha = 1, alpha' = 1.5, tile 8 x 12:
         * 4 P0 P1 P2 sqrt(1.5) / sqrt(96) - P0 P3 */
        {CHAIN_FUSE_LEFT, {16, 32, 24, 32}, 96, 6144 - 512},
        {CHAIN_FUSE_RIGHT, {32, 24, 32, 16}, 96, 6144 - 512},
    };
    uint64_t random = sim_random_stream(1, 0);

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        ChainTile tile;
        ChainCost cost;

        chain_cost_init(&cost, rows[i].method, rows[i].sizes, rows[i].words,
                        CHAIN_CORRECTED);
        chain_tile_init(&tile, rows[i].method, rows[i].sizes, rows[i].words,
                        CHAIN_CORRECTED, false);
        const ChainTraffic traffic =
            multiply(rows[i].method, rows[i].sizes, &tile,
                     rows[i].words + chain_tile_stream(&tile), &random);

        print_message("%s\n", chain_method_name(rows[i].method));
        assert_int_equal(tile.rows * tile.columns, rows[i].words);
        assert_int_equal(traffic.loaded + traffic.stored, rows[i].expected);
        assert_true(fabs(cost.words - (double) rows[i].expected) < 1e-9 * cost.words);
        assert_int_equal(traffic.peak, rows[i].words + chain_tile_stream(&tile));
    }
}

/* With the printed beta the same pair would move fewer words than any loop does. */
static void loops_show_which_beta_is_right(void **state)
{
    const uint64_t sizes[] = {32, 64, 32, 16};
    uint64_t random = sim_random_stream(2, 0);
    ChainCost printed;
    ChainCost right;
    ChainTile tile;

    (void) state;
    chain_cost_init(&printed, CHAIN_FUSE_RIGHT, sizes, 96, CHAIN_AS_PRINTED);
    chain_cost_init(&right, CHAIN_FUSE_RIGHT, sizes, 96, CHAIN_CORRECTED);
    for (uint64_t rows = 1; rows <= 64; rows++) {
        tile = (ChainTile){rows, MIN(96 / rows, 16)};
        const ChainTraffic traffic = multiply(CHAIN_FUSE_RIGHT, sizes, &tile,
                                              96 + chain_tile_stream(&tile), &random);
        const double moved = (double) (traffic.loaded + traffic.stored);

        assert_true(moved >= right.words - 1e-6);
        assert_true(moved > printed.words * 1.05);
    }
}

static void random_products_are_equal_and_move_what_is_predicted(void **state)
{
    uint64_t random = sim_random_stream(3, 0);

    (void) state;
    for (guint i = 0; i < 400; i++) {
        const ChainMethod method = (ChainMethod) (i % CHAIN_METHODS);
        const bool is_strict = i % 2 == 0;
        const uint64_t words = 16 + sim_random_below(&random, 200);
        uint64_t sizes[CHAIN_METHOD_SIZES];
        ChainTile tile;

        for (guint k = 0; k < CHAIN_METHOD_SIZES; k++) {
            sizes[k] =
                (uint64_t) sqrt((double) words) + 1 + sim_random_below(&random, 20);
        }
        chain_tile_init(&tile, method, sizes, words, (ChainForm) (i % 3), is_strict);
        const uint64_t capacity = words + (is_strict ? 0 : chain_tile_stream(&tile));
        const ChainTraffic traffic = multiply(method, sizes, &tile, capacity, &random);

        assert_true((double) (traffic.loaded + traffic.stored) ==
                    chain_tile_words(&tile, method, sizes));
        assert_true(traffic.peak <= capacity);
        assert_int_equal(traffic.peak,
                         tile.rows * tile.columns + chain_tile_stream(&tile));
    }
}

/* Any tile at all, down to a word. */
static void all_tiles_give_the_same_product(void **state)
{
    const uint64_t sizes[] = {7, 5, 6, 4};
    uint64_t random = sim_random_stream(4, 0);

    (void) state;
    for (guint i = 0; i < CHAIN_METHODS; i++) {

        const ChainTile matrix = chain_method_extent((ChainMethod) i, sizes);

        for (uint64_t rows = 1; rows <= matrix.rows; rows++) {
            for (uint64_t columns = 1; columns <= matrix.columns; columns++) {
                const ChainTile tile = {rows, columns};

                (void) multiply((ChainMethod) i, sizes, &tile,
                                rows * columns + chain_tile_stream(&tile), &random);
            }
        }
    }
}

static void fast_memory_counts_and_keeps_the_peak(void **state)
{
    double slow[] = {1, 2, 3, 4, 5, 6};
    g_autoptr(ChainFastMemory) memory = chain_fast_memory_new(4);
    double *first = chain_fast_memory_take(memory, 3);
    const ChainLine column = {slow, 2, 3};
    const ChainLine row = {slow, 1, 3};

    (void) state;
    assert_true(first[0] == 0 && first[2] == 0);
    chain_fast_memory_load(memory, &column, first);
    assert_true(first[0] == 1 && first[1] == 3 && first[2] == 5);
    (void) chain_fast_memory_take(memory, 1);
    chain_fast_memory_give_back(memory, 1);
    chain_fast_memory_store(memory, first, &row);
    assert_true(slow[1] == 3 && slow[2] == 5 && slow[3] == 4);

    const ChainTraffic traffic = chain_fast_memory_traffic(memory);

    assert_int_equal(traffic.loaded, 3);
    assert_int_equal(traffic.stored, 3);
    assert_int_equal(traffic.peak, 4);
}

static ChainTrial *trial_of(const Chain *chain, uint64_t words, ChainForm form)
{
    ChainTrial *trial = g_new0(ChainTrial, 1);

    assert_true(chain_trial_init(trial, chain, words, form, NULL));
    return trial;
}

static void whole_trees_are_equal_to_the_plain_order(void **state)
{
    const Chain published = {6, {936, 1008, 552, 368, 1016, 616, 544}};

    (void) state;
    for (guint form = CHAIN_CORRECTED; form <= CHAIN_WHOLE; form++) {
        g_autofree ChainTrial *trial = trial_of(&published, 65536, (ChainForm) form);

        assert_true(chain_trial_run_plan(trial, 1, NULL));
        assert_int_equal(trial->row_count, 4);
        assert_true(trial->is_right);
        for (guint i = 0; i < trial->row_count; i++) {
            assert_true(trial->rows[i].is_equal);
            assert_int_equal(trial->rows[i].is_strict, i % 2);
        }
        const ChainTrialRow *single = &trial->rows[0];
        const ChainTrialRow *fused = &trial->rows[2];

        /* Formulas are what loops move where tiles are whole, and below it else: a
         * matrix of 3.7 tiles has 4. */
        assert_int_equal(fused->predicted == fused->formula, form == CHAIN_WHOLE);
        assert_true(fused->predicted >= fused->formula);
        assert_int_equal(fused->predicted < single->predicted, form == CHAIN_WHOLE);
    }
}

static void random_trees_are_equal_to_the_plain_order(void **state)
{
    uint64_t random = sim_random_stream(5, 0);

    (void) state;
    for (guint i = 0; i < 60; i++) {
        Chain chain = {.matrix_count = 2 + i % 24};

        for (guint k = 0; k <= chain.matrix_count; k++) {
            chain.sizes[k] = 8 + sim_random_below(&random, 25);
        }
        g_autofree ChainTrial *trial = trial_of(&chain, 60, (ChainForm) (i % 3));

        assert_int_equal(trial->scale, 1);
        assert_true(chain_trial_run_plan(trial, i, NULL));
        assert_true(trial->is_right);
    }
}

static void methods_are_tried_on_two_and_three_matrices(void **state)
{
    g_autofree ChainTrial *single =
        trial_of(&(Chain){2, {60, 55, 50}}, 64, CHAIN_CORRECTED);
    g_autofree ChainTrial *pair =
        trial_of(&(Chain){3, {900, 800, 700, 600}}, 65536, CHAIN_CORRECTED);

    (void) state;
    chain_trial_run_methods(single, 1);
    chain_trial_run_methods(pair, 1);
    assert_true(single->is_right && pair->is_right);
    assert_int_equal(single->row_count, 6);
    assert_int_equal(pair->row_count, 4);
    assert_string_equal(single->rows[0].name, "keep_output");
    assert_string_equal(pair->rows[3].name, "fuse_right");
    assert_true(pair->scale > 1);
    assert_true(pair->rows[3].is_strict && pair->rows[3].traffic.peak <= pair->words);
}

static void chains_too_large_for_their_fast_memory_are_not_tried(void **state)
{
    g_autoptr(GError) error = NULL;
    ChainTrial trial;

    (void) state;
    assert_false(chain_trial_init(&trial, &(Chain){2, {1000000, 1000000, 1000000}},
                                  4096, CHAIN_CORRECTED, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
}

/* Those whose cube root is rounded up on x86-64 (3, 21, 29), on aarch64 (3, 31, 41). */
static void the_scale_is_the_least_even_where_a_cube_root_is_rounded(void **state)
{
    static const uint64_t scales[] = {1, 2, 3, 21, 29, 31, 41, 1000};

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(scales); i++) {
        const uint64_t size = 256 * scales[i]; /* the cube of 256 is 2^24 */
        const Chain chain = {2, {size, size, size}};
        const Chain more = {2, {size, size, size + 1}};
        g_autofree ChainTrial *trial = trial_of(&chain, 1000000000, CHAIN_CORRECTED);
        g_autofree ChainTrial *next = trial_of(&more, 1000000000, CHAIN_CORRECTED);

        assert_int_equal(trial->scale, scales[i]);
        assert_int_equal(trial->chain.sizes[0], 256);
        assert_true(next->scale > scales[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_count_every_word),
        cmocka_unit_test(loops_show_which_beta_is_right),
        cmocka_unit_test(random_products_are_equal_and_move_what_is_predicted),
        cmocka_unit_test(all_tiles_give_the_same_product),
        cmocka_unit_test(fast_memory_counts_and_keeps_the_peak),
        cmocka_unit_test(whole_trees_are_equal_to_the_plain_order),
        cmocka_unit_test(random_trees_are_equal_to_the_plain_order),
        cmocka_unit_test(methods_are_tried_on_two_and_three_matrices),
        cmocka_unit_test(chains_too_large_for_their_fast_memory_are_not_tried),
        cmocka_unit_test(the_scale_is_the_least_even_where_a_cube_root_is_rounded),
    };

    return cmocka_run_group_tests_name("arch.chain_loops", tests, NULL, NULL);
}
