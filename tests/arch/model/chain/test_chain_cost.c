/* Closed forms of one product and of fused pairs, and their tiles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/model/chain/cost.h"
#include "sim/random.h"

#define EXACT 1e-12

static void
assert_near(const char *what, double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected))) {
        fail_msg("%s: %.15g instead of %.15g", what, value, expected);
    }
}

static ChainCost
cost_of(ChainMethod method, const uint64_t *sizes, uint64_t words, ChainForm form)
{
    ChainCost cost;

    chain_cost_init(&cost, method, sizes, words, form);
    return cost;
}

static double
formula_of(const ChainTile *tile, ChainMethod method, const uint64_t *sizes)
{
    return chain_patch_words(method, sizes, (double) tile->rows,
                             (double) tile->columns);
}

static void the_hyperbola_of_figure_d3_meets_its_line_at_8(void **state)
{
    const uint64_t sizes[] = {60, 55, 50};
    const ChainCost cost = cost_of(CHAIN_KEEP_OUTPUT, sizes, 64, CHAIN_CORRECTED);

    (void) state;
    assert_true(cost.rows == 8 && cost.columns == 8);
    assert_near("h_R", cost.words, 2.0 * 60 * 55 * 50 / 8 + 60 * 50, EXACT);
    assert_false(cost.is_wide);
}

static void inputs_that_stay_cost_root_two_more(void **state)
{
    const uint64_t sizes[] = {1000, 900, 800};
    const double cube = 1000.0 * 900 * 800;
    const ChainCost left = cost_of(CHAIN_KEEP_LEFT, sizes, 65536, CHAIN_CORRECTED);
    const ChainCost right = cost_of(CHAIN_KEEP_RIGHT, sizes, 65536, CHAIN_CORRECTED);
    const ChainCost printed = cost_of(CHAIN_KEEP_RIGHT, sizes, 65536, CHAIN_AS_PRINTED);

    (void) state;
    assert_near("D.5", left.words, 2 * sqrt(2) * cube / 256 + 900000 - 800000, EXACT);
    assert_near("D.6", right.words, 2 * sqrt(2) * cube / 256 + 720000 - 800000, EXACT);
    assert_near("x", left.rows, sqrt(32768), EXACT);
    assert_near("z", left.columns, sqrt(131072), EXACT);
    /* What is printed has the sides the other way round, at which more would move. */
    assert_near("z", right.rows, sqrt(131072), EXACT);
    assert_near("y", right.columns, sqrt(32768), EXACT);
    assert_near("y as printed", printed.columns, sqrt(131072), EXACT);
    assert_near("D.6 as printed", printed.words, right.words, EXACT);
}

static void fused_pairs_have_their_ratio_and_tile(void **state)
{
    /* T4 and T3 of the published example. */
    const uint64_t left_sizes[] = {368, 1016, 616, 544};
    const uint64_t right_sizes[] = {936, 1008, 552, 368};
    const ChainCost left = cost_of(CHAIN_FUSE_LEFT, left_sizes, 65536, CHAIN_CORRECTED);
    const ChainCost right =
        cost_of(CHAIN_FUSE_RIGHT, right_sizes, 65536, CHAIN_CORRECTED);
    const ChainCost printed =
        cost_of(CHAIN_FUSE_RIGHT, right_sizes, 65536, CHAIN_AS_PRINTED);

    (void) state;
    assert_near("alpha", left.ratio, 544.0 / 1016, EXACT);
    assert_near("x", left.rows, 220.4, 5e-4);
    assert_near("y", left.columns, 297.3, 5e-4);
    assert_near("beta", right.ratio, 936.0 / 552, EXACT);
    assert_near("x", right.rows, 326.7, 5e-4);
    assert_near("y", right.columns, 200.6, 5e-4);
    assert_near("beta as printed", printed.ratio, 936.0 / 1008, EXACT);
    assert_near("x as printed", printed.rows, 311.6, 5e-4);
}

