/* Explicit DSRs of CSL programs, run by simulated PEs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

#define ARRAYS                                                                         \
    "var a = [6]f32{ 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 }; var r = @zeros([6]f32);"          \
    "const two = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> a[i] });"           \
    "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> r[i] });"            \
    "const dest = @get_dsr(dsr_dest, 1); const left = @get_dsr(dsr_src0, 1);"          \
    "const right = @get_dsr(dsr_src1, 1);"

static void run_pe(CslRig *rig, const char *before, const char *body)
{
    g_autofree char *code = g_strdup_printf(
        "%s fn f() void { %s sys.unblock_cmd_stream(); }", before, body);

    csl_rig_open_pe(rig, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

static void loads_stay_until_the_next_one(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run_pe(&rig, ARRAYS,
           "@load_to_dsr(dest, to); @load_to_dsr(right, two); @fmovs(dest, right);"
           "@load_to_dsr(left, to); @fadds(dest, left, right); @fadds(dest, left, "
           "right); @load_to_dsr(dest, @increment_dsd_offset(to, 2, f32));"
           "@fmuls(dest, left, 0.5); @fmacs(@increment_dsd_offset(to, 4, f32), left, "
           "right, 2.0);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 3, 6, 1.5, 3, 5, 10);
}

static void saved_addresses_move_on(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};
    g_auto(CslRig) again = {0};

    run_pe(&rig, ARRAYS,
           "@load_to_dsr(dest, to, .{ .save_address = true });"
           "@load_to_dsr(right, two, .{ .save_address = true });"
           "for (@range(i16, 2)) |i| { @fnegs(dest, right); }"
           "@fmovs(dest, 7.0);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", -1, -2, -3, -4, 7, 7);

    /* Later loads of the same DSR do without. */
    run_pe(&again, ARRAYS,
           "@load_to_dsr(dest, to, .{ .save_address = true }); @load_to_dsr(right, "
           "two); @fmovs(dest, right); @fmovs(dest, right); "
           "@load_to_dsr(dest, to); @fmovs(dest, 9.0); @fmovs(dest, 8.0);");
    CSL_EXPECT_FLOATS(&again, 0, 0, "r", 8, 8, 1, 2, 0, 0);
}

