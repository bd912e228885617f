/* Functions that CSL programs map over elements, run by simulated PEs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

static void run(CslRig *rig, const char *before, const char *body)
{
    g_autofree char *code = g_strdup_printf(
        "var a = [6]i16{ 1, 2, 3, 4, 5, 6 }; var b = [6]i16{ 10, 20, 30, 40, 50, 60 };"
        "var r = @zeros([8]i16); var n: i16 = 3;"
        "const ad = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> a[i] });"
        "const bd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> b[2 * i] });"
        "const rd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{8} -> r[i] });"
        "fn add(x: i16, y: i16) i16 { return x + y; }"
        "%s fn f() void { %s sys.unblock_cmd_stream(); }",
        before, body);

    csl_rig_open_pe(rig, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

static void the_shortest_descriptor_ends_it(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig, "",
        "@map(add, ad, bd, rd); @map(add, ad, n, @set_dsd_base_addr("
        "@set_dsd_length(rd, @as(u16, n)), &r[4]));");
    CSL_EXPECT(&rig, 0, 0, "r", 11, 32, 53, 0, 4, 5, 6, 0);
}

static void pointers_gather_results(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var s: i16 = 100; var last: i16 = 0; fn fold(x: i16, p: *i16) i16 { return x "
        "+ p.*; } fn count(x: i16) void { r[7] += 1; r[6] = x; }",
        "@map(fold, ad, &s, &s); r[0] = s; @map(add, ad, 1, &last); r[1] = last; "
        "@map(count, bd);");
    CSL_EXPECT(&rig, 0, 0, "r", 121, 7, 0, 0, 0, 0, 50, 3);
}

static void shapes_and_strides_are_walked_in_order(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var m = [3, 3]i16{ 0, 1, 2, 10, 11, 12, 20, 21, 22 };"
        "const corner = @get_dsd(mem4d_dsd, .{ .tensor_access = |i, j|{2, 2} -> m[i + "
        "1, j + 1] }); const turned = @get_dsd(mem4d_dsd, .{ .tensor_access = |i, "
        "j|{2, "
        "2} -> m[j, i] }); fn twice(x: i16) i16 { return 2 * x; }",
        "@map(add, corner, turned, rd); @map(twice, turned, turned);"
        "r[4] = m[0, 0]; r[5] = m[0, 1]; r[6] = m[1, 0]; r[7] = m[1, 2];");
    CSL_EXPECT(&rig, 0, 0, "r", 11, 22, 22, 33, 0, 2, 20, 12);
}

static void functions_run_operations_of_their_own(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    /* A column of a matrix is scaled by each number, as in a product. */
    run(&rig,
        "var m = [2, 3]f32{ 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 }; var v = [3]f32{ 1.0, 10.0, "
        "100.0 }; var y = @zeros([2]f32);"
        "const vd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> v[i] });"
        "const yd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> y[i] });"
        "var column = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> m[i, 0] });"
        "fn gemv(x: f32) void { @fmacs(yd, yd, column, x); column = "
        "@increment_dsd_offset(column, 1, f32); }",
        "@map(gemv, vd);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "y", 321, 654);
}

static void floats_of_both_widths_are_elements(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const math = @import_module(\"<math>\"); var v = [3]f32{ 4.0, 9.0, 2.25 };"
        "var h = [3]f16{ 1.0, 2.0, 3.0 }; var w = @zeros([3]f32);"
        "const vd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> v[i] });"
        "const hd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> h[i] });"
        "const wd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> w[i] });"
        "fn product(x: f32, k: f16) f32 { return math.sqrt_f32(x) * @as(f32, k); }",
        "@map(product, vd, hd, wd);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "w", 2, 6, 4.5);
}

static void streams_are_operands(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    /* Two operands at once: what comes in on color 1 goes out on color 2. */
    csl_rig_open_all(
        &rig, 2, 1,
        "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = RAMP, .tx = EAST "
        "} }); @set_color_config(1, 0, @get_color(1), .{ .routes = .{ .rx = WEST, .tx "
        "= RAMP } }); @set_color_config(1, 0, @get_color(2), .{ .routes = .{ .rx = "
        "RAMP, .tx = WEST } }); @set_color_config(0, 0, @get_color(2), .{ .routes = .{ "
        ".rx = EAST, .tx = RAMP } });",
        "const c = @get_color(if (px == 0) 1 else 2); const d = @get_color(if (px == "
        "0) 2 else 1); var a = [3]f32{ 1.0, 2.0, 3.0 }; var r = @zeros([3]f32);"
        "const ad = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> a[i] });"
        "const rd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> r[i] });"
        "const out = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 3, "
        ".output_queue = @get_output_queue(2) });"
        "const in = @get_dsd(fabin_dsd, .{ .fabric_color = d, .extent = 3, "
        ".input_queue = @get_input_queue(2) });"
        "fn axpy(x: f32, y: f32) f32 { return 10.0 * x + y; }"
        "fn f() void { if (px == 0) { @fmovs(out, ad); @fmovs(rd, in); } else { "
        "@map(axpy, in, ad, out); } sys.unblock_cmd_stream(); }");
    csl_rig_launch(&rig, "f", NULL, 0);
    CSL_EXPECT_FLOATS(&rig, 0, 0, "r", 11, 22, 33);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shortest_descriptor_ends_it),
        cmocka_unit_test(pointers_gather_results),
        cmocka_unit_test(shapes_and_strides_are_walked_in_order),
        cmocka_unit_test(functions_run_operations_of_their_own),
        cmocka_unit_test(floats_of_both_widths_are_elements),
        cmocka_unit_test(streams_are_operands),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_map", tests, NULL, NULL);
}