/* Of all ways to draw tiles no larger than M, none moves fewer words than the closed
 * form; but the printed beta promises what no tile can do. */
static void no_tile_moves_fewer_words_than_the_corrected_form(void **state)
{
    uint64_t random = sim_random_stream(1, 0);
    guint broken = 0;

    (void) state;
    for (guint i = 0; i < 2000; i++) {
        const ChainMethod method = (ChainMethod) (i % CHAIN_METHODS);
        const uint64_t words = 1024 + sim_random_below(&random, 1000);
        uint64_t sizes[CHAIN_METHOD_SIZES];

        for (guint k = 0; k < CHAIN_METHOD_SIZES; k++) {
            sizes[k] = 46 + sim_random_below(&random, 200);
        }
        const ChainCost cost = cost_of(method, sizes, words, CHAIN_CORRECTED);
        const ChainCost printed = cost_of(method, sizes, words, CHAIN_AS_PRINTED);
        const uint64_t rows = 1 + sim_random_below(&random, 60);
        const ChainTile tile = {rows, words / rows};

        assert_true(formula_of(&tile, method, sizes) >= cost.words * (1 - EXACT));
        broken += printed.words < cost.words * (1 - EXACT) ? 1 : 0;
    }
    assert_true(broken > 100);
}

/* Every tile that fits, tried: none moves fewer words. */
static void whole_tiles_are_the_best_there_are(void **state)
{
    uint64_t random = sim_random_stream(2, 0);
    guint better = 0;

    (void) state;
    for (guint i = 0; i < 200; i++) {
        const ChainMethod method = (ChainMethod) (i % CHAIN_METHODS);
        const bool is_strict = i % 2 == 0;
        const uint64_t words = 100 + sim_random_below(&random, 100);
        uint64_t sizes[CHAIN_METHOD_SIZES];
        ChainTile rounded;
        ChainTile best;

        for (guint k = 0; k < CHAIN_METHOD_SIZES; k++) {
            sizes[k] = 15 + sim_random_below(&random, 40);
        }
        const ChainTile matrix = chain_method_extent(method, sizes);

        chain_tile_init(&rounded, method, sizes, words, CHAIN_CORRECTED, is_strict);
        chain_tile_init(&best, method, sizes, words, CHAIN_WHOLE, is_strict);
        const double moved = chain_tile_words(&best, method, sizes);

        better += moved < chain_tile_words(&rounded, method, sizes) ? 1 : 0;
        for (uint64_t rows = 1; rows <= matrix.rows; rows++) {
            for (uint64_t columns = 1; columns <= matrix.columns; columns++) {
                const ChainTile tile = {rows, columns};
                const uint64_t held =
                    rows * columns + (is_strict ? chain_tile_stream(&tile) : 0);

                assert_true(held > words ||
                            chain_tile_words(&tile, method, sizes) >= moved);
            }
        }
        const ChainCost cost = cost_of(method, sizes, words, CHAIN_WHOLE);

        assert_true(is_strict || cost.words == moved);
        assert_true(cost.words >=
                    cost_of(method, sizes, words, CHAIN_CORRECTED).words * (1 - EXACT));
    }
    assert_true(better > 20);
}

static void a_side_that_is_cut_off_leaves_room_for_the_other(void **state)
{
    static const struct {
        ChainMethod method;
        uint64_t sizes[3];
        bool is_wide;
        ChainTile tile;
    } rows[] = {
        /* sqrt(2 M) = 362.04 and sqrt(M / 2) = 181.02. */
        {CHAIN_KEEP_LEFT, {1000, 400, 800}, false, {181, 362}},
        {CHAIN_KEEP_LEFT, {1000, 300, 800}, true, {65536 / 300, 300}},
        {CHAIN_KEEP_RIGHT, {1000, 400, 800}, false, {362, 181}},
        {CHAIN_KEEP_RIGHT, {1000, 300, 800}, true, {300, 65536 / 300}},
    };

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const ChainCost cost =
            cost_of(rows[i].method, rows[i].sizes, 65536, CHAIN_CORRECTED);
        ChainTile tile;

        chain_tile_init(&tile, rows[i].method, rows[i].sizes, 65536, CHAIN_CORRECTED,
                        false);
        assert_int_equal(cost.is_wide, rows[i].is_wide);
        assert_int_equal(tile.rows, rows[i].tile.rows);
        assert_int_equal(tile.columns, rows[i].tile.columns);
    }
}

