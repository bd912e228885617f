/* What PEs do for CSL programs they do for Lua scripts, in the same cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/workloads/wafer/doors.h"

/* Color 1 leads from PE 0 to PE 1. */
#define EASTWARD_CSL                                                                   \
    "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = RAMP, .tx = EAST } " \
    "}); @set_color_config(1, 0, @get_color(1), .{ .routes = .{ .rx = WEST, .tx = "    \
    "RAMP } });"
#define EASTWARD_LUA                                                                   \
    "l:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' } })\n"     \
    "l:set_color_config({ 1, 0 }, 1, { routes = { rx = 'WEST', tx = 'RAMP' } })"

static void numbers_are_found_by_an_index(void **state G_GNUC_UNUSED)
{
    /* A permutation: the index itself comes from memory. */
    static const DoorsProgram program = {
        .before =
            {.csl = "var at = [4]u16{ 3, 0, 2, 1 }; var v = [4]i32{ 10, 20, 30, 40 };",
             .lua = "local at = pe:array { name = 'at', type = 'u16', values = { 3, 0, "
                    "2, 1 } }\n"
                    "local v = pe:array { name = 'v', type = 'i32', values = { 10, 20, "
                    "30, 40 } }"},
        .body = {.csl = "for (@range(u16, 4)) |i| { out[i] = v[at[i]]; }",
                 .lua = "pe:for_range('u16', 4, function(i)\n"
                        "pe:store(out, i, pe:load(v, pe:load(at, i))) end)"},
    };

    DOORS_EXPECT(&program, 40, 10, 30, 20);
}

static void numbers_of_every_type_are_loaded_and_stored(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before =
            {.csl = "var b = [3]i8{ 1, -2, 3 }; var c = [2]u8{ 200, 201 };"
                    "var w = [2]i64{ 5, -6 }; var h = [2]f16{ 1.5, 2.5 };"
                    "var x = [2]f32{ 0.5, 8.0 }; var n: u16 = 1;",
             .lua = "local b = pe:array { name = 'b', type = 'i8', values = { 1, -2, 3 "
                    "} }\n"
                    "local c = pe:array { name = 'c', type = 'u8', values = { 200, 201 "
                    "} }\n"
                    "local w = pe:array { name = 'w', type = 'i64', values = { 5, -6 } "
                    "}\n"
                    "local h = pe:array { name = 'h', type = 'f16', values = { 1.5, "
                    "2.5 } }\n"
                    "local x = pe:array { name = 'x', type = 'f32', values = { 0.5, 8 "
                    "} }\n"
                    "local n = pe:scalar { name = 'n', type = 'u16', value = 1 }"},
        .body = {.csl =
                     "const i = n; b[i] = b[i] + 5; out[0] = @as(i32, b[i]);"
                     "out[1] = @as(i32, c[i]); w[i] = w[i] + w[0]; out[2] = @as(i32, "
                     "w[i]); h[i] = h[i] + h[0]; out[3] = @as(i32, h[i]);"
                     "x[i] = x[i] * x[0]; out[4] = @as(i32, x[i]);",
                 .lua =
                     "local i = pe:load(n, 0)\n"
                     "pe:store(b, i, pe:operate('add', 'i8', nil, pe:load(b, i), 5))\n"
                     "pe:store(out, 0, pe:as('i32', pe:load(b, i)))\n"
                     "pe:store(out, 1, pe:as('i32', pe:load(c, i)))\n"
                     "pe:store(w, i, pe:operate('add', 'i64', nil, pe:load(w, i), "
                     "pe:load(w, 0)))\n"
                     "pe:store(out, 2, pe:as('i32', pe:load(w, i)))\n"
                     "pe:store(h, i, pe:operate('add', 'f16', nil, pe:load(h, i), "
                     "pe:load(h, 0)))\n"
                     "pe:store(out, 3, pe:as('i32', pe:load(h, i)))\n"
                     "pe:store(x, i, pe:operate('mul', 'f32', nil, pe:load(x, i), "
                     "pe:load(x, 0)))\n"
                     "pe:store(out, 4, pe:as('i32', pe:load(x, i)))"},
    };

    DOORS_EXPECT(&program, 3, 201, -1, 4, 4);
}

