/* Values that CSL programs choose on the PE: switch, blocks, inline loops, structs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/workloads/csl/wafer_rig.h"

/* Variables, and a function f with these statements, which fills r. */
#define PROGRAM(before, body)                                                          \
    "var r = @zeros([8]i16); var n: u16 = 3; var m: i16 = -2;"                         \
    "var a = [4]i16{ 10, 20, 30, 40 };" before "fn f() void { " body                   \
    " sys.unblock_cmd_stream(); }"

static void switches_and_blocks_have_values(void **state)
{
    (void) state;
    CSL_RUN(
        PROGRAM("fn pick(x: u16) i16 { return switch (x) { 0 => 1, 1, 2 => m, else => "
                "-3 }; } fn above(x: u16) i16 { const y: i16 = b: { var k = x; while "
                "(true) { k += 3; if (k > 9) { break :b @as(i16, k); } } }; return y "
                "+ 100; }",
                "r[0] = pick(0); r[1] = pick(2); r[2] = pick(9); r[3] = above(n);"
                "r[4] = if (n > 2) switch (m) { -2 => 5, else => 6 } else 7;"
                "r[5] = 1 + (switch (n) { 3 => @as(i16, 40), else => 50 });"),
        1, -2, -3, 112, 5, 41);
}

static void conditions_with_statements_run_when_they_must(void **state)
{
    (void) state;
    CSL_RUN(
        PROGRAM("fn count() bool { r[0] += 1; return r[0] < 3; }",
                "if (n > 5 and (switch (n) { 3 => count(), else => true })) { r[1] = "
                "1; } if (n == 3 or (switch (n) { 3 => count(), else => true })) { "
                "r[2] = 1; } while (switch (n) { 3 => count(), else => false }) { "
                "r[3] += 1; if (r[3] == 1) continue; r[4] += 1; }"),
        3, 0, 1, 2, 1);
}

static void inline_loops_break_and_continue(void **state)
{
    (void) state;
    CSL_RUN(
        PROGRAM("",
                "inline for (@range(i16, 4)) |i| { if (i + 1 == @as(i16, n)) continue;"
                "r[0] += a[i]; } inline for (a2) |v, i| { if (v == 6) break; r[1] += "
                "v; r[2] = @as(i16, i); } comptime var k = 0; inline while (k < 9) : "
                "(k += 2) { if (k == 6) break; r[3] += k; }"
                "o: inline for (.{ 1, 2, 3 }) |k2| { for (@range(u16, 5)) |q| { if (q "
                "+ k2 == 6) break :o; r[4] += 1; } }") "const a2 = [3]i16{ 4, 5, 6 };",
        70, 9, 1, 6, 9);
}

static void structs_hold_what_is_computed(void **state)
{
    (void) state;
    CSL_RUN(
        PROGRAM("const P = struct { i: i16, w: u16 }; var p: P = .{ .i = 1, .w = 2 };"
                "fn change(q: *P, by: i16) void { q.*.i += by; }",
                "p = .{ .i = m, .w = n }; r[0] = p.i; r[1] = @as(i16, p.w); change(&p, "
                "10); r[2] = p.i; const q = P{ .i = p.i * 2, .w = 1 }; r[3] = q.i;"
                "const t = .{ .x = m, .y = .{ a[1], 7 } }; m = 5; r[4] = t.x; a[1] = "
                "0; r[5] = t.y[0] + t.y[1];"),
        -2, 3, 8, 16, -2, 27);
}

static void structs_have_first_values(void **state)
{
    (void) state;
    CSL_RUN(
        PROGRAM("const P = struct { i: i16, f: f32, w: [2]u16 }; const Q = struct { p: "
                "P, l: i32 }; var p: P = .{ .i = -4, .f = 2.5, .w = [2]u16{ 6, 7 } };"
                "var many = [2]Q{ .{ .p = .{ .i = 1, .f = 0.5, .w = [2]u16{ 8, 9 } }, "
                ".l = -70000 }, .{ .p = .{ .i = 2, .f = 1.5, .w = [2]u16{ 10, 11 } }, "
                ".l = 3 } };",
                "r[0] = p.i; r[1] = @as(i16, p.f * 2.0); r[2] = @as(i16, p.w[1]);"
                "r[3] = many[n - 2].p.i; r[4] = @as(i16, many[1].p.f * 2.0);"
                "r[5] = @as(i16, many[0].p.w[1]); r[6] = @as(i16, many[0].l / 1000);"
                "r[7] = @as(i16, many[1].l);"),
        -4, 5, 7, 2, 3, 9, -70, 3);
}

