/* What programs change of their routers, tasks and DSRs: the same cycles in Lua, by
 * name, and in CSL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/workloads/wafer/doors.h"

/* PE 0 sends four numbers east. PE 1 sends its own to itself, and only then lets those
 * from the west through. */
#define TURNED                                                                         \
    .width = 2,                                                                        \
    .routes =                                                                          \
        {.csl =                                                                        \
             "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = RAMP, "     \
             ".tx = EAST } }); @set_color_config(1, 0, @get_color(1), .{ .routes = "   \
             ".{ .rx = RAMP, .tx = RAMP } });",                                        \
         .lua =                                                                        \
             "l:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST'"   \
             " } })\n"                                                                 \
             "l:set_color_config({ 1, 0 }, 1, { routes = { rx = 'RAMP', tx = 'RAMP'"   \
             " } })"},                                                                 \
    .before = {                                                                        \
        .csl = "const c = @get_color(1); var a = [4]i32{ 1, 2, 3, 4 };"                \
               "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> a[i] "  \
               "}); const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{8} -> "     \
               "out[i] }); const get = @get_dsd(fabin_dsd, .{ .fabric_color = c, "     \
               ".extent = 8, .input_queue = @get_input_queue(2) });"                   \
               "const send = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 4, " \
               ".output_queue = @get_output_queue(2) }); task over() void { done(); }" \
               "comptime { @bind_local_task(over, @get_local_task_id(9)); if (px == "  \
               "1) { @initialize_queue(@get_input_queue(2), .{ .color = c }); } }",    \
        .lua = "local a = pe:array { name = 'a', type = 'i32', values = { 1, 2, 3, 4 " \
               "} }\n"                                                                 \
               "local from = pe:mem1d_dsd { base = a, extent = 4 }\n"                  \
               "local to = pe:mem1d_dsd { base = out, extent = 8 }\n"                  \
               "local get = px == 1 and pe:fabin_dsd { color = 1, extent = 8, "        \
               "input_queue = 2 }\n"                                                   \
               "local send = pe:fabout_dsd { color = 1, extent = 4, output_queue = 2 " \
               "}\n"                                                                   \
               "pe:bind_local_task(9, 'over', function() pe:call(done) end)\n"}
#define TURNED_CSL                                                                     \
    "if (px == 1) { @mov32(to, get, .{ .async = true, .activate = over }); } // done"  \
    "\nif (px == 1) { a[0] = 50; } @mov32(send, from); if (px == 1) "
#define TURNED_LUA                                                                     \
    "if px == 1 then pe:mov32(to, get, { async = true, activate = 9 }) end -- done\n"  \
    "if px == 1 then pe:store(a, 0, 50) end pe:mov32(send, from)\n"                    \
    "if px == 1 then "

static void switches_get_positions_at_run_time(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        TURNED,
        .body = {.csl = TURNED_CSL
                 "{ @set_config(0x7f41, @get_config(0x7f41) & 0x8ff0 | 0x3008); }",
                 .lua = TURNED_LUA
                 "pe:set_switches(1, { pos1 = { rx = 'WEST' }, ring_mode = true, "
                 "current_switch_pos = 1 }) end"},
    };

    DOORS_EXPECT(&program, 50, 2, 3, 4, 1, 2, 3, 4);
}

static void all_positions_are_set_and_cleared(void **state G_GNUC_UNUSED)
{
    /* Position 2 lets the west in; then there is no position 3 any more. */
    static const DoorsProgram program = {
        TURNED,
        .body = {.csl = TURNED_CSL
                 "{ @set_config(0x7f41, @get_config(0x7f41) & 0xf000 | 0x18c);"
                 "@set_config(0x7f41, @get_config(0x7f41) & 0x90ff | 0x4500);"
                 "@set_config(0x7f21, @get_config(0x7f21) & 0xcfff | 0x1000); }",
                 .lua = TURNED_LUA
                 "pe:set_switches(1, { pos1 = { rx = 'RAMP' }, pos2 = { rx = 'WEST' "
                 "}, pos3 = { tx = 'EAST' } })\n"
                 "pe:set_switches(1, { pos3 = 'invalid', current_switch_pos = 2, "
                 "pop_mode = 'always_pop' }) end"},
    };

    DOORS_EXPECT(&program, 50, 2, 3, 4, 1, 2, 3, 4);
}

