/* Where a tile's numbers stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/tensix/tile.h"

static uint32_t tile[TENSIX_TILE_ELEMENTS];
static uint32_t moved[TENSIX_TILE_ELEMENTS];

/* Each number says its row and column. */
static int number_tile(void **state G_GNUC_UNUSED)
{
    for (unsigned row = 0; row < TENSIX_TILE_SIDE; row++) {
        for (unsigned column = 0; column < TENSIX_TILE_SIDE; column++) {
            tile[tensix_tile_index(row, column)] = row * 100 + column;
        }
    }
    return 0;
}

static void faces_follow_one_another(void **state G_GNUC_UNUSED)
{
    assert_int_equal(tensix_tile_index(0, 15), 15);
    assert_int_equal(tensix_tile_index(1, 0), 16);
    assert_int_equal(tensix_tile_index(0, 16), 256);
    assert_int_equal(tensix_tile_index(16, 0), 512);
    assert_int_equal(tensix_tile_index(31, 31), 1023);
}

static void transposes_the_whole_tile(void **state G_GNUC_UNUSED)
{
    tensix_tile_transpose(moved, tile);

    assert_int_equal(moved[tensix_tile_index(3, 5)], 503);
    assert_int_equal(moved[tensix_tile_index(5, 20)], 2005);
    assert_int_equal(moved[tensix_tile_index(20, 5)], 520);
    assert_int_equal(moved[tensix_tile_index(31, 30)], 3031);
}

static void broadcasts_row_column_and_scalar(void **state G_GNUC_UNUSED)
{
    tile[0] = 7;

    tensix_tile_broadcast(moved, tile, TENSIX_BROADCAST_ROW);
    assert_int_equal(moved[tensix_tile_index(0, 0)], 7);
    assert_int_equal(moved[tensix_tile_index(9, 3)], 3);
    assert_int_equal(moved[tensix_tile_index(31, 30)], 30);

    tensix_tile_broadcast(moved, tile, TENSIX_BROADCAST_COLUMN);
    assert_int_equal(moved[tensix_tile_index(9, 3)], 900);
    assert_int_equal(moved[tensix_tile_index(30, 31)], 3000);

    tensix_tile_broadcast(moved, tile, TENSIX_BROADCAST_SCALAR);
    assert_int_equal(moved[tensix_tile_index(9, 3)], 7);
    assert_int_equal(moved[tensix_tile_index(31, 31)], 7);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_follow_one_another),
        cmocka_unit_test(transposes_the_whole_tile),
        cmocka_unit_test(broadcasts_row_column_and_scalar),
    };

    return cmocka_run_group_tests_name("arch.tensix_tile", tests, number_tile, NULL);
}
