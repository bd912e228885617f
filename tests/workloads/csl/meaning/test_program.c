/* CSL programs: what comptime computes, and which PEs share a program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/checked.h"
#include "workloads/csl/meaning/typed.h"

static void expect_well(const CslChecked *checked)
{
    if (!checked->is_well) {
        print_error("%s", csl_diagnostics_text(checked->to));
    }
    assert_true(checked->is_well);
}

/* Conditions that hold, each after declarations. */
static const struct {
    const char *declarations;
    const char *condition;
} rows[] = {
    {"", "1 + 2 * 3 == 7 and 7 / 2 == 3 and -7 / 2 == -3 and 7 % 4 == 3"},
    {"", "0b101 & 6 == 4 and 1 << 4 | 1 == 17 and ~@as(u8, 1) == 254"},
    {"", "@as(i16, 2.9) == 2 and @as(u16, true) == 1 and @as(f32, 3) == 3.0"},
    {"", "@bitcast(u32, @as(f32, 1.0)) == 0x3f800000"},
    {"", "@bitcast(i16, @as(u16, 65535)) == -1"},
    {"const third: f32 = 1.0 / 3.0;", "@as(f32, third * 3.0) == 1.0"},
    {"const s = .{ .a = 1, .b = .{ 2, 3 } };", "s.a + s.b[1] == 4"},
    {"const s = @concat_structs(.{ .a = 1 }, .{ .b = 2 });", "s.a + s.b == 3"},
    {"const E = enum(u16) { A, B = 0, C };",
     "@as(u16, E.A) == 1 and @as(u16, E.C) == 2"},
    {"fn fib(n: u16) u16 { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }",
     "fib(10) == 55"},
    {"fn f() [4]u16 { var a = @zeros([4]u16); for (@range(u16, 4)) |i| { a[i] = i * i; "
     "} "
     "const b = a; a[0] = 9; return b; }",
     "f()[0] == 0 and f()[3] == 9"},
    {"fn f(n: u16) u16 { var s: u16 = 0; var i: u16 = 0; while (i < n) : (i += 1) { if "
     "(i "
     "== 2) continue; if (i == 5) break; s += i; } return s; }",
     "f(9) == 8"},
    {"fn f() u16 { outer: for (@range(u16, 3)) |i| { for (@range(u16, 3)) |j| { if (i "
     "+ j "
     "== 3) break :outer; } } return 7; }",
     "f() == 7"},
    {"const v = b: { break :b 4; };", "v == 4"},
    {"const v = if (@is_arch(\"wse2\")) 1 else if (@is_arch(\"wse3\")) 2;", "v == 1"},
    {"const v = switch (3) { 1, 2 => 10, 3 => 30, else => 0 };", "v == 30"},
    {"fn g(comptime T: type, x: T) T { return x; }", "g(u16, 3) == 3"},
    {"fn g(x: anytype) @type_of(x) { return x; }",
     "@is_same_type(@type_of(g(@as(i8, 1))), i8)"},
    {"const d = @import_module(\"<directions>\");",
     "d.flip(EAST) == WEST and d.flip(RAMP) == "
     "RAMP"},
    {"const c = @import_module(\"<control>\");",
     "c.encode_single_payload(c.opcode.SWITCH_ADV, true, {}, 0) == 0x15f0000"},
    {"const m = @import_module(\"<memcpy/memcpy_switches>\");",
     "m.ctrl(m.teardown_cmd_1()) == 0x09df9249"},
    {"const dead = unknown; fn unused() u16 { return nothing(1, 2); }", "true"},
    {"var a = @zeros([4]u16); const p = &a;", "@is_same_type(@type_of(p), *[4]u16)"},
    {"const a = [3]u16{ 1, 2, 3 }; const p = &a;", "p.*[1] == 2"},
    {"", "@get_int(@get_color(3)) == 3 and @strlen(@strcat(\"ab\", \"c\")) == 3"},
    {"fn same(comptime T: type) type { return T; } fn twice(x: anytype) "
     "same(@type_of(x)) { return x + x; }",
     "twice(@as(i16, 4)) == 8 and twice(1.5) == 3.0"},
    {"const s = @strcat(@get_string_from_byte(65), \"1\", \"2\", \"3\", \"4\", \"5\", "
     "\"6\", \"7\", \"8\", \"9\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\");",
     "@strlen(s) == 17 and @get_array(s)[0] == 'A'"},
    {"", "@has_field(.{ .a = 1 }, \"a\") and !@has_field(.{ .a = 1 }, \"b\")"},
    {"", "@rank(@zeros([2, 3]u16)) == 2 and @element_count([2, 3]u16) == 6"},
    {"", "false and unknown or true"},
    {"const t = @import_module(\"<tile_config>\");",
     "t.color_config.bits(.{ EAST, RAMP }) == 18 and t.color_config.bits(NORTH) == 8"},
    {"const s = @import_module(\"<string>\"); const t = s.fmt(\"a{d}-{{{s}\", .{ -10, "
     "\"b\" });",
     "@strlen(t) == 7 and @get_array(t)[3] == '0' and @get_array(t)[5] == '{'"},
    {"const t = @import_module(\"<math/type_helpers>\");", "t.word_size_of(f32) == 2"},
    {"const t = @import_module(\"<types>\"); const d = "
     "@import_module(\"<data_utils>\");",
     "t.is_float(f16) and !t.is_signed(u8) and t.byte_size_of(i64) == 8 and "
     "@is_same_type(t.bits_type_of(f32), u32) and d.hi16(0x12345678) == 0x1234"},
    {"const c = @import_module(\"<complex>\");",
     "c.multiply_complex(c.get_complex_64(1.0, 2.0), c.get_complex_64(3.0, "
     "4.0)).imag == 10.0"},
    {"const c = @import_module(\"<control>\");",
     "c.encode_payload(1, [1]c.opcode{ c.opcode.TEARDOWN }, [1]bool{ true }, true, {}) "
     "== 0x09df9249"},
    {"const e = @import_module(if (true) \"<empty>\" else \"<none>\");", "true"},
    {"const m = @import_module(\"<math>\");",
     "m.abs(-3) == 3 and m.max(@as(f32, -2.0), 1.0) == 1.0 and m.sign(@as(i16, -7)) == "
     "-1"},
};

