/* FIFOs of CSL programs, run by simulated PEs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

/* Color 1 leads from the PE's own ramp back to it. */
#define LOOP                                                                           \
    "const c = @get_color(1); var a = [6]f32{ 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 };"         \
    "var r = @zeros([6]f32); var ends: u16 = 0; var n: u16 = 0;"                       \
    "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> a[i] });"          \
    "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> r[i] });"            \
    "const out = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 6, "             \
    ".output_queue = @get_output_queue(3) });"                                         \
    "const in = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = 6, .input_queue "  \
    "= @get_input_queue(2) });"                                                        \
    "task over() void { ends += 1; sys.unblock_cmd_stream(); }"                        \
    "comptime { @bind_local_task(over, @get_local_task_id(9)); "                       \
    "@set_local_color_config(c, .{ .routes = .{ .rx = RAMP, .tx = RAMP } }); }"

static void run(CslRig *rig, const char *code)
{
    csl_rig_open_pe(rig, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

static void async_pushes_and_pops_wait_for_each_other(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    /* Six numbers pass through room for two. */
    run(&rig, LOOP
        "var room = @zeros([2]f32); const fifo = @allocate_fifo(room);"
        "fn f() void { @fadds(fifo, in, from, .{ .async = true }); @fnegs(to, fifo, .{ "
        ".async = true, .activate = over }); @fmuls(out, from, 10.0, .{ .async = true "
        "}); }");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", -11, -22, -33, -44, -55, -66);
    CSL_EXPECT(&rig, 0, 0, "ends", 1);
}

static void tries_say_whether_there_was_room(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var room = @zeros([4]u16); const fifo = @allocate_fifo(room);"
        "var pushed: u16 = 0; var popped: u16 = 0; var r = @zeros([6]u16); var v: u16 "
        "= 0; var first: bool = true; fn f() void { first = @mov16(&v, fifo); var "
        "is_well = true; while (is_well) { is_well = @mov16(fifo, 10 + pushed); if "
        "(is_well) { pushed += 1; } } while (@mov16(&v, fifo)) { r[popped] = v; popped "
        "+= 1; } if (!first) { r[5] = 1; } sys.unblock_cmd_stream(); }");
    CSL_EXPECT(&rig, 0, 0, "pushed", 4);
    CSL_EXPECT(&rig, 0, 0, "popped", 4);
    CSL_EXPECT(&rig, 0, 0, "r", 10, 11, 12, 13, 0, 1);
}

static void pushes_and_pops_activate_tasks(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig, LOOP
        "var room = @zeros([4]f32); var pushes: u16 = 0; var pops: u16 = 0; var v: f32 "
        "= 0.0;"
        "const fifo = @allocate_fifo(room, .{ .activate_push = pushed, .activate_pop = "
        "popped });"
        "task pushed() void { pushes += 1; if (@fmovs(&v, fifo)) { r[0] = v; } }"
        "task popped() void { pops += 1; @activate(over); }"
        "comptime { @bind_local_task(pushed, @get_local_task_id(10)); "
        "@bind_local_task(popped, @get_local_task_id(11)); }"
        "fn f() void { @fmovs(fifo, 3.5); }");
    CSL_EXPECT(&rig, 0, 0, "pushes", 1);
    CSL_EXPECT(&rig, 0, 0, "pops", 1);
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 3.5, 0);
}

static void lengths_are_set_at_run_time(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        LOOP "var room = @zeros([8]f32); const fifo = @allocate_fifo(room);"
             "fn f() void { n = 3; @set_fifo_write_length(fifo, n); @fmovs(fifo, 2.5); "
             "@fmovs(fifo, 1.5); @set_fifo_read_length(fifo, n + 1); @fmovs(to, fifo); "
             "sys.unblock_cmd_stream(); }");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 2.5, 2.5, 2.5, 1.5, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(async_pushes_and_pops_wait_for_each_other),
        cmocka_unit_test(tries_say_whether_there_was_room),
        cmocka_unit_test(pushes_and_pops_activate_tasks),
        cmocka_unit_test(lengths_are_set_at_run_time),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_fifo", tests, NULL, NULL);
}