static void structs_are_stored_by_names(void **state)
{
    (void) state;
    CSL_RUN(
        PROGRAM("const P = struct { x: i16, y: i32 }; const Q = struct { k: i16, p: P, "
                "w: [2]i16 }; var p: P; var q: Q; var all = [2]P{ P{ .x = 1, .y = 2 }, "
                "P{ .x = 3, .y = 4 } };",
                "p = P{ .y = 8, .x = @as(i16, n) }; p = P{ .x = @as(i16, p.y), .y = "
                "@as(i32, "
                "p.x) }; r[0] = p.x; r[1] = @as(i16, p.y);"
                "q = Q{ .w = [2]i16{ @as(i16, n), 9 }, .p = P{ .y = 5, .x = @as(i16, "
                "n) }, .k = 6 }; r[2] "
                "= q.k; r[3] = @as(i16, q.p.y); r[4] = q.w[1];"
                "for (all) |one, i| { r[5 + i] = one.x * 10 + @as(i16, one.y); }"),
        8, 3, 6, 5, 9, 12, 34);
}

static void modules_share_what_is_extern(void **state)
{
    (void) state;
    CSL_RUN(
        PROGRAM("const Given = struct { n: i16, more: i16 };"
                "export var shared: [4]i16; export fn triple(x: i16) i16 { return 3 "
                "* x; } const part = @import_module(\"<extern_part>\", Given{ .more "
                "= 5, .n = 2 });",
                "part.fill(); for (shared) |v, i| { r[i] = v; }"),
        7, 9, 12, 10);
}

static void raw_shapes_take_addresses_of_the_pe(void **state)
{
    (void) state;
    /* Two rows of three in lines of six, from the second line and column on. */
    CSL_RUN(
        PROGRAM("var g = @zeros([24]i16); const known = @get_dsd(mem4d_dsd, .{ "
                ".base_address = &g, .offset = 19, .stride = .{ 2, 1 }, .extent = .{ "
                "1, 2 } }); fn fill(p: [*]i16) void { const d = @get_dsd(mem4d_dsd, .{ "
                ".base_address = &p[n + 4], .stride = .{ 1, 4 }, .extent = .{ 2, 3 } "
                "}); @mov16(d, 7); }",
                "fill(&g); @mov16(known, 9); r[0] = g[6]; r[1] = g[7]; r[2] = g[9]; "
                "r[3] = g[10]; r[4] = g[13]; r[5] = g[15]; r[6] = g[21]; for (g) |v| { "
                "r[7] += v; }"),
        0, 7, 7, 0, 7, 7, 9, 6 * 7 + 2 * 9);
}

static void functions_are_called_by_pointers(void **state)
{
    (void) state;
    CSL_RUN(
        PROGRAM("fn one(x: i16) i16 { return x + 1; } fn two(x: i16) i16 { return x * "
                "2; } var p: *const fn(i16)i16 = &one; const q = &two;",
                "r[0] = p(5); r[1] = p.*(6); r[2] = q.*(7); p = &two; r[3] = p(8);"),
        6, 7, 14, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_and_blocks_have_values),
        cmocka_unit_test(conditions_with_statements_run_when_they_must),
        cmocka_unit_test(inline_loops_break_and_continue),
        cmocka_unit_test(structs_hold_what_is_computed),
        cmocka_unit_test(structs_have_first_values),
        cmocka_unit_test(structs_are_stored_by_names),
        cmocka_unit_test(modules_share_what_is_extern),
        cmocka_unit_test(raw_shapes_take_addresses_of_the_pe),
        cmocka_unit_test(functions_are_called_by_pointers),
    };

    return cmocka_run_group_tests_name("workloads.csl_code_values", tests, NULL, NULL);
}
