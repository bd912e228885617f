/* What streams, routers and their colors can do: the same cycles in Lua and in CSL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/workloads/wafer/doors.h"

/* Color 1 leads from PE 0 to PE 1. */
#define EASTWARD                                                                       \
    {                                                                                  \
        .csl = "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = RAMP, "   \
               ".tx = EAST } }); @set_color_config(1, 0, @get_color(1), .{ .routes = " \
               ".{ .rx = WEST, .tx = RAMP } });",                                      \
        .lua = "l:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST'" \
               " } })\n"                                                               \
               "l:set_color_config({ 1, 0 }, 1, { routes = { rx = 'WEST', tx = 'RAMP'" \
               " } })"                                                                 \
    }

/* Numbers of 32 and of 16 bits to send, and a task that PE 1 ends with. */
#define ARRAYS_CSL                                                                     \
    "const c = @get_color(1); var a = [4]i32{ 1, 2, 3, 4 }; var h = [4]i16{ 5, 6, 7, " \
    "8 };"                                                                             \
    "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> a[i] });"          \
    "const small = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> h[i] });"         \
    "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{8} -> out[i] });"          \
    "const get = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = 8, .input_queue " \
    "= @get_input_queue(2) });"                                                        \
    "task over() void { done(); }"                                                     \
    "comptime { @bind_local_task(over, @get_local_task_id(9)); if (px == 1) { "        \
    "@initialize_queue(@get_input_queue(2), .{ .color = c }); } }"
#define ARRAYS_LUA                                                                     \
    "local a = pe:array { name = 'a', type = 'i32', values = { 1, 2, 3, 4 } }\n"       \
    "local h = pe:array { name = 'h', type = 'i16', values = { 5, 6, 7, 8 } }\n"       \
    "local from = pe:mem1d_dsd { base = a, extent = 4 }\n"                             \
    "local small = pe:mem1d_dsd { base = h, extent = 4 }\n"                            \
    "local to = pe:mem1d_dsd { base = out, extent = 8 }\n"                             \
    "local get = px == 1 and pe:fabin_dsd { color = 1, extent = 8, input_queue = 2 }"  \
    "\n"                                                                               \
    "pe:bind_local_task(9, 'over', function() pe:call(done) end)\n"
#define RECEIVE_CSL                                                                    \
    "if (px == 1) { @mov32(to, get, .{ .async = true, .activate = over }); } // done"
#define RECEIVE_LUA                                                                    \
    "if px == 1 then pe:mov32(to, get, { async = true, activate = 9 }) end -- done"

static void indices_ride_in_the_upper_half(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .width = 2,
        .routes = EASTWARD,
        .before =
            {.csl = ARRAYS_CSL
             "const marked = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 4, "
             ".output_queue = @get_output_queue(2), .wavelet_index_offset = true });"
             "const shifted = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> h[i], "
             ".wavelet_index_offset = true });"
             "const plain = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 2, "
             ".output_queue = @get_output_queue(2) }); var n: u16 = 17;",
             .lua = ARRAYS_LUA
             "local marked = px == 0 and pe:fabout_dsd { color = 1, extent = 4, "
             "output_queue = 2, wavelet_index_offset = true }\n"
             "local shifted = pe:mem1d_dsd { base = h, extent = 2, "
             "wavelet_index_offset = true }\n"
             "local plain = px == 0 and pe:fabout_dsd { color = 1, extent = 2, "
             "output_queue = 2 }\n"
             "local n = pe:scalar { name = 'n', type = 'u16', value = 17 }"},
        .body = {.csl = "if (px == 0) { @mov16(marked, small, .{ .index = n }); "
                        "@mov16(plain, shifted, .{ .index = 2 }); @mov16(plain, "
                        "shifted, .{ .index = 1 }); }" RECEIVE_CSL,
                 .lua = "if px == 0 then local k = pe:load(n, 0)\n"
                        "pe:mov16(marked, small, { index = k })\n"
                        "pe:mov16(plain, shifted, { index = 2 })\n"
                        "pe:mov16(plain, shifted, { index = 1 }) end\n" RECEIVE_LUA},
    };

    DOORS_EXPECT(&program, 0x110005, 0x110006, 0x110007, 0x110008, 7, 8, 6, 7);
}

