/* How grids are cut into windows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/nero/windows.h"

static NeroWindows cut(NeroGrid grid, guint x, guint y, guint z)
{
    NeroWindows windows;
    const ArchNeroPlan plan = {.window_x = x, .window_y = y, .window_z = z};
    const ArchNeroReach reach = {.z_before = 1, .z_after = 2};

    nero_windows_init(&windows, &grid, &plan, &reach);
    return windows;
}

static void the_papers_windows_tile_its_domain(void **state)
{
    (void) state;
    const NeroGrid domain = {256, 256, 64, 2};
    const NeroWindows hdiff = cut(domain, 16, 64, 8);
    const NeroWindow last = nero_windows_at(&hdiff, 511);

    assert_int_equal(nero_windows_count(&hdiff), 16 * 4 * 8);
    assert_int_equal(last.x, 240);
    assert_int_equal(last.xs.end, 254);
    assert_int_equal(last.y, 192);
    assert_int_equal(last.z, 56);
    assert_int_equal(last.padded_points, 0);
}

static void windows_that_are_all_border_are_not_dealt(void **state)
{
    (void) state;
    const NeroWindows vadvc = cut((NeroGrid){256, 256, 64, 2}, 64, 2, 64);

    assert_int_equal(nero_windows_count(&vadvc), 4 * 126);
    assert_int_equal(nero_windows_at(&vadvc, 0).y, 2);
    assert_int_equal(nero_windows_at(&vadvc, 4 * 126 - 1).y, 252);
}

static void what_does_not_divide_is_padded(void **state)
{
    (void) state;
    const NeroWindows windows = cut((NeroGrid){20, 9, 10, 2}, 8, 8, 4);

    assert_int_equal(nero_windows_count(&windows), 3 * 1 * 3);
    assert_int_equal(nero_windows_at(&windows, 8).x, 16);
    assert_int_equal(nero_windows_at(&windows, 8).zs.end, 10);
    assert_int_equal(nero_windows_at(&windows, 8).padded_points, 8 * 8 * 4 - 4 * 8 * 2);
}

static void planes_that_are_reached_come_where_the_grid_has_them(void **state)
{
    (void) state;
    const NeroWindows windows = cut((NeroGrid){8, 8, 11, 0}, 8, 8, 4);

    assert_int_equal(nero_windows_at(&windows, 0).planes_before, 0);
    assert_int_equal(nero_windows_at(&windows, 0).planes_after, 2);
    assert_int_equal(nero_windows_at(&windows, 1).planes_before, 1);
    assert_int_equal(nero_windows_at(&windows, 1).planes_after, 2);
    assert_int_equal(nero_windows_at(&windows, 2).planes_after, 0);
}

static void a_grid_of_border_has_no_windows(void **state)
{
    (void) state;
    const NeroWindows windows = cut((NeroGrid){4, 64, 8, 2}, 8, 8, 8);

    assert_int_equal(nero_windows_count(&windows), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_windows_tile_its_domain),
        cmocka_unit_test(windows_that_are_all_border_are_not_dealt),
        cmocka_unit_test(what_does_not_divide_is_padded),
        cmocka_unit_test(planes_that_are_reached_come_where_the_grid_has_them),
        cmocka_unit_test(a_grid_of_border_has_no_windows),
    };

    return cmocka_run_group_tests_name("arch.nero_windows", tests, NULL, NULL);
}
