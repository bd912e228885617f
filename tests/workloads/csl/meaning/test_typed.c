/* What remains of functions for PEs: types, values, blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/checked.h"
#include "tests/workloads/csl/typed_text.h"

/* Variables, and a task with these statements. */
#define TASK(body)                                                                     \
    "var n: u16 = 3; var m: i16 = 0; var x: f32 = 0.0; var a = [3]i16{ 1, 2, 3 };"     \
    "task t() void { " body " }"                                                       \
    "comptime { @bind_local_task(t, @get_local_task_id(8)); }"

typedef struct {
    const char *text;
    const char *typed; /* the task, and what it calls, one after the other */
} Row;

static const Row values[] = {
    {TASK("const y = switch (n) { 0 => 1, 1, 2 => m, else => -3 }; m = y;"),
     "{var value0:i16; switch (n) {0:u16 => value0 = 1:i16, 1:u16 2:u16 => value0 = m, "
     "else => value0 = -3:i16}; var y:i16 = value0; m = y}"},
    {TASK("const y: u16 = b: { if (n > 3) break :b 7; break :b n; }; n = y;"),
     "{var value0:u16; b: {if ((n > 3:u16)) {value0 = 7:u16; break :b}; "
     "{value0 = n; break :b}}; var y:u16 = value0; n = y}"},
    {TASK("m = if (n > 1) switch (n) { 2 => 4, else => 5 } else 6;"),
     "{var value0:i16; if ((n > 1:u16)) switch (n) {2:u16 => value0 = 4:i16, "
     "else => value0 = 5:i16} else value0 = 6:i16; m = value0}"},
    {TASK("while (switch (n) { 3 => true, else => false }) { n += 1; }"),
     "{while (true:bool) {var value0:bool; switch (n) {3:u16 => value0 = true:bool, "
     "else => value0 = false:bool}; if (value0) {} else break; {n += 1:u16}}}"},
    {TASK("if (n > 1 and (switch (n) { 2 => m > 1, else => true })) { n = 0; }"),
     "{var value0:bool = (n > 1:u16); if (value0) {var value1:bool; "
     "switch (n) {2:u16 => value1 = (m > 1:i16), else => value1 = true:bool}; "
     "value0 = value1} else {}; if (value0) {n = 0:u16}}"},
    {TASK("const T = switch (@get_int(@get_color(2))) { 2 => f32, else => f16 };"
          "var y: T = x; x = y;"),
     "{{}; var y:f32 = x; x = y}"},
    {"const E = enum(u16) { A, B = 4, C };" TASK(
         "switch (@as(E, n)) { E.A => n = 1, E.B => n = 2, E.C => { n = 3; } }"),
     "{switch (as<enum>(n)) {A:enum => n = 1:u16, B:enum => n = 2:u16, "
     "C:enum => {n = 3:u16}}}"},
    {TASK("const k = .{ .p = n, .q = .{ m, 5 } }; n = k.p; m = k.q[0] + k.q[1];"),
     "{var value0:u16 = n; var value1:i16 = m; {}; n = value0; m = (value1 + 5:i16)}"},
};

static const Row loops[] = {
    {TASK("inline for (@range(i16, 3)) |i| { if (m == i) continue; m += a[i]; }"),
     "{0: {1: {if ((m == 0:i16)) break :1; m += a[0:i16]}; "
     "2: {if ((m == 1:i16)) break :2; m += a[1:i16]}; "
     "3: {if ((m == 2:i16)) break :3; m += a[2:i16]}}}"},
    {TASK("comptime var i = 0; inline while (true) : (i += 1) { if (i == 2) break;"
          "m += i; }"),
     "{{}; 0: {1: {{}; m += 0:i16}; {}; 2: {{}; m += 1:i16}; {}; 3: {break :0}}}"},
    {TASK("b: inline for (.{ 1, 2 }) |k| { while (true) { if (n == k) break :b; } }"),
     "{b: {0: {while (true:bool) {if ((n == 1:u16)) break :b}}; "
     "1: {while (true:bool) {if ((n == 2:u16)) break :b}}}}"},
    {TASK("inline for (a2) |v, i| { m += v; n += i; }") "const a2 = [2]i16{ 4, 6 };",
     "{0: {1: {m += 4:i16; n += 0:u16}; 2: {m += 6:i16; n += 1:u16}}}"},
    {TASK("for (a) |v, i| { m += v; n += i; if (v > 2) break; }"),
     "{for v in a {m += v; n += i; if ((v > 2:i16)) break}}"},
    {TASK("const c = [2]i16{ 4, 6 }; m = c[n];"),
     "{{}; var value0:[2]i16 = a value of type [2]i16:[2]i16; m = value0[n]}"},
};

