/* Operations of CSL on descriptors of memory, run by simulated PEs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

/* Eight numbers, a cleared array, and shapes of both. */
#define ARRAYS                                                                         \
    "var a = [8]i16{ 1, 2, 3, 4, 5, 6, 7, 8 }; var r = @zeros([12]i16);"               \
    "const all = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{8} -> a[i] });"           \
    "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{12} -> r[i] });"

/* Runs f() with these statements. */
static void run(CslRig *rig, const char *before, const char *body)
{
    g_autofree char *code = g_strdup_printf(
        "%s fn f() void { %s sys.unblock_cmd_stream(); }", before, body);

    csl_rig_open_pe(rig, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

static void strides_and_offsets_choose_elements(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        ARRAYS
        "const odd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> a[2 * i + 1] });"
        "const back = @get_dsd(mem1d_dsd, .{ .base_address = &a, .offset = 7, .stride "
        "= -2, .extent = 3 });"
        "const every = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> r[4 * i] });"
        "const gaps = @get_dsd(mem1d_dsd, .{ .base_address = &r, .offset = 2, .stride "
        "= 4, .extent = 3 });",
        "@mov16(every, odd); @mov16(gaps, back);");
    CSL_EXPECT(&rig, 0, 0, "r", 2, 0, 8, 0, 4, 0, 6, 0, 6, 0, 4, 0);
}

static void several_dimensions_go_by_the_last_one_first(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var m = [3, 4]i16{ 0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23 };"
        "var r = @zeros([24]i16);"
        "const part = @get_dsd(mem4d_dsd, .{ .tensor_access = |i, j|{2, 3} -> m[i + 1, "
        "j] });"
        "const turned = @get_dsd(mem4d_dsd, .{ .tensor_access = |i, j|{2, 3} -> m[j, 2 "
        "* i] });"
        "const twice = @get_dsd(mem4d_dsd, .{ .tensor_access = |i, j, k|{2, 1, 3} -> "
        "m[2, k] });"
        "const four = @get_dsd(mem4d_dsd, .{ .tensor_access = |i, j, k, l|{2, 1, 1, 3} "
        "-> r[3 * i + j + k + l + 18] });"
        "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{18} -> r[i] });",
        "@mov16(to, part); @mov16(@increment_dsd_offset(to, 6, i16), turned);"
        "@mov16(@increment_dsd_offset(to, 12, i16), twice); @mov16(four, part);");
    CSL_EXPECT(&rig, 0, 0, "r", 10, 11, 12, 20, 21, 22, 0, 10, 20, 2, 12, 22, 20, 21,
               22, 20, 21, 22, 10, 11, 12, 20, 21, 22);
}

/* Columns: the machine leaves dimensions of one element out. */
static void a_last_dimension_of_one_element_has_no_step(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var m = [3, 4]i16{ 0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23 };"
        "var r = @zeros([9]i16); var p: [*]i16 = &m;"
        "const column = @get_dsd(mem4d_dsd, .{ .tensor_access = |i, j|{3, 1} -> m[i, j "
        "+ 2] });"
        "const raw = @get_dsd(mem4d_dsd, .{ .base_address = &m, .stride = .{1, 4}, "
        ".extent = .{3, 1} });"
        "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{9} -> r[i] });",
        "var later = @get_dsd(mem4d_dsd, .{ .base_address = &p[3], .stride = .{1, 4}, "
        ".extent = .{3, 1} });"
        "@mov16(to, column); @mov16(@increment_dsd_offset(to, 3, i16), raw);"
        "@mov16(@increment_dsd_offset(to, 6, i16), later);");
    CSL_EXPECT(&rig, 0, 0, "r", 2, 12, 22, 0, 10, 20, 3, 13, 23);
}

