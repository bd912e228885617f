/* What datapaths are made of, counted by hand, and which ones are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/nero_datapath.h"
#include "tests/arch/nero/kernels.h"
#include "tests/arch/shipped.h"

static ArchNeroValue apply(ArchNeroDatapath *path,
                           ArchNeroOperator operation,
                           ArchNeroValue a,
                           ArchNeroValue b)
{
    return arch_nero_datapath_apply(path, operation, (ArchNeroValue[]){a, b});
}

static ArchNeroValue field(ArchNeroDatapath *path, guint number, int dx, int dy, int dz)
{
    return arch_nero_datapath_field(path, number, (ArchNeroTap){dx, dy, dz});
}

static void a_value_that_is_asked_for_twice_is_there_once(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNeroDatapath) path =
        arch_nero_datapath_new("twice", ARCH_NERO_UPWARDS, 2);
    const ArchNeroValue a = field(path, 0, 1, 0, 0);
    const ArchNeroValue b = field(path, 1, 1, 0, 0);
    const ArchNeroValue sum = apply(path, ARCH_NERO_ADD, a, b);

    assert_int_not_equal(a, b);
    assert_int_equal(field(path, 0, 1, 0, 0), a);
    assert_int_not_equal(field(path, 0, 1, 0, 1), a);
    assert_int_equal(apply(path, ARCH_NERO_ADD, a, b), sum);
    assert_int_not_equal(apply(path, ARCH_NERO_SUB, a, b), sum);
    assert_int_equal(arch_nero_datapath_constant(path, 2),
                     arch_nero_datapath_constant(path, 2));
    assert_int_not_equal(arch_nero_datapath_constant(path, 0.0),
                         arch_nero_datapath_constant(path, -0.0));
    assert_int_not_equal(arch_nero_datapath_carry(path),
                         arch_nero_datapath_carry(path));
}

static void what_no_result_needs_does_not_count(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNeroDatapath) path =
        arch_nero_datapath_new("dead", ARCH_NERO_UPWARDS, 1);
    const ArchNeroValue far = field(path, 0, 7, 7, 7);
    const ArchNeroValue here = field(path, 0, 0, 0, 0);

    (void) apply(path, ARCH_NERO_DIV, far, here);
    (void) arch_nero_datapath_result(path, apply(path, ARCH_NERO_ADD, here, here));
    assert_int_equal(arch_nero_datapath_work(path).operators[ARCH_NERO_DIV], 0);
    assert_int_equal(arch_nero_datapath_work(path).flops, 1);
    assert_int_equal(arch_nero_datapath_taps(path, 0), 1);
    assert_int_equal(arch_nero_datapath_reach(path).x_after, 0);
}

static void assert_reach(ArchNeroReach reach, const guint want[6])
{
    assert_int_equal(reach.x_before, want[0]);
    assert_int_equal(reach.x_after, want[1]);
    assert_int_equal(reach.y_before, want[2]);
    assert_int_equal(reach.y_after, want[3]);
    assert_int_equal(reach.z_before, want[4]);
    assert_int_equal(reach.z_after, want[5]);
}

/* Counted by hand from the listings. */
static void hdiff_reaches_two_points_and_computes_one_around(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNeroDatapath) path = hdiff_datapath(true);
    g_autoptr(ArchNeroDatapath) plain = hdiff_datapath(false);
    const ArchNeroWork work = arch_nero_datapath_work(path);

    assert_reach(arch_nero_datapath_reach(path), (guint[]){2, 2, 2, 2, 0, 0});
    assert_reach(arch_nero_datapath_margin(path), (guint[]){1, 1, 1, 1, 0, 0});
    assert_int_equal(work.operators[ARCH_NERO_ADD], 4);
    assert_int_equal(work.operators[ARCH_NERO_SUB], 8);
    assert_int_equal(work.operators[ARCH_NERO_MUL], 4);
    assert_int_equal(work.operators[ARCH_NERO_SELECT], 2);
    assert_int_equal(work.shifts, 1);
    assert_int_equal(work.flops, 16);
    assert_int_equal(work.stages, 3);
    assert_int_equal(work.carries, 0);
    assert_int_equal(arch_nero_datapath_taps(path, 0), 5);
    assert_int_equal(arch_nero_datapath_work(plain).flops, 12);
}

static void vadvc_reaches_planes_and_carries_three_values(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNeroDatapath) forward = vadvc_forward();
    g_autoptr(ArchNeroDatapath) backward = vadvc_backward();
    const ArchNeroWork work = arch_nero_datapath_work(forward);

    assert_reach(arch_nero_datapath_reach(forward), (guint[]){0, 1, 0, 0, 1, 1});
    assert_reach(arch_nero_datapath_field_reach(forward, 0),
                 (guint[]){0, 1, 0, 0, 0, 1});
    assert_reach(arch_nero_datapath_field_reach(forward, 1),
                 (guint[]){0, 0, 0, 0, 1, 1});
    assert_reach(arch_nero_datapath_margin(forward), (guint[]){0, 0, 0, 0, 0, 0});
    assert_int_equal(work.flops, 24); /* 26, less two that are there twice */
    assert_int_equal(work.shifts, 4);
    assert_int_equal(work.carries, 2);
    assert_int_equal(arch_nero_datapath_taps(forward, 0), 4);
    assert_int_equal(arch_nero_datapath_work(backward).flops, 4);
    assert_int_equal(arch_nero_datapath_work(backward).carries, 1);
    assert_int_equal(arch_nero_datapath_taps(backward, 0), 0);
}

/* Latencies of a test, so that paths can be added up by hand. */
static ArchParams *with_latencies(void)
{
    static const char *const latencies[] = {
        "operator.add_cycles=20,7",   "operator.mul_cycles=200,4",
        "operator.shift_cycles=3,1",  "operator.div_cycles=1000,15",
        "operator.select_cycles=8,2", NULL,
    };

    return shipped_params_with("nero_ad9h7", latencies);
}

