/* Cores beside DRAM banks, as tt-metal assigns them. */
#include "arch/traffic/neighbours.h"
#include "tests/arch/noc/chip.h"

typedef struct {
    ArchParams *params;
    ArchTiles *tiles;
} Fixture;

static void open_chip(Fixture *self, const char *override)
{
    self->params = load_params();
    assert_true(arch_params_override(self->params, override, NULL));
    self->tiles = arch_tiles_new(self->params, NULL);
    assert_non_null(self->tiles);
}

static void close_chip(Fixture *self)
{
    arch_tiles_free(self->tiles);
    arch_params_free(self->params);
}

static guint count_of(const Fixture *self, guint banks, ArchNeighbours which)
{
    g_autoptr(GArray) all =
        arch_neighbours_new(self->params, self->tiles, banks, which);

    return all->len;
}

/* The numbers of cores that the published sweep over banks has: two neighbours each,
 * but for the closest core of bank 6, which is beside another bank's. */
static void a_bank_has_three_cores(void **state G_GNUC_UNUSED)
{
    static const guint counts[] = {3, 6, 9, 12, 15, 18, 20, 23, 26, 29, 32, 35};
    Fixture chip;

    open_chip(&chip, "grid.harvested_rows=1,11");
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        assert_int_equal(count_of(&chip, i + 1, ARCH_NEIGHBOURS_BOTH), counts[i]);
    }
    assert_int_equal(count_of(&chip, 1, ARCH_NEIGHBOURS_EAST), 2);
    assert_int_equal(count_of(&chip, 1, ARCH_NEIGHBOURS_WEST), 2);
    assert_int_equal(count_of(&chip, 1, ARCH_NEIGHBOURS_ROW), 8);
    assert_int_equal(count_of(&chip, 99, ARCH_NEIGHBOURS_BOTH), 35);
    close_chip(&chip);
}

static void
a_bank_beside_a_harvested_row_has_cores_elsewhere(void **state G_GNUC_UNUSED)
{
    Fixture chip;

    open_chip(&chip, "grid.harvested_rows=10,11");
    g_autoptr(GArray) first =
        arch_neighbours_new(chip.params, chip.tiles, 1, ARCH_NEIGHBOURS_BOTH);
    g_autoptr(GArray) two =
        arch_neighbours_new(chip.params, chip.tiles, 2, ARCH_NEIGHBOURS_EAST);
    const ArchNeighbour *at = &g_array_index(first, ArchNeighbour, 1);
    const ArchNeighbour *other = &g_array_index(two, ArchNeighbour, 0);

    /* Bank 0 is at 0,11: three columns on, in the last row that no bank is beside. */
    assert_int_equal(first->len, 3);
    assert_int_equal(at->core.x, 4);
    assert_int_equal(at->core.y, 9);
    assert_int_equal(at->bank.x, 0);
    assert_int_equal(at->bank.y, 11);
    /* Bank 1 is at 0,1: beside it. */
    assert_int_equal(two->len, 4);
    assert_int_equal(other->core.x, 1);
    assert_int_equal(other->core.y, 1);
    assert_int_equal(other->bank.y, 1);
    close_chip(&chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bank_has_three_cores),
        cmocka_unit_test(a_bank_beside_a_harvested_row_has_cores_elsewhere),
    };

    return cmocka_run_group_tests_name("arch.noc_neighbours", tests, NULL, NULL);
}