static void comptime_computes(void **state)
{
    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text =
            g_strdup_printf("%s\ncomptime { @comptime_assert(%s); }",
                            rows[i].declarations, rows[i].condition);
        g_auto(CslChecked) checked = csl_checked(text, NULL);

        if (!checked.is_well) {
            print_error("row %zu: ", i);
        }
        expect_well(&checked);
    }
}

static const CslGlobal *find(const CslChecked *checked, const char *name)
{
    const CslPeClass *pe = checked->program->classes->pdata[0];

    return csl_module_find(pe->root, csl_name(checked->program, name));
}

static void access_expressions_are_measured(void **state)
{
    g_auto(CslChecked) checked =
        csl_checked("param m: u16; var a = @zeros([4, 6]f32); const p = &a;"
                    "const d = @get_dsd(mem4d_dsd, .{ .tensor_access = |i, j|{2, 3} -> "
                    "p[j + 1, i * "
                    "@as(i16, m)] }); comptime { const x = d; }",
                    (const char *const[]){"m:2", NULL});
    const CslAccess *access;

    (void) state;
    expect_well(&checked);
    access = &find(&checked, "d")->value.dsd->access;
    assert_ptr_equal(access->base->global, find(&checked, "a"));
    assert_int_equal(access->rank, 2);
    assert_int_equal((int) access->offset, 6);
    assert_int_equal((int) access->strides[0], 2);
    assert_int_equal((int) access->strides[1], 6);
    assert_int_equal((int) access->extents[1], 3);
    assert_ptr_equal(access->element, CSL_T(F32));
}