static void depths_are_longest_paths(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = with_latencies();
    g_autoptr(ArchNeroDatapath) hdiff = hdiff_datapath(true);
    g_autoptr(ArchNeroDatapath) plain = hdiff_datapath(false);
    g_autoptr(ArchNeroDatapath) forward = vadvc_forward();

    /* 3 sums, stage, difference, limiter, stage, 2 sums, multiplication, difference */
    assert_int_equal(arch_nero_datapath_depth(hdiff, params, ARCH_NERO_FP32),
                     60 + 1 + 20 + 200 + 8 + 1 + 40 + 200 + 20);
    assert_int_equal(arch_nero_datapath_depth(plain, params, ARCH_NERO_FP32),
                     60 + 1 + 20 + 1 + 40 + 200 + 20);
    assert_int_equal(arch_nero_datapath_depth(hdiff, params, ARCH_NERO_FP16),
                     21 + 1 + 7 + 4 + 2 + 1 + 14 + 4 + 7);
    /* sum, two shifts, one multiplication by a carry at hand, difference, division */
    assert_int_equal(arch_nero_datapath_depth(forward, params, ARCH_NERO_FP32),
                     20 + 6 + 200 + 20 + 1000 + 200);
}

static void recurrences_are_from_carries_to_what_closes_them(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = with_latencies();
    g_autoptr(ArchNeroDatapath) hdiff = hdiff_datapath(true);
    g_autoptr(ArchNeroDatapath) forward = vadvc_forward();
    g_autoptr(ArchNeroDatapath) backward = vadvc_backward();

    assert_int_equal(arch_nero_datapath_recurrence(hdiff, params, ARCH_NERO_FP32), 0);
    assert_int_equal(arch_nero_datapath_recurrence(forward, params, ARCH_NERO_FP32),
                     200 + 20 + 1000 + 200);
    assert_int_equal(arch_nero_datapath_recurrence(forward, params, ARCH_NERO_FP16),
                     4 + 7 + 15 + 4);
    assert_int_equal(arch_nero_datapath_recurrence(backward, params, ARCH_NERO_FP32),
                     200 + 20);
}

/* Around once takes two planes, so that a plane takes half of it. */
static void carries_that_close_each_other_share_the_way(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = with_latencies();
    g_autoptr(ArchNeroDatapath) path =
        arch_nero_datapath_new("cross", ARCH_NERO_UPWARDS, 1);
    const ArchNeroValue u = field(path, 0, 0, 0, 0);
    const ArchNeroValue a = arch_nero_datapath_carry(path);
    const ArchNeroValue b = arch_nero_datapath_carry(path);
    const ArchNeroValue late = arch_nero_datapath_carry(path);
    const ArchNeroValue sum = apply(path, ARCH_NERO_ADD, b, u);
    const ArchNeroValue product = apply(path, ARCH_NERO_MUL, a, u);

    arch_nero_datapath_close(path, a, sum);
    arch_nero_datapath_close(path, b, product);
    arch_nero_datapath_close(path, late, apply(path, ARCH_NERO_DIV, u, u));
    (void) arch_nero_datapath_result(path, sum);
    (void) arch_nero_datapath_result(path, late);
    assert_true(arch_nero_datapath_check(path, NULL));
    assert_int_equal(arch_nero_datapath_recurrence(path, params, ARCH_NERO_FP32),
                     (20 + 200) / 2);
    assert_int_equal(arch_nero_datapath_recurrence(path, params, ARCH_NERO_FP16), 6);
}

static void assert_refused(const ArchNeroDatapath *path, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(arch_nero_datapath_check(path, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, message);
}

static void what_cannot_be_built_is_refused(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNeroDatapath) path =
        arch_nero_datapath_new("odd", ARCH_NERO_UPWARDS, 1);
    g_autoptr(ArchNeroDatapath) far =
        arch_nero_datapath_new("far", ARCH_NERO_UPWARDS, 1);
    g_autoptr(GError) error = NULL;
    ArchNeroValue beside = 0;
    ArchNeroValue carry = 0;

    assert_refused(path, "odd: a sweep has no result");
    carry = arch_nero_datapath_carry(path);
    (void) arch_nero_datapath_result(path, carry);
    assert_refused(path, "odd: a carry is never closed: what was it before?");
    assert_true(
        arch_nero_datapath_stage(path, carry, (ArchNeroTap){1, 0, 0}, &beside, NULL));
    arch_nero_datapath_close(path, carry, beside);
    assert_refused(path, "odd: a carry depends on itself at other points of the plane: "
                         "its window would grow with every plane");
    assert_false(arch_nero_datapath_stage(path, carry, (ArchNeroTap){0, 0, -1}, &beside,
                                          &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    (void) arch_nero_datapath_result(far, field(far, 0, 0, G_MININT, 0));
    assert_refused(far, "far: a sweep reaches 2147483647 points far, at most 1024");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_that_is_asked_for_twice_is_there_once),
        cmocka_unit_test(what_no_result_needs_does_not_count),
        cmocka_unit_test(hdiff_reaches_two_points_and_computes_one_around),
        cmocka_unit_test(vadvc_reaches_planes_and_carries_three_values),
        cmocka_unit_test(depths_are_longest_paths),
        cmocka_unit_test(recurrences_are_from_carries_to_what_closes_them),
        cmocka_unit_test(carries_that_close_each_other_share_the_way),
        cmocka_unit_test(what_cannot_be_built_is_refused),
    };

    return cmocka_run_group_tests_name("arch.nero_datapath", tests, NULL, NULL);
}
