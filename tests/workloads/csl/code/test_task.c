/* Tasks of CSL programs, run by simulated PEs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

/* Color 1 leads from the first PE of a row to the second. */
#define ROUTES                                                                         \
    "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = RAMP, .tx = EAST } " \
    "}); @set_color_config(1, 0, @get_color(1), .{ .routes = .{ .rx = WEST, .tx = "    \
    "RAMP } });"

#define STREAMS                                                                        \
    "const c = @get_color(1); var a = [4]u32{ 0x20001, 0x40003, 0x60005, 0x80007 };"   \
    "var n: u16 = 0; var r = @zeros([8]i32);"                                          \
    "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> a[i] });"          \
    "const out = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 4, "             \
    ".output_queue = @get_output_queue(2) });"                                         \
    "const ctl = @import_module(\"<control>\");"                                       \
    "const control = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 1, "         \
    ".control = true, .output_queue = @get_output_queue(2) });"                        \
    "const stop = @get_control_task_id(40);"                                           \
    "fn send(value: u16) void { @mov32(control, ctl.encode_single_payload("            \
    "ctl.opcode.NOP, false, stop, 0) | @as(u32, value)); }"

/* PE 0 sends the numbers; PE 1 has these declarations and runs `receive`. */
static void
run(CslRig *rig, const char *declarations, const char *send, const char *receive)
{
    g_autofree char *code = g_strdup_printf(
        STREAMS "%s fn f() void { if (px == 0) { %s sys.unblock_cmd_stream(); } else { "
                "%s } }",
        declarations, send, receive);

    csl_rig_open_all(rig, 2, 1, ROUTES, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

static void data_tasks_take_wavelets_whole_or_by_halves(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *task;
        double values[8];
    } rows[] = {
        {"task t(v: u32) void { r[n] = @as(i32, v); next(); }",
         {0x20001, 0x40003, 0x60005, 0x80007}},
        {"task t(v: i16) void { r[n] = @as(i32, v); next(); }", {1, 3, 5, 7}},
        {"task t(v: i16, index: u16) void { r[n] = @as(i32, v); r[n + 4] = @as(i32, "
         "index); "
         "next(); }",
         {1, 3, 5, 7, 2, 4, 6, 8}},
        {"task t(v: f32) void { r[n] = @as(i32, @bitcast(u32, v)); next(); }",
         {0x20001, 0x40003, 0x60005, 0x80007}},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(CslRig) rig = {0};
        g_autofree char *more = g_strdup_printf(
            "%s fn next() void { n += 1; if (n == 4) sys.unblock_cmd_stream(); }"
            "comptime { if (px == 1) @bind_data_task(t, @get_data_task_id(c)); }",
            rows[i].task);

        run(&rig, more, "@mov32(out, from);", "n = 0;");
        csl_rig_expect(&rig, (CslRigPlace){1, 0, false}, "r", rows[i].values, 8);
    }
}

static void half_numbers_come_as_arguments(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var h = [2]f16{ 1.5, -4.0 }; const hd = @get_dsd(mem1d_dsd, .{ .tensor_access "
        "= |i|{2} -> h[i] }); task t(v: f16) void { r[n] = @as(i32, v * 10.0); n += 1; "
        "if (n == 2) sys.unblock_cmd_stream(); } comptime { if (px == 1) "
        "@bind_data_task(t, @get_data_task_id(c)); }",
        "@fmovh(out, hd);", "n = 0;");
    CSL_EXPECT(&rig, 1, 0, "r", 15, -40);
}

static void control_tasks_take_the_lower_half(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};
    g_auto(CslRig) plain = {0};

    /* Beside a data task, whose color is not blocked. */
    run(&rig,
        "task t(v: u32) void { r[n] = @as(i32, v); n += 1; }"
        "task over(v: u16) void { r[7] = @as(i32, v); r[6] = @as(i32, n); "
        "sys.unblock_cmd_stream(); }"
        "comptime { if (px == 1) { @bind_data_task(t, @get_data_task_id(c)); "
        "@bind_control_task(over, stop); } }",
        "@mov32(out, from); send(0xabcd);", "n = 0;");
    CSL_EXPECT(&rig, 1, 0, "r", 0x20001, 0x40003, 0x60005, 0x80007, 0, 0, 4, 0xabcd);

    /* Alone, and without an argument: the program unblocks the color. */
    run(&plain,
        "task over() void { r[0] += 1; if (r[0] == 2) sys.unblock_cmd_stream(); }"
        "comptime { if (px == 1) { @bind_control_task(over, stop); @unblock(c); } }",
        "send(1); send(2);", "n = 0;");
    CSL_EXPECT(&plain, 1, 0, "r", 2);
}

static void blocked_colors_hold_what_comes(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    /* The first wavelet blocks the color until a local task has run 3 times. */
    run(&rig,
        "const later = @get_local_task_id(9); const d = @get_data_task_id(c);"
        "task t(v: i16) void { r[n] = 10 * r[7] + @as(i32, v); n += 1; @block(d); "
        "@activate(later); }"
        "task wait() void { r[7] += 1; if (r[7] % 3 == 0) { if (n == 4) "
        "{ sys.unblock_cmd_stream(); } else { @unblock(d); } } else { "
        "@activate(later); } }"
        "comptime { if (px == 1) { @bind_data_task(t, d); @bind_local_task(wait, "
        "later); } }",
        "@mov32(out, from);", "n = 0;");
    CSL_EXPECT(&rig, 1, 0, "r", 1, 33, 65, 97, 0, 0, 0, 12);
}

/* Runs one PE with local tasks; r is what they leave. */
static void run_pe(CslRig *rig, const char *code)
{
    csl_rig_open_pe(rig, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

/* Tasks one to three, with ids 9 to 11, write their number into the next place of r. */
#define THREE                                                                          \
    "var r = @zeros([8]u16); var n: u16 = 0; fn note(k: u16) void { r[n] = k; n += 1;" \
    " } const i1 = @get_local_task_id(9); const i2 = @get_local_task_id(10); const i3" \
    " = @get_local_task_id(11); comptime { @bind_local_task(one, i1); "                \
    "@bind_local_task(two, i2); @bind_local_task(three, i3); }"

static void activations_before_a_run_are_one(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run_pe(&rig, THREE
           "task one() void { note(1); if (n < 4) { @activate(one); @activate(i1); } "
           "else { @activate(two); } } task two() void { note(2); @activate(three); } "
           "task three() void { note(3); sys.unblock_cmd_stream(); }"
           "fn f() void { @activate(i1); @activate(one); @activate(i1); }");
    CSL_EXPECT(&rig, 0, 0, "r", 1, 1, 1, 1, 2, 3, 0, 0);
}

static void blocked_tasks_wait_until_they_are_unblocked(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    /* The id of the third task is only known at run time. */
    run_pe(&rig, THREE
           "var held: local_task_id = i3;"
           "task one() void { note(1); @unblock(i2); } task two() void { note(2); "
           "@unblock(held); } task three() void { note(3); sys.unblock_cmd_stream(); }"
           "comptime { @block(i2); @activate(i2); }"
           "fn f() void { @block(held); @activate(held); @activate(one); }");
    CSL_EXPECT(&rig, 0, 0, "r", 1, 2, 3, 0);
}

static void tasks_are_active_from_the_start(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run_pe(&rig, THREE
           "task one() void { note(1); @activate(i3); } task two() void { note(2); } "
           "task three() void { note(3); } comptime { @activate(i1); }"
           "fn f() void { note(9); sys.unblock_cmd_stream(); }");
    CSL_EXPECT(&rig, 0, 0, "r", 1, 3, 9, 0);
}

static void launches_take_arguments_of_each_type(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};
    const int32_t values[] = {0x3fc00000, -3, 65535, (int32_t) 0xdeadbeef, 0xc000, 7};

    csl_rig_open_all(
        &rig, 1, 1, "@export_name(\"g\", fn(f32, i16, u16, u32, f16, i32) void);",
        "var r = @zeros([6]i32); var times: u16 = 0;"
        "fn g(a: f32, b: i16, c: u16, d: u32, e: f16, k: i32) void { r[0] = @as(i32, a "
        "* 2.0); r[1] = @as(i32, b); r[2] = @as(i32, c); r[3] = @as(i32, d >> 16); "
        "r[4] = "
        "@as(i32, e); r[5] = k - 10; times += 1; sys.unblock_cmd_stream(); }"
        "fn f() void { sys.unblock_cmd_stream(); }"
        "comptime { @export_symbol(g); }");
    csl_rig_launch(&rig, "g", values, G_N_ELEMENTS(values));
    csl_rig_launch(&rig, "f", NULL, 0);
    CSL_EXPECT(&rig, 0, 0, "r", 3, -3, 65535, 0xdead, -2, -3);
    csl_rig_launch(&rig, "g", values, G_N_ELEMENTS(values));
    CSL_EXPECT(&rig, 0, 0, "times", 2);
}

static void assertions_stop_the_run(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};
    g_autofree char *message = NULL;

    csl_rig_open_pe(&rig, "var r = @zeros([1]i16);\n"
                          "fn f() void {\n"
                          "  @assert(r[0] == 0); r[0] = 1;\n"
                          "  @assert(r[0] == 0); r[0] = 2;\n"
                          "  sys.unblock_cmd_stream(); }\n");
    message = csl_rig_launch_badly(&rig, "f");
    assert_non_null(strstr(message, "assert"));
    CSL_EXPECT(&rig, 0, 0, "r", 1);
}

static void random_words_differ_and_repeat_from_run_to_run(void **state G_GNUC_UNUSED)
{
    static const char code[] =
        "var r = @zeros([4]u16); fn f() void { for (@range(u16, 4)) |i| { r[i] = "
        "@random16(); } sys.unblock_cmd_stream(); }";
    g_auto(CslRig) rig = {0};
    g_auto(CslRig) again = {0};

    run_pe(&rig, code);
    run_pe(&again, code);
    for (guint i = 0; i < 4; i++) {
        assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", i),
                         csl_rig_integer(&again, 0, 0, "r", i));
        assert_int_not_equal(csl_rig_integer(&rig, 0, 0, "r", i),
                             csl_rig_integer(&rig, 0, 0, "r", (i + 1) % 4));
    }
}

