/* Routes of CSL programs that wavelets and PEs change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

/* PE 0 sends; the others note data of color 1 in r. */
#define PROGRAM                                                                        \
    "const c = @get_color(1); var a = [6]u32{ 0x10001, 0x20002, 0x30003, 0x40004, "    \
    "0x50005, 0x60006 }; var r = @zeros([8]u16); var n: u16 = 0;"                      \
    "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> a[i] });"          \
    "const out = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 6, "             \
    ".output_queue = @get_output_queue(2) });"                                         \
    "const ctl = @import_module(\"<control>\");"                                       \
    "const config = @import_module(\"<tile_config>\");"                                \
    "const command = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 1, "         \
    ".control = true, .output_queue = @get_output_queue(2) });"                        \
    "task note(v: u16) void { r[n] = v; n += 1; }"                                     \
    "comptime { if (px > 0) @bind_data_task(note, @get_data_task_id(c)); }"            \
    "fn send(v: u32) void { @mov32(@set_dsd_length(out, 1), v); }"                     \
    "fn order(comptime op: ctl.opcode) void { @mov32(command, "                        \
    "ctl.encode_single_payload(op, true, {}, 0)); }"

/* PE 0's color leads east; configurations of the others by their place. */
static void
run(CslRig *rig, guint width, const char *configs, const char *more, const char *send)
{
    g_autofree char *layout = g_strdup_printf(
        "const c = @get_color(1); @set_color_config(0, 0, c, .{ .routes = .{ .rx = "
        "RAMP, .tx = EAST } }); %s",
        configs);
    g_autofree char *code = g_strdup_printf(
        PROGRAM "%s fn f() void { if (px == 0) { %s } sys.unblock_cmd_stream(); }",
        more, send);

    csl_rig_open_all(rig, width, 1, layout, code);
    csl_rig_launch(rig, "f", NULL, 0);
}

static void switches_advance_and_rings_close(void **state G_GNUC_UNUSED)
{
    static const char send[] =
        "send(1); order(ctl.opcode.SWITCH_ADV); send(2); "
        "order(ctl.opcode.SWITCH_ADV); send(3); order(ctl.opcode.SWITCH_RST); send(4);";
    g_auto(CslRig) ring = {0};
    g_auto(CslRig) plain = {0};

    run(&ring, 3,
        "@set_color_config(1, 0, c, .{ .routes = .{ .rx = WEST, .tx = RAMP }, "
        ".switches = .{ .pos1 = .{ .tx = EAST }, .ring_mode = true } });"
        "@set_color_config(2, 0, c, .{ .routes = .{ .rx = WEST, .tx = RAMP } });",
        "", send);
    CSL_EXPECT(&ring, 1, 0, "r", 1, 3, 4, 0);
    CSL_EXPECT(&ring, 2, 0, "r", 2, 0);

    run(&plain, 3,
        "@set_color_config(1, 0, c, .{ .routes = .{ .rx = WEST, .tx = RAMP }, "
        ".switches = .{ .pos1 = .{ .tx = EAST } } });"
        "@set_color_config(2, 0, c, .{ .routes = .{ .rx = WEST, .tx = RAMP } });",
        "", send);
    CSL_EXPECT(&plain, 1, 0, "r", 1, 4, 0);
    CSL_EXPECT(&plain, 2, 0, "r", 2, 3, 0);
}

/* PE 1 and PE 2 pass on data until they are told to take them. */
#define PASSING(pop)                                                                   \
    "@set_color_config(1, 0, c, .{ .routes = .{ .rx = WEST, .tx = EAST }, .switches "  \
    "= .{ .pos1 = .{ .tx = RAMP }" pop " } });"                                        \
    "@set_color_config(2, 0, c, .{ .routes = .{ .rx = WEST, .tx = EAST }, .switches "  \
    "= .{ .pos1 = .{ .tx = RAMP } } });"                                               \
    "@set_color_config(3, 0, c, .{ .routes = .{ .rx = WEST, .tx = RAMP } });"

