/* Libraries of CSL that a single PE uses, run by a simulated one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/wse_profile.h"
#include "tests/workloads/csl/wafer_rig.h"

/* Runs the code of one PE; `r` holds what it found. */
static void run(CslRig *rig, const char *code)
{
    csl_rig_open_pe(rig, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

/* What comptime computes is compared with the C library elsewhere. */
static void math_is_the_same_at_run_time(void **state G_GNUC_UNUSED)
{
    static const char *const calls[] = {
        "m.exp(x)",          "m.log(m.abs(x))",
        "m.sin(x)",          "m.cos(x)",
        "m.tanh(x)",         "m.sig(x)",
        "m.floor(x)",        "m.ceil(x)",
        "m.fscale(x, -130)", "m.pow(m.abs(x), 1.7)",
        "m.sign(x)",         "m.max(x, 2.0)",
        "m.min(x, 2.0)",     "m.pow(x, 3.0)",
        "m.inv(x)",
    };

    for (guint i = 0; i < G_N_ELEMENTS(calls); i++) {
        g_auto(CslRig) rig = {0};
        g_autofree char *code = g_strdup_printf(
            "const m = @import_module(\"<math>\");\n"
            "var r = @zeros([1]u16);\n"
            "var xs = [6]f32{ 0.3, -1.7, 9.25, -80.5, 6000.5, -0.7 };\n"
            "fn g(x: f32) f32 { return %s; }\n"
            "fn h(x: f16) f16 { return %s; }\n"
            "const ys = [6]f32{ g(0.3), g(-1.7), g(9.25), g(-80.5), g(6000.5), g(-0.7) "
            "};\n"
            "var a: f16 = 0.75;\n"
            "const b = h(0.75);\n"
            "fn f() void {\n"
            "  for (xs) |x, i| {\n"
            "    const y = ys[i];\n"
            "    if (@bitcast(u32, g(x)) != @bitcast(u32, y)) { r[0] += 1; }\n"
            "  }\n"
            "  if (h(a) != b) { r[0] += 100; }\n"
            "  sys.unblock_cmd_stream();\n"
            "}\n",
            calls[i], calls[i]);

        run(&rig, code);
        if (csl_rig_integer(&rig, 0, 0, "r", 0) != 0) {
            fail_msg("%s differs", calls[i]);
        }
    }
}

static void the_machine_has_square_roots(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig, "const m = @import_module(\"<math>\");\n"
              "var r = @zeros([3]u16); var a: f32 = 2.0; var b: f16 = 2.0;\n"
              "fn f() void {\n"
              "  r[0] = @as(u16, @bitcast(u32, m.sqrt(a)));\n"
              "  r[1] = @bitcast(u16, m.sqrt(b));\n"
              "  r[2] = @as(u16, 1000.0 * m.invsqrt_f32(a));\n"
              "  sys.unblock_cmd_stream();\n"
              "}\n");
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 0), 0x04f3);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 1), 0x3da8);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 2), 707);
}

static void the_counter_counts_from_when_it_is_enabled(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig, "const t = @import_module(\"<time>\");\n"
              "var r = @zeros([3]u16); var long = @zeros([3]u16); var n: u16 = 0;\n"
              "fn f() void {\n"
              "  while (n < 1000) { n += 1; }\n"
              "  t.enable_tsc();\n"
              "  t.get_timestamp(&r);\n"
              "  n = 0;\n"
              "  while (n < 10000) { n += 1; }\n"
              "  t.get_timestamp(&long);\n"
              "  sys.unblock_cmd_stream();\n"
              "}\n");
    assert_in_range(csl_rig_integer(&rig, 0, 0, "r", 0), 1, 200);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 1), 0);
    assert_in_range(csl_rig_integer(&rig, 0, 0, "long", 1), 1, 5);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "long", 2), 0);
}

static void random_numbers_fill_their_range(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const m = @import_module(\"<random>\");\n"
        "var r = @zeros([6]u16);\n"
        "fn f() void {\n"
        "  for (@range(u16, 400)) |i| {\n"
        "    const x = m.random_f32(-2.0, 2.0);\n"
        "    r[if (x < -1.0) 0 else if (x < 0.0) 1 else if (x < 1.0) 2 else 3] += "
        "1;\n"
        "    if (x < -2.0 or x >= 2.0 or m.random_pow_u32(3) > 7) { r[4] += 1; }\n"
        "  }\n"
        "  m.set_global_prng_seed(5);\n"
        "  const first = m.random_u32();\n"
        "  m.set_global_prng_seed(5);\n"
        "  if (first != m.random_u32()) { r[5] = 1; }\n"
        "  sys.unblock_cmd_stream();\n"
        "}\n");
    for (guint i = 0; i < 4; i++) {
        assert_in_range(csl_rig_integer(&rig, 0, 0, "r", i), 70, 130);
    }
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 4), 0);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 5), 0);
}

