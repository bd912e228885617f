/* Tiles of a chip: what is where, what works, rectangles, plans of transfers. */
#include <string.h>

#include "arch/traffic/transfer_plan.h"
#include "tests/arch/noc/chip.h"

typedef struct {
    ArchParams *params;
    ArchTiles *tiles;
} Fixture;

static void open_tiles(Fixture *self, const char *override)
{
    self->params = load_params();
    if (override != NULL) {
        assert_true(arch_params_override(self->params, override, NULL));
    }
    self->tiles = arch_tiles_new(self->params, NULL);
    assert_non_null(self->tiles);
}

static void close_tiles(Fixture *self)
{
    arch_tiles_free(self->tiles);
    arch_params_free(self->params);
}

static void assert_tile(ArchTile tile, guint x, guint y)
{
    assert_int_equal(tile.x, x);
    assert_int_equal(tile.y, y);
}

static void cores_count_what_works(void **state G_GNUC_UNUSED)
{
    Fixture chip;
    Fixture other;

    open_tiles(&chip, NULL);
    open_tiles(&other, "grid.harvested_rows=1,7");

    assert_int_equal(chip.tiles->columns->len, 8);
    assert_int_equal(chip.tiles->rows->len, 8);
    assert_tile(arch_tiles_core(chip.tiles, 0, 0), 1, 1);
    assert_tile(arch_tiles_core(chip.tiles, 4, 5), 6, 7);
    assert_tile(arch_tiles_core(other.tiles, 0, 0), 1, 2);
    assert_tile(arch_tiles_core(other.tiles, 7, 4), 9, 8);
    close_tiles(&chip);
    close_tiles(&other);
}

static void tiles_are_what_they_are(void **state G_GNUC_UNUSED)
{
    static const struct {
        ArchTile tile;
        bool has[2]; /* by what is needed */
    } rows[] = {
        {{1, 1}, {true, true}},
        {{1, 10}, {false, false}}, /* harvested */
        {{0, 11}, {true, false}},
        {{0, 2}, {false, false}},
    };
    Fixture chip;

    open_tiles(&chip, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (guint need = ARCH_TILES_MEMORY; need <= ARCH_TILES_TENSIX; need++) {
            assert_int_equal(
                arch_tiles_have(chip.tiles, rows[i].tile, (ArchTilesNeed) need),
                rows[i].has[need]);
        }
    }
    assert_int_equal(arch_tiles_kind(chip.tiles, (ArchTile){0, 3}), ARCH_TILE_PCIE);
    assert_int_equal(arch_tiles_kind(chip.tiles, (ArchTile){1, 6}), ARCH_TILE_ETHERNET);
    assert_true(arch_tiles_lost(chip.tiles, (ArchTile){1, 10}));
    assert_false(arch_tiles_lost(chip.tiles, (ArchTile){0, 2}));
    assert_false(arch_tiles_contain(chip.tiles, (ArchTile){10, 0}));
    assert_false(arch_tiles_contain(chip.tiles, (ArchTile){0, 12}));
    close_tiles(&chip);
}

static void rectangles_shrink_around_the_edge(void **state G_GNUC_UNUSED)
{
    ArchTile corners[] = {{8, 9}, {0, 0}};
    ArchTile none[] = {{5, 1}, {5, 9}};
    Fixture chip;

    open_tiles(&chip, NULL);

    assert_true(arch_tiles_shrink(chip.tiles, corners));
    assert_tile(corners[0], 8, 9);
    assert_tile(corners[1], 9, 9);
    assert_false(arch_tiles_shrink(chip.tiles, none));
    close_tiles(&chip);
}

static void a_multicast_needs_a_receiver(void **state G_GNUC_UNUSED)
{
    static const ArchTransferCores one = {.columns = 1, .rows = 1};
    const ArchTile alone[] = {{1, 1}, {1, 1}};
    const ArchTile two[] = {{1, 1}, {2, 1}};
    ArchTransferConfig config = {.noc = 1, .bytes = 64, .count = 2};
    g_auto(ArchTransferPlan) plan = {0};
    Fixture chip;

    open_tiles(&chip, NULL);
    arch_transfer_plan_init(&plan, &config);

    assert_false(arch_transfer_plan_add_multicast(&plan, chip.tiles, &one, alone));
    assert_true(arch_transfer_plan_add_multicast(&plan, chip.tiles, &one, two));
    arch_transfer_plan_end(&plan);
    /* NoC 1 begins at the far corner. */
    assert_tile(plan.config.agents[0].peers[0], 2, 1);
    assert_tile(plan.config.corner, 1, 1);
    assert_int_equal(plan.total_bytes, 128);
    close_tiles(&chip);
}

static void a_pattern_leaves_out_the_core_itself(void **state G_GNUC_UNUSED)
{
    static const ArchTransferCores cores[] = {{.columns = 2, .rows = 1},
                                              {.columns = 1, .rows = 2}};
    static const ArchTransferCores one[] = {{.columns = 1, .rows = 1},
                                            {.columns = 1, .rows = 1}};
    ArchTransferConfig config = {.bytes = 10, .count = 1};
    g_auto(ArchTransferPlan) plan = {0};
    g_auto(ArchTransferPlan) nothing = {0};
    Fixture chip;

    open_tiles(&chip, NULL);
    arch_transfer_plan_init(&plan, &config);
    arch_transfer_plan_init(&nothing, &config);

    assert_true(arch_transfer_plan_add_pattern(&plan, chip.tiles, cores));
    assert_false(arch_transfer_plan_add_pattern(&nothing, chip.tiles, one));
    arch_transfer_plan_end(&plan);
    assert_int_equal(plan.config.agent_count, 2);
    assert_int_equal(plan.config.agents[0].peer_count, 1);
    assert_tile(plan.config.agents[0].peers[0], 1, 2);
    assert_int_equal(plan.config.agents[1].peer_count, 2);
    assert_int_equal(plan.core_bytes, 20);
    assert_int_equal(plan.total_bytes, 30);
    close_tiles(&chip);
}