/* Two tasks wait for a third by activating themselves; ids of all three differ. */
static void
tasks_that_wait_by_activating_themselves_let_others_run(void **state G_GNUC_UNUSED)
{
    static const guint ids[][3] = {{8, 9, 10}, {9, 10, 8}, {8, 10, 9}};

    for (guint i = 0; i < G_N_ELEMENTS(ids); i++) {
        g_autofree char *code = g_strdup_printf(
            "const low = @get_local_task_id(%u); const high = @get_local_task_id(%u);"
            "const work = @get_local_task_id(%u); var done: u16 = 0; var r = "
            "@zeros([2]u16);"
            "task wait_low() void { r[0] += 1; if (done == 0) @activate(low); }"
            "task wait_high() void { r[1] += 1; if (done == 0) @activate(high) else "
            "sys.unblock_cmd_stream(); }"
            "task worker() void { done = 1; }"
            "comptime { @bind_local_task(wait_low, low); @bind_local_task(wait_high, "
            "high); @bind_local_task(worker, work); }"
            "fn f() void { @activate(low); @activate(high); @activate(work); }",
            ids[i][0], ids[i][1], ids[i][2]);
        g_auto(CslRig) rig = {0};

        csl_rig_open_pe(&rig, code);
        csl_rig_launch(&rig, "f", NULL, 0);
        assert_in_range(csl_rig_integer(&rig, 0, 0, "r", 0), 1, 2);
        assert_in_range(csl_rig_integer(&rig, 0, 0, "r", 1), 1, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_tasks_take_wavelets_whole_or_by_halves),
        cmocka_unit_test(half_numbers_come_as_arguments),
        cmocka_unit_test(control_tasks_take_the_lower_half),
        cmocka_unit_test(blocked_colors_hold_what_comes),
        cmocka_unit_test(activations_before_a_run_are_one),
        cmocka_unit_test(blocked_tasks_wait_until_they_are_unblocked),
        cmocka_unit_test(tasks_that_wait_by_activating_themselves_let_others_run),
        cmocka_unit_test(tasks_are_active_from_the_start),
        cmocka_unit_test(launches_take_arguments_of_each_type),
        cmocka_unit_test(assertions_stop_the_run),
        cmocka_unit_test(random_words_differ_and_repeat_from_run_to_run),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_task", tests, NULL, NULL);
}
