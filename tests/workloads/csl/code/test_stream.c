/* Streams of CSL between simulated PEs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

/* Color 1 leads from the first PE of a row to the second, color 2 back. */
#define ROUTES                                                                         \
    "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = RAMP, .tx = EAST } " \
    "}); @set_color_config(1, 0, @get_color(1), .{ .routes = .{ .rx = WEST, .tx = "    \
    "RAMP } }); @set_color_config(1, 0, @get_color(2), .{ .routes = .{ .rx = RAMP, "   \
    ".tx = WEST } }); @set_color_config(0, 0, @get_color(2), .{ .routes = .{ .rx = "   \
    "EAST, .tx = RAMP } });"

/* Arrays a (1 to 6) and r, with descriptors of both; streams out and in on color 1. */
#define STREAMS                                                                        \
    "const c = @get_color(1); const d = @get_color(2);"                                \
    "var a = [6]u32{ 1, 2, 3, 4, 5, 6 }; var r = @zeros([6]u32);"                      \
    "var h = [6]u16{ 1, 2, 3, 4, 5, 6 }; var s = @zeros([6]u16); var ends: u16 = 0;"   \
    "var first: u16 = 0;"                                                              \
    "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> a[i] });"          \
    "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> r[i] });"            \
    "const hfrom = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> h[i] });"         \
    "const hto = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> s[i] });"           \
    "const out = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 6, "             \
    ".output_queue = @get_output_queue(2) });"                                         \
    "const in = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = 6, .input_queue "  \
    "= @get_input_queue(2) });"                                                        \
    "task done() void { ends += 1; first = @as(u16, r[5]); sys.unblock_cmd_stream(); " \
    "} const done_id = @get_local_task_id(9); var chosen: local_task_id = done_id;"    \
    "comptime { @bind_local_task(done, done_id); }"

/* PE 0 runs `send`, PE 1 `receive`. */
static void run(CslRig *rig, const char *more, const char *send, const char *receive)
{
    g_autofree char *code =
        g_strdup_printf(STREAMS "%s fn f() void { if (px == 0) { %s } else { %s } }",
                        more, send, receive);

    csl_rig_open_all(rig, 2, 1, ROUTES, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

static void streams_wait_or_tell_at_their_end(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *send;
        const char *receive;
    } rows[] = {
        {"@mov32(out, from); @activate(done_id);", "@mov32(to, in); @activate(done);"},
        {"@mov32(out, from, .{ .async = true, .activate = done });",
         "@mov32(to, in, .{ .async = true, .activate = done_id });"},
        {"@mov32(out, from, .{ .async = true, .activate = chosen });",
         "@mov32(to, in, .{ .async = true, .activate = chosen });"},
        {"@block(done_id); @activate(done); @mov32(out, from, .{ .async = true, "
         ".unblock = done });",
         "@block(done); @activate(done); @mov32(to, in, .{ .async = true, .unblock = "
         "done_id });"},
        {"@block(done_id); @activate(done); @mov32(out, from, .{ .async = true, "
         ".unblock = chosen });",
         "@block(chosen); @activate(chosen); @mov32(to, in, .{ .async = true, .unblock "
         "= chosen });"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(CslRig) rig = {0};

        run(&rig, "", rows[i].send, rows[i].receive);
        CSL_EXPECT(&rig, 1, 0, "r", 1, 2, 3, 4, 5, 6);
        CSL_EXPECT(&rig, 1, 0, "first", 6);
        CSL_EXPECT(&rig, 0, 0, "ends", 1);
        CSL_EXPECT(&rig, 1, 0, "ends", 1);
    }
}

static void streams_compute_on_their_way(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    /* PE 1 adds to what comes and sends it back at once; PE 0 folds it. */
    run(&rig,
        "var v = [4]f32{ 1.0, 2.0, 3.0, 4.0 }; var w = [4]f32{ 0.5, 0.25, 1.0, 2.0 };"
        "var sum: f32 = 100.0;"
        "const vd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> v[i] });"
        "const wd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> w[i] });"
        "const back = @get_dsd(fabout_dsd, .{ .fabric_color = d, .extent = 4, "
        ".output_queue = @get_output_queue(3) });"
        "const returned = @get_dsd(fabin_dsd, .{ .fabric_color = d, .extent = 4, "
        ".input_queue = @get_input_queue(3) });",
        "@fmuls(out, vd, 2.0, .{ .async = true }); @fadds(&sum, sum, returned);"
        "@activate(done);",
        "@fadds(back, @set_dsd_length(in, 4), wd); @activate(done);");
    CSL_EXPECT_FLOATS(&rig, 0, 0, "sum", 123.75);
}

static void lengths_and_colors_are_known_late(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "var n: u16 = 4; var k: color = @get_color(1); var o: fabout_dsd; var i: "
        "fabin_dsd;",
        "o = @get_dsd(fabout_dsd, .{ .fabric_color = k, .extent = n, .output_queue = "
        "@get_output_queue(2) }); @mov32(o, 7); @mov32(@set_dsd_length(out, n - 2), "
        "from); @activate(done);",
        "i = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = n, .input_queue = "
        "@get_input_queue(2) }); @mov32(to, i); @mov32(@increment_dsd_offset(to, 4, "
        "u32), @set_dsd_length(i, n - 2)); @activate(done);");
    CSL_EXPECT(&rig, 1, 0, "r", 7, 7, 7, 7, 1, 2);
}

static void a_source_outlasts_the_extent_of_its_stream(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig, "", "@mov32(@set_dsd_length(out, 2), from); @activate(done);",
        "@mov32(to, in); @activate(done);");
    CSL_EXPECT(&rig, 1, 0, "r", 1, 2, 3, 4, 5, 6);
}