static void pages_go_on_from_core_to_core(void **state G_GNUC_UNUSED)
{
    static const ArchTransferCores by_rows = {
        .columns = 2, .rows = 2, .column = 1, .row = 3, .is_by_rows = true};
    ArchTransferConfig config = {
        .op = ARCH_TRANSFER_PAGE_READ, .bytes = 10, .count = 5};
    g_auto(ArchTransferPlan) plan = {0};
    Fixture chip;

    open_tiles(&chip, NULL);
    g_autoptr(GArray) banks = arch_transfer_dram_banks(chip.params);
    const ArchTransferPages pages = {.banks = banks, .first = 9, .step = 1, .count = 2};
    const ArchTransferPages runs = {.banks = banks, .count = 5, .run = 2};

    arch_transfer_plan_init(&plan, &config);
    arch_transfer_plan_add_pages(&plan, chip.tiles, &by_rows, &pages);
    arch_transfer_plan_end(&plan);
    assert_int_equal(banks->len, 12);
    assert_int_equal(plan.config.agent_count, 4);
    assert_tile(plan.config.agents[0].core, 2, 4);
    assert_tile(plan.config.agents[1].core, 3, 4);
    assert_tile(plan.config.agents[2].core, 2, 5);
    assert_tile(plan.config.agents[0].peers[0], 5, 3);  /* bank 9, */
    assert_tile(plan.config.agents[0].peers[1], 5, 5);  /* 10, */
    assert_tile(plan.config.agents[2].peers[1], 0, 11); /* 12: the first */
    assert_int_equal(plan.core_bytes, 50);
    assert_int_equal(plan.total_bytes, 200);
    arch_transfer_plan_add_pages(&plan, chip.tiles, &by_rows, &runs);
    arch_transfer_plan_end(&plan);
    assert_tile(plan.config.agents[4].peers[1], 0, 11);
    assert_tile(plan.config.agents[4].peers[2], 0, 1);
    assert_tile(plan.config.agents[4].peers[4], 0, 5);
    close_tiles(&chip);
}

static void pages_in_l1_go_row_by_row(void **state G_GNUC_UNUSED)
{
    Fixture chip;

    open_tiles(&chip, NULL);
    g_autoptr(GArray) banks = arch_transfer_l1_banks(chip.tiles);

    assert_int_equal(banks->len, 64);
    assert_tile(g_array_index(banks, ArchTile, 0), 1, 1);
    assert_tile(g_array_index(banks, ArchTile, 7), 9, 1);
    assert_tile(g_array_index(banks, ArchTile, 8), 1, 2);
    close_tiles(&chip);
}

static void receivers_take_the_place_of_their_sender(void **state G_GNUC_UNUSED)
{
    static const ArchTransferCores one = {.columns = 1, .rows = 1};
    const ArchTile corners[] = {{1, 1}, {2, 3}};
    ArchTransferConfig config = {
        .op = ARCH_TRANSFER_MULTICAST, .noc = 1, .bytes = 64, .count = 2};
    g_auto(ArchTransferPlan) plan = {0};
    Fixture chip;

    open_tiles(&chip, NULL);
    arch_transfer_plan_init(&plan, &config);
    arch_transfer_plan_add_multicast(&plan, chip.tiles, &one, corners);
    arch_transfer_plan_end(&plan);
    arch_transfer_plan_shake_hands(&plan, chip.tiles);

    assert_int_equal(plan.config.op, ARCH_TRANSFER_RECEIVE);
    assert_int_equal(plan.config.noc, 0);
    assert_int_equal(plan.config.agent_count, 5); /* without the sender */
    assert_tile(plan.config.agents[0].core, 1, 2);
    assert_tile(plan.config.agents[4].core, 2, 3);
    assert_tile(plan.config.agents[4].peers[0], 1, 1);
    assert_ptr_equal(plan.config.beside, &plan.other);
    assert_int_equal(plan.other.op, ARCH_TRANSFER_MULTICAST);
    assert_int_equal(plan.other.await_count, 5);
    close_tiles(&chip);
}

static void too_much_is_refused(void **state G_GNUC_UNUSED)
{
    ArchTransferConfig config = {.bytes = 32, .count = 1000000};
    g_auto(ArchTransferPlan) plan = {0};
    g_autoptr(GError) error = NULL;
    Fixture chip;

    open_tiles(&chip, NULL);
    arch_transfer_plan_init(&plan, &config);

    assert_true(arch_transfer_plan_fits(&plan, chip.params, 10, NULL));
    assert_false(arch_transfer_plan_fits(&plan, chip.params, 11, &error));
    assert_string_equal(error->message,
                        "1.1e+07 packets in all, allowed are at most 10,000,000");
    close_tiles(&chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_count_what_works),
        cmocka_unit_test(tiles_are_what_they_are),
        cmocka_unit_test(rectangles_shrink_around_the_edge),
        cmocka_unit_test(a_multicast_needs_a_receiver),
        cmocka_unit_test(a_pattern_leaves_out_the_core_itself),
        cmocka_unit_test(pages_go_on_from_core_to_core),
        cmocka_unit_test(pages_in_l1_go_row_by_row),
        cmocka_unit_test(receivers_take_the_place_of_their_sender),
        cmocka_unit_test(too_much_is_refused),
    };

    return cmocka_run_group_tests_name("arch.traffic_tiles", tests, NULL, NULL);
}
