/* Zones: totals by name, one in another, the thread that spent most. */
#include "arch/error.h"
#include "arch/tensix/zones.h"
#include "tests/sim/support.h"

static void zones_inside_zones_count_for_both(void **state G_GNUC_UNUSED)
{
    g_autoptr(GHashTable) by_name =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    const char *outer = g_intern_string("outer");
    const char *inner = g_intern_string("inner");
    TensixZones zones = {0};

    tensix_zones_begin(&zones, outer, 10);
    tensix_zones_begin(&zones, inner, 20);
    assert_string_equal(tensix_zones_inside(&zones), "inner");
    assert_true(tensix_zones_end(&zones, 35, NULL));
    assert_string_equal(tensix_zones_inside(&zones), "outer");
    tensix_zones_begin(&zones, inner, 40);
    assert_true(tensix_zones_end(&zones, 41, NULL));
    assert_true(tensix_zones_end(&zones, 50, NULL));
    tensix_zones_collect(&zones, by_name);

    const ArchTensixZone *zone = g_hash_table_lookup(by_name, "inner");
    assert_int_equal(zone->cycles, 16);
    assert_int_equal(zone->count, 2);
    zone = g_hash_table_lookup(by_name, "outer");
    assert_int_equal(zone->cycles, 40);
    assert_int_equal(zone->count, 1);
    assert_null(tensix_zones_inside(&zones));
    tensix_zones_clear(&zones);
}

static void ends_need_a_beginning(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    TensixZones zones = {0};

    assert_null(tensix_zones_inside(&zones));
    assert_false(tensix_zones_end(&zones, 1, &error));
    assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
    tensix_zones_begin(&zones, g_intern_string("a"), 1);
    assert_true(tensix_zones_end(&zones, 2, NULL));
    assert_false(tensix_zones_end(&zones, 3, NULL));
    tensix_zones_clear(&zones);
}

/* Collects a thread that was `count` times in a zone for `cycles` each. */
static void collect(GHashTable *by_name, guint count, SimTime cycles)
{
    TensixZones zones = {0};

    for (guint i = 0; i < count; i++) {
        tensix_zones_begin(&zones, g_intern_string("zone"), i * cycles);
        assert_true(tensix_zones_end(&zones, (i + 1) * cycles, NULL));
    }
    tensix_zones_collect(&zones, by_name);
    tensix_zones_clear(&zones);
}

static void the_thread_that_spent_most_counts(void **state G_GNUC_UNUSED)
{
    g_autoptr(GHashTable) by_name =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);

    collect(by_name, 9, 10);
    collect(by_name, 2, 60);
    collect(by_name, 5, 20);

    const ArchTensixZone *zone = g_hash_table_lookup(by_name, "zone");
    assert_int_equal(zone->cycles, 120);
    assert_int_equal(zone->count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones_inside_zones_count_for_both),
        cmocka_unit_test(ends_need_a_beginning),
        cmocka_unit_test(the_thread_that_spent_most_counts),
    };

    return cmocka_run_group_tests_name("arch.tensix_zones", tests, NULL, NULL);
}
