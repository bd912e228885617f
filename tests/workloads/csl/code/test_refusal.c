/* CSL programs that are well formed, but that no simulated PE can run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_beyond_the_machine_are_refused),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_refusal", tests, NULL, NULL);
}