static void short_elements_travel_alone_or_in_pairs(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};
    g_auto(CslRig) pairs = {0};

    run(&rig, "", "@mov16(out, hfrom); @activate(done);",
        "@mov32(to, in); @activate(done);");
    CSL_EXPECT(&rig, 1, 0, "r", 1, 2, 3, 4, 5, 6);

    run(&pairs,
        "const two = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 6, "
        ".output_queue = @get_output_queue(2), .simd_mode = .{ .simd_32 = true } });",
        "@mov16(two, hfrom); @activate(done);",
        "@mov32(to, @set_dsd_length(in, 3)); @activate(done);");
    CSL_EXPECT(&pairs, 1, 0, "r", 0x20001, 0x40003, 0x60005, 0);
}

static void streams_clear_their_sources(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const clearing = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 6, "
        ".output_queue = @get_output_queue(2), .zero = .{ .first_source = true } });"
        "const four = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 4, "
        ".output_queue = @get_output_queue(2), .simd_mode = .{ .simd_64 = true } });",
        "@mov32(clearing, @set_dsd_length(from, 4)); @mov16(four, "
        "@set_dsd_length(hfrom, 4)); @activate(done);",
        "@mov32(to, in); @activate(done);");
    CSL_EXPECT(&rig, 1, 0, "r", 1, 2, 3, 4, 0x20001, 0x40003);
    CSL_EXPECT(&rig, 0, 0, "a", 0, 0, 0, 0, 5, 6);
}

static void indices_ride_in_the_upper_half(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig,
        "const marked = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 6, "
        ".output_queue = @get_output_queue(2), .wavelet_index_offset = true });"
        "var n: u16 = 17;",
        "@mov16(marked, @set_dsd_length(hfrom, 3), .{ .index = n });"
        "@mov16(marked, @set_dsd_length(hfrom, 3), .{ .index = 5 }); @activate(done);",
        "@mov32(to, in); @activate(done);");
    CSL_EXPECT(&rig, 1, 0, "r", 0x110001, 0x110002, 0x110003, 0x50001, 0x50002,
               0x50003);
}

/* PE 0 sends two numbers and then a control wavelet. */
#define CONTROL                                                                        \
    "const ctl = @import_module(\"<control>\");"                                       \
    "const stop = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 1, .control = " \
    "true, .output_queue = @get_output_queue(2) });"                                   \
    "const payload = ctl.encode_single_payload(ctl.opcode.NOP, false, {}, 0);"         \
    "var seen: u16 = 0; task other() void { seen += 1; sys.unblock_cmd_stream(); }"    \
    "comptime { @bind_local_task(other, @get_local_task_id(10)); }"
#define SEND_CONTROL                                                                   \
    "@mov32(out, @set_dsd_length(from, 2)); @mov32(stop, payload); @activate(done);"

