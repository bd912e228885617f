/* Wrong CSL programs, and what is said about each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/checked.h"

#define ONE "layout { @set_rectangle(1, 1); @set_tile_code(0, 0); "

/* A task that runs some statements. */
#define RUN(body)                                                                      \
    "var g: u16 = 0; var v = @zeros([4]u16); const k: u16 = 1;"                        \
    "fn helper(x: u16) u16 { return x + g; } task t() void { " body " }"               \
    "comptime { @bind_local_task(t, @get_local_task_id(8)); }"

/* The same, with descriptors of memory and of the fabric. */
#define OPERATE(body)                                                                  \
    "var a = @zeros([4]f32); var x: f32 = 1.0; const c = @get_color(2);"               \
    "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> a[i] });"             \
    "const in = @get_dsd(fabin_dsd, .{ .extent = 4, .fabric_color = c, "               \
    ".input_queue = @get_input_queue(2) }); const out = @get_dsd(fabout_dsd, .{ "      \
    ".extent = 4, .fabric_color = c, .output_queue = @get_output_queue(2) });" RUN(    \
        body)

/* With the library that talks to the host. */
#define SYSTEM                                                                         \
    "const sys = @import_module(\"<memcpy/memcpy>\"); task t() void {} comptime { "

typedef struct {
    const char *text;
    const char *message;
} Row;

