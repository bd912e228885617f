/* Scalar code of CSL programs, run by simulated PEs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/workloads/csl/wafer_rig.h"

static void test_integers_wrap_and_keep_their_sign(void **state G_GNUC_UNUSED)
{
    CSL_RUN("var r = @zeros([6]i16);\n"
            "var a: i16 = 32767; var b: i16 = -7;\n"
            "fn f() void {\n"
            "  r[0] = a + 1; r[1] = b / 2; r[2] = b >> 1; r[3] = -b; r[4] = ~b;\n"
            "  r[5] = @as(i16, @as(u16, b) >> 12);\n"
            "  sys.unblock_cmd_stream();\n"
            "}\n",
            -32768, -3, -4, 7, 6, 15);
    CSL_RUN(
        "var r = @zeros([4]u32);\n"
        "var a: u32 = 0xffffffff; var b: u16 = 65535;\n"
        "fn f() void {\n"
        "  r[0] = a + 2; r[1] = @as(u32, b) * 65537; r[2] = a >> 28; r[3] = a % 10;\n"
        "  sys.unblock_cmd_stream();\n"
        "}\n",
        1, 0xffffffff, 15, 5);
    CSL_RUN("var r = @zeros([3]i64);\n"
            "var a: i64 = 0x123456789abc; var b: i32 = -5;\n"
            "fn f() void {\n"
            "  r[0] = a + @as(i64, b); r[1] = a * 3; r[2] = (a >> 4) - 0x1ffffffffff;\n"
            "  sys.unblock_cmd_stream();\n"
            "}\n",
            0x123456789ab7, 0x369d0369d034, 0x123456789ab - 0x1ffffffffff);
}

static void test_loops_and_conditions(void **state G_GNUC_UNUSED)
{
    CSL_RUN(
        "var r = @zeros([6]i16);\n"
        "const table = [4]i16{ 3, 1, 4, 1 };\n"
        "fn f() void {\n"
        "  for (@range(i16, 5)) |i| { if (i == 3) continue; r[0] += i; }\n"
        "  var k: i16 = 10;\n"
        "  while (k > 0) : (k -= 3) { r[1] += 1; if (k == 4 and r[1] > 1) break; }\n"
        "  for (table) |t, i| { r[2] += t * @as(i16, i); }\n"
        "  for (@range(i16, 8, 2, -2)) |i| { r[3] = r[3] * 10 + i; }\n"
        "  var done = false;\n"
        "  outer: for (@range(i16, 4)) |i| {\n"
        "    for (@range(i16, 4)) |j| { if (i * j == 6) { break :outer; } r[4] += "
        "1; }\n"
        "  }\n"
        "  switch (r[0]) { 1, 2 => { r[5] = 1; }, 7 => { r[5] = 2; }, else => { "
        "r[5] = 3; } }\n"
        "  sys.unblock_cmd_stream();\n"
        "}\n",
        7, 3, 12, 864, 11, 2);
}

static void test_functions_pointers_and_arrays(void **state G_GNUC_UNUSED)
{
    CSL_RUN(
        "var r = @zeros([8]i16);\n"
        "var m = @zeros([2, 3]i16);\n"
        "fn square(x: i16) i16 { return x * x; }\n"
        "fn twice(x: i16) i16 { return 2 * x; }\n"
        "fn apply(g: *const fn(i16) i16, x: i16) i16 { return g(x); }\n"
        "fn bump(p: *i16, by: i16) void { p.* += by; }\n"
        "fn sum(p: [*]i16, n: i16) i16 {\n"
        "  var s: i16 = 0;\n"
        "  for (@range(i16, n)) |i| { s += p[i]; }\n"
        "  return s;\n"
        "}\n"
        "fn f() void {\n"
        "  for (@range(i16, 2)) |i| { for (@range(i16, 3)) |j| { m[i, j] = 10 * i + "
        "j; } }\n"
        "  r[0] = square(square(3));\n"
        "  r[1] = apply(&square, 5) + apply(&twice, 5);\n"
        "  bump(&r[2], 4); bump(&r[2], 5);\n"
        "  r[3] = sum(&m, 6);\n"
        "  var local = [3]i16{ 1, 2, r[2] };\n"
        "  r[4] = sum(&local, 3);\n"
        "  var x: i16 = 1; bump(&x, 6); r[5] = x;\n"
        "  r[6] = if (x > 6) 60 else 61;\n"
        "  const p = &m; r[7] = p.*[1, 2];\n"
        "  sys.unblock_cmd_stream();\n"
        "}\n",
        81, 35, 9, 36, 12, 7, 60, 12);
}

static void test_functions_follow_each_other_in_circles(void **state G_GNUC_UNUSED)
{
    CSL_RUN(
        "var r = @zeros([3]i16); var n: i16 = 0;\n"
        "fn ping() void {\n"
        "  var local = n; n += 1; r[0] += local;\n"
        "  if (n < 40) { pong(n); return; }\n"
        "  r[1] = n;\n"
        "}\n"
        "fn pong(x: i16) void { switch (x) { 7 => { n += 10; ping(); }, else => { "
        "ping(); } } }\n"
        "fn f() void { ping(); n = 0; ping(); r[2] = n; sys.unblock_cmd_stream(); }\n",
        2 * (780 - 7 - 8 - 9 - 10 - 11 - 12 - 13 - 14 - 15 - 16), 40, 40);
}

static void test_loads_of_a_register_may_differ(void **state G_GNUC_UNUSED)
{
    CSL_RUN("var r = @zeros([6]i16);\n"
            "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> r[i] });\n"
            "const to = @get_dsr(dsr_dest, 1); const from = @get_dsr(dsr_src0, 1);\n"
            "fn add(x: i16) void { @add16(to, from, x); }\n"
            "fn f() void {\n"
            "  @load_to_dsr(to, d, .{ .save_address = true });\n"
            "  @load_to_dsr(from, d);\n"
            "  add(1); add(2); add(3);\n"
            "  @load_to_dsr(to, d, .{ .save_address = false });\n"
            "  @load_to_dsr(from, d, .{ .save_address = true });\n"
            "  add(10); add(20);\n"
            "  sys.unblock_cmd_stream();\n"
            "}\n",
            23, 23, 3, 3, 4, 4);
}

static void test_directions_are_numbers(void **state G_GNUC_UNUSED)
{
    CSL_RUN("const d = @import_module(\"<directions>\");\n"
            "var r = @zeros([3]i16); var n: i16 = 3; var last: direction = NORTH;\n"
            "fn way() direction { if (n == 3) return WEST; return EAST; }\n"
            "fn number(w: direction) i16 {\n"
            "  return if (w == WEST) 1 else if (w == EAST) 2 else 3;\n"
            "}\n"
            "fn turned(comptime w: direction) i16 { return number(d.flip(w)); }\n"
            "fn f() void {\n"
            "  r[0] = number(way()); r[1] = number(last); last = way();\n"
            "  n = 0; r[2] = 10 * number(last) + turned(WEST);\n"
            "  sys.unblock_cmd_stream();\n"
            "}\n",
            1, 3, 12);
}

static void test_structs_in_memory_calls_and_results(void **state G_GNUC_UNUSED)
{
    CSL_RUN(
        "const P = struct { a: i16, b: i32 };\n"
        "var r = @zeros([7]i16);\n"
        "var p: P = P{ .a = 3, .b = -4 };\n"
        "var q = [2]P{ P{ .a = 5, .b = 6 }, P{ .a = 7, .b = -8 } };\n"
        "fn make(a: i16) P { return P{ .a = a, .b = 2 }; }\n"
        "fn both(p: P) i16 { return p.a + @as(i16, p.b); }\n"
        "fn f() void {\n"
        "  r[0] = p.a; r[1] = @as(i16, p.b); r[2] = q[1].a; r[3] = @as(i16, q[1].b);\n"
        "  q[0] = make(40); r[4] = q[0].a; r[5] = both(q[0]);\n"
        "  var l = make(9); l.b = 100; r[6] = both(l);\n"
        "  sys.unblock_cmd_stream();\n"
        "}\n",
        3, -4, 7, -8, 40, 42, 109);
}

static void test_floats_round_after_every_operation(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    csl_rig_open_pe(&rig, "var r = @zeros([4]f32);\n"
                          "var a: f32 = 0.1; var n: i16 = -3;\n"
                          "fn f() void {\n"
                          "  r[0] = a * a + a; r[1] = @as(f32, n) / 7.0;\n"
                          "  r[2] = if (a < 0.2) -a else a;\n"
                          "  r[3] = @as(f32, @as(i16, 3.75 * a * 10.0));\n"
                          "  sys.unblock_cmd_stream();\n"
                          "}\n");
    csl_rig_launch(&rig, "f", NULL, 0);
    const float a = 0.1F;
    const float square = a * a;

    assert_true(csl_rig_float(&rig, 0, 0, "r", 0) == square + a);
    assert_true(csl_rig_float(&rig, 0, 0, "r", 1) == -3.0F / 7.0F);
    assert_true(csl_rig_float(&rig, 0, 0, "r", 2) == -a);
    assert_true(csl_rig_float(&rig, 0, 0, "r", 3) == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers_wrap_and_keep_their_sign),
        cmocka_unit_test(test_loops_and_conditions),
        cmocka_unit_test(test_functions_pointers_and_arrays),
        cmocka_unit_test(test_functions_follow_each_other_in_circles),
        cmocka_unit_test(test_loads_of_a_register_may_differ),
        cmocka_unit_test(test_directions_are_numbers),
        cmocka_unit_test(test_structs_in_memory_calls_and_results),
        cmocka_unit_test(test_floats_round_after_every_operation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
