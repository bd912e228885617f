/* Tiles of a chip: logical coordinates, rectangles, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "tools/gridloom/noc/chip.h"

static void load(CmdNocChip *chip)
{
    g_autoptr(GError) error = NULL;

    if (!cmd_noc_chip_load(chip, "wormhole_n300", NULL, &error)) {
        fail_msg("%s", error->message);
    }
}

static void assert_tile(ArchTile tile, guint x, guint y)
{
    assert_int_equal(tile.x, x);
    assert_int_equal(tile.y, y);
}

static void logical_coordinates_are_of_cores(void **state G_GNUC_UNUSED)
{
    g_auto(CmdNocChip) chip = {0};
    ArchTile tile;

    load(&chip);
    assert_true(
        cmd_noc_chip_read_tile(&chip, "L:7,7", "--to", ARCH_TILES_TENSIX, &tile, NULL));
    assert_tile(tile, 9, 9);
}

static void rectangles_shrink_to_tensix_tiles(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *text;
        ArchTile corners[2];
    } rows[] = {
        {"1,1", {{1, 1}, {1, 1}}},       {"1,1:4,5", {{1, 1}, {4, 5}}},
        {"L:0,0:4,5", {{1, 1}, {6, 7}}}, {"L:0,0:L:4,5", {{1, 1}, {6, 7}}},
        {"0,0:5,6", {{1, 1}, {4, 5}}},   {"9,9:1,1", {{9, 9}, {1, 1}}},
        {"8,9:0,0", {{8, 9}, {9, 9}}},   {"5,6:0,0", {{6, 7}, {9, 9}}},
    };
    g_auto(CmdNocChip) chip = {0};

    load(&chip);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        ArchTile corners[2];

        if (!cmd_noc_chip_read_rectangle(&chip, rows[i].text, "--to", corners, NULL)) {
            fail_msg("%s is refused", rows[i].text);
        }
        for (guint j = 0; j < 2; j++) {
            assert_tile(corners[j], rows[i].corners[j].x, rows[i].corners[j].y);
        }
    }
}

static void what_is_no_tile_is_refused(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"",    "1",     "1,",   "1,1,1", "-1,1",
                                        "a,b", "l:1,1", "L:1",  "1,1:2", "10,0",
                                        "0,2", "1,10",  "L:8,0"};
    g_auto(CmdNocChip) chip = {0};

    load(&chip);
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        ArchTile tile = {7, 7};

        if (cmd_noc_chip_read_tile(&chip, texts[i], "--to", ARCH_TILES_MEMORY, &tile,
                                   &error)) {
            fail_msg("%s is taken", texts[i]);
        }
        assert_int_equal(error->domain, G_OPTION_ERROR);
        assert_tile(tile, 7, 7);
    }
}

static void what_is_no_rectangle_is_refused(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {
        "",        ":",       "1,1:",     ":1,1",     "1,1:L:2,2",
        "5,1:5,9", "1,6:9,6", "1,1:1,12", "1,10:9,11"};
    g_auto(CmdNocChip) chip = {0};

    load(&chip);
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        ArchTile corners[2];

        if (cmd_noc_chip_read_rectangle(&chip, texts[i], "--to", corners, &error)) {
            fail_msg("%s is taken", texts[i]);
        }
        assert_int_equal(error->domain, G_OPTION_ERROR);
    }
}

static void other_families_are_not_modelled(void **state G_GNUC_UNUSED)
{
    g_auto(CmdNocChip) chip = {0};
    g_autoptr(GError) error = NULL;

    assert_false(cmd_noc_chip_load(&chip, "wse2", NULL, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logical_coordinates_are_of_cores),
        cmocka_unit_test(rectangles_shrink_to_tensix_tiles),
        cmocka_unit_test(what_is_no_tile_is_refused),
        cmocka_unit_test(what_is_no_rectangle_is_refused),
        cmocka_unit_test(other_families_are_not_modelled),
    };

    return cmocka_run_group_tests_name("tools.noc_chip", tests, NULL, NULL);
}