static const Row rows[] = {
    /* Tuples with values of run time. */
    {"var n: u16 = 1; fn f(v: anytype) void { n = v.x; } task t() void { f(.{ n }); }"
     "comptime { @bind_local_task(t, @get_local_task_id(8)); }",
     "error: comptime_struct has no field 'x'"},
    {"var n: u16 = 1; fn f(v: anytype) void { n = v[1]; } task t() void { f(.{ n }); }"
     "comptime { @bind_local_task(t, @get_local_task_id(8)); }",
     "error: expected a number from 0 to 0 that is known at comptime"},
    {"var n: u16 = 1; fn f(v: anytype) void { n = v.x; } task t() void { f(.{ .x = n "
     "}); }"
     "comptime { @bind_local_task(t, @get_local_task_id(8)); }",
     "error: a struct with values of run time is passed without names"},
    /* Types. */
    {"comptime { const x: u16 = 1.5; }", "t.csl:1:27: error: expected u16, found "
                                         "comptime_float (1.5)"},
    {"comptime { const x: u8 = 256; }", "error: 256 does not fit u8"},
    {"comptime { const x: u16 = -1; }", "error: -1 does not fit u16"},
    {"comptime { const a: u16 = 1; const b: i16 = 1; const c = a + b; }",
     "error: expected two values of one type, found u16 and i16"},
    {"comptime { const a: f32 = 1.0; const b = a % a; }", "error: '%' takes integers"},
    {"comptime { const a = true + 1; }", "error: expected two values of one type"},
    {"comptime { const a = !1; }", "error: '!' takes a bool, not comptime_int"},
    {"comptime { const a = ~1.0; }", "error: '~' takes an integer"},
    {"comptime { if (1) { } }", "error: expected a bool as condition"},
    {"comptime { const a = 1 and true; }", "error: 'and' takes bools"},
    {"comptime { const a: [2]u16 = @zeros([3]u16); }",
     "error: expected [2]u16, found [3]u16"},
    {"comptime { const a = [2]u16{ 1, 2, 3 }; }",
     "error: expected 2 elements for [2]u16"},
    {"comptime { const a = @zeros([2]bool); }", "error: @zeros makes no bools"},
    {"comptime { const a: 3 = 3; }", "error: expected a type, found 3"},
    {"const T = [2][3]u16; comptime { const a = @zeros(T); }",
     "error: elements of an array are no arrays"},
    {"var a = 1; comptime { const p = &a; }",
     "error: a var cannot be of type comptime_int"},
    {"const E = enum(u16) { A }; comptime { const a = E.B; }", "has no member 'B'"},
    {"comptime { const s = .{ .a = 1 }; const b = s.c; }",
     "the struct has no field 'c'"},
    {"comptime { const t = .{ 1, 2 }; const b = t[2]; }", "a tuple of 2 items"},
    {"comptime { const s = .{ .a = 1, .a = 2 }; }", "error: field 'a' is given twice"},
    {"comptime { const a = @as(color, 1); }", "error: @as converts numbers"},
    {"comptime { const a = @bitcast(u32, @as(u16, 1)); }",
     "@bitcast takes numbers of equal"},
    /* Names and values. */
    {"comptime { const x = unknwon; }", "error: 'unknwon' is not declared"},
    {"const width = 1; comptime { const x = widht; }", "hint: there is 'width'"},
    {"comptime { const x: f32 = undefined; }", "hint: a var may have no initial value"},
    {"comptime { const x = true && false; }", "error: CSL has no '&&'\n"},
    {"comptime { const x = true || false; }", "hint: write 'or'"},
    {"comptime { var i = 0; i++; }", "hint: write i += 1"},
    {"comptime { var i = 0; i--; }", "hint: write i -= 1"},
    {"comptime { const x = true ? 1 : 2; }", "CSL has no '?': write if (a) b else c"},
    {"comptime { for (var i = 0; i < 4; i += 1) {} }", "for (@range(i16, n)) |i| { }"},
    {"const a = b; const b = a; comptime { const x = a; }",
     "error: the value of 'a' needs itself"},
    {"var v: u16 = 1; comptime { const x = v; }",
     "error: the value of 'v' is not known at comptime"},
    {"param n: u16; comptime { const x = n; }", "error: param 'n' has no value"},
    {"comptime { const a = 1; a = 2; }", "error: 'a' is const"},
    {"var v: u16 = 1; comptime { v = 2; }", "only local variables are assigned to"},
    {"comptime { const a = 1 / 0; }", "error: division by zero"},
    {"comptime { const a: u8 = 255; const b = a + 1; }", "256, does not fit u8"},
    {"comptime { const a = @zeros([3]u16); const b = a[3]; }", "the index is outside"},
    {"comptime { const a = @zeros([3, 2]u16); const b = a[1]; }", "expected 2 indices"},
    {"fn f(a: u16) u16 { return a; } comptime { const x = f(1, 2); }",
     "error: 'f' takes 1 argument, found 2"},
    {"fn f() u16 { } comptime { const x = f(); }",
     "'f' ends without a value of type u16"},
    {"task t() void { } comptime { t(); }", "error: 't' is a task"},
    {"const f = 1; comptime { f(); }", "error: expected a function to call"},
    {"comptime { switch (3) { 1 => {}, 2 => {} } }", "no arm of the switch is for 3"},
    {"comptime { while (true) { } }", "error: comptime takes more than 100000 steps"},
    {"fn f() u16 { return f(); } comptime { const x = f(); }", "nest too deep"},
    {"comptime { @comptime_assert(1 > 2, \"two is more\"); }",
     "error: @comptime_assert is false: two is more"},
    {"comptime { const s = @concat_structs(.{ .a = 1 }, .{ .a = 2 }); }",
     "error: both structs have a field 'a'"},
    {"comptime { for (3) |i| { } }", "error: 'for' takes @range(...) or an array"},
    {"const m = @import_module(\"nowhere.csl\"); comptime { }",
     "error: there is no file 'nowhere.csl'"},
    {"const m = @import_module(\"<directions>\"); comptime { const x = m.turn; }",
     "has no 'turn'"},
    /* Builtins. */
    {"comptime { @get_colour(1); }", "error: there is no builtin @get_colour"},
    {"comptime { @get_colour(1); }", "hint: there is @get_color"},
    {"comptime { @get_color(1, 2); }", "error: @get_color takes 1 argument, found 2"},
    {"comptime { @set_rectangle(1, 1); }", "error: @set_rectangle belongs in a layout"},
    {"task t() void { } layout { @bind_local_task(t, @get_local_task_id(8)); }",
     "belongs in a comptime block of a PE's code"},
    {"comptime { @fadds(1, 2, 3); }", "error: @fadds runs on a PE, not at comptime"},
    {"comptime { const c = @get_color(24); }", "error: 24 is not in 0 to 23"},
    {"comptime { const i = @get_local_task_id(31); }", "error: 31 is not in 0 to 30"},
    {"comptime { const q = @get_output_queue(6); }", "error: 6 is not in 0 to 5"},
    {"comptime { const q = @get_input_queue(8); }", "error: 8 is not in 0 to 7"},
    {"task a() void {} task b() void {} const i = @get_local_task_id(8);"
     "comptime { @bind_local_task(a, i); @bind_local_task(b, i); }",
     "error: task id 8 is bound twice: to 'a' and to 'b'"},
    {"task a(x: u32) void {} comptime { @bind_local_task(a, @get_local_task_id(8)); }",
     "'a' cannot be bound to a local_task_id"},
    {"fn a() void {} comptime { @bind_local_task(a, @get_local_task_id(8)); }",
     "error: expected a task, found fn()void"},
    {"task a() void {} comptime { @bind_local_task(a, @get_color(8)); }",
     "error: expected local_task_id, found color"},
    {"const q = @get_input_queue(2); const c = .{ .color = @get_color(1) };"
     "comptime { @initialize_queue(q, c); @initialize_queue(q, c); }",
     "error: input_queue 2 is initialized twice"},
    {"const c = .{ .color = @get_color(1) }; comptime { "
     "@initialize_queue(@get_input_queue(2), c); "
     "@initialize_queue(@get_input_queue(3), c); }",
     "error: color 1 goes to input_queue 2 already"},
    {"const r = .{ .routes = .{ .rx = WEST, .tx = RAMP } };"
     "comptime { @set_local_color_config(@get_color(1), r); "
     "@set_local_color_config(@get_color(1), r); }",
     "error: color 1 is configured twice"},
    {"comptime { @set_local_color_config(@get_color(1), .{ .switches = .{} }); }",
     "error: a color configuration needs .routes"},
    {"comptime { @set_local_color_config(@get_color(1), .{ .routes = .{ .rx = 3 } }); "
     "}",
     "error: expected a direction or a tuple of directions"},
    {"var a = @zeros([4, 4]f32); const d = @get_dsd(mem1d_dsd, .{ .tensor_access = "
     "|i, j|{2, 2} -> a[i, j] }); comptime { const x = d; }",
     "error: a mem1d_dsd has one access variable"},
    {"var a = @zeros([9]f32); const d = @get_dsd(mem1d_dsd, .{ .tensor_access = "
     "|i|{3} -> a[i * i] }); comptime { const x = d; }",
     "error: 'i' is not multiplied by a constant"},
    {"comptime { const d = @get_dsd(fabin_dsd, .{ .extents = 1 }); }",
     "error: fabin_dsd has no field 'extents'"},
    {"comptime { const d = @get_dsd(fabin_dsd, .{ .fabric_color = @get_color(1) }); }",
     "error: a fabin_dsd needs .extent"},
    /* Functions of PEs that can be reached. */
    {RUN("var a: u16 = 1; var b: i16 = 2; a += b;"), "error: expected u16, found i16"},
    {RUN("var a: u16 = 1; var b: f32 = 2.0; const c = a < b;"),
     "error: expected two values of one type, found u16 and f32"},
    {RUN("var a: u16 = 1.5;"), "error: expected u16, found comptime_float"},
    {RUN("var a = 1;"), "error: 'a' needs a type that PEs have, not comptime_int"},
    {RUN("var a: bool = true; if (a) { b = 1; }"), "error: 'b' is not declared"},
    {RUN("const a = g; g = 1; a = 2;"), "error: 'a' is const"},
    {RUN("k = 1;"), "error: 'k' is not a var"},
    {RUN("if (g) { }"), "error: expected bool, found u16"},
    {RUN("var x: f32 = 1.0; g = x[0];"), "error: f32 cannot be indexed"},
    {RUN("v[1, 2] = 1;"), "error: expected 1 index for [4]u16, found 2"},
    {RUN("v[1.5] = 1;"), "error: expected an integer as index, found comptime_float"},
    {RUN("g = ~true;"), "error: '~' takes an integer"},
    {RUN("g.* = 1;"), "error: expected a pointer before '.*', found u16"},
    {RUN("helper(1, 2);"), "error: 'helper' takes 1 argument, found 2"},
    {RUN("helper(g == 1);"), "error: expected u16, found bool"},
    {RUN("return 3;"), "error: expected void, found comptime_int"},
    {RUN("@fadd(1, 2);"), "error: there is no builtin @fadd"},
    {RUN("@fadds(g);"), "error: @fadds takes 3 to 4 arguments, found 1"},
    {RUN("@bind_local_task(t, g);"),
     "error: @bind_local_task belongs in a comptime block"},
    {RUN("t();"), "error: 't' is a task"},
    {RUN("for (g) |i| { }"), "error: 'for' takes @range(...) or an array, not u16"},
    {RUN("g = @bitcast(u32, g);"), "error: @bitcast does not make u32 of u16"},
    {"fn loop(x: anytype) @type_of(loop(x)) { return x; }" RUN("g = loop(g);"),
     "error: the type of the result of 'loop' needs itself"},
    {RUN("const p: *const u16 = &g; p.* = 1;"),
     "error: what is assigned to is behind a const pointer"},
    {"const w = @zeros([4]u16);" RUN("w[g] = 1;"),
     "error: what is assigned to is not a var"},
    {RUN("switch (g) { 1 => {}, 2 => {} }"),
     "error: the switch has no arm for some values"},
    {RUN("switch (g) { g => {}, else => {} }"),
     "error: what an arm is for must be known at comptime"},
    {RUN("const y = switch (g) { 1 => 2, else => 3 };"),
     "error: the value is chosen on the PE and needs a type that PEs have"},
    {RUN("g = b: { break :c 1; };"), "error: there is no block 'c' that takes a value"},
    {RUN("inline for (@range(u32, 100000)) |i| { g += 1; }"),
     "error: an inline loop of more than 10000 turns"},
    {"const P = struct { a: u16 }; var p: P = .{ .a = 1 };" RUN("p = .{ .b = g };"),
     "error: the struct has no field 'b'"},
    {"const P = struct { a: u16, b: u16 }; var p = P{ .a = 1, .b = 2 };" RUN(
         "p = P{ .a = g };"),
     "error: expected 2 fields for the struct, found 1"},
    {RUN("asm(\"nop\");"), "error: 'asm' is not simulated"},
    {"fn f(x: u16) u16 { if (x > 1) { return 1; } }" RUN("g = f(g);"),
     "error: 'f' may end without a value of type u16"},
    {"fn f(x: u16) u16 { for (v) |i| { return i; } }" RUN("g = f(g);"),
     "error: 'f' may end without a value of type u16"},
    {RUN("@activate(8);"), "error: @activate takes a local_task_id, not comptime_int"},
    {RUN("@block(g);"), "error: expected a task id or a color, found u16"},
    {OPERATE("@map(helper, d);"),
     "error: @map needs 2 operands for fn(u16)u16 and its result, found 1"},
    {RUN("comptime var i = 0; while (i < 3) : (i += 1) { g += 1; }"),
     "error: 'i' is comptime's, and PEs decide whether this is done"},
    {RUN("comptime var i = 0; if (g > 2) { i = 7; } g = i;"),
     "error: 'i' is comptime's, and PEs decide whether this is done"},
    /* Operations. */
    {OPERATE("@fadds(d, d, d, d);"),
     "error: @fadds takes 3 operands, then options, found mem1d_dsd"},
    {OPERATE("@fadds(d, d, .{ .async = true });"),
     "error: @fadds takes 3 operands, found 2 before the options"},
    {OPERATE("@fmovs(d, in, .{ .asinc = true });"),
     "error: @fmovs has no option 'asinc'"},
    {OPERATE("@fmovs(d, in, .{ .asinc = true });"), "hint: there are async, activate"},
    {OPERATE("@fmovs(d, 1.0, .{ .async = true });"),
     "error: .async needs an operand of the fabric or a FIFO"},
    {OPERATE("@fmovs(d, in, .{ .async = true, .activate = t, .unblock = t });"),
     "error: an operation has .activate or .unblock, not both"},
    {OPERATE("@fmovs(d, in, .{ .async = true, .activate = c });"),
     "error: expected a local_task_id or a task for .activate, found color"},
    {OPERATE("@fmovs(d, in, .{ .async = true, .unblock = g });"),
     "error: expected a task id or a task for .unblock, found u16"},
    {OPERATE("@fmovs(in, d);"), "error: @fmovs: the destination is written, not read"},
    {OPERATE("@fmovs(d, out);"), "error: @fmovs: a source is read, not written"},
    {OPERATE("@fadds(a, d, d);"),
     "error: @fadds: the destination is a DSD or a pointer to a number, found [4]f32"},
    {OPERATE("@fadds(a, d, d);"), "hint: @get_dsd(mem1d_dsd"},
    {OPERATE("@fadds(x, d, d);"),
     "error: @fadds: the destination is a DSD or a pointer to a number, found f32"},
    {OPERATE("@fadds(d, d, g == 1);"), "error: @fadds: a source is a DSD or a number"},
    {OPERATE("@fadds(d, d, g);"), "error: @fadds takes f32 as a scalar, found u16"},
    {OPERATE("@faddh(d, d, x);"), "error: @faddh takes f16 as a scalar, found f32"},
    {OPERATE("@add16(d, d, 1.5);"), "error: expected u16, found comptime_float"},
    {OPERATE("@fmacs(d, d, d, d);"),
     "error: @fmacs: the last operand is a number, found mem1d_dsd"},
    {OPERATE("@mov32(d, x, g);"), "error: @mov32 takes 2 operands, then options"},
    {OPERATE("const e = @get_dsd(mem1d_dsd, .{ .base_address = &a, .extend = g });"),
     "error: mem1d_dsd has no field 'extend'"},
    {OPERATE("const e = @get_dsd(g, .{ .base_address = &a, .extent = 1 });"),
     "error: @get_dsd takes a type of DSDs and a struct of fields"},
    {OPERATE(
         "const e = @get_dsd(mem4d_dsd, .{ .base_address = &a, .extent = .{ 1, 2 }, "
         ".stride = 1 });"),
     "error: 2 extents and 1 strides"},
    {OPERATE(
         "const e = @get_dsd(mem4d_dsd, .{ .base_address = &a, .extent = .{ 1.5 } });"),
     "error: expected 1 to 4 integers of 16 bits for .extent"},
    {OPERATE("const e = @get_dsd(mem4d_dsd, .{ .base_address = &a });"),
     "error: a mem4d_dsd with .base_address needs .extent"},
    /* What PEs have. */
    {"var big = @zeros([10000]f32); var small = @zeros([3000]f32);" RUN(
         "big[0] = small[1];"),
     "error: the variables of t.csl take 52000 bytes, a PE has 44976 beside its code"},
    {"var big = @zeros([10000]f32); var small = @zeros([3000]f32);" RUN(
         "big[0] = small[1];"),
     "note: 'small' takes 12000 bytes"},
    {SYSTEM "@bind_local_task(t, @get_local_task_id(27)); }",
     "error: task id 27 is reserved for <memcpy/memcpy>"},
    {SYSTEM "@bind_control_task(t, @get_control_task_id(35)); }",
     "error: task id 35 is reserved for <memcpy/memcpy>"},
    {SYSTEM "@set_local_color_config(@get_color(22), .{ .routes = .{ .rx = EAST, .tx = "
            "RAMP } }); }",
     "error: color 22 is reserved for <memcpy/memcpy>"},
    {"fn f() void {} task t() void {} comptime { @set_teardown_handler(f, "
     "@get_color(3)); @bind_local_task(t, @get_local_task_id(29)); }",
     "error: task id 29 is reserved for teardown handlers"},
    {"comptime { const c = @get_color(24); }", "error: 24 is not in 0 to 23"},
    {"comptime { const c = @get_local_task_id(31); }", "error: 31 is not in 0 to 30"},
    {"comptime { const c = @get_control_task_id(64); }", "error: 64 is not in 0 to 63"},
    {"comptime { const c = @get_output_queue(6); }", "error: 6 is not in 0 to 5"},
    /* Layouts. */
    {"layout { }", "error: the layout has no @set_rectangle"},
    {"layout { @set_rectangle(2, 1); @set_tile_code(0, 0); }",
     "error: PE (1, 0) has no code"},
    {"layout { @set_rectangle(1, 1); @set_rectangle(1, 1); }", "is called twice"},
    {ONE "@set_tile_code(0, 0); }", "error: PE (0, 0) gets code twice"},
    {ONE "@set_tile_code(1, 0); }", "error: x = 1, the rectangle has 0 to 0"},
    {"layout { @set_tile_code(0, 0); }", "comes before @set_rectangle"},
    {"const r = .{ .routes = .{ .rx = WEST, .tx = RAMP } };" ONE
     "@set_color_config(0, 0, @get_color(1), r); @set_color_config(0, 0, "
     "@get_color(1), r); }",
     "error: color 1 of PE (0, 0) is configured twice"},
    {"const c = @get_color(1); const r = .{ .routes = .{ .rx = WEST, .tx = RAMP } };"
     "comptime { @set_local_color_config(c, r); }" ONE
     "@set_color_config(0, 0, c, r); }",
     "error: color 1 is configured here and in the layout"},
    {ONE "@export_name(\"a\", [*]f32, true); @export_name(\"a\", [*]f32, true); }",
     "error: 'a' is exported twice"},
    {"var x = @zeros([4]f32); var p: [*]f32 = &x; comptime { @export_symbol(p, \"q\"); "
     "}" ONE "@export_name(\"p\", [*]f32, true); }",
     "error: no @export_name of the layout has 'q'"},
    {"var x = @zeros([4]f32); var p: [*]f32 = &x; comptime { @export_symbol(p, \"p\"); "
     "}" ONE "@export_name(\"p\", [*]u32, true); }",
     "error: 'p' is exported as [*]u32, and is [*]f32"},
    {"var x = @zeros([4]f32); const p: [*]f32 = &x; comptime { @export_symbol(p, "
     "\"p\"); }" ONE "@export_name(\"p\", [*]f32, true); }",
     "error: 'p' is exported as mutable, and is a const"},
    {"var x = @zeros([4]f32); var p = &x; comptime { @export_symbol(p, \"p\"); }" ONE
     "@export_name(\"p\", [*]f32, true); }",
     "error: 'p' is exported as [*]f32, and is *[4]f32"},
};