static const Row calls[] = {
    {"fn f(comptime T: type, v: T) T { return v + v; }" TASK("m = f(i16, m);"),
     "{m = f(m)} {return (v + v)}"},
    {"fn f(v: anytype) @type_of(v) { return v * v; }" TASK("x = f(x); m = f(m);"),
     "{x = f(x); m = f(m)} {return (v * v)} {return (v * v)}"},
    {"fn f(v: f32) f32 { return v; } fn g(h: anytype, v: f32) f32 { return h(v); "
     "}" TASK("x = g(f, x);"),
     "{x = g(x)} {return f(v)} {return v}"},
    {"fn f(v: f32) f32 { return v; } var p: *const fn(f32)f32 = &f;" TASK(
         "x = p(x) + p.*(x);"),
     "{x = (p(x) + p(x))} {return v}"},
    {"fn f(v: f32) f32 { return v; } const p = &f;" TASK("x = p.*(x);"),
     "{x = f(x)} {return v}"},
    {"fn f(v: anytype) u16 { if (@is_same_type(@type_of(v), void)) { return 7; } else "
     "{ return v; } }" TASK("n = f({}) + f(n);"),
     "{n = (f() + f(n))} {{return 7:u16}} {{return v}}"},
    {"inline fn f() void { n += 1; } inline fn g(v: u16) u16 { return v * 2; }"
     "inline fn h() u16 { return n; }" TASK(
         "comptime const c = g(4); f(); n = c + h();"),
     "{{}; f(); n = (8:u16 + h())} {n += 1:u16} {return n}"},
    {"fn f(p: *[3]i16, q: [*]i16) void { p.*[0] = q[1]; q[2] = 1; }" TASK("f(&a, &a);"),
     "{f(&a:*[3]i16, &a:[*]i16)} {p.*[0:comptime_int] = q[1:comptime_int]; "
     "q[2:comptime_int] = 1:i16}"},
};

static const Row structs[] = {
    {"const P = struct { i: i16, f: f32 }; var p: P = .{ .i = 1, .f = 2.0 };"
     "var q = @zeros([2]P);" TASK(
         "p = .{ .i = m, .f = 1 }; p.i += 1; q[n].f = p.f; const r = P{ .i = 2, .f = x "
         "}; m = r.i;"),
     "{p = struct(m, 1:f32); p.i += 1:i16; q[n].f = p.f; "
     "var r:struct = struct(2:i16, x); m = r.i}"},
    {"const P = struct { i: i16, f: f32 }; var p = P{ .i = 1, .f = 2.0 };"
     "fn f(p2: *P) void { p2.*.i = 3; }" TASK("f(&p);"),
     "{f(&p:*struct)} {p2.*.i = 3:i16}"},
    {"const s = .{ .in = .{ .v = 42 } };" TASK("n = s.in.v;"), "{n = 42:u16}"},
};

static const Row memory[] = {
    {TASK("const p = &a[1]; p.* = 4; const q = &a; q.*[0] = 5; q[2] = 6;"),
     "{{}; &a[1]:*i16.* = 4:i16; {}; &a:*[3]i16.*[0:comptime_int] = 5:i16; "
     "&a:*[3]i16[2:comptime_int] = 6:i16}"},
    {"var w: *u16 = @bitcast(*u16, @as(u16, 0x7f20));" TASK("w.* = n; n = w.*;"),
     "{w.* = n; n = w.*}"},
    {TASK("const p = @ptrcast(*[6]u8, &a); p.*[n] = 1;"),
     "{var p:*[6]u8 = bits<*[6]u8>(&a:*[3]i16); p.*[n] = 1:u8}"},
    {"var l: i64 = 1; var b: u8 = 0;" TASK("l = l * 3 + @as(i64, m); b = ~b; l >>= n;"),
     "{l = ((l * 3:i64) + as<i64>(m)); b = ~b; l >>= n}"},
    {"var h: f16 = 1.0; var g: bf16 = 1.5;" TASK("h += @as(f16, g);"),
     "{h += as<f16>(g)}"},
    {TASK("const u = m & 1 == 0; if (!u) { n = 1; } else n = 2;"),
     "{var u:bool = ((m & 1:i16) == 0:i16); if (!u) {n = 1:u16} else n = 2:u16}"},
};

static void check(const Row *rows, guint count)
{
    for (guint i = 0; i < count; i++) {
        g_auto(CslChecked) checked = csl_checked(rows[i].text, NULL);
        g_autoptr(GString) text = g_string_new(NULL);
        const CslPeClass *pe;

        assert_string_equal(csl_diagnostics_text(checked.to), "");
        pe = checked.program->classes->pdata[0];
        for (guint j = 0; j < pe->instances->len; j++) {
            g_autofree char *one = csl_typed_text(pe->instances->pdata[j]);

            g_string_append_printf(text, "%s%s", j > 0 ? " " : "", one);
        }
        assert_string_equal(text->str, rows[i].typed);
    }
}

static void values_are_stored_before_their_use(void **state)
{
    (void) state;
    check(values, G_N_ELEMENTS(values));
}

static void inline_loops_are_blocks(void **state)
{
    (void) state;
    check(loops, G_N_ELEMENTS(loops));
}

static void functions_are_made_concrete(void **state)
{
    (void) state;
    check(calls, G_N_ELEMENTS(calls));
}

static void structs_have_types(void **state)
{
    (void) state;
    check(structs, G_N_ELEMENTS(structs));
}

static void memory_is_reached_by_pointers(void **state)
{
    (void) state;
    check(memory, G_N_ELEMENTS(memory));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_stored_before_their_use),
        cmocka_unit_test(inline_loops_are_blocks),
        cmocka_unit_test(functions_are_made_concrete),
        cmocka_unit_test(structs_have_types),
        cmocka_unit_test(memory_is_reached_by_pointers),
    };

    return cmocka_run_group_tests_name("workloads.csl_meaning_typed", tests, NULL,
                                       NULL);
}