static void pop_modes_choose_who_obeys_the_next_command(void **state G_GNUC_UNUSED)
{
    static const char send[] =
        "send(1); @mov32(command, ctl.encode_payload(2, [2]ctl.opcode{ "
        "ctl.opcode.NOP, ctl.opcode.SWITCH_ADV }, [2]bool{ true, true }, true, {})); "
        "send(2); @mov32(command, ctl.encode_payload(2, [2]ctl.opcode{ "
        "ctl.opcode.SWITCH_ADV, ctl.opcode.NOP }, [2]bool{ true, true }, true, {})); "
        "send(3);";
    g_auto(CslRig) always = {0};
    g_auto(CslRig) never = {0};
    g_auto(CslRig) moved = {0};

    run(&always, 4, PASSING(", .pop_mode = .{ .always_pop = true }"), "", send);
    CSL_EXPECT(&always, 3, 0, "r", 1, 0);
    CSL_EXPECT(&always, 2, 0, "r", 2, 0);
    CSL_EXPECT(&always, 1, 0, "r", 3, 0);

    /* Both obey the first command. */
    run(&never, 4, PASSING(""), "", send);
    CSL_EXPECT(&never, 3, 0, "r", 1, 2, 0);
    CSL_EXPECT(&never, 1, 0, "r", 3, 0);

    run(&moved, 4, PASSING(", .pop_mode = .{ .pop_on_advance = true }"), "", send);
    CSL_EXPECT(&moved, 3, 0, "r", 1, 2, 0);
    CSL_EXPECT(&moved, 1, 0, "r", 3, 0);
}

static void senders_advance_their_own_switch(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    /* The last wavelet of a stream turns the route of its own PE. */
    csl_rig_open_all(
        &rig, 3, 1,
        "const c = @get_color(1); @set_color_config(1, 0, c, .{ .routes = .{ .rx = "
        "RAMP, .tx = EAST }, .switches = .{ .pos1 = .{ .tx = WEST } } }); "
        "@set_color_config(0, 0, c, .{ .routes = .{ .rx = EAST, .tx = RAMP } }); "
        "@set_color_config(2, 0, c, .{ .routes = .{ .rx = WEST, .tx = RAMP } });",
        "const c = @get_color(1); var r = @zeros([4]u16); var n: u16 = 0;"
        "const out = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 2, "
        ".output_queue = @get_output_queue(2), .advance_switch = true });"
        "task note(v: u16) void { r[n] = v; n += 1; }"
        "comptime { if (px != 1) @bind_data_task(note, @get_data_task_id(c)); }"
        "fn f() void { if (px == 1) { @mov32(out, 7); @mov32(out, 8); } "
        "sys.unblock_cmd_stream(); }");
    csl_rig_launch(&rig, "f", NULL, 0);
    CSL_EXPECT(&rig, 2, 0, "r", 7, 7, 0);
    CSL_EXPECT(&rig, 0, 0, "r", 8, 8, 0);
}

static void filters_let_some_wavelets_pass(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *filter;
        double passed[6];
    } rows[] = {
        {".kind = .{ .counter = true }, .count_data = true, .limit1 = 2, .max_counter "
         "= 0, .init_counter = 0",
         {1, 4}},
        {".kind = .{ .counter = true }, .count_data = true, .limit1 = 2, .max_counter "
         "= 0, .init_counter = 1",
         {3, 6}},
        {".kind = .{ .counter = true }, .count_data = true, .limit1 = 3, .max_counter "
         "= 1, .init_counter = 0",
         {1, 2, 5, 6}},
        {".kind = .{ .range = true }, .min_idx = 2, .max_idx = 4", {2, 3, 4}},
        /* A round of two, a round of three, then off. */
        {".kind = .{ .sparse_counter = true }, .count_data = true, .limit1 = 1, "
         ".limit2 = 2, .max_counter = 0, .init_counter = 0",
         {1, 3, 6}},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(CslRig) rig = {0};
        g_autofree char *configs = g_strdup_printf(
            "@set_color_config(1, 0, c, .{ .routes = .{ .rx = WEST, .tx = RAMP }, "
            ".filter = .{ %s } });",
            rows[i].filter);

        run(&rig, 2, configs, "", "@mov32(out, from);");
        csl_rig_expect(&rig, (CslRigPlace){1, 0, false}, "r", rows[i].passed, 6);
    }
}

