/* Cycles that CSL programs count on simulated PEs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/chip.h"
#include "tests/workloads/csl/wafer_rig.h"

/* Cycles between two time stamps around a statement, of a PE with these globals. */
static int64_t cycles(CslRig *rig, const char *before, const char *statement)
{
    g_autofree char *code =
        g_strdup_printf("const t = @import_module(\"<time>\"); var r = @zeros([3]u16); "
                        "var s = @zeros([3]u16); %s fn f() void { t.enable_tsc(); "
                        "t.get_timestamp(&s); %s t.get_timestamp(&r); "
                        "sys.unblock_cmd_stream(); }",
                        before, statement);

    csl_rig_open_pe(rig, code);
    csl_rig_launch(rig, "f", NULL, 0);
    return csl_rig_integer(rig, 0, 0, "r", 0) - csl_rig_integer(rig, 0, 0, "s", 0);
}

/* Numbers of 64 elements that lie in different banks. */
#define ARRAYS                                                                         \
    "var a align(64) = @zeros([64]f32); var b align(64) = @zeros([68]f32); var h "     \
    "align(64) = @zeros([64]f16);"                                                     \
    "const ad = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{64} -> a[i] });"           \
    "const bd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{64} -> b[i + 4] });"       \
    "const hd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{64} -> h[i] });"

static void each_element_takes_what_the_chip_file_says(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *statement; /* with a length */
        const char *key;
    } rows[] = {
        {"@fmovs(@set_dsd_length(ad, %u), 1.0);", "dsd.f32_mov_elements_per_cycle"},
        {"@fmuls(ad, @set_dsd_length(bd, %u), 2.0);", "dsd.f32_mul_elements_per_cycle"},
        {"@fmovh(@set_dsd_length(hd, %u), 1.0);", "dsd.f16_elements_per_cycle"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(CslRig) few = {0};
        g_auto(CslRig) many = {0};
        g_auto(GStrv) parts = g_strsplit(rows[i].statement, "%u", 2);
        g_autofree char *with_few = g_strjoinv("16", parts);
        g_autofree char *with_many = g_strjoinv("64", parts);
        const int64_t difference =
            cycles(&many, ARRAYS, with_many) - cycles(&few, ARRAYS, with_few);

        assert_int_equal(difference,
                         48 / (int64_t) arch_params_uint(many.params, rows[i].key));
    }
}

static void operations_are_set_up_before_they_begin(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) one = {0};
    g_auto(CslRig) two = {0};
    const int64_t once = cycles(&one, ARRAYS, "@fmuls(ad, ad, 2.0);");
    const int64_t twice =
        cycles(&two, ARRAYS, "@fmuls(ad, ad, 2.0); @fmuls(ad, ad, 2.0);");

    /* Set-up, the way through the pipeline, then one element a cycle. */
    assert_int_equal(twice - once,
                     arch_params_uint(one.params, "dsd.setup_busy_cycles") +
                         arch_params_uint(one.params, "dsd.setup_latency_cycles") + 64);
}

static void divisions_take_longer_than_sums(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) none = {0};
    g_auto(CslRig) some = {0};

    assert_true(cycles(&some, "var n: i16 = 3;", "n = n / 7;") >
                cycles(&none, "var n: i16 = 3;", "n = n + 7;"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_element_takes_what_the_chip_file_says),
        cmocka_unit_test(operations_are_set_up_before_they_begin),
        cmocka_unit_test(divisions_take_longer_than_sums),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_time", tests, NULL, NULL);
}
