/* The area of GPUs: sums worked by hand, dies, and the designs that a thesis prints. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/area/gpu_area.h"
#include "tests/arch/near.h"
#include "tests/arch/shipped.h"

#define HUNDREDTH 0.005 /* half of the last digit of numbers with two */

static void read_gpu(const char *name, GpuAreaCosts *costs, GpuAreaDesign *design)
{
    g_autoptr(ArchParams) gpu = shipped_params(name);
    g_autoptr(GError) error = NULL;

    if (!gpu_area_read(gpu, costs, design, &error)) {
        fail_msg("%s", error->message);
    }
}

/* 2048 x .04282; 2048 (.004305 x 2 + .001947); 16 (.01565 x 96 + .09281);
 * 8 (.1604 x 48 + .08204); 16 (.04197 x 128 + .7685); 16 x 6.4156. */
static void a_gtx_980_is_the_sum_of_its_parts(void **state)
{
    GpuAreaCosts costs;
    GpuAreaDesign design;
    GpuArea area;

    (void) state;
    read_gpu("gtx980", &costs, &design);
    gpu_area(&costs, &design, GPU_AREA_WORKING, &area);
    assert_near("vector units", area.vector_units, 87.69536, 1e-9);
    assert_near("registers", area.registers, 21.620736, 1e-9);
    assert_near("shared", area.shared, 25.52336, 1e-9);
    assert_near("L1", area.l1, 62.24992, 1e-9);
    assert_near("L2", area.l2, 98.25056, 1e-9);
    assert_near("overhead", area.overhead, 102.6496, 1e-9);
    assert_near("total", area.total, 397.989536, 1e-9);
    assert_near("rounded", gpu_area_rounded(&design), 394.68, HUNDREDTH);
    gpu_area(&costs, &design, GPU_AREA_AS_PRINTED, &area);
    assert_near("as printed", area.total, 386.46, HUNDREDTH);
    design.has_caches = false;
    gpu_area(&costs, &design, GPU_AREA_WORKING, &area);
    assert_near("without caches", area.total, 237.49, HUNDREDTH);
    assert_near("without caches", area.l1 + area.l2, 0, 0);
    gpu_area(&costs, &design, GPU_AREA_AS_PRINTED, &area);
    assert_near("without caches, as printed", area.total, 237.49, HUNDREDTH);
}

static void a_titan_x_is_near_its_die(void **state)
{
    GpuAreaCosts costs;
    GpuAreaDesign design;
    GpuArea area;

    (void) state;
    read_gpu("titanx", &costs, &design);
    gpu_area(&costs, &design, GPU_AREA_WORKING, &area);
    assert_near("total", area.total, 596.98, HUNDREDTH);
    assert_near("rounded", gpu_area_rounded(&design), 592.02, HUNDREDTH);
    gpu_area(&costs, &design, GPU_AREA_AS_PRINTED, &area);
    assert_near("as printed", area.total, 579.31, HUNDREDTH);
    design.has_caches = false;
    gpu_area(&costs, &design, GPU_AREA_WORKING, &area);
    assert_near("without caches", area.total, 356.23, HUNDREDTH);
}

/* Table C.2: the whole numbers are what the thesis prints, cut off. */
static void the_best_designs_of_the_thesis_have_their_areas(void **state)
{
    static const struct {
        guint multiprocessors;
        guint vector_units;
        guint shared_kilobytes;
        double printed;
        double mm2;
    } rows[] = {
        {32, 128, 24, 438, 438.92},  {22, 256, 12, 447, 447.94},
        {28, 160, 24, 431, 431.88},  {28, 160, 12, 426, 426.62},
        {18, 288, 192, 447, 447.94}, {8, 896, 96, 446, 446.69},
    };
    GpuAreaCosts costs;
    GpuAreaDesign design;

    (void) state;
    read_gpu("gtx980", &costs, &design);
    design.has_caches = false;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *row = g_strdup_printf("row %u", (guint) i + 1);
        GpuArea area;

        design.multiprocessors = rows[i].multiprocessors;
        design.vector_units = rows[i].vector_units;
        design.shared_bytes = (uint64_t) rows[i].shared_kilobytes * 1024;
        gpu_area(&costs, &design, GPU_AREA_WORKING, &area);
        assert_near(row, area.total, rows[i].mm2, HUNDREDTH);
        assert_near(row, floor(area.total), rows[i].printed, 0);
    }
}

static void chips_without_measured_parts_are_refused(void **state)
{
    static const char *const names[] = {"a100_80gb", "k20c", "wse2"};
    GpuAreaCosts costs;
    GpuAreaDesign design;

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(ArchParams) chip = shipped_params(names[i]);
        g_autoptr(GError) error = NULL;

        assert_false(gpu_area_read(chip, &costs, &design, &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED));
        assert_non_null(strstr(error->message, names[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gtx_980_is_the_sum_of_its_parts),
        cmocka_unit_test(a_titan_x_is_near_its_die),
        cmocka_unit_test(the_best_designs_of_the_thesis_have_their_areas),
        cmocka_unit_test(chips_without_measured_parts_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
