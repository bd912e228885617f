/* What scripts can do on a family: every family that runs has a table, and none takes a
 * name that another one has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/chip.h"
#include "workloads/host/family.h"

static ArchChip *chip_of(const char *name)
{
    g_autofree char *path =
        g_strdup_printf("%s/arch/chips/%s.ini", GRIDLOOM_SOURCE_DIR, name);

    return arch_chip_new(arch_params_load(path, NULL), 1, NULL);
}

static void every_family_that_runs_has_a_table(void **state G_GNUC_UNUSED)
{
    guint count = 0;

    for (guint i = 0; arch_families[i] != NULL; i++) {
        if (arch_family_runs(arch_families[i])) {
            assert_string_equal(host_families[count]->name, arch_families[i]->name);
            count++;
        }
    }
    assert_null(host_families[count]);
}

static void a_chip_has_that_of_its_family(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchChip) wafer = chip_of("wse2");
    g_autoptr(ArchChip) board = chip_of("nero_ad9v3");

    assert_ptr_equal(host_family_of(wafer), &host_family_wse);
    assert_ptr_equal(host_family_of(board), &host_family_nero);
}

static void a_family_without_one_has_nothing_of_its_own(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchChip) gpu = chip_of("h200");
    const HostFamily *family = host_family_of(gpu);

    assert_null(family->functions);
    assert_null(family->program);
    assert_null(family->state_new);
    assert_null(family->joules);
    assert_null(family->report);
}

static void what_a_session_keeps_is_freed(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; host_families[i] != NULL; i++) {
        const HostFamily *family = host_families[i];

        assert_true((family->state_new == NULL) == (family->state_free == NULL));
        if (family->state_new != NULL) {
            family->state_free(family->state_new());
        }
    }
}

/* Scripts see the functions of all families in one table. */
static void no_two_families_have_a_function_of_one_name(void **state G_GNUC_UNUSED)
{
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; host_families[i] != NULL; i++) {
        for (const ApiCall *one = host_families[i]->functions; one->name != NULL;
             one++) {
            if (!g_hash_table_add(names, (gpointer) one->name)) {
                fail_msg("host.%s is there twice", one->name);
            }
        }
    }
    assert_true(g_hash_table_contains(names, "program"));
    assert_true(g_hash_table_contains(names, "wafer"));
    assert_true(g_hash_table_contains(names, "try_board"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_that_runs_has_a_table),
        cmocka_unit_test(a_chip_has_that_of_its_family),
        cmocka_unit_test(a_family_without_one_has_nothing_of_its_own),
        cmocka_unit_test(what_a_session_keeps_is_freed),
        cmocka_unit_test(no_two_families_have_a_function_of_one_name),
    };

    return cmocka_run_group_tests_name("workloads.host_family", tests, NULL, NULL);
}