static void wrong_programs_are_explained(void **state)
{
    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(CslChecked) checked = csl_checked(rows[i].text, NULL);
        const char *text = csl_diagnostics_text(checked.to);

        if (checked.is_well || strstr(text, rows[i].message) == NULL) {
            print_error("%s\nexpected: %s\nfound: %s\n", rows[i].text, rows[i].message,
                        text);
        }
        assert_false(checked.is_well);
        assert_non_null(strstr(text, rows[i].message));
    }
}

#define ROUTE                                                                          \
    "@set_color_config(0, 0, @get_color(2), .{ .routes = .{ .rx = RAMP, .tx = RAMP } " \
    "});"

/* Right programs, and what they are warned of; "" for nothing. */
static const Row doubtful[] = {
    {RUN("while (g < 9) { comptime var i = 0; inline while (i < 3) : (i += 1) { g += i "
         "+ "
         "1; } }"),
     ""},
    {"comptime { @initialize_queue(@get_input_queue(2), .{ .color = @get_color(3) }); "
     "}" OPERATE("@fmovs(d, in);") ONE ROUTE "}",
     "warning: color 2 is received from input_queue 2, which is bound to color 3"},
    {RUN("v[4] = 1;"), "warning: index 4 is outside of [4]u16"},
    {RUN("v[3] = 1; const p: [*]u16 = &v; p[4] = 1;"), ""},
    {"fn f(x: u16) u16 { switch (x) { 1 => { return 2; }, else => { while (true) { if "
     "(g "
     "== x) return 3; } } } }" RUN("g = f(g);"),
     ""},
    {OPERATE("@fmovs(out, d);") ONE "}", "warning: color 2 is sent on here, and no PE "
                                         "routes it"},
    {OPERATE("@fmovs(d, in, .{ .async = true });") ONE "}",
     "warning: color 2 is received on here, and no PE routes it"},
    {OPERATE("@fmovs(out, d);") ONE ROUTE "}", ""},
    {OPERATE("if (g > 1) { @fmovs(out, d); }") ONE "}", ""}, /* perhaps never */
    {OPERATE("@fmovs(out, d);"), ""}, /* the layout is in another file */
    {"fn send() void { @fmovs(out, d); }" OPERATE("send();") ONE "}",
     "warning: color 2 is sent on here"},
    {"task r(x: u16) void {} comptime { @bind_data_task(r, "
     "@get_data_task_id(@get_color(5))); }" ONE "}",
     "warning: color 5 is received on here"},
    {"const sys = @import_module(\"<memcpy/memcpy>\", .{ .MEMCPYH2D_1 = "
     "@get_color(5) }); task r(x: u16) void {} comptime { @bind_data_task(r, "
     "@get_data_task_id(sys.MEMCPYH2D_1)); }" ONE "}",
     ""},
    {"const sys = @import_module(\"<tile_config>\"); task r(x: u16) void {} comptime { "
     "@bind_data_task(r, @get_data_task_id(@get_color(5))); }" ONE "}",
     ""},
};

static void doubtful_programs_get_warnings(void **state)
{
    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(doubtful); i++) {
        g_auto(CslChecked) checked = csl_checked(doubtful[i].text, NULL);
        const char *text = csl_diagnostics_text(checked.to);

        if (doubtful[i].message[0] == '\0') {
            assert_string_equal(text, "");
        } else if (strstr(text, doubtful[i].message) == NULL) {
            print_error("%s\nexpected: %s\nfound: %s\n", doubtful[i].text,
                        doubtful[i].message, text);
        }
        assert_true(checked.is_well);
        assert_non_null(strstr(text, doubtful[i].message));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_programs_are_explained),
        cmocka_unit_test(doubtful_programs_get_warnings),
    };

    return cmocka_run_group_tests_name("workloads.csl_meaning_errors", tests, NULL,
                                       NULL);
}
