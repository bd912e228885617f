/* Descriptors and DSRs that programs compute: the same cycles in Lua and in CSL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/workloads/wafer/doors.h"

/* Six numbers, and descriptors of the first two of them and of `out`. */
#define ARRAYS_CSL                                                                     \
    "var a = [6]i32{ 1, 2, 3, 4, 5, 6 };"                                              \
    "const two = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> a[i] });"           \
    "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> out[i] });"
#define ARRAYS_LUA                                                                     \
    "local a = pe:array { name = 'a', type = 'i32', values = { 1, 2, 3, 4, 5, 6 } }\n" \
    "local two = pe:mem1d_dsd { base = a, extent = 2 }\n"                              \
    "local to = pe:mem1d_dsd { base = out, extent = 2 }\n"

static void descriptors_are_changed(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before =
            {.csl = ARRAYS_CSL "var n: i16 = 3;",
             .lua = ARRAYS_LUA
             "local n = pe:scalar { name = 'n', type = 'i16', value = 3 }\n"
             "local first = pe:mem1d_dsd { base = out, extent = 3 }\n"
             "local second = pe:mem1d_dsd { base = out, extent = 3, offset = 3 }"},
        .body = {.csl = "var from = two; from = @increment_dsd_offset(from, n, i32);"
                        "from = @set_dsd_length(from, 3);"
                        "@mov32(@set_dsd_length(to, 3), from);"
                        "from = @set_dsd_base_addr(from, a);"
                        "from = @set_dsd_stride(from, 2);"
                        "@mov32(@set_dsd_length(@set_dsd_base_addr(to, &out[3]), 3), "
                        "from);",
                 .lua = "local from = pe:dsd_value(two)\n"
                        "pe:increment_dsd_offset(from, pe:load(n, 0))\n"
                        "pe:set_dsd_length(from, 3)\n"
                        "pe:mov32(first, from)\n"
                        "pe:set_dsd_base_addr(from, a) pe:set_dsd_stride(from, 2)\n"
                        "pe:mov32(second, from)"},
    };

    DOORS_EXPECT(&program, 4, 5, 6, 1, 3, 5);
}

static void loads_of_dsrs_stay_until_the_next(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before = {.csl = ARRAYS_CSL
                   "const dest = @get_dsr(dsr_dest, 1); const right = @get_dsr("
                   "dsr_src1, 1); var moved = @get_dsd(mem1d_dsd, .{ .tensor_access = "
                   "|i|{2} -> out[i + 4] });",
                   .lua = ARRAYS_LUA
                   "local dest = pe:get_dsr('dsr_dest', 1)\n"
                   "local right = pe:get_dsr('dsr_src1', 1)\n"
                   "local moved = pe:dsd_value(pe:mem1d_dsd { base = out, extent = 2, "
                   "offset = 4 })"},
        .body = {.csl = "@load_to_dsr(dest, to); @load_to_dsr(right, two);"
                        "@mov32(dest, right); @mov32(dest, right);"
                        "@load_to_dsr(dest, moved); @mov32(dest, right);",
                 .lua = "pe:load_to_dsr(dest, to) pe:load_to_dsr(right, two)\n"
                        "pe:mov32(dest, right) pe:mov32(dest, right)\n"
                        "pe:load_to_dsr(dest, moved) pe:mov32(dest, right)"},
    };

    DOORS_EXPECT(&program, 1, 2, 0, 0, 1, 2);
}

static void saved_addresses_move_on(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before = {.csl =
                       ARRAYS_CSL "const dest = @get_dsr(dsr_dest, 1); const right = "
                                  "@get_dsr(dsr_src1, 1);",
                   .lua = ARRAYS_LUA
                   "local dest = pe:get_dsr('dsr_dest', 1, { save_address = true })\n"
                   "local right = pe:get_dsr('dsr_src1', 1, { save_address = true })"},
        .body = {.csl = "@load_to_dsr(dest, to, .{ .save_address = true });"
                        "@load_to_dsr(right, two, .{ .save_address = true });"
                        "for (@range(i16, 3)) |i| { @mov32(dest, right); }",
                 .lua = "pe:load_to_dsr(dest, to) pe:load_to_dsr(right, two)\n"
                        "pe:for_range('i16', 3, function() pe:mov32(dest, right) end)"},
    };

    DOORS_EXPECT(&program, 1, 2, 3, 4, 5, 6);
}

