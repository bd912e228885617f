/* Families of chips: each has its tables, and names are found in the list alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/chip.h"
#include "arch/error.h"
#include "arch/nero.h"
#include "arch/tensix.h"
#include "arch/wse.h"
#include "tests/arch/shipped.h"

static void the_list_names_each_family_once(void **state G_GNUC_UNUSED)
{
    g_autofree char *names = arch_family_names();

    assert_string_equal(names, "tensix, wse, nero, gpu, cpu");
    for (guint i = 0; arch_families[i] != NULL; i++) {
        assert_ptr_equal(arch_family_find(arch_families[i]->name), arch_families[i]);
    }
    assert_null(arch_family_find("toy"));
    assert_null(arch_family_find(""));
}

static void every_family_has_keys_and_roofs(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; arch_families[i] != NULL; i++) {
        const ArchFamily *family = arch_families[i];
        const ArchKey *key = arch_keys_find(family->keys, "chip", "family");

        assert_string_equal(key->choices, family->name);
        assert_true(family->roof_count > 0);
    }
}

/* What runs has all that chips and scripts ask for; what has roofs only has nothing. */
static void families_run_wholly_or_not_at_all(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; arch_families[i] != NULL; i++) {
        const ArchFamily *family = arch_families[i];
        const bool is_running = arch_family_runs(family);

        assert_true((family->usual_chip != NULL) == is_running);
        assert_true((family->part_free != NULL) == is_running);
        assert_true(is_running ||
                    (family->region_count == NULL && family->window_cycles == NULL &&
                     family->fabric == NULL && family->grid == NULL));
    }
    assert_true(arch_family_runs(&arch_family_nero));
    assert_false(arch_family_runs(&arch_family_cpu));
}

static void the_usual_chip_is_one_of_the_family(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; arch_families[i] != NULL; i++) {
        if (arch_families[i]->usual_chip != NULL) {
            g_autoptr(ArchParams) params = shipped_params(arch_families[i]->usual_chip);

            assert_ptr_equal(arch_family_of(params), arch_families[i]);
        }
    }
}

/* A chip has the part of its own family alone. */
static void a_part_belongs_to_one_family(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchChip) wafer = arch_chip_new(shipped_params("wse2"), 1, NULL);
    g_autoptr(ArchChip) board = arch_chip_new(shipped_params("nero_ad9v3"), 1, NULL);
    g_autoptr(ArchChip) gpu = arch_chip_new(shipped_params("h200"), 1, NULL);

    assert_non_null(arch_wse_of(wafer));
    assert_null(arch_nero_of(wafer));
    assert_null(arch_tensix_of(wafer));
    assert_non_null(arch_nero_of(board));
    assert_null(arch_wse_of(board));
    assert_null(arch_chip_part(gpu, &arch_family_gpu));
}

static void only_cores_have_a_grid_and_a_fabric(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchChip) cores = arch_chip_new(shipped_params("wormhole_n300"), 1, NULL);
    g_autoptr(ArchChip) wafer = arch_chip_new(shipped_params("wse2"), 1, NULL);
    ArchGrid grid = {0};

    assert_true(arch_chip_grid(cores, &grid));
    assert_int_equal(grid.columns, 8);
    assert_int_equal(grid.rows, 7);
    assert_ptr_equal(arch_chip_fabric(cores),
                     arch_tensix_fabric(arch_tensix_of(cores)));
    assert_false(arch_chip_grid(wafer, &grid));
    assert_null(arch_chip_fabric(wafer));
}

static void wafers_get_a_band_a_thread(void **state G_GNUC_UNUSED)
{
    guint (*count)(const ArchParams *, guint) = arch_family_wse.region_count;

    assert_int_equal(count(NULL, 1), 1);
    assert_int_equal(count(NULL, 2), 2);
    assert_int_equal(count(NULL, 64), 16);
}

static void a_file_of_no_family_says_which_there_are(void **state G_GNUC_UNUSED)
{
    static const char text[] = "[chip]\n# choice; documented; x\nfamily = toy\n";
    g_autoptr(GError) error = NULL;

    assert_null(arch_params_parse("t.ini", text, strlen(text), &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message,
                        "t.ini:3: chip.family = toy, unknown family, expected one of "
                        "tensix, wse, nero, gpu, cpu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_names_each_family_once),
        cmocka_unit_test(every_family_has_keys_and_roofs),
        cmocka_unit_test(families_run_wholly_or_not_at_all),
        cmocka_unit_test(the_usual_chip_is_one_of_the_family),
        cmocka_unit_test(a_part_belongs_to_one_family),
        cmocka_unit_test(only_cores_have_a_grid_and_a_fabric),
        cmocka_unit_test(wafers_get_a_band_a_thread),
        cmocka_unit_test(a_file_of_no_family_says_which_there_are),
    };

    return cmocka_run_group_tests_name("arch.family", tests, NULL, NULL);
}