static void effects_are_recorded(void **state)
{
    g_auto(CslChecked) checked = csl_checked(
        "task t() void { } fn go() void { } const id = @get_local_task_id(8);"
        "const q = @get_input_queue(3); var a = @zeros([8]u16); const f = "
        "@allocate_fifo(a);"
        "var x: [*]u16 = &a;"
        "comptime { @bind_local_task(t, id); @activate(id); @block(@get_color(2));"
        "@initialize_queue(q, .{ .color = @get_color(2) }); @export_symbol(x, \"x\");"
        "@export_symbol(go); const y = f;"
        "@set_local_color_config(@get_color(2), .{ .routes = .{ .rx = .{ WEST, RAMP }, "
        ".tx = "
        "RAMP }, .switches = .{ .pos1 = .{ .tx = EAST }, .ring_mode = true, .pop_mode "
        "= .{ "
        ".always_pop = true } } }); }",
        NULL);
    const CslPeClass *pe = checked.program->classes->pdata[0];
    const CslColorConfig *config;

    (void) state;
    expect_well(&checked);
    assert_int_equal(pe->tasks->len, 1);
    assert_int_equal(g_array_index(pe->tasks, CslTaskBinding, 0).id, 8);
    assert_int_equal(pe->actions->len, 2);
    assert_int_equal(g_array_index(pe->actions, CslAction, 1).kind, CSL_ACTION_BLOCK);
    assert_int_equal(g_array_index(pe->queues, CslQueueBinding, 0).color, 2);
    assert_int_equal(pe->exports->len, 2);
    assert_string_equal(g_array_index(pe->exports, CslExport, 1).name, "go");
    assert_int_equal(pe->fifos->len, 1);
    config = &g_array_index(pe->colors, CslLocalColor, 0).config;
    assert_int_equal(config->rx, 1 << CSL_WEST | 1 << CSL_RAMP);
    assert_int_equal(config->tx, 1 << CSL_RAMP);
    assert_int_equal(config->positions[0].tx, 1 << CSL_EAST);
    assert_true(config->positions[1].is_invalid);
    assert_true(config->is_ring);
    assert_int_equal(config->pop_mode, CSL_POP_ALWAYS);
}

static void pes_that_differ_in_nothing_share_a_program(void **state)
{
    g_auto(CslChecked) checked = csl_checked(
        "param is_first: bool = false; param unused: u16 = 0; param mentioned: u16 = 0;"
        "var v: u16 = 0; fn f() void { v = mentioned; } comptime { @export_symbol(f); }"
        "const size = if (is_first) 1 else 2; comptime { const x = size; }"
        "layout { @set_rectangle(4, 3); for (@range(u16, 4)) |x| { for (@range(u16, "
        "3)) |y| {"
        "@set_tile_code(x, y, \"t.csl\", .{ .is_first = x == 0, .unused = y, "
        ".mentioned = x / "
        "2 }); "
        "@set_color_config(x, y, @get_color(1), .{ .routes = .{ .rx = WEST, .tx = if "
        "(x == 3) "
        "RAMP else EAST } }); } } }",
        NULL);
    const CslLayout *layout = checked.program->layout;

    (void) state;
    expect_well(&checked);
    assert_int_equal(layout->all->len, 9);
    assert_int_equal(checked.program->classes->len, 3);
    assert_int_equal(layout->configs->len, 2);
    assert_int_equal(layout->color_lists->len, 2);
    assert_int_equal(
        ((const CslPeClass *) checked.program->classes->pdata[0])->pe_count, 3);
}

/* Assertions in the program tell what is wrong. */
static void comptime_knows_the_language(void **state)
{
    g_autofree char *text = NULL;

    (void) state;
    assert_true(g_file_get_contents(
        GRIDLOOM_SOURCE_DIR "/tests/programs/csl/language.csl", &text, NULL, NULL));
    g_auto(CslChecked) checked = csl_checked(text, NULL);
    const CslPeClass *pe = checked.program->classes->pdata[0];

    expect_well(&checked);
    assert_int_equal(pe->modules->len, 3);
    assert_int_equal(pe->instances->len, 4); /* work, run, add, square */
}