/* Color 1 leads from the PE's own ramp back to it. */
#define LOOP_CSL                                                                       \
    "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = RAMP, .tx = RAMP } " \
    "});"
#define LOOP_LUA                                                                       \
    "l:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'RAMP' } })"
#define STREAMS_CSL                                                                    \
    "const c = @get_color(1); const send = @get_dsd(fabout_dsd, .{ .fabric_color = "   \
    "c, "                                                                              \
    ".extent = 2, .output_queue = @get_output_queue(3) });"                            \
    "const get = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = 2, .input_queue " \
    "= @get_input_queue(2) });"                                                        \
    "comptime { @initialize_queue(@get_input_queue(2), .{ .color = c }); }"
#define STREAMS_LUA                                                                    \
    "local send = pe:fabout_dsd { color = 1, extent = 2, output_queue = 3 }\n"         \
    "local get = pe:fabin_dsd { color = 1, extent = 2, input_queue = 2 }\n"

static void operations_on_dsrs_end_as_loads_say(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .routes = {.csl = LOOP_CSL, .lua = LOOP_LUA},
        .before =
            {.csl = ARRAYS_CSL STREAMS_CSL
             "const dest = @get_dsr(dsr_dest, 1); const right = @get_dsr(dsr_src1, "
             "1); task over() void { out[2] += 5; done(); }"
             "comptime { @bind_local_task(over, @get_local_task_id(9)); }",
             .lua = ARRAYS_LUA STREAMS_LUA
             "local right = pe:get_dsr('dsr_src1', 1, { async = true, activate = "
             "9 })\n"
             "local dest = pe:get_dsr('dsr_dest', 1, { async = true })\n"
             "pe:bind_local_task(9, 'over', function() pe:store(out, 2, "
             "pe:operate('add', 'i32', nil, pe:load(out, 2), 5)) pe:call(done) "
             "end)"},
        .body = {.csl =
                     "@load_to_dsr(right, get, .{ .async = true, .activate = over });"
                     "@mov32(to, right);"
                     "@load_to_dsr(dest, send, .{ .async = true });"
                     "@mov32(dest, two); // done",
                 .lua = "pe:load_to_dsr(right, get) pe:mov32(to, right)\n"
                        "pe:load_to_dsr(dest, send) pe:mov32(dest, two) -- done"},
    };

    DOORS_EXPECT(&program, 1, 2, 5);
}