static void the_first_source_with_a_length_decides(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *body;
        double sums[12];
    } rows[] = {
        {"@add16(to, two, all);", {2, 4}},
        {"@add16(to, 10, two);", {11, 12}},
        {"@add16(to, all, two);", {2, 4, 6, 8, 10, 12, 14, 16}},
        {"@mov16(to, two);", {1, 2}},
        {"@mov16(@set_dsd_length(to, 3), 7);", {7, 7, 7}},
        {"@mov16(@set_dsd_length(to, 2), @set_dsd_length(all, 4));", {1, 2, 3, 4}},
        {"@mov16(&r[1], 5);", {0, 5}},
        {"@mov16(to, @set_dsd_length(all, 0));", {0}},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(CslRig) rig = {0};

        run(&rig,
            ARRAYS "const two = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> a[i] "
                   "});",
            rows[i].body);
        csl_rig_expect(&rig, (CslRigPlace){0, 0, false}, "r", rows[i].sums, 12);
    }
}

static void descriptors_change_at_run_time(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        ARRAYS "var n: u16 = 2; var k: i16 = 3; var s: i8 = 2; var b = [4]i16{ -1, -2, "
               "-3, -4 };",
        "@mov16(to, @set_dsd_length(all, n));"
        "@mov16(@increment_dsd_offset(to, k, i16), @set_dsd_length(@set_dsd_stride("
        "@increment_dsd_offset(all, k, i16), s), n));"
        "const other = @set_dsd_base_addr(@increment_dsd_offset(@set_dsd_length(all, "
        "n), 5, i16), &b);"
        "@mov16(@increment_dsd_offset(to, 6, i16), other);"
        "@mov16(@set_dsd_base_addr(to, &r[n + 7]), @set_dsd_length(all, 1));"
        "const made = @get_dsd(mem1d_dsd, .{ .base_address = &a, .offset = k, .stride "
        "= s, .extent = n }); @mov16(@increment_dsd_offset(to, 20, i8), made);");
    CSL_EXPECT(&rig, 0, 0, "r", 1, 2, 0, 4, 6, 0, -1, -2, 0, 1, 4, 6);
}

static void descriptors_are_values(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        ARRAYS
        "var next = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> a[i] });"
        "var out: mem1d_dsd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> r[i] "
        "}); fn later(d: mem1d_dsd, by: i16) mem1d_dsd { return "
        "@increment_dsd_offset(d, by, i16); } fn copy(from: mem1d_dsd) void { "
        "@mov16(out, from); out = later(out, 2); }",
        "copy(next); next = later(next, 4); copy(next);"
        "for (@range(i16, 2)) |i| { const d = if (i == 0) all else next; copy(d); "
        "if (i == 0) { out = later(out, 6 - 4); } }");
    CSL_EXPECT(&rig, 0, 0, "r", 1, 2, 5, 6, 1, 2, 3, 4, 5, 6, 7, 8);
}

static void
descriptors_lie_in_arrays_structs_and_behind_pointers(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        ARRAYS
        "const S = struct { d: mem1d_dsd, n: i16 }; var s: S = S{ .d = all, .n = 4 };"
        "var two = [2]mem1d_dsd{ all, to }; var k: u16 = 0;"
        "fn shift(p: *mem1d_dsd) void { p.* = @increment_dsd_offset(p.*, 2, i16); }"
        "fn copy(d: mem1d_dsd, e: mem1d_dsd) void { @mov16(d, @set_dsd_length(e, 2)); }"
        "var how: *const fn(mem1d_dsd, mem1d_dsd) void = &copy;",
        "two[k] = @increment_dsd_offset(s.d, s.n, i16); copy(two[k + 1], two[k]);"
        "shift(&two[1]); how(two[1], all); s = S{ .d = two[1], .n = 2 }; shift(&s.d); "
        "how(s.d, two[0]);");
    CSL_EXPECT(&rig, 0, 0, "r", 5, 6, 1, 2, 5, 6, 0);
}

