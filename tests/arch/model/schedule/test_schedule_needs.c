/* Which dependences schedules keep to, which tiles they refuse, and that a check sees
 * what is wrong. */
#include <string.h>

#include "arch/error.h"
#include "tests/arch/model/schedule/case.h"
#include "tests/arch/model/schedule/words.h"

enum {
    SEED = 21,
    CASES = 300,
};

static void boxes_are_all_neighbours(void **state G_GNUC_UNUSED)
{
    static const guint counts[] = {3, 9, 27};

    for (guint dimension = 1; dimension <= 3; dimension++) {
        GpuDependence needs[GPU_DEPENDENCES_MOST];
        const guint count = gpu_dependences_box(dimension, needs);

        assert_int_equal(count, counts[dimension - 1]);
        for (guint i = 0; i < count; i++) {
            assert_int_equal(needs[i].step, -1);
            for (guint j = 0; j < i; j++) {
                assert_memory_not_equal(&needs[i], &needs[j], sizeof needs[i]);
            }
        }
    }
}

/* Large enough that a shape which does not keep to a dependence shows it. */
static ScheduleCase case_of(GpuScheduleShape shape, guint dimension)
{
    ScheduleCase tested = schedule_case_of(21, dimension > 1 ? 9 : 0,
                                           dimension > 2 ? 8 : 0, shape == 0 ? 13 : 12);

    tested.setting.shape = shape;
    schedule_case_tile(&tested, shape == GPU_SCHEDULE_DIAMOND ? 1 : 3, 3, 2,
                       shape == GPU_SCHEDULE_HALO ? 1 : 4);
    return tested;
}

static bool is_sound_with(const ScheduleCase *tested, const GpuDependence *need)
{
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(tested);
    GpuScheduleReport report;

    assert_true(gpu_schedule_check(schedule, need, 1, &report, NULL));
    assert_int_equal(report.missing + report.repeated, 0);
    return gpu_schedule_report_is_sound(&report);
}

static void shapes_take_all_that_they_can(void **state G_GNUC_UNUSED)
{
    const ScheduleCase rectangles = case_of(GPU_SCHEDULE_ORTHOGONAL, 1);
    const ScheduleCase hexagons = case_of(GPU_SCHEDULE_HYBRID, 3);
    g_autoptr(GpuSchedule) orthogonal = schedule_case_schedule(&rectangles);
    g_autoptr(GpuSchedule) hybrid = schedule_case_schedule(&hexagons);
    GpuDependence needs[GPU_DEPENDENCES_MOST];

    assert_int_equal(gpu_schedule_needs(hybrid, needs), 27);
    assert_int_equal(gpu_schedule_needs(orthogonal, needs), 3);
    assert_memory_equal(needs, schedule_case_alignment, sizeof schedule_case_alignment);
}

/* Every dependence of radius 1 with every shape: what is admitted is legal, and what is
 * not legal is refused. Some that are legal are refused all the same: values of the
 * same step from a place before in an outer dimension and behind in an inner one come
 * in time only where strips are wide enough. */
static void
assert_admission(const ScheduleCase *tested, guint *admitted, guint *refused)
{
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(tested);
    GpuDependence needs[GPU_DEPENDENCES_MOST];
    const guint count = gpu_dependences_box(tested->problem.dimension, needs);

    for (guint i = 0; i < 2 * count; i++) {
        GpuDependence need = needs[i < count ? i : i - count];

        need.step = i < count ? -1 : 0;
        if (gpu_schedule_admits(schedule, &need, 1, NULL)) {
            assert_true(is_sound_with(tested, &need));
            (*admitted)++;
        } else {
            assert_true(need.step == 0 || !is_sound_with(tested, &need));
            (*refused)++;
        }
    }
}

static void admitted_dependences_are_legal(void **state G_GNUC_UNUSED)
{
    guint admitted = 0;
    guint refused = 0;

    for (guint dimension = 1; dimension <= 3; dimension++) {
        for (guint shape = 0; shape < 5; shape++) {
            if (shape != GPU_SCHEDULE_ORTHOGONAL || dimension == 1) {
                const ScheduleCase tested =
                    case_of((GpuScheduleShape) shape, dimension);

                assert_admission(&tested, &admitted, &refused);
            }
        }
    }
    assert_true(admitted > 0 && refused > 0);
}

/* Orthogonal tiles of Jacobi wait for each other (B.4.2); hexagons cannot have
 * Smith-Waterman (B.4.1). */