static void control_wavelets_end_operations(void **state G_GNUC_UNUSED)
{
    /* Two numbers of what could be five come, then a control wavelet. */
    static const DoorsProgram program = {
        .routes = {.csl = LOOP_CSL, .lua = LOOP_LUA},
        .before =
            {.csl = ARRAYS_CSL STREAMS_CSL
             "const five = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = 5, "
             ".input_queue = @get_input_queue(2) });"
             "const end = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 1, "
             ".output_queue = @get_output_queue(3), .control = true });"
             "const all = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{5} -> out[i] });"
             "const control = @import_module(\"<control>\");"
             "task over() void { out[5] += 5; done(); }"
             "const payload = control.encode_single_payload(control.opcode.NOP, false, "
             "{}, 0);"
             "task sent() void { @mov32(end, payload, .{ .async = true }); }"
             "comptime { @bind_local_task(over, @get_local_task_id(9)); "
             "@bind_local_task(sent, @get_local_task_id(10)); }",
             .lua = ARRAYS_LUA STREAMS_LUA
             "local five = pe:fabin_dsd { color = 1, extent = 5, input_queue = 2 }\n"
             "local finish = pe:fabout_dsd { color = 1, extent = 1, output_queue = 3, "
             "control = true }\n"
             "local all = pe:mem1d_dsd { base = out, extent = 5 }\n"
             "pe:bind_local_task(9, 'over', function() pe:store(out, 5, "
             "pe:operate('add', 'i32', nil, pe:load(out, 5), 5)) pe:call(done) end)\n"
             "pe:bind_local_task(10, 'sent', function() pe:mov32(finish, "
             "pe:word(l:encode_payload { commands = { 'NOP' } }), { "
             "async = true }) end)"},
        .body = {.csl =
                     "@mov32(all, five, .{ .async = true, .on_control = .{ .activate = "
                     "@get_local_task_id(9) } });"
                     "@mov32(send, two, .{ .async = true, .activate = sent }); // "
                     "done",
                 .lua =
                     "pe:mov32(all, five, { async = true, on_control = { activate = 9 "
                     "} })\n"
                     "pe:mov32(send, two, { async = true, activate = 10 }) -- done"},
    };

    DOORS_EXPECT(&program, 1, 2, 0, 0, 0, 5);
}

static void numbers_in_registers_are_operands(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before = {.csl = "var x = [4]f32{ 1.0, 2.0, 3.0, 4.0 }; var sum: f32 = 0.0;"
                          "const xd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} "
                          "-> x[i] });",
                   .lua =
                       "local x = pe:array { name = 'x', type = 'f32', values = { 1, "
                       "2, 3, 4 } }\n"
                       "local sum = pe:scalar { name = 'sum', type = 'f32' }\n"
                       "local xd = pe:mem1d_dsd { base = x, extent = 4 }"},
        .body = {.csl = "const k = x[1]; @fmuls(xd, xd, k); @fadds(&sum, sum, xd);"
                        "out[0] = @as(i32, sum); out[1] = @as(i32, x[3]);",
                 .lua = "local k = pe:load(x, 1)\n"
                        "pe:fmuls(xd, xd, k)\n"
                        "pe:fadds(pe:pointer(pe:address(sum)), pe:load(sum, 0), xd)\n"
                        "pe:store(out, 0, pe:as('i32', pe:load(sum, 0)))\n"
                        "pe:store(out, 1, pe:as('i32', pe:load(x, 3)))"},
    };

    DOORS_EXPECT(&program, 20, 8);
}

#define MAPPED_CSL                                                                     \
    ARRAYS_CSL                                                                         \
    "var b = [6]i32{ 10, 20, 30, 40, 50, 60 };"                                        \
    "const ad = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> a[i] });"            \
    "const bd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> b[2 * i] });"        \
    "const rd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{8} -> out[i] });"          \
    "fn add(x: i32, y: i32) i32 { return x + y; }"
#define MAPPED_LUA                                                                     \
    ARRAYS_LUA                                                                         \
    "local b = pe:array { name = 'b', type = 'i32', values = { 10, 20, 30, 40, 50, "   \
    "60 "                                                                              \
    "} }\n"                                                                            \
    "local ad = pe:mem1d_dsd { base = a, extent = 6 }\n"                               \
    "local bd = pe:mem1d_dsd { base = b, extent = 3, stride = 2 }\n"                   \
    "local rd = pe:mem1d_dsd { base = out, extent = 8 }\n"                             \
    "local add = pe:fn('add', function(x, y, sum) pe:operate('add', 'i32', sum, x, "   \
    "y) "                                                                              \
    "pe:return_() end, { arguments = { 'i32', 'i32' }, result = 'i32' })\n"