static void streams_clear_their_sources(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .width = 2,
        .routes = EASTWARD,
        .before =
            {.csl = ARRAYS_CSL
             "const clearing = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 4, "
             ".output_queue = @get_output_queue(2), .zero = .{ .first_source = true } "
             "});",
             .lua = ARRAYS_LUA
             "local clearing = px == 0 and pe:fabout_dsd { color = 1, extent = 4, "
             "output_queue = 2, zero = 'first_source' }"},
        .body = {.csl = "if (px == 0) { @mov32(clearing, from); a[1] += 9; "
                        "@mov32(clearing, from); }" RECEIVE_CSL,
                 .lua = "if px == 0 then pe:mov32(clearing, from)\n"
                        "pe:store(a, 1, pe:operate('add', 'i32', nil, pe:load(a, 1), "
                        "9))\n"
                        "pe:mov32(clearing, from) end\n" RECEIVE_LUA},
    };

    DOORS_EXPECT(&program, 1, 2, 3, 4, 0, 9, 0, 0);
}

static void colors_are_found_at_run_time(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .width = 2,
        .routes = EASTWARD,
        .before = {.csl = ARRAYS_CSL "var way: u16 = 1;",
                   .lua = ARRAYS_LUA "local way = pe:scalar { name = 'way', type = "
                                     "'u16', value = 1 }"},
        .body = {.csl = "if (px == 0) { const send = @get_dsd(fabout_dsd, .{ "
                        ".fabric_color = @get_color(way), .extent = 4, .output_queue = "
                        "@get_output_queue(2) }); @mov32(send, from); @mov32(send, "
                        "from); }" RECEIVE_CSL,
                 .lua = "if px == 0 then local send = pe:fabout_dsd { color = "
                        "pe:load(way, 0), extent = 4, output_queue = 2 }\n"
                        "pe:set_dsd_length(send, 4)\n"
                        "pe:mov32(send, from) pe:mov32(send, from) end\n" RECEIVE_LUA},
    };

    DOORS_EXPECT(&program, 1, 2, 3, 4, 1, 2, 3, 4);
}

static void endless_streams_wait_for_their_control(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .width = 2,
        .routes = EASTWARD,
        .before =
            {.csl = ARRAYS_CSL
             "const control = @import_module(\"<control>\"); const payload = "
             "control.encode_single_payload(control.opcode.NOP, false, {}, 0);"
             "const send = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 4, "
             ".output_queue = @get_output_queue(2) });"
             "const stop = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 1, "
             ".control = true, .output_queue = @get_output_queue(2) });"
             "const all = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = 0x7fff, "
             ".input_queue = @get_input_queue(2) });",
             .lua = ARRAYS_LUA
             "local send = px == 0 and pe:fabout_dsd { color = 1, extent = 4, "
             "output_queue = 2 }\n"
             "local stop = px == 0 and pe:fabout_dsd { color = 1, extent = 1, control "
             "= true, output_queue = 2 }\n"
             "local all = px == 1 and pe:dsd_value(pe:fabin_dsd { color = 1, extent = "
             "0x7fff, input_queue = 2 })"},
        .body = {.csl = "if (px == 0) { @mov32(send, from); @mov32(stop, payload); } "
                        "else { @mov32(to, all, .{ .async = true, .activate = over, "
                        ".on_control = .{ .terminate = true } }); } // done",
                 .lua = "if px == 0 then pe:mov32(send, from) pe:mov32(stop, "
                        "pe:word(l:encode_payload { commands = { 'NOP' } }))\n"
                        "else pe:mov32(to, all, { async = true, activate = 9, "
                        "on_control = { terminate = true } }) end -- done"},
    };

    DOORS_EXPECT(&program, 1, 2, 3, 4);
}

