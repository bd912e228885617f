/* CSL programs that are well formed, but that no simulated PE can run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

#define F(body) "fn f() void { " body " sys.unblock_cmd_stream(); }"

static void programs_beyond_the_machine_are_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *code;
        const char *message;
    } rows[] = {
        {"var x: bf16 = 1.0; var y: bf16 = 2.0;" F("x = x + y;"), "bf16"},
        {"extern fn far(x: i16) i16; var r: i16 = 0;" F("r = far(1);"),
         "'far' is extern and has no code"},
        {"var r: i16 = 5; fn down(n: i16) i16 { if (n == 0) { return 0; } return 1 + "
         "down(n - 1); }" F("r = down(r);"),
         "calls itself"},
        {"const in = @get_dsd(fabin_dsd, .{ .extent = 1, .input_queue = "
         "@get_input_queue(2) }); var r: u32 = 0;" F("@mov32(&r, in);"),
         "fabric_color"},
        {"var big = @zeros([30000]u16);" F("big[0] = 1;"), "take 60000 bytes"},
        {"var a = @zeros([2]f32); const d = @get_dsd(mem1d_dsd, .{ .tensor_access = "
         "|i|{2} -> a[i] });" F("@fnorms(d, d);"),
         "fnorms"},
        {"var r: i16 = 0; fn g(x: i16) i16 { return x; }" F("@map(g, r, &r);"),
         "@map needs a DSD"},
        {"var a = @zeros([2, 2]i16); var d = @get_dsd(mem4d_dsd, .{ .tensor_access = "
         "|i, j|{2, 2} -> a[i, j] }); fn g(x: i16) void { a[0, 0] = x; }" F("@map(g, "
                                                                            "d);"),
         "@map over a mem4d_dsd that only run time knows"},
        {"task t() void {} var a = @zeros([2]f32); const out = @get_dsd(fabout_dsd, .{ "
         ".fabric_color = @get_color(1), .extent = 2, .output_queue = "
         "@get_output_queue(2) });" F("@fmovs(out, 1.0, .{ .async = true, .activate = "
                                      "t });"),
         "bound"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        csl_rig_expect_refused(rows[i].code, rows[i].message);
    }
}

static void one_operation_uses_a_queue_at_a_time(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};
    g_autofree char *message = NULL;

    csl_rig_open_pe(
        &rig,
        "const c = @get_color(1); var a = @zeros([2]u32);"
        "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> a[i] });"
        "const in = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = 2, "
        ".input_queue = @get_input_queue(2) }); comptime { @set_local_color_config(c, "
        ".{ .routes = .{ .rx = RAMP, .tx = RAMP } }); }"
        "fn f() void { @mov32(d, in, .{ .async = true }); @mov32(d, in, .{ .async = "
        "true }); sys.unblock_cmd_stream(); }");
    message = csl_rig_launch_badly(&rig, "f");
    assert_non_null(strstr(message, "one user at a time"));
    assert_non_null(strstr(message, "mov32 at t.csl:"));
}

static void wavelets_without_a_way_are_reported(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};
    g_autofree char *message = NULL;

    csl_rig_open_all(
        &rig, 2, 1, "",
        "const c = @get_color(1); const out = @get_dsd(fabout_dsd, .{ .fabric_color = "
        "c, .extent = 2, .output_queue = @get_output_queue(2) }); comptime { if (px == "
        "0) @set_local_color_config(c, .{ .routes = .{ .rx = RAMP, .tx = EAST } }); }"
        "fn f() void { if (px == 0) @mov32(out, 5); sys.unblock_cmd_stream(); }");
    message = csl_rig_launch_badly(&rig, "f");
    assert_non_null(strstr(message, "color 1"));
    assert_non_null(strstr(message, "pe[0,0]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_beyond_the_machine_are_refused),
        cmocka_unit_test(one_operation_uses_a_queue_at_a_time),
        cmocka_unit_test(wavelets_without_a_way_are_reported),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_refusal", tests, NULL, NULL);
}