static void functions_are_mapped_over_memory(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before = {.csl = MAPPED_CSL
                   "var count: i32 = 0; fn tally(x: i32) void { count += x; }",
                   .lua = MAPPED_LUA
                   "local count = pe:scalar { name = 'count', type = 'i32' }\n"
                   "local tally = pe:fn('tally', function(x) pe:store(count, 0, "
                   "pe:operate('add', 'i32', nil, pe:load(count, 0), x)) end, { "
                   "arguments = { 'i32' } })"},
        .body = {.csl = "@map(add, ad, bd, rd); @map(tally, bd); out[4] = count; "
                        "@map(add, ad, 7, &out[5]);",
                 .lua = "pe:map(add, ad, bd, rd) pe:map(tally, bd)\n"
                        "pe:store(out, 4, pe:load(count, 0))\n"
                        "pe:map(add, ad, 7, pe:view { name = 'last', base = out, first "
                        "= 5, type = 'i32', count = 1 })"},
    };

    DOORS_EXPECT(&program, 11, 32, 53, 0, 90, 13);
}

static void functions_are_mapped_over_shapes_and_values(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before = {.csl = MAPPED_CSL
                   "var n: u16 = 2; var m = [3, 3]i32{ 0, 1, 2, 10, 11, 12, "
                   "20, 21, 22 }; const corner = @get_dsd(mem4d_dsd, .{ "
                   ".tensor_access = |i, j|{2, 2} -> m[i + 1, j + 1] });",
                   .lua = MAPPED_LUA
                   "local n = pe:scalar { name = 'n', type = 'u16', value = 2 "
                   "}\n"
                   "local m = pe:array { name = 'm', type = 'i32', values = { "
                   "0, 1, 2, 10, 11, 12, 20, 21, 22 } }\n"
                   "local corner = pe:mem4d_dsd { base = m, extents = { 2, 2 "
                   "}, strides = { 3, 1 }, offset = 4 }\n"
                   "local last = pe:mem1d_dsd { base = out, extent = 8, offset "
                   "= 0 }"},
        .body = {.csl =
                     "@map(add, corner, ad, rd); var some = ad; some = "
                     "@set_dsd_length(some, n); some = @increment_dsd_offset(some, 4, "
                     "i32); @map(add, some, 100, @set_dsd_base_addr(rd, &out[4]));",
                 .lua = "pe:map(add, corner, ad, rd)\n"
                        "local some = pe:dsd_value(ad)\n"
                        "pe:set_dsd_length(some, pe:load(n, 0))\n"
                        "pe:increment_dsd_offset(some, 4)\n"
                        "pe:map(add, some, 100, pe:mem1d_dsd { base = out, extent = 4, "
                        "offset = 4 })"},
    };

    DOORS_EXPECT(&program, 12, 14, 24, 26, 105, 106);
}

static void functions_are_mapped_over_streams(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .routes = {.csl = LOOP_CSL, .lua = LOOP_LUA},
        .before =
            {.csl = MAPPED_CSL STREAMS_CSL "fn twice(x: i32) i32 { return x + x; }",
             .lua = MAPPED_LUA STREAMS_LUA
             "local twice = pe:fn('twice', function(x, y) pe:operate('add', 'i32', "
             "y, x, x) pe:return_() end, { arguments = { 'i32' }, result = 'i32' "
             "})"},
        .body = {.csl = "@map(twice, bd, send); @map(add, get, ad, rd);",
                 .lua = "pe:map(twice, bd, send) pe:map(add, get, ad, rd)"},
    };

    DOORS_EXPECT(&program, 21, 62);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_are_changed),
        cmocka_unit_test(loads_of_dsrs_stay_until_the_next),
        cmocka_unit_test(saved_addresses_move_on),
        cmocka_unit_test(operations_on_dsrs_end_as_loads_say),
        cmocka_unit_test(control_wavelets_end_operations),
        cmocka_unit_test(numbers_in_registers_are_operands),
        cmocka_unit_test(functions_are_mapped_over_memory),
        cmocka_unit_test(functions_are_mapped_over_shapes_and_values),
        cmocka_unit_test(functions_are_mapped_over_streams),
    };

    return cmocka_run_group_tests_name("workloads.wafer_vector_doors", tests, NULL,
                                       NULL);
}