static void programs_turn_their_switches(void **state G_GNUC_UNUSED)
{
    /* PE 1's switch lets its own ramp through at first, the west after the write. */
    static const DoorsProgram program = {
        .width = 2,
        .routes =
            {.csl =
                 "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = RAMP, "
                 ".tx = EAST } }); @set_color_config(1, 0, @get_color(1), .{ "
                 ".routes = .{ .rx = RAMP, .tx = RAMP }, .switches = .{ .pos1 = .{ "
                 ".rx = WEST }, .current_switch_pos = 0 } });",
             .lua = "l:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = "
                    "'EAST' } })\n"
                    "l:set_color_config({ 1, 0 }, 1, { routes = { rx = 'RAMP', tx = "
                    "'RAMP' }, switches = { pos1 = { rx = 'WEST' } } })"},
        .before = {.csl = ARRAYS_CSL
                   "const send = @get_dsd(fabout_dsd, .{ .fabric_color = c, "
                   ".extent = 4, .output_queue = @get_output_queue(2) });",
                   .lua =
                       ARRAYS_LUA "local send = pe:fabout_dsd { color = 1, extent = 4, "
                                  "output_queue = 2 }"},
        .body = {.csl = RECEIVE_CSL "\n"
                                    "if (px == 1) { a[0] = 50; } @mov32(send, from);"
                                    "if (px == 1) { @set_config(0x7f41, "
                                    "@get_config(0x7f41) | (1 << 13)); }",
                 .lua =
                     RECEIVE_LUA "\n"
                                 "if px == 1 then pe:store(a, 0, 50) end\n"
                                 "pe:mov32(send, from)\n"
                                 "if px == 1 then local r = pe:variable { name = "
                                 "'r', type = 'u16' } pe:get_config(r, 0x7f41)\n"
                                 "pe:set_config(0x7f41, pe:operate('or', 'u16', nil, "
                                 "r, 1 << 13)) end"},
    };

    DOORS_EXPECT(&program, 50, 2, 3, 4, 1, 2, 3, 4);
}

static void swapped_colors_change_on_the_way(void **state G_GNUC_UNUSED)
{
    /* What leaves PE 0 on color 2 is on color 3 in PE 1. */
    static const DoorsProgram program = {
        .width = 2,
        .routes =
            {.csl =
                 "@set_color_config(0, 0, @get_color(2), .{ .routes = .{ .rx = RAMP, "
                 ".tx = EAST } }); @set_color_config(1, 0, @get_color(2), .{ "
                 ".routes = .{ .rx = EAST, .tx = RAMP, .color_swap_x = true } }); "
                 "@set_color_config(1, 0, @get_color(3), .{ .routes = .{ .rx = "
                 "WEST, .tx = RAMP, .color_swap_x = true } });",
             .lua = "l:set_color_config({ 0, 0 }, 2, { routes = { rx = 'RAMP', tx = "
                    "'EAST' } })\n"
                    "l:set_color_config({ 1, 0 }, 2, { routes = { rx = 'EAST', tx = "
                    "'RAMP', color_swap_x = true } })\n"
                    "l:set_color_config({ 1, 0 }, 3, { routes = { rx = 'WEST', tx = "
                    "'RAMP', color_swap_x = true } })"},
        .before =
            {.csl = "var a = [4]i32{ 1, 2, 3, 4 };"
                    "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> "
                    "a[i] });"
                    "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> "
                    "out[i] });"
                    "const send = @get_dsd(fabout_dsd, .{ .fabric_color = "
                    "@get_color(2), .extent = 4, .output_queue = @get_output_queue(2) "
                    "}); const get = @get_dsd(fabin_dsd, .{ .fabric_color = "
                    "@get_color(3), .extent = 4, .input_queue = @get_input_queue(2) "
                    "}); comptime { if (px == 1) { @initialize_queue("
                    "@get_input_queue(2), .{ .color = @get_color(3) }); "
                    "@initialize_queue(@get_input_queue(3), .{ .color = @get_color(2) "
                    "}); } }",
             .lua =
                 "local a = pe:array { name = 'a', type = 'i32', values = { 1, 2, 3, "
                 "4 } }\n"
                 "local from = pe:mem1d_dsd { base = a, extent = 4 }\n"
                 "local to = pe:mem1d_dsd { base = out, extent = 4 }\n"
                 "local send = px == 0 and pe:fabout_dsd { color = 2, extent = 4, "
                 "output_queue = 2 }\n"
                 "local get = px == 1 and pe:fabin_dsd { color = 3, extent = 4, "
                 "input_queue = 2 }\n"
                 "if px == 1 then pe:initialize_queue { input_queue = 3, color = 2 "
                 "} end"},
        .body = {.csl =
                     "if (px == 0) { @mov32(send, from); } else { @mov32(to, get); }",
                 .lua = "if px == 0 then pe:mov32(send, from) else pe:mov32(to, get) "
                        "end"},
    };

    DOORS_EXPECT(&program, 1, 2, 3, 4);
}

