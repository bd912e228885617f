/* Which point of a sweep keeps its links, and what all of them say together. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/traffic/points.h"

static void add(ArchNocTrafficPoints *points, double rate, bool is_saturated)
{
    ArchNocTraffic *point = g_new0(ArchNocTraffic, 1);

    *point = (ArchNocTraffic){.rate = rate,
                              .is_saturated = is_saturated,
                              .is_conserved = rate < 0.5,
                              .sent = 10,
                              .flit_hops = 40,
                              .link_count = 1,
                              .links = g_new0(ArchNocTrafficLink, 1)};
    arch_noc_traffic_points_add(points, point);
}

static void the_highest_rate_without_saturation_is_shown(void **state)
{
    ArchNocTrafficPoints points;

    (void) state;
    arch_noc_traffic_points_init(&points);
    assert_true(points.is_conserved && isnan(points.saturation));
    add(&points, 0.1, false);
    add(&points, 0.2, false);
    assert_true(points.is_conserved && isnan(points.saturation));
    add(&points, 0.6, true);
    add(&points, 0.7, true);
    assert_true(points.shown == g_ptr_array_index(points.list, 1));
    for (guint i = 0; i < points.list->len; i++) {
        const ArchNocTraffic *point = g_ptr_array_index(points.list, i);

        assert_int_equal(point->links != NULL, i == 1);
    }
    assert_false(points.is_conserved);
    assert_true(points.saturation == 0.6);
    assert_int_equal(points.packets, 40);
    assert_int_equal(points.flit_hops, 160);
    arch_noc_traffic_points_clear(&points);
}

static void the_first_is_shown_where_all_are_saturated(void **state)
{
    ArchNocTrafficPoints points;

    (void) state;
    arch_noc_traffic_points_init(&points);
    add(&points, 0.3, true);
    add(&points, 0.4, true);
    assert_true(points.shown == g_ptr_array_index(points.list, 0));
    assert_non_null(points.shown->links);
    arch_noc_traffic_points_clear(&points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_highest_rate_without_saturation_is_shown),
        cmocka_unit_test(the_first_is_shown_where_all_are_saturated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