static void addresses_are_numbers(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before =
            {.csl = "var v = [4]i32{ 10, 20, 30, 40 };",
             .lua = "local v = pe:array { name = 'v', type = 'i32', values = { 10, 20, "
                    "30, 40 } }"},
        .body = {.csl = "var i: u16 = 2; var p = &v[i]; out[0] = p.*; p = &v[0]; "
                        "p.* = 7; out[1] = v[0];",
                 .lua = "local i = pe:variable { name = 'i', type = 'u16' }\n"
                        "pe:operate('mov', 'u16', i, 2)\n"
                        "local p = pe:variable { name = 'p', type = 'u16' }\n"
                        "pe:operate('mov', 'u16', p, pe:address(v, i))\n"
                        "pe:store(out, 0, pe:load_at('i32', p))\n"
                        "pe:operate('mov', 'u16', p, pe:address(v))\n"
                        "pe:store_at('i32', p, 7)\n"
                        "pe:store(out, 1, pe:load(v, 0))"},
    };

    DOORS_EXPECT(&program, 30, 7);
}

static void conditions_are_on_any_type(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before = {.csl = "var x = [4]f32{ 0.5, -1.0, 2.5, 9.0 };",
                   .lua =
                       "local x = pe:array { name = 'x', type = 'f32', values = { 0.5, "
                       "-1, 2.5, 9 } }"},
        .body =
            {.csl = "var n: u16 = 0; var most: f32 = -100.0;"
                    "while (n < 4) : (n += 1) {"
                    "  const v = x[n]; if (v < 0.0) { continue; }"
                    "  if (v > 5.0) { break; }"
                    "  if (v > most) { most = v; out[0] += 1; } else { out[1] += 1; } }"
                    "out[2] = @as(i32, n); out[3] = @as(i32, most * 2.0);",
             .lua =
                 "local n = pe:variable { name = 'n', type = 'u16' }\n"
                 "local most = pe:variable { name = 'most', type = 'f32' }\n"
                 "pe:operate('mov', 'u16', n, 0) pe:operate('mov', 'f32', most, -100)\n"
                 "local function more(k) pe:store(out, k, pe:operate('add', 'i32', "
                 "nil, "
                 "pe:load(out, k), 1)) end\n"
                 "pe:while_(n, '<', 4, function()\n"
                 "local v = pe:load(x, n)\n"
                 "pe:when(v, '<', 0, function() pe:continue_() end)\n"
                 "pe:when(v, '>', 5, function() pe:break_() end)\n"
                 "pe:when(v, '>', most, function() pe:operate('mov', 'f32', most, v) "
                 "more(0) end, function() more(1) end)\n"
                 "end, function() pe:operate('add', 'u16', n, n, 1) end)\n"
                 "pe:store(out, 2, pe:as('i32', n))\n"
                 "pe:store(out, 3, pe:as('i32', pe:operate('mul', 'f32', nil, most, "
                 "2)))"},
    };

    DOORS_EXPECT(&program, 2, 0, 3, 5);
}

static void functions_are_called_and_return(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before =
            {.csl = "fn power(base: i32, n: u16) i32 { var p: i32 = 1; for (@range("
                    "u16, n)) |i| { if (p > 500) { return -1; } p = p * base; } return "
                    "p; } fn note(at: u16, v: i32) void { out[at] = v; }",
             .lua =
                 "local p = pe:variable { name = 'p', type = 'i32' }\n"
                 "local power = pe:fn('power', function(base, n)\n"
                 "pe:operate('mov', 'i32', p, 1)\n"
                 "pe:for_range('u16', n, function()\n"
                 "pe:when(p, '>', 500, function() pe:return_(-1) end)\n"
                 "pe:operate('mul', 'i32', p, p, base) end)\n"
                 "pe:return_(p) end, { arguments = { 'i32', 'u16' }, result = 'i32' "
                 "})\n"
                 "local note = pe:fn('note', function(at, v) pe:store(out, at, v) end, "
                 "{ arguments = { 'u16', 'i32' } })"},
        .body = {.csl =
                     "note(0, power(3, 4)); note(1, power(-2, 5)); note(2, power(10, "
                     "9)); out[3] = power(2, 3) + power(7, 0);",
                 .lua =
                     "pe:call(note, { 0, pe:call(power, { 3, 4 }) })\n"
                     "pe:call(note, { 1, pe:call(power, { -2, 5 }) })\n"
                     "pe:call(note, { 2, pe:call(power, { 10, 9 }) })\n"
                     "local a = pe:call(power, { 2, 3 })\n"
                     "pe:store(out, 3, pe:operate('add', 'i32', nil, a, pe:call(power, "
                     "{ 7, 0 })))"},
    };

    DOORS_EXPECT(&program, 81, -32, -1, 9);
}