static void priorities_order_microthreads(void **state G_GNUC_UNUSED)
{
    /* Two streams of numbers leave and come back at once: the second, of high priority,
     * is there first. */
    static const DoorsProgram program = {
        .routes = {.csl =
                       "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = "
                       "RAMP, .tx = RAMP } }); @set_color_config(0, 0, "
                       "@get_color(2), .{ .routes = .{ .rx = RAMP, .tx = RAMP } });",
                   .lua =
                       "l:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx "
                       "= 'RAMP' } })\n"
                       "l:set_color_config({ 0, 0 }, 2, { routes = { rx = 'RAMP', tx "
                       "= 'RAMP' } })"},
        .before =
            {.csl =
                 "var a = @zeros([32]i32); const all = @get_dsd(mem1d_dsd, .{ "
                 ".tensor_access = |i|{32} -> a[i] });"
                 "const o1 = @get_dsd(fabout_dsd, .{ .fabric_color = @get_color(1), "
                 ".extent = 32, .output_queue = @get_output_queue(2) });"
                 "const o2 = @get_dsd(fabout_dsd, .{ .fabric_color = @get_color(2), "
                 ".extent = 32, .output_queue = @get_output_queue(3) });"
                 "const i1 = @get_dsd(fabin_dsd, .{ .fabric_color = @get_color(1), "
                 ".extent = 32, .input_queue = @get_input_queue(4) });"
                 "const i2 = @get_dsd(fabin_dsd, .{ .fabric_color = @get_color(2), "
                 ".extent = 32, .input_queue = @get_input_queue(5) });"
                 "var n: i32 = 0; task first() void { n += 1; out[0] = n; if (n == 2) "
                 "{ "
                 "done(); } } task second() void { n += 1; out[1] = n; if (n == 2) { "
                 "done(); } } comptime { @bind_local_task(first, "
                 "@get_local_task_id(9)); @bind_local_task(second, "
                 "@get_local_task_id(10)); @initialize_queue(@get_input_queue(4), .{ "
                 ".color = @get_color(1) }); @initialize_queue(@get_input_queue(5), .{ "
                 ".color = @get_color(2) }); }",
             .lua =
                 "local a = pe:array { name = 'a', type = 'i32', count = 32 }\n"
                 "local all = pe:mem1d_dsd { base = a, extent = 32 }\n"
                 "local o1 = pe:fabout_dsd { color = 1, extent = 32, output_queue = 2 "
                 "}\n"
                 "local o2 = pe:fabout_dsd { color = 2, extent = 32, output_queue = 3 "
                 "}\n"
                 "local i1 = pe:fabin_dsd { color = 1, extent = 32, input_queue = 4 "
                 "}\n"
                 "local i2 = pe:fabin_dsd { color = 2, extent = 32, input_queue = 5 "
                 "}\n"
                 "local n = pe:scalar { name = 'n', type = 'i32' }\n"
                 "for i = 0, 1 do pe:bind_local_task(9 + i, 't' .. i, function()\n"
                 "pe:store(n, 0, pe:operate('add', 'i32', nil, pe:load(n, 0), 1))\n"
                 "pe:store(out, i, pe:load(n, 0))\n"
                 "pe:when(pe:load(n, 0), '==', 2, function() pe:call(done) end) end) "
                 "end"},
        .body = {.csl =
                     "@mov32(all, i1, .{ .async = true, .activate = first }); "
                     "@mov32(all, i2, .{ .async = true, .activate = second, .priority "
                     "= .{ .high = true } }); @mov32(o1, all, .{ .async = true }); "
                     "@mov32(o2, all, .{ .async = true, .priority = .{ .high = true "
                     "} }); // done",
                 .lua = "pe:mov32(all, i1, { async = true, activate = 9 })\n"
                        "pe:mov32(all, i2, { async = true, activate = 10, priority = "
                        "'high' })\n"
                        "pe:mov32(o1, all, { async = true })\n"
                        "pe:mov32(o2, all, { async = true, priority = 'high' }) -- "
                        "done"},
    };

    DOORS_EXPECT(&program, 2, 1);
}

