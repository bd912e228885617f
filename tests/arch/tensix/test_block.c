/* Products of blocks: their order, and how they overlap unpacking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/tensix/compute/block.h"
#include "tests/arch/tensix/rounds.h"

/* Four products of a block: 63 cycles for both operands and three times 38 for one, 7
 * of the stream for each, or 16 for each phase and one between two. Cards take 49.6
 * (HiFi2) and 69.3 (HiFi4) in all for BF16, 28.1 for BFP4 (LoFi), whose calls bound it:
 * 33 and three times 26. */
static void products_of_a_block_overlap_unpacking(void **state)
{
    static const struct {
        KernelTest test;
        double cycles;
        double published;
    } rows[] = {
        {{.fidelity = 1}, (63 + 3 * 38) / 4.0 + 7, 0},
        {{.fidelity = 2}, (63 + 3 * 38) / 4.0 + 7, 49.6},
        {{.fidelity = 4}, 4 * 16 + 3, 69.3},
        {{.fidelity = 1, .format = ARCH_FORMAT_BFP8}, (33 + 3 * 23) / 4.0 + 7, 0},
        {{.fidelity = 1, .format = ARCH_FORMAT_BFP4}, (33 + 3 * 26) / 4.0, 28.05},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        KernelTest test = rows[i].test;

        test.round = round_block_matmul;
        const double cycles = kernel_slope(test, 8) / ROUND_BLOCK_PRODUCTS;

        print_message("block %zu: %.2f cycles a product, a card %.2f\n", i, cycles,
                      rows[i].published);
        assert_true(cycles >= rows[i].cycles && cycles < rows[i].cycles + 3);
        assert_true(rows[i].published == 0 || (cycles < 1.1 * rows[i].published &&
                                               cycles > 0.9 * rows[i].published));
    }
}

/* A step of a block of two rows: 63 cycles for the first operands, 38 for the tile that
 * stays in the other bank and three times 38 for those that both meet, 7 of the stream
 * for each of these five: 250 for eight products. With more phases, the first two
 * operands of a step wait for the last product but one of the step before and come in
 * 70 cycles, the third in 45: the FPU stands still for 70 - 33 and 45 - 33. */
static void two_rows_of_a_block_share_what_comes(void **state)
{
    static const struct {
        KernelTest test;
        double cycles;
    } rows[] = {
        {{.fidelity = 1}, 250 / 8.0},
        {{.fidelity = 2}, (8 * 33 + 37 + 12) / 8.0},
        {{.fidelity = 4}, 4 * 16 + 3},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        KernelTest test = rows[i].test;

        test.round = round_pair_matmul;
        const double cycles = kernel_slope(test, 8) / ROUND_BLOCK_PRODUCTS;

        print_message("two rows %zu: %.2f cycles a product\n", i, cycles);
        assert_true(cycles >= rows[i].cycles && cycles < rows[i].cycles + 3);
    }
}

static void products_of_a_block_come_in_the_order_of_llk(void **state)
{
    enum {
        ROWS = 3,
        COLUMNS = 4,
        LATER = TENSIX_KEEP_LATER,
        PAIRED = TENSIX_KEEP_PAIRED,
    };
    static const guint8 dst[ROWS * COLUMNS] = {0, 4, 1, 5, 2, 6, 3, 7, 8, 9, 10, 11};
    static const guint8 keep[ROWS * COLUMNS] = {
        LATER | PAIRED,
        LATER | PAIRED | TENSIX_KEEP_B,
        PAIRED | TENSIX_KEEP_A,
        PAIRED | TENSIX_KEEP_BOTH,
        PAIRED | TENSIX_KEEP_A,
        PAIRED | TENSIX_KEEP_BOTH,
        PAIRED | TENSIX_KEEP_A,
        PAIRED | TENSIX_KEEP_BOTH,
        LATER,
        TENSIX_KEEP_A,
        TENSIX_KEEP_A,
        TENSIX_KEEP_A,
    };
    const ArchComputeCall wide = {
        .tile_a = 20, .tile_b = 40, .dst_b = COLUMNS, .dst_c = ROWS, .count = 5};
    const ArchComputeCall high = {.dst_b = ROWS, .dst_c = COLUMNS, .count = 5};

    (void) state;
    assert_int_equal(tensix_block_products(&wide), ROWS * COLUMNS);
    for (guint i = 0; i < ROWS * COLUMNS; i++) {
        const ArchComputeCall call = tensix_block_product(&wide, i);
        const ArchComputeCall turned = tensix_block_product(&high, i);
        const guint row = dst[i] / COLUMNS;
        const guint column = dst[i] % COLUMNS;

        assert_int_equal(call.dst, dst[i]);
        assert_int_equal(call.keep, keep[i]);
        assert_int_equal(call.tile_a, 20 + 5 * row);
        assert_int_equal(call.tile_b, 40 + column);
        assert_false(tensix_block_is(&call));
        assert_int_equal(turned.dst, column * ROWS + row);
        assert_int_equal(turned.tile_a, 5 * column);
        assert_int_equal(turned.tile_b, row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_a_block_overlap_unpacking),
        cmocka_unit_test(two_rows_of_a_block_share_what_comes),
        cmocka_unit_test(products_of_a_block_come_in_the_order_of_llk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