static void registers_hold_what_was_set(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const t = @import_module(\"<tile_config>\");\n"
        "var r = @zeros([5]u16); const c = @get_color(3);\n"
        "comptime { @set_local_color_config(c, .{ .routes = .{ .rx = RAMP, .tx = WEST "
        "}, "
        ".teardown = true }); }\n"
        "fn f() void {\n"
        "  const address = t.color_config.get_color_config_addr(c);\n"
        "  r[0] = @as(u16, t.teardown.is_pending(t.teardown.get_pending(), c));\n"
        "  t.color_config.reset_routes(address, .{ .rx = EAST, .tx = .{ RAMP, NORTH } "
        "});\n"
        "  r[1] = @get_config(address);\n"
        "  t.teardown.exit(c);\n"
        "  t.switch_config.set_pop_mode(c, t.switch_config.pop_mode.POP_ON_ADVANCE);\n"
        "  r[2] = @get_config(address);\n"
        "  t.switch_config.set_rx_switch_pos1(c, WEST);\n"
        "  t.switch_config.set_tx_switch_pos2(c, SOUTH);\n"
        "  t.switch_config.set_ring_mode(c, t.switch_config.ring_mode.RING_MODE);\n"
        "  r[3] = @get_config(address + 0x20);\n"
        "  t.switch_config.set_invalid_for_all_switch_positions(c);\n"
        "  r[4] = @get_config(address + 0x20);\n"
        "  sys.unblock_cmd_stream();\n"
        "}\n");
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 0), 1);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 1), 0x4058);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 2), 0x2058);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 3), 0x1528);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 4), 0x1555);
}

/* In turn they would run 8, 9, 10, 11. The high one is first; 11, in turn behind it,
 * takes its priority away and starts another round. */
static void tasks_of_high_priority_run_first(void **state G_GNUC_UNUSED)
{
    static const int64_t expected[] = {10, 8, 9, 10};
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const p = @import_module(\"<tile_config>\").task_priority;\n"
        "var r = @zeros([6]u16); var n: i16 = 0; var rounds: u16 = 0;\n"
        "const a = @get_local_task_id(8); const b = @get_local_task_id(9);\n"
        "const c = @get_local_task_id(10); const d = @get_local_task_id(11);\n"
        "fn note(id: u16) void { r[n] = id; n += 1; }\n"
        "task at() void { note(8); } task bt() void { note(9); }\n"
        "task ct() void { note(10); }\n"
        "fn go() void { @activate(a); @activate(b); @activate(c); @activate(d); }\n"
        "task dt() void {\n"
        "  rounds += 1;\n"
        "  if (rounds == 1) { p.update_task_priority(c, p.level.LOW); go(); }\n"
        "  else { sys.unblock_cmd_stream(); }\n"
        "}\n"
        "comptime { @bind_local_task(at, a); @bind_local_task(bt, b);\n"
        "  @bind_local_task(ct, c); @bind_local_task(dt, d); }\n"
        "fn f() void { p.set_task_priority(c); go(); }\n");
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", i), expected[i]);
    }
}

static void pointers_reach_registers(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const t = @import_module(\"<tile_config>\");\n"
        "const addresses = t.target.addresses; const c = @get_color(3);\n"
        "var r = @zeros([4]u16); var a = [2]f32{ 1.0, 2.0 };\n"
        "const register = @as(u16, addresses.COLOR_CONFIG) + @get_int(c) * "
        "t.word_size;\n"
        "const clock = @as(u16, addresses.TIMESTAMP_COUNTER);\n"
        "const all = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> a[i] });\n"
        "const in_c = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = 2,\n"
        "  .input_queue = @get_input_queue(2) });\n"
        "const out_c = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 2,\n"
        "  .output_queue = @get_output_queue(2) });\n"
        "var in: fabin_dsd; var out: fabout_dsd;\n"
        "const sum = @get_dsr(dsr_src0, 1); const from = @get_dsr(dsr_src1, 1);\n"
        "comptime { @set_local_color_config(c, .{ .routes = .{ .rx = .{}, .tx = .{} } "
        "}); }\n"
        "fn set(address: u16, word: u16) void { @bitcast(*u16, address).* = word; }\n"
        "fn get(address: u16) u16 { return @bitcast(*u16, address).*; }\n"
        "fn f() void {\n"
        "  const before = get(clock);\n"
        "  r[0] = get(register);\n"
        "  set(register, get(register) & 0xfc00 | 0x210);\n"
        "  r[1] = get(register);\n"
        "  in = in_c; out = out_c;\n"
        "  @fmovs(out, all);\n"
        "  @load_to_dsr(sum, all); @load_to_dsr(from, in);\n"
        "  @fadds(sum, sum, from);\n"
        "  r[2] = @as(u16, 10.0 * a[0] + a[1]);\n"
        "  r[3] = get(clock) - before;\n"
        "  sys.unblock_cmd_stream();\n"
        "}\n");
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 0), 0);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 1), 0x210);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 2), 24);
    assert_in_range(csl_rig_integer(&rig, 0, 0, "r", 3), 100, 1000);
}