static void operations_name_their_microthreads(void **state G_GNUC_UNUSED)
{
    /* Queues of one number would meet on one microthread. */
    static const DoorsProgram program = {
        .routes = {.csl =
                       "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = "
                       "RAMP, .tx = RAMP } });",
                   .lua =
                       "l:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx "
                       "= 'RAMP' } })"},
        .before = {.csl = ARRAYS_CSL
                   "const send = @get_dsd(fabout_dsd, .{ .fabric_color = c, "
                   ".extent = 4, .output_queue = @get_output_queue(2) });"
                   "const four = @get_dsd(fabin_dsd, .{ .fabric_color = c, "
                   ".extent = 4, .input_queue = @get_input_queue(2) });"
                   "comptime { @initialize_queue(@get_input_queue(2), .{ "
                   ".color = c }); }",
                   .lua =
                       ARRAYS_LUA "local send = pe:fabout_dsd { color = 1, extent = 4, "
                                  "output_queue = 2 }\n"
                                  "local four = pe:fabin_dsd { color = 1, extent = 4, "
                                  "input_queue = 2 }"},
        .body = {.csl = "@mov32(to, four, .{ .async = true, .activate = over, .ut_id = "
                        "@get_ut_id(5) }); @mov32(send, from, .{ .async = true, .ut_id "
                        "= @get_ut_id(4) }); // done",
                 .lua =
                     "pe:mov32(to, four, { async = true, activate = 9, ut_id = 5 })\n"
                     "pe:mov32(send, from, { async = true, ut_id = 4 }) -- done"},
    };

    DOORS_EXPECT(&program, 1, 2, 3, 4);
}

/* Six numbers go to PE 1, whose filter lets some pass; a seventh, of color 2, ends it.
 */
#define FILTERED(in_csl, in_lua)                                                       \
    {                                                                                  \
        .csl = "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = RAMP, "   \
               ".tx = EAST } }); @set_color_config(1, 0, @get_color(1), .{ .routes = " \
               ".{ .rx = WEST, .tx = RAMP }, .filter = .{ " in_csl                     \
               " } }); @set_color_config(0, 0, @get_color(2), .{ .routes = .{ .rx = "  \
               "RAMP, .tx = EAST } }); @set_color_config(1, 0, @get_color(2), .{ "     \
               ".routes = .{ .rx = WEST, .tx = RAMP } });",                            \
        .lua = "l:set_color_config({ 0, 0, 0, 0 }, 1, { routes = { rx = 'RAMP', tx = " \
               "'EAST' } })\n"                                                         \
               "l:set_color_config({ 1, 0 }, 1, { routes = { rx = 'WEST', tx = 'RAMP'" \
               " }, filter = { " in_lua " } })\n"                                      \
               "l:set_color_config({ 0, 0 }, 2, { routes = { rx = 'RAMP', tx = 'EAST'" \
               " } })\n"                                                               \
               "l:set_color_config({ 1, 0 }, 2, { routes = { rx = 'WEST', tx = 'RAMP'" \
               " } })"                                                                 \
    }