static void routes_are_replaced(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        TURNED,
        .body = {.csl = TURNED_CSL
                 "{ @set_config(0x7f21, @get_config(0x7f21) & 0xfc00 | 0x30); }",
                 .lua = TURNED_LUA
                 "pe:reset_routes(1, { rx = 'WEST', tx = { 'RAMP' } }) end"},
    };

    DOORS_EXPECT(&program, 50, 2, 3, 4, 1, 2, 3, 4);
}

static void colors_may_be_variables(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        TURNED,
        .body = {.csl = TURNED_CSL
                 "{ var k: u16 = 1; const r = 0x7f20 + k; @set_config(r, "
                 "@get_config(r) & 0xfc00 | 0x30); }",
                 .lua =
                     TURNED_LUA "local k = pe:variable { name = 'k', type = 'u16' }\n"
                                "pe:operate('mov', 'u16', k, 1)\n"
                                "pe:reset_routes(k, { rx = 'WEST', tx = 'RAMP' }) end"},
    };

    DOORS_EXPECT(&program, 50, 2, 3, 4, 1, 2, 3, 4);
}

static void high_tasks_run_first(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before = {.csl =
                       "var n: i32 = 0; task low() void { n += 1; out[0] = n; done(); }"
                       "task high() void { n += 1; out[1] = n; }"
                       "comptime { @bind_local_task(low, @get_local_task_id(9)); "
                       "@bind_local_task(high, @get_local_task_id(10)); }",
                   .lua = "local n = pe:scalar { name = 'n', type = 'i32' }\n"
                          "for i = 0, 1 do pe:bind_local_task(9 + i, 't' .. i, "
                          "function()\n"
                          "pe:store(n, 0, pe:operate('add', 'i32', nil, pe:load(n, 0), "
                          "1))\n"
                          "pe:store(out, i, pe:load(n, 0))\n"
                          "if i == 0 then pe:call(done) end end) end"},
        .body = {.csl = "@set_config(0x7eca, 1); @activate(@get_local_task_id(9)); "
                        "@activate(@get_local_task_id(10)); // done",
                 .lua = "pe:set_task_priority(10, 'high') pe:activate(9) "
                        "pe:activate(10) -- done"},
    };
    static const DoorsProgram again = {
        .before = {.csl = "var n: i32 = 0; task low() void { n += 1; out[0] = n; }"
                          "task high() void { n += 1; out[1] = n; done(); }"
                          "comptime { @bind_local_task(low, @get_local_task_id(9)); "
                          "@bind_local_task(high, @get_local_task_id(10)); }",
                   .lua = "local n = pe:scalar { name = 'n', type = 'i32' }\n"
                          "for i = 0, 1 do pe:bind_local_task(9 + i, 't' .. i, "
                          "function()\n"
                          "pe:store(n, 0, pe:operate('add', 'i32', nil, pe:load(n, 0), "
                          "1))\n"
                          "pe:store(out, i, pe:load(n, 0))\n"
                          "if i == 1 then pe:call(done) end end) end"},
        .body = {.csl = "@set_config(0x7eca, 1); @set_config(0x7eca, 0); "
                        "@activate(@get_local_task_id(9)); "
                        "@activate(@get_local_task_id(10)); // done",
                 .lua = "pe:set_task_priority(10, 'high') pe:set_task_priority(10, "
                        "'low') pe:activate(9) pe:activate(10) -- done"},
    };

    DOORS_EXPECT(&program, 2, 1);
    DOORS_EXPECT(&again, 1, 2);
}