/* Words of one more tile each way: the equations are linear in the tiles. */
static double slack_of(ChainMethod method, const uint64_t *sizes)
{
    const ChainTile matrix = chain_method_extent(method, sizes);
    const double rows = (double) matrix.rows;
    const double columns = (double) matrix.columns;

    return chain_patch_words(method, sizes, rows / 2, columns / 2) -
           chain_patch_words(method, sizes, rows, columns);
}

static void tiles_fit_and_cost_at_most_one_more_each_way(void **state)
{
    uint64_t random = sim_random_stream(3, 0);

    (void) state;
    for (guint i = 0; i < 3000; i++) {
        const ChainMethod method = (ChainMethod) (i % CHAIN_METHODS);
        const ChainForm form = (ChainForm) (i % 3);
        const uint64_t words = 16 + sim_random_below(&random, 3000);
        const uint32_t least = (uint32_t) sqrt((double) words) + 1;
        uint64_t sizes[CHAIN_METHOD_SIZES];
        ChainTile loose;
        ChainTile strict;

        for (guint k = 0; k < CHAIN_METHOD_SIZES; k++) {
            sizes[k] = least + sim_random_below(&random, 300);
        }
        const ChainTile matrix = chain_method_extent(method, sizes);

        chain_tile_init(&loose, method, sizes, words, form, false);
        chain_tile_init(&strict, method, sizes, words, form, true);
        assert_in_range(loose.rows, 1, matrix.rows);
        assert_in_range(loose.columns, 1, matrix.columns);
        assert_in_range(strict.rows, 1, matrix.rows);
        assert_in_range(strict.columns, 1, matrix.columns);
        assert_true(loose.rows * loose.columns <= words);
        assert_true(strict.rows * strict.columns + chain_tile_stream(&strict) <= words);
        if (form != CHAIN_WHOLE) {
            /* No more lines are taken off than must be, and short ones. */
            const uint64_t held = loose.rows * loose.columns;
            const uint64_t stream = chain_tile_stream(&loose);
            const uint64_t excess = held + stream > words ? held + stream - words : 0;

            assert_true(held - strict.rows * strict.columns <= excess + stream);
        }

        const double formula = formula_of(&loose, method, sizes);
        const double exact = chain_tile_words(&loose, method, sizes);
        const bool is_whole =
            matrix.rows % loose.rows == 0 && matrix.columns % loose.columns == 0;

        assert_true(exact >= formula - 0.5 &&
                    exact < formula + slack_of(method, sizes));
        if (is_whole) {
            assert_near("whole tiles", exact, formula, EXACT);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hyperbola_of_figure_d3_meets_its_line_at_8),
        cmocka_unit_test(inputs_that_stay_cost_root_two_more),
        cmocka_unit_test(fused_pairs_have_their_ratio_and_tile),
        cmocka_unit_test(no_tile_moves_fewer_words_than_the_corrected_form),
        cmocka_unit_test(whole_tiles_are_the_best_there_are),
        cmocka_unit_test(a_side_that_is_cut_off_leaves_room_for_the_other),
        cmocka_unit_test(tiles_fit_and_cost_at_most_one_more_each_way),
    };

    return cmocka_run_group_tests_name("arch.chain_cost", tests, NULL, NULL);
}