static void torn_down_colors_get_new_routes(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    /* What follows the teardown waits, then goes on to PE 2. */
    run(&rig, 3,
        "@set_color_config(1, 0, c, .{ .routes = .{ .rx = WEST, .tx = RAMP } });"
        "@set_color_config(2, 0, c, .{ .routes = .{ .rx = WEST, .tx = RAMP } });",
        "var torn: u16 = 0; fn turn() void { torn += 1; if (px == 1) { "
        "config.color_config.reset_routes(c, .{ .rx = WEST, .tx = EAST }); } "
        "config.teardown.exit(c); }"
        "comptime { if (px < 2) @set_teardown_handler(turn, c); }",
        "send(1); order(ctl.opcode.TEARDOWN); send(2);");
    CSL_EXPECT(&rig, 1, 0, "r", 1, 0);
    CSL_EXPECT(&rig, 2, 0, "r", 2, 0);
    CSL_EXPECT(&rig, 0, 0, "torn", 1);
    CSL_EXPECT(&rig, 1, 0, "torn", 1);
}

static void colors_swap_on_their_way_in(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    /* Color 2 leaves PE 0, and PE 1 takes it as color 3. */
    csl_rig_open_all(
        &rig, 2, 1,
        "@set_color_config(0, 0, @get_color(2), .{ .routes = .{ .rx = RAMP, .tx = EAST "
        "} }); @set_color_config(1, 0, @get_color(2), .{ .routes = .{ .rx = WEST, .tx "
        "= RAMP, .color_swap_x = true } }); @set_color_config(1, 0, @get_color(3), .{ "
        ".routes = .{ .rx = WEST, .tx = RAMP, .color_swap_x = true } });",
        "var r = @zeros([2]u16); const out = @get_dsd(fabout_dsd, .{ .fabric_color = "
        "@get_color(2), .extent = 1, .output_queue = @get_output_queue(2) });"
        "task two(v: u16) void { r[0] = v; } task three(v: u16) void { r[1] = v; }"
        "comptime { if (px == 1) { @bind_data_task(two, "
        "@get_data_task_id(@get_color(2))); @bind_data_task(three, "
        "@get_data_task_id(@get_color(3))); } }"
        "fn f() void { if (px == 0) { @mov32(out, 5); } sys.unblock_cmd_stream(); }");
    csl_rig_launch(&rig, "f", NULL, 0);
    CSL_EXPECT(&rig, 1, 0, "r", 0, 5);
}

/* Rows use colors 1 to 3 in turn, but for one in between. */
static void rows_with_the_same_routes_may_lie_apart(void **state G_GNUC_UNUSED)
{
    g_auto(CslRig) rig = {0};

    csl_rig_open_all(
        &rig, 2, 11,
        "var y: u16 = 0; while (y < 11) : (y += 1) { const c = if (y == 6) "
        "@get_color(4) else @get_color(1 + y % 3); @set_color_config(0, y, c, .{ "
        ".routes = .{ .rx = RAMP, .tx = EAST } }); @set_color_config(1, y, c, .{ "
        ".routes = .{ .rx = WEST, .tx = RAMP } }); }",
        "const c = if (py == 6) @get_color(4) else @get_color(1 + py % 3);"
        "var r = @zeros([1]u16); const out = @get_dsd(fabout_dsd, .{ .fabric_color = "
        "c, .extent = 1, .output_queue = @get_output_queue(2) });"
        "task note(v: u16) void { r[0] = v; } comptime { if (px == 1) "
        "@bind_data_task(note, @get_data_task_id(c)); }"
        "fn f() void { if (px == 0) { @mov32(out, @as(u32, py) + 10); } "
        "sys.unblock_cmd_stream(); }");
    csl_rig_launch(&rig, "f", NULL, 0);
    for (guint y = 0; y < 11; y++) {
        assert_int_equal(csl_rig_integer(&rig, 1, y, "r", 0), 10 + y);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_advance_and_rings_close),
        cmocka_unit_test(pop_modes_choose_who_obeys_the_next_command),
        cmocka_unit_test(senders_advance_their_own_switch),
        cmocka_unit_test(filters_let_some_wavelets_pass),
        cmocka_unit_test(torn_down_colors_get_new_routes),
        cmocka_unit_test(colors_swap_on_their_way_in),
        cmocka_unit_test(rows_with_the_same_routes_may_lie_apart),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_routing", tests, NULL, NULL);
}