static void comptime_loads_hold_at_the_start(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run_pe(&rig,
           ARRAYS "comptime { @load_to_dsr(dest, to); @load_to_dsr(right, two, .{ "
                  ".save_address = true }); }",
           "@fmovs(dest, right); @load_to_dsr(dest, @increment_dsd_offset(to, 2, "
           "f32)); @fmovs(dest, right);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 1, 2, 3, 4, 0, 0);
}

static void loads_at_comptime_save_unlike_later_ones(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run_pe(&rig,
           ARRAYS "comptime { @load_to_dsr(dest, to, .{ .save_address = true }); }",
           "@load_to_dsr(right, two); @fmovs(dest, right); @fnegs(dest, right); "
           "@load_to_dsr(dest, @increment_dsd_offset(to, 4, f32)); @fmovs(dest, 9.0); "
           "@fmovs(dest, 8.0);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 1, 2, -1, -2, 8, 8);
}

/* Color 1 leads from the PE's own ramp back to it. */
#define LOOP                                                                           \
    ARRAYS                                                                             \
    "const c = @get_color(1); var ends: u16 = 0; var early: f32 = 0.0;"                \
    "const out = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 2, "             \
    ".output_queue = @get_output_queue(3) });"                                         \
    "const in = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = 2, .input_queue "  \
    "= @get_input_queue(2) });"                                                        \
    "const done = @get_local_task_id(9); const other = @get_local_task_id(10);"        \
    "comptime { @bind_local_task(over, done); @bind_local_task(more, other); "         \
    "@initialize_queue(@get_input_queue(2), .{ .color = c }); "                        \
    "@set_local_color_config(c, .{ .routes = .{ .rx = RAMP, .tx = RAMP } }); }"

static void run_loop(CslRig *rig, const char *before, const char *body)
{
    g_autofree char *code = g_strdup_printf(LOOP "%s fn f() void { %s }", before, body);

    csl_rig_open_pe(rig, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

static void operations_are_as_their_loads_say(void **state G_GNUC_UNUSED)
{
    static const char *const options[] = {
        ".activate = over", ".activate = done",  ".activate = chosen",
        ".unblock = done",  ".unblock = chosen",
    };

    for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
        g_auto(CslRig) rig = {0};
        const bool is_unblocked = g_str_has_prefix(options[i], ".unblock");
        g_autofree char *body = g_strdup_printf(
            "%s @load_to_dsr(right, in, .{ .async = true, %s }); @fadds(to, two, "
            "right); early = r[1]; @load_to_dsr(dest, out, .{ .async = true }); "
            "@fmovs(dest, 5.0);",
            is_unblocked ? "@block(done); @activate(done);" : "", options[i]);

        run_loop(&rig,
                 "var chosen: local_task_id = done;"
                 "task over() void { ends += 1; sys.unblock_cmd_stream(); }"
                 "task more() void {}",
                 body);
        CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 6, 7, 0);
        CSL_EXPECT_FLOATS(&rig, 0, 0, "early", 0);
        CSL_EXPECT(&rig, 0, 0, "ends", 1);
    }
}

/* The operation's own task would unblock the host too early. */
static void loads_with_async_count_and_not_the_operation(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run_loop(&rig,
             "task over() void { ends += 1; sys.unblock_cmd_stream(); }"
             "task more() void { ends += 10; }",
             "@load_to_dsr(right, in, .{ .async = true, .activate = over }); "
             "@load_to_dsr(dest, out, .{ .async = true });"
             "@fmovs(to, right, .{ .async = true, .activate = more });"
             "@fmovs(dest, 5.0, .{ .async = true, .activate = more });");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 5, 5);
    CSL_EXPECT(&rig, 0, 0, "ends", 1);
}

static void the_last_load_names_the_task(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run_loop(
        &rig,
        "task over() void { ends += 1; @load_to_dsr(right, in, .{ .async = true, "
        ".activate = more }); @fmovs(@increment_dsd_offset(to, 2, f32), right); "
        "@fmovs(out, 4.0); }"
        "task more() void { ends += 10; sys.unblock_cmd_stream(); }",
        "@load_to_dsr(right, in, .{ .async = true, .activate = over }); @fmovs(to, "
        "right); @fmovs(out, 3.0);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 3, 3, 4, 4);
    CSL_EXPECT(&rig, 0, 0, "ends", 11);
}

static void loads_may_turn_waiting_on_again(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run_loop(
        &rig,
        "task over() void { ends += 1; @fmovs(out, 4.0); @load_to_dsr(right, in); "
        "@fmovs(to, right); early = r[1]; sys.unblock_cmd_stream(); }"
        "task more() void {}",
        "@load_to_dsr(right, in, .{ .async = true, .activate = over }); @fmovs(to, "
        "right); @fmovs(out, 3.0);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "early", 4);
    CSL_EXPECT(&rig, 0, 0, "ends", 1);
}

static void control_wavelets_end_operations_on_dsrs(void **state G_GNUC_UNUSED)
{
    static const char *const tasks[] = {"over", "chosen"};

    for (guint i = 0; i < G_N_ELEMENTS(tasks); i++) {
        g_auto(CslRig) rig = {0};
        g_autofree char *body = g_strdup_printf(
            "@load_to_dsr(right, @set_dsd_length(in, 0x7fff), .{ .async = true, "
            ".activate = %s, .on_control = .{ .terminate = true } });"
            "@fmovs(to, right); @fmovs(@set_dsd_length(out, 3), 2.5); @mov32(stop, "
            "ctl.encode_single_payload(ctl.opcode.NOP, false, {}, 0));",
            tasks[i]);

        run_loop(&rig,
                 "const ctl = @import_module(\"<control>\"); var chosen: "
                 "local_task_id = done;"
                 "const stop = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 1, "
                 ".control = true, .output_queue = @get_output_queue(3) });"
                 "task over() void { ends += 1; sys.unblock_cmd_stream(); }"
                 "task more() void {}",
                 body);
        CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 2.5, 2.5, 2.5, 0);
        CSL_EXPECT(&rig, 0, 0, "ends", 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_stay_until_the_next_one),
        cmocka_unit_test(saved_addresses_move_on),
        cmocka_unit_test(comptime_loads_hold_at_the_start),
        cmocka_unit_test(loads_at_comptime_save_unlike_later_ones),
        cmocka_unit_test(operations_are_as_their_loads_say),
        cmocka_unit_test(loads_with_async_count_and_not_the_operation),
        cmocka_unit_test(the_last_load_names_the_task),
        cmocka_unit_test(loads_may_turn_waiting_on_again),
        cmocka_unit_test(control_wavelets_end_operations_on_dsrs),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_dsr", tests, NULL, NULL);
}