static void scalars_and_pointers_are_operands(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var v = [5]f32{ 3.0, -7.0, 5.5, 1.0, 2.0 }; var m: f32 = 4.0; var s: f32 = "
        "0.5; var last: f32 = 0.0; var r = @zeros([8]f32);"
        "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{5} -> v[i] });"
        "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{5} -> r[i] });",
        "@fmaxs(&m, m, d); r[5] = m; @fadds(&s, s, d); r[6] = s;"
        "@fmovs(&last, d); r[7] = last; @fmacs(d, d, d, s); @fsubs(to, d, last);"
        "@fnegs(d, d);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 16, -44, 31, 4, 10, 5.5, 5, 2);
    CSL_EXPECT_FLOATS(&rig, 0, 0, "v", -18, 42, -33, -6, -12);
}

static void single_numbers_compute(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var v = [4]f32{ 3.0, -4.0, 0.5, 1.0 }; var r = @zeros([28]f32); var at: u16 = "
        "0; var w: f32 = 3.0;"
        "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> v[i] });"
        "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> r[i] });"
        "fn next() mem1d_dsd { at += 4; return @set_dsd_base_addr(to, &r[at - 4]); }",
        "@fadds(next(), d, 1.0); @fsubs(next(), 1.0, d); @fmuls(next(), d, d);"
        "@fabss(next(), d); @fmacs(next(), d, d, w); @fmaxs(next(), d, 0);"
        "@mov32(next(), d);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 4, -3, 1.5, 2, -2, 5, 0.5, 0, 9, 16, 0.25, 1, 3,
                      4, 0.5, 1, 12, -16, 2, 4, 3, 0, 0.5, 1, 3, -4, 0.5, 1);
}

static void half_numbers_compute(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    /* 1 + 2^-10 is the next f16 after 1; 2048 + 1 rounds to even. */
    run(&rig,
        "var v = [4]f16{ 1.0, -2.0, 0.1, 2048.0 }; var r = @zeros([24]f16); var at: "
        "u16 = 0; var w: f16 = 0.5;"
        "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> v[i] });"
        "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> r[i] });"
        "fn next() mem1d_dsd { at += 4; return @set_dsd_base_addr(to, &r[at - 4]); }",
        "@faddh(next(), d, 1.0); @fmulh(next(), d, 0.5); @fsubh(next(), d, d);"
        "@fmach(next(), d, d, w); @fnegh(next(), d); @fmovh(next(), 0.1);");
    CSL_EXPECT(&rig, 0, 0, "r", 0x4000, 0xbc00, 0x3c66, 0x6800, 0x3800, 0xbc00, 0x2a66,
               0x6400, 0, 0, 0, 0, 0x3e00, 0xc200, 0x30cc, 0x6a00, 0xbc00, 0x4000,
               0xae66, 0xe800, 0x2e66, 0x2e66, 0x2e66, 0x2e66);
}

static void both_precisions_mix(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var h = [2]f16{ 1.5, -2.0 }; var r = @zeros([6]f32); var back = "
        "@zeros([4]f16);"
        "var s = [2]f32{ 0.1, 3.0 }; var w: f16 = 4.0;"
        "const hd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> h[i] });"
        "const sd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> s[i] });"
        "const rd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> r[i] });"
        "const bd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> back[i] });",
        "@fh2s(rd, hd); @faddhs(@increment_dsd_offset(rd, 2, f32), sd, hd);"
        "@fmachs(@increment_dsd_offset(rd, 4, f32), @increment_dsd_offset(sd, 0, f32), "
        "hd, w); @fs2h(bd, sd); back[2] = @as(f16, s[1]) * w; back[3] = h[0] / w;");
    assert_true(csl_rig_float(&rig, 0, 0, "r", 4) == 6.0F + 0.1F);
    assert_true(csl_rig_float(&rig, 0, 0, "r", 2) == 1.5F + 0.1F);
    assert_true(csl_rig_float(&rig, 0, 0, "r", 3) == 1.0F);
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 1.5, -2);
    CSL_EXPECT(&rig, 0, 0, "back", 0x2e66, 0x4200, 0x4a00, 0x3600);
}