/* The color of launches, as programs for older SDKs give it: to get_params, or by
 * themselves. */
static void launches_may_have_a_color(void **state)
{
    static const char *const ways[][2] = {
        {".LAUNCH = c", "m.get_params(0)"},
        {"", "@concat_structs(m.get_params(0), .{ .LAUNCH = c })"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        g_autofree char *text = g_strdup_printf(
            "param p: comptime_struct; const c = @get_color(8); const m = "
            "@import_module(\"<memcpy/get_params>\", .{ .width = 1, .height = 1, %s });"
            "const sys = @import_module(\"<memcpy/memcpy>\", p); comptime { "
            "@rpc(@get_data_task_id(sys.LAUNCH)); } layout { @set_rectangle(1, 1); "
            "@set_tile_code(0, 0, \"t.csl\", .{ .p = %s }); }",
            ways[i][0], ways[i][1]);
        g_auto(CslChecked) checked = csl_checked(text, NULL);

        expect_well(&checked);
    }
}

static void symbols_are_exported_once(void **state)
{
    g_auto(CslChecked) checked = csl_checked(
        "var x = @zeros([2]u16); export var p: [*]u16 = &x; export fn f() void {}"
        "comptime { @export_symbol(p, \"p\"); @export_symbol(f, \"g\"); }",
        NULL);
    const CslPeClass *pe = checked.program->classes->pdata[0];

    (void) state;
    expect_well(&checked);
    assert_int_equal(pe->exports->len, 3); /* p, g, f */
}

static void two_imports_are_two_modules(void **state)
{
    g_auto(CslChecked) checked =
        csl_checked("const a = @import_module(\"<counter>\", .{ .start = 1 });"
                    "const b = @import_module(\"<counter>\", .{ .start = 2 });"
                    "comptime { @comptime_assert(a.next == 2 and b.next == 3);"
                    "@comptime_assert(&a.count != &b.count);"
                    "@comptime_assert(@is_same_type(a.State, b.State)); }",
                    NULL);
    const CslPeClass *pe = checked.program->classes->pdata[0];

    (void) state;
    expect_well(&checked);
    assert_int_equal(pe->modules->len, 3);
    assert_int_equal(pe->actions->len, 2);
}

/* What layouts remember: not what arrays held before, nor what has an effect. */
static void layouts_remember_values_alone(void **state)
{
    g_auto(CslChecked) checked = csl_checked(
        "fn at(v: [3]u16, i: u16) u16 { return v[i]; }"
        "fn third(x: u16) u16 { return (x + 1 + 1 + 1) % 3; }"
        "fn tile(x: u16) u16 { @set_tile_code(x, 0); return 1; }"
        "layout { @set_rectangle(9, 1); var v = @zeros([3]u16); var sum: u16 = 0;"
        "for (@range(u16, 9)) |x| { const k = third(x); v[k] += 1; sum += at(v, k);"
        "const s = .{ .a = k + 1, .b = third(k), .c = k * 2 };"
        "@comptime_assert(s.a == x % 3 + 1 and s.b == k and s.c == 2 * k);"
        "sum += tile(x); }"
        "@comptime_assert(sum == 3 * (1 + 2 + 3) + 9 and v[0] == 3); }",
        NULL);

    (void) state;
    expect_well(&checked);
    assert_int_equal(checked.program->layout->width, 9);
}

/* What remains of a task's body at run time, by kinds. */
static void append_kinds(GString *text, const CslTyped *typed)
{
    g_string_append_printf(text, "(%d", typed->kind);
    for (uint32_t i = 0; i < typed->count; i++) {
        append_kinds(text, typed->children[i]);
    }
    g_string_append_c(text, ')');
}

static void functions_get_types(void **state)
{
    g_auto(CslChecked) checked =
        csl_checked("var a = @zeros([4]f32); var n: i16 = 0; const flag = false;"
                    "fn twice(x: anytype) @type_of(x) { return x + x; }"
                    "fn never() void { unknown(); }"
                    "task t() void { if (flag) { never(1, 2, 3); } for (@range(i16, "
                    "4)) |i| { a[i] += "
                    "twice(a[i]); } n = twice(n); n = if (n > 3) 1 else 0; }"
                    "comptime { @bind_local_task(t, @get_local_task_id(8)); }",
                    NULL);
    const CslPeClass *pe = checked.program->classes->pdata[0];
    g_autoptr(GString) kinds = g_string_new(NULL);
    const CslInstance *task;
    const CslInstance *twice;

    (void) state;
    expect_well(&checked);
    assert_int_equal(pe->instances->len, 3); /* t, and twice for f32 and i16 */
    task = pe->instances->pdata[0];
    twice = pe->instances->pdata[1];
    assert_string_equal(csl_global_name(task->function), "t");
    assert_ptr_equal(twice->result, CSL_T(F32));
    assert_int_equal(twice->locals->len, 1);
    assert_int_equal(task->body->count, 4);
    assert_int_equal(task->body->children[0]->count, 0); /* the dead branch */
    assert_int_equal(task->body->children[1]->kind, CSL_TYPED_FOR);
    append_kinds(kinds, task->body->children[3]);
    assert_string_equal(kinds->str, "(17(2)(15(4(2)(0))(0)(0)))");
    assert_ptr_equal(task->body->children[3]->children[1]->type, CSL_T(I16));
}

static void modules_of_our_own_reach_the_machine(void **state)
{
    g_auto(CslChecked) checked =
        csl_checked("const p = @import_module(\"<memcpy/get_params>\", .{ .width = 1, "
                    ".height = 1, .MEMCPYD2H_2 = @get_color(4) });"
                    "const s = @import_module(\"<memcpy/memcpy>\", p.get_params(0));"
                    "const l = @import_module(\"<library>\");"
                    "comptime { const x = s; const y = l; }",
                    NULL);
    const CslPeClass *pe = checked.program->classes->pdata[0];
    const CslEffect *effect;

    (void) state;
    expect_well(&checked);
    assert_int_equal(pe->effects->len, 1);
    effect = &g_array_index(pe->effects, CslEffect, 0);
    assert_string_equal(effect->name, "@gridloom_host_color");
    assert_int_equal((int) csl_struct_at(effect->arguments, 0)->value.integer, 4);
    assert_int_equal((int) csl_struct_at(effect->arguments, 1)->value.integer, 0);
}

static void values_of_run_time_are_not_comptime(void **state)
{
    g_auto(CslChecked) checked =
        csl_checked("var n: u16 = 1; fn f(x: u16) u16 { return if (@is_comptime(x)) "
                    "unknown else x; } task t() void { n = f(n); }"
                    "comptime { @bind_local_task(t, @get_local_task_id(8));"
                    "@comptime_assert(@is_comptime(3)); }",
                    NULL);

    (void) state;
    expect_well(&checked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comptime_computes),
        cmocka_unit_test(access_expressions_are_measured),
        cmocka_unit_test(effects_are_recorded),
        cmocka_unit_test(pes_that_differ_in_nothing_share_a_program),
        cmocka_unit_test(comptime_knows_the_language),
        cmocka_unit_test(launches_may_have_a_color),
        cmocka_unit_test(symbols_are_exported_once),
        cmocka_unit_test(two_imports_are_two_modules),
        cmocka_unit_test(layouts_remember_values_alone),
        cmocka_unit_test(functions_get_types),
        cmocka_unit_test(modules_of_our_own_reach_the_machine),
        cmocka_unit_test(values_of_run_time_are_not_comptime),
    };

    return cmocka_run_group_tests_name("workloads.csl_meaning_program", tests, NULL,
                                       NULL);
}
