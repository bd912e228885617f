/* Silicon of Tensix chips and wafers, worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/area/area.h"
#include "tests/arch/shipped.h"

static void assert_near(const char *what, double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected))) {
        fail_msg("%s: %.15g instead of %.15g", what, value, expected);
    }
}

static ArchArea area_of(const char *chip, const char *const *changes, ArchAreaView view)
{
    g_autoptr(ArchParams) params = shipped_params_with(chip, changes);
    ArchArea area = {0};
    GError *error = NULL;

    assert_true(arch_area_of(params, view, &area, &error));
    assert_null(error);
    return area;
}

static double part_of(const ArchArea *area, const char *name)
{
    for (guint i = 0; i < area->part_count; i++) {
        if (g_str_equal(area->parts[i].name, name)) {
            return area->parts[i].mm2;
        }
    }
    fail_msg("there is no part %s", name);
    return 0;
}

/* What is fitted to the die makes the sum; it is within a thousandth. */
static void parts_of_shipped_chips_fill_their_dies(void **state)
{
    static const struct {
        const char *chip;
        double die;
        uint64_t cores;
    } rows[] = {
        {"wormhole_n150", 670, 80}, {"wormhole_n300", 670, 80}, {"wse1", 46225, 400000},
        {"wse2", 46225, 850000},    {"wse3", 46225, 900000},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const ArchArea area = area_of(rows[i].chip, NULL, ARCH_AREA_AS_FILED);
        double sum = 0;

        for (guint k = 0; k < area.part_count; k++) {
            assert_true(area.parts[k].mm2 > 0);
            sum += area.parts[k].mm2;
        }
        assert_near(rows[i].chip, area.die_mm2, rows[i].die);
        assert_near(rows[i].chip, area.mm2, sum);
        assert_near(rows[i].chip, area.mm2,
                    area.outside_mm2 + area.core_mm2 * (double) area.core_count);
        assert_int_equal(area.core_count, rows[i].cores);
        if (fabs(area.mm2 / area.die_mm2 - 1) > 0.001) {
            fail_msg("%s: %g mm2, the die has %g", rows[i].chip, area.mm2,
                     area.die_mm2);
        }
        assert_int_equal(arch_area_cores_in(&area, area.mm2), rows[i].cores);
    }
}

static void parts_of_a_wormhole_are_as_by_hand(void **state)
{
    const ArchArea area = area_of("wormhole_n300", NULL, ARCH_AREA_AS_FILED);

    (void) state;
    assert_near("sram of a tile", area.sram_mm2, 1464 * 0.00094);
    assert_near("tile", area.core_mm2, 1.37616 + 1 + 0.3 + 0.3 + 0.6 + 1.62);
    assert_near("sram", part_of(&area, "sram"), 80 * 1.37616);
    assert_near("routers", part_of(&area, "routers"), 48);
    assert_near("dram", part_of(&area, "dram"), 18 * 4.5);
    assert_near("ethernet", part_of(&area, "ethernet"), 16 * 5.5);
    assert_near("outside", area.outside_mm2, 81 + 88 + 20 + 65.3);
}

static void parts_of_a_wafer_are_as_by_hand(void **state)
{
    static const char *const twice[] = {"memory.capacity_bytes=98304", NULL};
    const ArchArea area = area_of("wse2", NULL, ARCH_AREA_AS_FILED);
    const ArchArea large = area_of("wse2", twice, ARCH_AREA_AS_FILED);

    (void) state;
    assert_near("PE", area.core_mm2, 48 * 0.000396 + 0.014 + 0.005);
    assert_near("PE of 96 KiB", large.core_mm2, 96 * 0.000396 + 0.014 + 0.005);
    /* (46225 - 13918) / 0.038008 and / 0.057016, whole ones. */
    assert_int_equal(arch_area_cores_in(&area, 46225), 850005);
    assert_int_equal(arch_area_cores_in(&large, 46225), 566630);
}

static void floor_plans_count_tiles(void **state)
{
    static const char *const small[] = {"grid.tensix_rows=1,2,3",
                                        "grid.tensix_columns=1,2",
                                        "grid.harvested_rows=3", NULL};
    const ArchArea area = area_of("wormhole_n300", small, ARCH_AREA_AS_FILED);

    (void) state;
    assert_int_equal(area.core_count, 6); /* one row of which is switched off */
    assert_near("mm2", area.mm2, 6 * area.core_mm2 + area.outside_mm2);
}