static void literals_take_the_type_of_their_operand(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var h = [4]f16{ 1.5, -2.0, 0.0, 0.0 }; var r = @zeros([10]f32);"
        "const hd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> h[i] });"
        "const rd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> r[i] });",
        "@fh2s(rd, 0.25); @fs2h(@increment_dsd_offset(hd, 2, f16), 0.5);"
        "@faddhs(@increment_dsd_offset(rd, 2, f32), 3.0, hd);"
        "@fmachs(@increment_dsd_offset(rd, 4, f32), 3.0, hd, 4.0);"
        "@fscales(@increment_dsd_offset(rd, 6, f32), rd, 3);"
        "@fscales(@increment_dsd_offset(rd, 8, f32), rd, -2);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 0.25, 0.25, 4.5, 1, 9, -5, 2, 2, 0.0625, 0.0625);
    CSL_EXPECT(&rig, 0, 0, "h", 0x3e00, 0xc000, 0x3800, 0x3800);
}

static void short_integers_compute(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var v = [2]u16{ 0xf00f, 0x0123 }; var r = @zeros([22]u16); var at: u16 = 0;"
        "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> v[i] });"
        "fn next() mem1d_dsd { at += 2; return @set_dsd_base_addr(d, &r[at - 2]); }",
        "@add16(next(), d, 0x1000); @sub16(next(), d, 0x100); @and16(next(), d, 0xff);"
        "@or16(next(), d, 0x0f00); @xor16(next(), d, d); @sll16(next(), d, 4);"
        "@slr16(next(), d, 4); @sar16(next(), d, 4); @clz(next(), d); @ctz(next(), d);"
        "@popcnt(next(), d);");
    CSL_EXPECT(&rig, 0, 0, "r", 0x000f, 0x1123, 0xef0f, 0x0023, 0x000f, 0x0023, 0xff0f,
               0x0f23, 0, 0, 0x00f0, 0x1230, 0x0f00, 0x0012, 0xff00, 0x0012, 0, 7, 0, 0,
               8, 4);
}

static void indices_move_marked_operands(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        ARRAYS "const marked = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> a[i], "
               ".wavelet_index_offset = true }); var n: u16 = 3;",
        "@mov16(to, marked, .{ .index = n }); @mov16(@increment_dsd_offset(to, 2, "
        "i16), marked, .{ .index = 5 }); @mov16(@increment_dsd_offset(to, 4, i16), "
        "marked); const late = @get_dsd(mem1d_dsd, .{ .base_address = &a, .extent = n, "
        ".wavelet_index_offset = true }); @mov16(@increment_dsd_offset(to, 6, i16), "
        "late, .{ .index = 2 });");
    CSL_EXPECT(&rig, 0, 0, "r", 4, 5, 6, 7, 1, 2, 3, 4, 5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_and_offsets_choose_elements),
        cmocka_unit_test(several_dimensions_go_by_the_last_one_first),
        cmocka_unit_test(a_last_dimension_of_one_element_has_no_step),
        cmocka_unit_test(the_first_source_with_a_length_decides),
        cmocka_unit_test(descriptors_change_at_run_time),
        cmocka_unit_test(descriptors_are_values),
        cmocka_unit_test(descriptors_lie_in_arrays_structs_and_behind_pointers),
        cmocka_unit_test(scalars_and_pointers_are_operands),
        cmocka_unit_test(single_numbers_compute),
        cmocka_unit_test(half_numbers_compute),
        cmocka_unit_test(both_precisions_mix),
        cmocka_unit_test(literals_take_the_type_of_their_operand),
        cmocka_unit_test(short_integers_compute),
        cmocka_unit_test(indices_move_marked_operands),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_memory_dsd", tests, NULL,
                                       NULL);
}