static void a_check_sees_what_is_illegal(void **state G_GNUC_UNUSED)
{
    const ScheduleCase rectangles = case_of(GPU_SCHEDULE_ORTHOGONAL, 1);
    const ScheduleCase hexagons = case_of(GPU_SCHEDULE_HYBRID, 1);
    g_autoptr(GpuSchedule) orthogonal = schedule_case_schedule(&rectangles);
    g_autoptr(GpuSchedule) hybrid = schedule_case_schedule(&hexagons);
    GpuDependence needs[GPU_DEPENDENCES_MOST];
    const guint count = gpu_dependences_box(1, needs);
    GpuScheduleReport report;
    g_autoptr(GError) error = NULL;

    assert_true(gpu_schedule_check(orthogonal, needs, count, &report, NULL));
    assert_true(report.early > 0);
    assert_false(gpu_schedule_report_is_sound(&report));
    assert_true(gpu_schedule_check(hybrid, schedule_case_alignment, 3, &report, NULL));
    assert_true(report.early > 0);
    assert_false(gpu_schedule_admits(hybrid, schedule_case_alignment, 3, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message,
                        "hybrid tiles cannot have a dependence on step +0, place (-1, "
                        "+0, +0): these tiles have values of the same step at once");
}

/* With a halo of one step a wavefront, values of the same step cross tiles. */
static void a_check_sees_tiles_that_need_each_other(void **state G_GNUC_UNUSED)
{
    const ScheduleCase tested = case_of(GPU_SCHEDULE_HALO, 1);
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
    GpuScheduleReport report;

    assert_true(
        gpu_schedule_check(schedule, schedule_case_alignment, 1, &report, NULL));
    assert_int_equal(report.early, 0);
    assert_int_equal(report.crossing, (7 - 1) * 12);
}

static void assert_refused(const ScheduleCase *tested, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(
        gpu_schedule_new(&tested->problem, &tested->tile, &tested->setting, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, message);
}

static void tiles_that_are_none_are_refused(void **state G_GNUC_UNUSED)
{
    ScheduleCase tested = schedule_case_of(9, 9, 0, 9);

    schedule_case_tile(&tested, 2, 3, 0, 5);
    assert_refused(&tested, "steps of the tile = 5, they are even of hybrid tiles");
    schedule_case_tile(&tested, 2, 0, 0, 4);
    assert_refused(&tested, "size of the tile = 0, a schedule takes 1 .. 1073741824");
    schedule_case_tile(&tested, 2, 3, 0, 0);
    assert_refused(&tested, "steps of the tile = 0, a schedule takes 1 .. 1073741824");
    schedule_case_tile(&tested, G_MAXUINT64, 3, 0, 4);
    assert_refused(&tested, "size of the tile = 18446744073709551615, a schedule takes "
                            "1 .. 1073741824");
    schedule_case_tile(&tested, 2, 3, 0, 4);
    tested.setting.shape = GPU_SCHEDULE_DIAMOND;
    assert_refused(&tested, "base of the tile = 2, it is 1 of diamond tiles");
    tested.setting.shape = GPU_SCHEDULE_ORTHOGONAL;
    assert_refused(&tested, "dimensions of space = 2, they are 1 of orthogonal tiles");
    tested.setting.shape = GPU_SCHEDULE_HALO;
    assert_refused(&tested, "steps of the tile = 4, they are 1 of halo tiles");
    tested.problem.dimension = 1;
    tested.problem.steps = 0;
    assert_refused(&tested, "steps = 0, a schedule takes 1 .. 1073741824");
    tested.problem.dimension = 4;
    assert_refused(&tested, "4 dimensions of space, a schedule has 1 .. 3");
}

/* The largest sizes have counts that do not overflow, and are too many to visit. */
static void the_largest_problem_is_counted_but_not_checked(void **state G_GNUC_UNUSED)
{
    const uint64_t most = GPU_SCHEDULE_SIZE_MOST;
    ScheduleCase tested = schedule_case_of(most, most, most, most);
    GpuScheduleReport report;
    g_autoptr(GError) error = NULL;

    schedule_case_tile(&tested, 1, 1, 1, 2);
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);

    assert_int_equal(gpu_schedule_wavefronts(schedule), most + 1);
    assert_int_equal(gpu_schedule_tiles(schedule, most), most / 2);
    assert_false(gpu_schedule_check(schedule, NULL, 0, &report, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_null(gpu_schedule_tile_words(schedule, NULL, 0, 0, 0, NULL));
}

static void shapes_are_found_by_name(void **state G_GNUC_UNUSED)
{
    GpuScheduleShape shape;

    for (guint i = 0; i < 5; i++) {
        const char *name = gpu_schedule_shape_name((GpuScheduleShape) i);

        assert_true(gpu_schedule_shape_find(name, &shape));
        assert_int_equal(shape, i);
    }
    assert_false(gpu_schedule_shape_find("", &shape));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_all_neighbours),
        cmocka_unit_test(shapes_take_all_that_they_can),
        cmocka_unit_test(admitted_dependences_are_legal),
        cmocka_unit_test(a_check_sees_what_is_illegal),
        cmocka_unit_test(a_check_sees_tiles_that_need_each_other),
        cmocka_unit_test(tiles_that_are_none_are_refused),
        cmocka_unit_test(the_largest_problem_is_counted_but_not_checked),
        cmocka_unit_test(shapes_are_found_by_name),
    };

    return cmocka_run_group_tests_name("arch.gpu_schedule_needs", tests, NULL, NULL);
}