static void ends_of_ranges_move_the_share_of_sram(void **state)
{
    const ArchArea small = area_of("wse2", NULL, ARCH_AREA_SMALL_SRAM);
    const ArchArea large = area_of("wse2", NULL, ARCH_AREA_LARGE_SRAM);
    static const char *const set[] = {"area.core_mm2=0.014", NULL};
    const ArchArea fixed = area_of("wse2", set, ARCH_AREA_LARGE_SRAM);

    (void) state;
    assert_near("small", small.core_mm2, 48 * 0.0003 + 0.018 + 0.008);
    assert_near("large", large.core_mm2, 48 * 0.00055 + 0.009 + 0.003);
    assert_near("outside", small.outside_mm2, 13918);
    assert_near("what the user sets stays", fixed.core_mm2,
                48 * 0.00055 + 0.014 + 0.003);
}

static void budgets_below_the_rest_hold_no_core(void **state)
{
    const ArchArea area = area_of("wse2", NULL, ARCH_AREA_AS_FILED);
    static const char *const free[] = {"area.sram_mm2_per_kilobyte=0",
                                       "area.core_mm2=0", "area.router_mm2=0", NULL};
    const ArchArea nothing = area_of("wse2", free, ARCH_AREA_AS_FILED);

    (void) state;
    assert_int_equal(arch_area_cores_in(&area, 0), 0);
    assert_int_equal(arch_area_cores_in(&area, -1), 0);
    assert_int_equal(arch_area_cores_in(&area, NAN), 0);
    assert_int_equal(arch_area_cores_in(&area, INFINITY), 0);
    assert_int_equal(arch_area_cores_in(&area, 13918), 0);
    assert_int_equal(arch_area_cores_in(&area, 13918 + 0.03), 0);
    assert_int_equal(arch_area_cores_in(&area, 13918 + 0.039), 1);
    assert_int_equal(arch_area_cores_in(&nothing, 46225), 0);
}

static void other_chips_have_no_such_area(void **state)
{
    static const char *const chips[] = {"a100_80gb", "gtx980", "power9", "nero_ad9h7"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(chips); i++) {
        g_autoptr(ArchParams) params = shipped_params(chips[i]);
        g_autoptr(GError) error = NULL;
        ArchArea area = {0};

        assert_false(arch_area_of(params, ARCH_AREA_AS_FILED, &area, &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
        assert_int_equal(area.part_count, 0);
        assert_null(arch_area_sram_key(params));
    }
}

/* The file without its last section. */
static ArchParams *params_without_area(const char *name)
{
    g_autofree char *path =
        g_strdup_printf("%s/arch/chips/%s.ini", GRIDLOOM_SOURCE_DIR, name);
    g_autofree char *text = NULL;
    ArchParams *params;

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) halves = g_strsplit(text, "\n[area]\n", 2);

    assert_int_equal(g_strv_length(halves), 2);
    params = arch_params_parse(path, halves[0], strlen(halves[0]), NULL);
    assert_non_null(params);
    return params;
}

static void files_may_leave_it_out_and_digests_do_not_see_it(void **state)
{
    static const char *const chips[] = {"wormhole_n150", "wormhole_n300", "wse1",
                                        "wse2", "wse3"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(chips); i++) {
        static const char *const other[] = {"area.die_mm2=1", NULL};
        g_autoptr(ArchParams) with = shipped_params_with(chips[i], other);
        g_autoptr(ArchParams) without = params_without_area(chips[i]);
        g_autofree char *digest = arch_params_digest(with);
        g_autofree char *bare = arch_params_digest(without);
        g_autoptr(GError) error = NULL;
        ArchArea area = {0};

        assert_string_equal(digest, bare);
        assert_true(arch_params_find(with, "area.die_mm2")->is_inert);
        assert_false(arch_params_find(with, "chip.clock_hz")->is_inert);
        assert_false(arch_area_of(without, ARCH_AREA_AS_FILED, &area, &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_shipped_chips_fill_their_dies),
        cmocka_unit_test(parts_of_a_wormhole_are_as_by_hand),
        cmocka_unit_test(parts_of_a_wafer_are_as_by_hand),
        cmocka_unit_test(floor_plans_count_tiles),
        cmocka_unit_test(ends_of_ranges_move_the_share_of_sram),
        cmocka_unit_test(budgets_below_the_rest_hold_no_core),
        cmocka_unit_test(other_chips_have_no_such_area),
        cmocka_unit_test(files_may_leave_it_out_and_digests_do_not_see_it),
    };

    return cmocka_run_group_tests_name("arch.area", tests, NULL, NULL);
}