static void lines_and_records_leave_the_pe(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig, "const p = @import_module(\"<simprint>\");\n"
              "const d = @import_module(\"<debug>\", .{ .key = \"k\" });\n"
              "var a: f32 = 1.5; var i: i16 = -3; var k: u32 = 0xbeef;\n"
              "fn f() void {\n"
              "  p.print_string(\"i = \");\n"
              "  p.fmt_no_nl(\"{d}\", .{i});\n"
              "  p.fmt(\", {X} and {f}; {d}{d}\", .{ k, a, 7, i });\n"
              "  p.fmt_with_coords(\"none {{}\", .{});\n"
              "  d.trace_string(\"here\");\n"
              "  d.trace_i16(i);\n"
              "  sys.unblock_cmd_stream();\n"
              "}\n");
    g_autoptr(GArray) lines = arch_wse_take_prints(rig.wse);
    g_autoptr(GArray) records = arch_wse_records(rig.wse, 0, 0);
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;

    assert_int_equal(lines->len, 2);
    first = arch_wse_print_text(&g_array_index(lines, ArchWsePrint, 0));
    second = arch_wse_print_text(&g_array_index(lines, ArchWsePrint, 1));
    assert_non_null(strstr(first, "i = -3, 0000BEEF and 1.5; 7-3"));
    assert_non_null(strstr(second, "PE(0,0): none {}"));
    assert_int_equal(records->len, 2);
}

static void operations_follow_the_type(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig, "const ops = @import_module(\"<dsd_ops>\");\n"
              "var a = [4]f32{ 1.0, 2.0, 3.0, 4.0 }; var b = @zeros([4]f32);\n"
              "var h = @zeros([4]f16); var i = [4]i16{ 1, 2, 3, 4 };\n"
              "var r = @zeros([4]u16);\n"
              "const ad = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> a[i] });\n"
              "const bd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> b[i] });\n"
              "const hd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> h[i] });\n"
              "const id = @get_dsd(mem1d_dsd, .{ .tensor_access = |k|{4} -> i[k] });\n"
              "fn f() void {\n"
              "  _ = ops.mov(f32, bd, ad, .{});\n"
              "  _ = ops.fmac(f32, f32, bd, bd, ad, 2.0, .{});\n"
              "  _ = ops.convert(f16, f32, hd, bd, .{});\n"
              "  _ = ops.add(i16, i16, id, id, id, .{});\n"
              "  _ = ops.neg(f32, ad, ad, .{});\n"
              "  _ = ops.max(f32, ad, ad, -2.5, .{});\n"
              "  r[0] = @as(u16, b[3]); r[1] = @as(u16, h[2]); r[2] = @as(u16, i[1]);\n"
              "  r[3] = @as(u16, -2.0 * a[3]);\n"
              "  sys.unblock_cmd_stream();\n"
              "}\n");
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 0), 12);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 1), 9);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 2), 4);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 3), 5);
}

static void memory_is_handed_out_and_timers_run(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig, "const m = @import_module(\"<malloc>\", .{ .buffer_num_words = 20 });\n"
              "const t = @import_module(\"<timer>\", .{ .timerCount = 2 });\n"
              "var r = @zeros([4]u16); var words = @zeros(t.timerType);\n"
              "fn f() void {\n"
              "  t.start(1);\n"
              "  const a = m.malloc(u16, 3);\n"
              "  const b = m.malloc_f32(8);\n"
              "  for (@range(u16, 3)) |i| { a[i] = i + 1; }\n"
              "  for (@range(u16, 8)) |i| { b[i] = 0.5; }\n"
              "  r[0] = a[2]; r[1] = @as(u16, 2.0 * b[7]);\n"
              "  r[2] = @as(u16, m.has_enough_words(1));\n"
              "  m.free();\n"
              "  r[3] = @as(u16, m.has_enough_double_words(10));\n"
              "  t.stop(1);\n"
              "  t.elapsed(1, &words);\n"
              "  sys.unblock_cmd_stream();\n"
              "}\n");
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 0), 3);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 1), 1);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 2), 0);
    assert_int_equal(csl_rig_integer(&rig, 0, 0, "r", 3), 1);
    assert_in_range(csl_rig_integer(&rig, 0, 0, "words", 0), 50, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(math_is_the_same_at_run_time),
        cmocka_unit_test(the_machine_has_square_roots),
        cmocka_unit_test(the_counter_counts_from_when_it_is_enabled),
        cmocka_unit_test(random_numbers_fill_their_range),
        cmocka_unit_test(registers_hold_what_was_set),
        cmocka_unit_test(tasks_of_high_priority_run_first),
        cmocka_unit_test(pointers_reach_registers),
        cmocka_unit_test(lines_and_records_leave_the_pe),
        cmocka_unit_test(operations_follow_the_type),
        cmocka_unit_test(memory_is_handed_out_and_timers_run),
    };

    return cmocka_run_group_tests_name("workloads.csl_lib_library", tests, NULL, NULL);
}