static void dsrs_are_loaded_before_the_start(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before = {.csl =
                       "var a = [2]i32{ 7, 8 };"
                       "const two = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> "
                       "a[i] }); const to = @get_dsd(mem1d_dsd, .{ .tensor_access = "
                       "|i|{2} -> out[i] }); const dest = @get_dsr(dsr_dest, 1); const "
                       "right = @get_dsr(dsr_src1, 1); comptime { @load_to_dsr(dest, "
                       "to, .{ .save_address = true }); @load_to_dsr(right, two); }",
                   .lua =
                       "local a = pe:array { name = 'a', type = 'i32', values = { 7, 8 "
                       "} }\n"
                       "local dest = pe:get_dsr('dsr_dest', 1, { save_address = true "
                       "})\n"
                       "local right = pe:get_dsr('dsr_src1', 1)\n"
                       "pe:load_to_dsr(dest, pe:mem1d_dsd { base = out, extent = 2 })\n"
                       "pe:load_to_dsr(right, pe:mem1d_dsd { base = a, extent = 2 })"},
        .body = {.csl = "@mov32(dest, right); @mov32(dest, right);",
                 .lua = "pe:mov32(dest, right) pe:mov32(dest, right)"},
    };

    DOORS_EXPECT(&program, 7, 8, 7, 8);
}

static void data_are_dropped_until_a_control(void **state G_GNUC_UNUSED)
{
    /* Both wait for one control wavelet, and then take what comes after it. */
    static const DoorsProgram program = {
        .routes = {.csl = "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx "
                          "= RAMP, .tx = RAMP } });",
                   .lua = "l:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', "
                          "tx = 'RAMP' } })"},
        .before =
            {.csl =
                 "const c = @get_color(1); var a = [2]i32{ 3, 4 }; var lost: i32 = 0;"
                 "const control = @import_module(\"<control>\"); const payload = "
                 "control.encode_single_payload(control.opcode.NOP, false, {}, 0);"
                 "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> a[i] "
                 "}); const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> "
                 "out[i] }); const send = @get_dsd(fabout_dsd, .{ .fabric_color = c, "
                 ".extent = 2, .output_queue = @get_output_queue(2) }); const stop = "
                 "@get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 1, .control = "
                 "true, .output_queue = @get_output_queue(2) });"
                 "const all = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = "
                 "0x7fff, .input_queue = @get_input_queue(4) });"
                 "const get = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = 2, "
                 ".input_queue = @get_input_queue(4) });"
                 "task over() void { @mov32(to, get); done(); } comptime { "
                 "@bind_local_task(over, @get_local_task_id(9)); "
                 "@initialize_queue(@get_input_queue(4), .{ .color = c }); }",
             .lua = "local a = pe:array { name = 'a', type = 'i32', values = { 3, 4 } "
                    "}\n"
                    "local from = pe:mem1d_dsd { base = a, extent = 2 }\n"
                    "local to = pe:mem1d_dsd { base = out, extent = 2 }\n"
                    "local send = pe:fabout_dsd { color = 1, extent = 2, output_queue "
                    "= 2 }\n"
                    "local stop = pe:fabout_dsd { color = 1, extent = 1, control = "
                    "true, output_queue = 2 }\n"
                    "local all = pe:fabin_dsd { color = 1, extent = 0x7fff, "
                    "input_queue = 4 }\n"
                    "local get = pe:fabin_dsd { color = 1, extent = 2, input_queue = 4 "
                    "}\n"
                    "pe:bind_local_task(9, 'over', function() pe:mov32(to, get) "
                    "pe:call(done) end)"},
        .body = {.csl = "@mov32(&lost, all, .{ .async = true, .activate = over, "
                        ".on_control = .{ .terminate = true } }); @mov32(send, from); "
                        "@mov32(stop, payload); a[0] = 5; @mov32(send, from); // done",
                 .lua = "pe:dfilt(all, 1, { async = true, activate = 9 })\n"
                        "pe:mov32(send, from) pe:mov32(stop, "
                        "pe:word(l:encode_payload { commands = { 'NOP' } }))\n"
                        "pe:store(a, 0, 5) pe:mov32(send, from) -- done"},
    };

    DOORS_EXPECT(&program, 5, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_get_positions_at_run_time),
        cmocka_unit_test(all_positions_are_set_and_cleared),
        cmocka_unit_test(routes_are_replaced),
        cmocka_unit_test(colors_may_be_variables),
        cmocka_unit_test(high_tasks_run_first),
        cmocka_unit_test(dsrs_are_loaded_before_the_start),
        cmocka_unit_test(data_are_dropped_until_a_control),
    };

    return cmocka_run_group_tests_name("workloads.wafer_settings_doors", tests, NULL,
                                       NULL);
}