static void functions_are_called_by_pointers(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before = {.csl =
                       "fn one() void { out[0] += 1; } fn ten() void { out[0] += 10; }"
                       "var way: *const fn() void = &one;",
                   .lua =
                       "local function add(n) return function() pe:store(out, 0, "
                       "pe:operate('add', 'i32', nil, pe:load(out, 0), n)) end end\n"
                       "local one, ten = pe:fn('one', add(1)), pe:fn('ten', add(10))\n"
                       "local way = pe:scalar { name = 'way', type = 'u16', value = "
                       "pe:fn_pointer(one) }"},
        .body = {.csl = "way(); way = &ten; for (@range(u16, 2)) |i| { way(); }",
                 .lua =
                     "pe:call_pointer(pe:load(way, 0))\n"
                     "pe:store(way, 0, pe:fn_pointer(ten))\n"
                     "pe:for_range('u16', 2, function() pe:call_pointer(pe:load(way, "
                     "0)) end)"},
    };

    DOORS_EXPECT(&program, 21);
}

static void numbers_are_drawn_and_claims_hold(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before =
            {.csl = "extern fn gridloom_random_seed(seed: u32) void; var n: u32 = 7;",
             .lua = "local n = pe:scalar { name = 'n', type = 'u32', value = 7 }"},
        .body = {.csl = "gridloom_random_seed(n); const first = @random16(); "
                        "gridloom_random_seed(n); @assert(@random16() == first); "
                        "out[0] = 3;",
                 .lua = "pe:random_seed(pe:load(n, 0)) local first = pe:random16()\n"
                        "pe:random_seed(pe:load(n, 0))\n"
                        "pe:assert_(pe:random16(), '==', first) pe:store(out, 0, 3)"},
    };

    DOORS_EXPECT(&program, 3);
}

static void wavelets_become_arguments(void **state G_GNUC_UNUSED)
{
    /* Two numbers of 16 bits in a wavelet: where to add, and what. */
    static const DoorsProgram program = {
        .width = 2,
        .is_wse2_only = true, /* a WSE-3 names data tasks by queues */
        .routes = {.csl = EASTWARD_CSL, .lua = EASTWARD_LUA},
        .before =
            {.csl =
                 "var words = [4]u32{ 0x10005, 0x20007, 0x1fffe, 0x40001 };"
                 "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> "
                 "words[i] });"
                 "const to = @get_dsd(fabout_dsd, .{ .fabric_color = @get_color(1), "
                 ".extent = 4, .output_queue = @get_output_queue(2) });"
                 "var left: u16 = 4;"
                 "task add(n: i16, at: u16) void { out[at] += @as(i32, n); left -= 1; "
                 "if (left == 0) { done(); } }"
                 "comptime { if (px == 1) { @bind_data_task(add, "
                 "@get_data_task_id(@get_color(1))); } }",
             .lua =
                 "local words = pe:array { name = 'words', type = 'u32', values = { "
                 "0x10005, 0x20007, 0x1fffe, 0x40001 } }\n"
                 "local from = pe:mem1d_dsd { base = words, extent = 4 }\n"
                 "local left = pe:scalar { name = 'left', type = 'u16', value = 4 }\n"
                 "local to = px == 0 and pe:fabout_dsd { color = 1, output_queue = 2, "
                 "extent = 4 }\n"
                 "if px == 1 then pe:bind_data_task(1, 'add', function(n, at)\n"
                 "local sum = pe:load(out, at)\n"
                 "pe:store(out, at, pe:operate('add', 'i32', nil, sum, pe:as('i32', "
                 "n)))\n"
                 "pe:store(left, 0, pe:operate('sub', 'u16', nil, pe:load(left, 0), "
                 "1))\n"
                 "pe:when(pe:load(left, 0), '==', 0, function() pe:call(done) end)\n"
                 "end, { arguments = { 'i16', 'u16' } }) end"},
        .body = {.csl =
                     "if (px == 0) { @mov32(to, from, .{ .async = true }); } // done",
                 .lua = "if px == 0 then pe:mov32(to, from, { async = true }) end -- "
                        "done"},
    };

    DOORS_EXPECT(&program, 0, 3, 7, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found_by_an_index),
        cmocka_unit_test(numbers_of_every_type_are_loaded_and_stored),
        cmocka_unit_test(addresses_are_numbers),
        cmocka_unit_test(conditions_are_on_any_type),
        cmocka_unit_test(functions_are_called_and_return),
        cmocka_unit_test(functions_are_called_by_pointers),
        cmocka_unit_test(numbers_are_drawn_and_claims_hold),
        cmocka_unit_test(wavelets_become_arguments),
    };

    return cmocka_run_group_tests_name("workloads.wafer_doors", tests, NULL, NULL);
}
