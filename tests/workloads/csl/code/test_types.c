/* Numbers of every width, enums and pointers of CSL programs, run by simulated PEs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

static void run(CslRig *rig, const char *before, const char *body)
{
    g_autofree char *code = g_strdup_printf(
        "%s fn f() void { %s sys.unblock_cmd_stream(); }", before, body);

    csl_rig_open_pe(rig, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

static void bytes_wrap_and_extend(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var u: u8 = 250; var i: i8 = -100; var b = [3]u8{ 1, 2, 255 }; var r = "
        "@zeros([7]i16);",
        "u += 10; r[0] = @as(i16, u); i -= 100; r[1] = @as(i16, i); b[1] = b[2] * 2; "
        "r[2] = @as(i16, b[1]); r[3] = @as(i16, b[0] + b[2]); r[4] = @as(i16, @as(i8, "
        "b[2])); r[5] = @as(i16, i >> 2); r[6] = @as(i16, b[2] >> 3);");
    CSL_EXPECT(&rig, 0, 0, "r", 4, 56, 254, 0, -1, 14, 31);
}

static void long_integers_compute(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var u: u64 = 0x100000000; var i: i64 = -7; var n: u16 = 40; var r = "
        "@zeros([9]i64); fn less(a: i64, b: i64) bool { return a < b; }",
        "r[0] = i / 2; r[1] = i % 4; r[2] = @as(i64, u / 3); r[3] = @as(i64, u >> 4); "
        "r[4] = i << 33; r[5] = if (less(i, @as(i64, u))) 1 else 2; r[6] = -i; r[7] = "
        "@as(i64, (u | 5) ^ 1); r[8] = @as(i64, @as(u64, 1) << n) + @as(i64, @as(i16, "
        "i));");
    CSL_EXPECT(&rig, 0, 0, "r", -3, -3, 0x55555555, 0x10000000, -60129542144.0, 1, 7,
               4294967300.0, 1099511627769.0);
}

static void half_numbers_convert_and_compare(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var h: f16 = 1.5; var k: f16 = -0.1; var s: f32 = 0.3; var n: i16 = 7; var r "
        "= @zeros([8]i16); var out = @zeros([5]f16);",
        "out[0] = h * k; out[1] = h + 2048.0; out[2] = @as(f16, s); out[3] = @as(f16, "
        "n) / 2.0; out[4] = -k; r[0] = @as(i16, h * 3.0); r[1] = @as(i16, h > k); r[2] "
        "= @as(i16, k == k); r[3] = @as(i16, k >= h); r[4] = @as(i16, @as(f32, h) * "
        "10.0); r[5] = @bitcast(i16, h); h = @bitcast(f16, @as(u16, 0x4200)); r[6] = "
        "@as(i16, h); r[7] = @as(i16, @as(u16, h != 3.0));");
    /* 1.5 * f16(-0.1), then 2049.5 to an even 2050. */
    CSL_EXPECT(&rig, 0, 0, "out", 0xb0cc, 0x6801, 0x34cd, 0x4300, 0x2e66);
    CSL_EXPECT(&rig, 0, 0, "r", 4, 1, 1, 0, 15, 0x3e00, 3, 0);
}

static void single_numbers_convert(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var x: f32 = -3.75; var y: f32 = 70000.0; var u: u32 = 4000000000; var i: i32 "
        "= -8; var q: i64 = -5; var r = @zeros([5]i32); var s = @zeros([5]f32);",
        "r[0] = @as(i32, x); r[1] = @as(i32, y); r[2] = @as(i32, @as(u32, y) / 7); "
        "r[3] = i / 3; r[4] = i % 3; s[0] = @as(f32, u); s[1] = @as(f32, i); s[2] = "
        "@as(f32, q); s[3] = x * x - y; s[4] = @as(f32, true);");
    CSL_EXPECT(&rig, 0, 0, "r", -3, 70000, 10000, -2, -2);
    CSL_EXPECT_FLOATS(&rig, 0, 0, "s", 4e9, -8, -5, 14.0625 - 70000, 1);
}

static void enums_and_bools_are_values(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const E = enum(u16) { A, B = 4, C }; var e: E = E.B; var flag: bool = false; "
        "var r = @zeros([6]u16); var many = [3]bool{ true, false, true };"
        "fn next(x: E) E { return switch (x) { E.A => E.B, E.B => E.C, else => E.A }; "
        "} fn is(x: E) bool { return x == E.C; }",
        "r[0] = @as(u16, next(e)); e = next(e); flag = is(e); r[1] = @as(u16, flag); "
        "r[2] = @as(u16, !flag or e != E.A); e = @as(E, r[2] - 1); r[3] = @as(u16, e); "
        "for (many) |b| { if (b) r[4] += 1; } many[1] = flag and many[0]; r[5] = "
        "@as(u16, many[1]);");
    /* Members count from 0 and skip what is taken: C is 1. */
    CSL_EXPECT(&rig, 0, 0, "r", 1, 1, 1, 0, 2, 1);
}

static void pointers_lead_to_pointers_and_parts(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var a = [4]i16{ 1, 2, 3, 4 }; var b = [4]i16{ 10, 20, 30, 40 }; var p: "
        "[*]i16 = &a; var one: *i16 = &a[2]; var r = @zeros([8]i16); var w = [2]u32{ "
        "0x12345678, 0 };"
        "fn swap(x: *i16, y: *i16) void { const t = x.*; x.* = y.*; y.* = t; }"
        "fn turn(pp: *[*]i16) void { pp.* = &b; }",
        "r[0] = p[1]; turn(&p); r[1] = p[1]; p[3] += 2; r[2] = b[3]; swap(&a[0], one); "
        "r[3] = a[0]; r[4] = a[2]; const halves = @ptrcast([*]u16, &w); r[5] = "
        "@as(i16, halves[0]); r[6] = @as(i16, halves[1]); one = &b[0]; one.* = 99; "
        "r[7] = b[0];");
    CSL_EXPECT(&rig, 0, 0, "r", 2, 20, 42, 3, 1, 0x5678, 0x1234, 99);
}

static void calls_nest_in_arguments_and_operands(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var a = [4]f32{ 1.0, 2.0, 3.0, 4.0 }; var r = @zeros([4]f32); var k: i16 = 1;"
        "const ad = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> a[i] });"
        "const rd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> r[i] });"
        "fn add(x: f32, y: f32) f32 { return x + y; }"
        "fn at(d: mem1d_dsd, by: i16) mem1d_dsd { return @increment_dsd_offset(d, by, "
        "f32); } fn sum(d: mem1d_dsd) f32 { var s: f32 = 0.0; @fadds(&s, s, d); return "
        "s; }",
        "@fadds(at(rd, k - 1), at(ad, k + 1), add(add(1.0, a[1]), add(sum(ad), "
        "sum(at(ad, 2))))); @fmuls(at(rd, 2), at(ad, k), sum(at(ad, k)) - a[0]);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 16, 17, 8, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_wrap_and_extend),
        cmocka_unit_test(long_integers_compute),
        cmocka_unit_test(half_numbers_convert_and_compare),
        cmocka_unit_test(single_numbers_convert),
        cmocka_unit_test(enums_and_bools_are_values),
        cmocka_unit_test(pointers_lead_to_pointers_and_parts),
        cmocka_unit_test(calls_nest_in_arguments_and_operands),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_types", tests, NULL, NULL);
}