static void control_wavelets_end_streams(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *receive;
        double ends;
        double seen;
    } rows[] = {
        {"@mov32(to, in, .{ .on_control = .{ .terminate = true } }); @activate(done);",
         1, 0},
        {"@mov32(to, in, .{ .async = true, .activate = done, .on_control = .{ "
         ".terminate = true } });",
         1, 0},
        {"@mov32(to, in, .{ .async = true, .on_control = .{ .activate = other } });", 0,
         1},
        {"@block(other); @activate(other); @mov32(to, in, .{ .async = true, "
         ".on_control = .{ .unblock = other } });",
         0, 1},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(CslRig) rig = {0};

        run(&rig, CONTROL, SEND_CONTROL, rows[i].receive);
        CSL_EXPECT(&rig, 1, 0, "r", 1, 2, 0, 0, 0, 0);
        CSL_EXPECT(&rig, 1, 0, "ends", rows[i].ends);
        CSL_EXPECT(&rig, 1, 0, "seen", rows[i].seen);
    }
}

static void endless_streams_wait_for_their_control(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    run(&rig, CONTROL, SEND_CONTROL,
        "@mov32(to, @set_dsd_length(in, 0x7fff), .{ .async = true, .activate = done, "
        ".on_control = .{ .terminate = true } });");
    CSL_EXPECT(&rig, 1, 0, "r", 1, 2, 0, 0, 0, 0);
    CSL_EXPECT(&rig, 1, 0, "ends", 1);
}

static void three_pes_pass_on_what_they_get(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    /* Colors 1 and 2 by turns; PE (0, 0) broadcasts on color 3 to both others. */
    csl_rig_open_all(
        &rig, 3, 1,
        ROUTES "@set_color_config(2, 0, @get_color(4), .{ .routes = .{ .rx = WEST, .tx "
               "= RAMP } }); @set_color_config(1, 0, @get_color(4), .{ .routes = .{ "
               ".rx = RAMP, .tx = EAST } });"
               "@set_color_config(0, 0, @get_color(3), .{ .routes = .{ .rx = RAMP, .tx "
               "= EAST } }); @set_color_config(1, 0, @get_color(3), .{ .routes = .{ "
               ".rx = WEST, .tx = .{ RAMP, EAST } } }); @set_color_config(2, 0, "
               "@get_color(3), .{ .routes = .{ .rx = WEST, .tx = RAMP } });",
        STREAMS
        "var b: u32 = 0;"
        "const all_out = @get_dsd(fabout_dsd, .{ .fabric_color = @get_color(3), "
        ".extent = 1, .output_queue = @get_output_queue(4) });"
        "const all_in = @get_dsd(fabin_dsd, .{ .fabric_color = @get_color(3), .extent "
        "= 1, .input_queue = @get_input_queue(4) });"
        "const on = @get_dsd(fabout_dsd, .{ .fabric_color = @get_color(4), .extent = "
        "6, .output_queue = @get_output_queue(3) });"
        "const last = @get_dsd(fabin_dsd, .{ .fabric_color = @get_color(4), .extent = "
        "6, .input_queue = @get_input_queue(3) });"
        "fn f() void {"
        "  if (px == 0) { @mov32(out, from); @mov32(all_out, 99); }"
        "  if (px == 1) { @mov32(on, in); @mov32(&b, all_in); }"
        "  if (px == 2) { @mov32(&b, all_in); @mov32(to, last); }"
        "  @activate(done); }");
    csl_rig_launch(&rig, "f", NULL, 0);
    CSL_EXPECT(&rig, 2, 0, "r", 1, 2, 3, 4, 5, 6);
    CSL_EXPECT(&rig, 1, 0, "b", 99);
    CSL_EXPECT(&rig, 2, 0, "b", 99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_wait_or_tell_at_their_end),
        cmocka_unit_test(streams_compute_on_their_way),
        cmocka_unit_test(lengths_and_colors_are_known_late),
        cmocka_unit_test(a_source_outlasts_the_extent_of_its_stream),
        cmocka_unit_test(short_elements_travel_alone_or_in_pairs),
        cmocka_unit_test(streams_clear_their_sources),
        cmocka_unit_test(indices_ride_in_the_upper_half),
        cmocka_unit_test(control_wavelets_end_streams),
        cmocka_unit_test(endless_streams_wait_for_their_control),
        cmocka_unit_test(three_pes_pass_on_what_they_get),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_stream", tests, NULL, NULL);
}
