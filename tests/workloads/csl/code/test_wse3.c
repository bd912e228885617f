/* CSL programs for a WSE-3: data tasks have ids of input queues. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

/* Color 9 leads from the first PE of a row to the second. Queues have other numbers. */
#define ROUTES                                                                         \
    "@set_color_config(0, 0, @get_color(9), .{ .routes = .{ .rx = RAMP, .tx = EAST } " \
    "}); @set_color_config(1, 0, @get_color(9), .{ .routes = .{ .rx = WEST, .tx = "    \
    "RAMP } });"

#define STREAMS                                                                        \
    "const c = @get_color(9); const iq = @get_input_queue(3);"                         \
    "const oq = @get_output_queue(2); var a = [4]u32{ 1, 2, 3, 4 };"                   \
    "var n: u16 = 0; var r = @zeros([8]i32);"                                          \
    "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> a[i] });"          \
    "const out = @get_dsd(fabout_dsd, .{ .extent = 4, .output_queue = oq });"          \
    "comptime { @initialize_queue(oq, .{ .color = c }); "                              \
    "@initialize_queue(iq, .{ .color = c }); }"

/* PE 0 sends the numbers; PE 1 has these declarations and runs `receive`. */
static void
run(CslRig *rig, const char *declarations, const char *send, const char *receive)
{
    g_autofree char *code = g_strdup_printf(
        STREAMS "%s fn f() void { if (px == 0) { %s sys.unblock_cmd_stream(); } else { "
                "%s } }",
        declarations, send, receive);

    csl_rig_open_wse3(rig, 2, 1, ROUTES, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

/* Local task 9 has the number of the color, and is another. */
static void data_tasks_are_called_by_queues(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const done = @get_local_task_id(9);"
        "task t(v: u32) void { r[n] = @as(i32, v); n += 1; if (n == 4) @activate(done);"
        " }"
        "task end() void { r[4] = 7; sys.unblock_cmd_stream(); }"
        "comptime { @bind_local_task(end, done); "
        "@bind_data_task(t, @get_data_task_id(iq)); }",
        "@mov32(out, from);", "");
    CSL_EXPECT(&rig, 1, 0, "r", 1, 2, 3, 4, 7);
}

static void blocked_queues_hold_what_comes(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const id = @get_local_task_id(10); var waited: i32 = 0;"
        "task t(v: u32) void { r[n] = @as(i32, v) + waited; n += 1; if (n == 4) "
        "sys.unblock_cmd_stream(); }"
        "task later() void { waited += 1; if (waited < 50) @activate(id) else "
        "@unblock(iq); }"
        "comptime { @bind_local_task(later, id); "
        "@bind_data_task(t, @get_data_task_id(iq)); @block(iq); }",
        "@mov32(out, from);", "@activate(id);");
    CSL_EXPECT(&rig, 1, 0, "r", 51, 52, 53, 54);
}

static void a_color_stands_for_its_queue(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const id = @get_local_task_id(10); task t(v: u32) void { r[n] = @as(i32, v); "
        "n "
        "+= 1; if (n == 4) sys.unblock_cmd_stream(); }"
        "task later() void { r[4] = @as(i32, n); @unblock(c); }"
        "comptime { @bind_local_task(later, id); "
        "@bind_data_task(t, @get_data_task_id(iq)); @block(c); }",
        "@mov32(out, from);", "@activate(id);");
    CSL_EXPECT(&rig, 1, 0, "r", 1, 2, 3, 4, 0);
}

static void
queues_without_a_task_leave_wavelets_to_operations(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const in = @get_dsd(fabin_dsd, .{ .extent = 4, .input_queue = iq });"
        "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> r[i] });"
        "const done = @get_local_task_id(11);"
        "task end() void { sys.unblock_cmd_stream(); }"
        "comptime { @bind_local_task(end, done); }",
        "@mov32(out, from);", "@mov32(to, in, .{ .async = true, .activate = done });");
    CSL_EXPECT(&rig, 1, 0, "r", 1, 2, 3, 4);
}

/* Both directions have queue 3, which would be microthread 3 for both. */
static void operations_name_their_microthreads(void **state G_GNUC_UNUSED)
{
    static const char *const rows[] = {
        "@mov32(to, in, .{ .async = true, .activate = done, .ut_id = ut });"
        "@mov32(way, from, .{ .async = true });",
        "@load_to_dsr(right, in, .{ .async = true, .activate = done, .ut_id = ut });"
        "@mov32(to, right); @mov32(way, from, .{ .async = true });",
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(CslRig) rig = {0};
        g_autofree char *code = g_strdup_printf(
            "const c = @get_color(9); const iq = @get_input_queue(3); const oq = "
            "@get_output_queue(3); var a = [4]u32{ 1, 2, 3, 4 }; var r = "
            "@zeros([4]u32); const ut = @get_ut_id(5);"
            "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> a[i] });"
            "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> r[i] });"
            "const in = @get_dsd(fabin_dsd, .{ .extent = 4, .input_queue = iq });"
            "const way = @get_dsd(fabout_dsd, .{ .extent = 4, .output_queue = oq });"
            "const right = @get_dsr(dsr_src1, 2); const done = @get_local_task_id(11);"
            "task end() void { sys.unblock_cmd_stream(); }"
            "comptime { @bind_local_task(end, done); @initialize_queue(oq, .{ .color = "
            "c }); @initialize_queue(iq, .{ .color = c }); @set_local_color_config(c, "
            ".{ .routes = .{ .rx = RAMP, .tx = RAMP } }); }"
            "fn f() void { %s }",
            rows[i]);

        csl_rig_open_wse3(&rig, 1, 1, "", code);
        csl_rig_launch(&rig, "f", NULL, 0);
        CSL_EXPECT(&rig, 0, 0, "r", 1, 2, 3, 4);
    }
}

static void control_tasks_need_an_unblocked_queue(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const ctl = @import_module(\"<control>\"); const stop = "
        "@get_control_task_id(40);"
        "const control = @get_dsd(fabout_dsd, .{ .extent = 1, .control = true, "
        ".output_queue = oq });"
        "task t(v: u16) void { r[0] = @as(i32, v); sys.unblock_cmd_stream(); }"
        "comptime { @bind_control_task(t, stop); @unblock(iq); }",
        "@mov32(control, ctl.encode_single_payload(ctl.opcode.NOP, false, stop, 5));",
        "");
    CSL_EXPECT(&rig, 1, 0, "r", 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_tasks_are_called_by_queues),
        cmocka_unit_test(blocked_queues_hold_what_comes),
        cmocka_unit_test(a_color_stands_for_its_queue),
        cmocka_unit_test(queues_without_a_task_leave_wavelets_to_operations),
        cmocka_unit_test(operations_name_their_microthreads),
        cmocka_unit_test(control_tasks_need_an_unblocked_queue),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_wse3", tests, NULL, NULL);
}