#define COUNTED                                                                        \
    .width = 2, .is_wse2_only = true,                                                  \
    .before =                                                                          \
        {.csl = "var a = [6]i32{ 1, 2, 3, 4, 5, 6 }; var n: u16 = 0;"                  \
                "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> a[i] " \
                "});"                                                                  \
                "const send = @get_dsd(fabout_dsd, .{ .fabric_color = @get_color(1), " \
                ".extent = 6, .output_queue = @get_output_queue(2) });"                \
                "const stop = @get_dsd(fabout_dsd, .{ .fabric_color = @get_color(2), " \
                ".extent = 1, .output_queue = @get_output_queue(2) });"                \
                "task one(v: i32) void { out[n] = v; n += 1; }"                        \
                "task end(v: i32) void { done(); }"                                    \
                "comptime { if (px == 1) { @bind_data_task(one, "                      \
                "@get_data_task_id(@get_color(1))); @bind_data_task(end, "             \
                "@get_data_task_id(@get_color(2))); } }",                              \
         .lua = "local a = pe:array { name = 'a', type = 'i32', values = { 1, 2, 3, "  \
                "4, 5, 6 } }\n"                                                        \
                "local n = pe:scalar { name = 'n', type = 'u16' }\n"                   \
                "local from = pe:mem1d_dsd { base = a, extent = 6 }\n"                 \
                "local send = px == 0 and pe:fabout_dsd { color = 1, extent = 6, "     \
                "output_queue = 2 }\n"                                                 \
                "local stop = px == 0 and pe:fabout_dsd { color = 2, extent = 1, "     \
                "output_queue = 2 }\n"                                                 \
                "if px == 1 then pe:bind_data_task(1, 'one', function(v)\n"            \
                "pe:store(out, pe:load(n, 0), v)\n"                                    \
                "pe:store(n, 0, pe:operate('add', 'u16', nil, pe:load(n, 0), 1))\n"    \
                "end, { arguments = { 'i32' } })\n"                                    \
                "pe:bind_data_task(2, 'end', function() pe:call(done) end, { "         \
                "arguments = { 'i32' } }) end"},                                       \
    .body = {.csl = "if (px == 0) { @mov32(send, from); @mov32(stop, 0); } // done",   \
             .lua = "if px == 0 then pe:mov32(send, from) pe:mov32(stop, 0) end -- "   \
                    "done"}

static void filters_let_some_wavelets_pass(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram counter = {
        COUNTED,
        .routes =
            FILTERED(".kind = .{ .counter = true }, .count_data = true, .limit1 = "
                     "3, .max_counter = 1, .init_counter = 0",
                     "kind = 'counter', count_data = true, limit1 = 1, "
                     "max_counter = 3"),
    };
    static const DoorsProgram rounds = {
        COUNTED,
        .routes = FILTERED(".kind = .{ .sparse_counter = true }, .count_data = true, "
                           ".limit1 = 1, .limit2 = 2, .max_counter = 0, .init_counter "
                           "= 0",
                           "kind = 'two_rounds', count_data = true, limit1 = 0, limit2 "
                           "= 2, max_counter = 1"),
    };

    DOORS_EXPECT(&counter, 1, 2, 5, 6);
    DOORS_EXPECT(&rounds, 1, 3, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_ride_in_the_upper_half),
        cmocka_unit_test(streams_clear_their_sources),
        cmocka_unit_test(colors_are_found_at_run_time),
        cmocka_unit_test(endless_streams_wait_for_their_control),
        cmocka_unit_test(programs_turn_their_switches),
        cmocka_unit_test(swapped_colors_change_on_the_way),
        cmocka_unit_test(priorities_order_microthreads),
        cmocka_unit_test(filters_let_some_wavelets_pass),
        cmocka_unit_test(operations_name_their_microthreads),
    };

    return cmocka_run_group_tests_name("workloads.wafer_fabric_doors", tests, NULL,
                                       NULL);
}
