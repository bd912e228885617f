/* Syntax trees of CSL, and what is said about files that have none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/tree_text.h"

/* The tree of a text, or NULL and what is wrong. Frees nothing of the caller's. */
static char *parse(const char *text, char **wrong)
{
    g_autoptr(CslSource) source = csl_source_new("t.csl", text, strlen(text));
    GStringChunk *names = g_string_chunk_new(256);
    g_autoptr(CslDiagnostics) to = csl_diagnostics_new();
    g_autoptr(CslTree) tree = csl_parse(source, names, to);
    char *result = NULL;

    *wrong = g_strdup(csl_diagnostics_text(to));
    if (csl_diagnostics_error_count(to) == 0) {
        result = csl_tree_text(tree->file);
    }
    g_clear_pointer(&tree, csl_tree_free);
    g_string_chunk_free(names);
    return result;
}

static void expressions_have_the_precedence_of_csl(void **state)
{
    static const struct {
        const char *text;
        const char *tree;
    } rows[] = {
        {"a & 1 == 0", "(BINARY == (BINARY & a (INTEGER 1)) (INTEGER 0))"},
        {"a + b * c - d", "(BINARY - (BINARY + a (BINARY * b c)) d)"},
        {"a << 1 | b", "(BINARY | (BINARY << a (INTEGER 1)) b)"},
        {"a or b and !c", "(BINARY or a (BINARY and b (UNARY ! c)))"},
        {"-a.b[1, 2]", "(UNARY - (INDEX (FIELD b a) (INTEGER 1) (INTEGER 2)))"},
        {"p.*[i]", "(INDEX (DEREFERENCE p) i)"},
        {"if (c) a else b * d", "(IF c a (BINARY * b d))"},
        {"1 + if (c) a else b", "(BINARY + (INTEGER 1) (IF c a b))"},
        {"[3]i16{1, 2, 3,}", "(AGGREGATE (ARRAY_TYPE i16 (INTEGER 3)) (INTEGER 1) "
                             "(INTEGER 2) (INTEGER 3))"},
        {".{ .color = c, .x = .{} }",
         "(AGGREGATE - (ITEM color c) (ITEM x (AGGREGATE -)))"},
        {"&a[0]", "(UNARY & (INDEX a (INTEGER 0)))"},
        {"@as(u16, 'a')", "(BUILTIN @as u16 (INTEGER 97))"},
        {"|i, j|{n, m} -> a[i, j]", "(ACCESS (INDEX a i j) (LIST n m) i j)"},
        {"*const [2]f32", "(POINTER_TYPE (ARRAY_TYPE f32 (INTEGER 2)))"},
        {"[*]const fn(u16) void", "(POINTER_TYPE (FUNCTION_TYPE fn void u16))"},
        {"fn(n: u16, f32) void", "(FUNCTION_TYPE fn void u16 f32)"},
        {"enum(u16) { A, B = 4 }", "(ENUM u16 (ENUM_MEMBER A) (ENUM_MEMBER B (INTEGER "
                                   "4)))"},
        {"switch (a) { 0, 1 => b, else => c }",
         "(SWITCH a (ARM b (INTEGER 0) (INTEGER 1)) (ARM c))"},
        {"b: { break :b 1; }", "(BLOCK b (BREAK b (INTEGER 1)))"},
        {"comptime f(1)", "(COMPTIME (CALL f (INTEGER 1)))"},
        {"0x7fffffffffffffffffffffffffffffff & 3",
         "(BINARY & (INTEGER -1) (INTEGER 3))"},
        {"\"a\\x41\\n\"", "(STRING \"aA\n\")"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strdup_printf("const x = %s;", rows[i].text);
        g_autofree char *expected =
            g_strdup_printf("(FILE (VARIABLE x const - %s - - -))", rows[i].tree);
        g_autofree char *wrong = NULL;
        g_autofree char *tree = parse(text, &wrong);

        assert_string_equal(wrong, "");
        assert_string_equal(tree, expected);
    }
}

static void declarations_and_statements_are_parsed(void **state)
{
    static const struct {
        const char *text;
        const char *tree;
    } rows[] = {
        {"export var a: [4]f32 align(16) linkname(\"b\");",
         "(VARIABLE a var (ARRAY_TYPE f32 (INTEGER 4)) - (INTEGER 16) - (STRING "
         "\"b\"))"},
        {"param p;", "(VARIABLE p param - - - - -)"},
        {"fn f(a: u16, comptime T: type, c: anytype) [2]f32 { return; }",
         "(FUNCTION f fn (ARRAY_TYPE f32 (INTEGER 2)) (BLOCK (RETURN)) (PARAMETER a "
         "u16) "
         "(PARAMETER T type) (PARAMETER c))"},
        {"inline fn f() void;", "(FUNCTION f fn void -)"},
        {"task t() void { while (a) : (i += 1) { continue; } }",
         "(FUNCTION t task void (BLOCK (WHILE a (BLOCK (CONTINUE)) (ASSIGN + i "
         "(INTEGER "
         "1)))))"},
        {"fn f() void { for (@range(i16, 4)) |i, _| a[i] = 0; }",
         "(FUNCTION f fn void (BLOCK (FOR (BUILTIN @range i16 (INTEGER 4)) (ASSIGN = "
         "(INDEX a i) (INTEGER 0)) i _)))"},
        {"fn f() void { if (a) b = 1; else { return; } }",
         "(FUNCTION f fn void (BLOCK (IF a (ASSIGN = b (INTEGER 1)) (BLOCK "
         "(RETURN)))))"},
        {"layout { @set_rectangle(1, 2); }",
         "(LAYOUT (BLOCK (BUILTIN @set_rectangle (INTEGER 1) (INTEGER 2))))"},
        {"comptime { }", "(COMPTIME_BLOCK (BLOCK))"},
        {"fn f() void { comptime { g(); } comptime var i = 0; inline while (b) {} }",
         "(FUNCTION f fn void (BLOCK (COMPTIME_BLOCK (BLOCK (CALL g))) (VARIABLE i var "
         "- "
         "(INTEGER 0) - - -) (WHILE b (BLOCK) -)))"},
        {"fn f() void { outer: for (a) |x| { break :outer; } }",
         "(FUNCTION f fn void (BLOCK (FOR outer a (BLOCK (BREAK outer)) x -)))"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *expected = g_strdup_printf("(FILE %s)", rows[i].tree);
        g_autofree char *wrong = NULL;
        g_autofree char *tree = parse(rows[i].text, &wrong);

        assert_string_equal(wrong, "");
        assert_string_equal(tree, expected);
    }
}

static void wrong_files_are_explained(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"const x = 1",
         "t.csl:1:12: error: expected ';' after the declaration, found the "
         "end of the file\n    const x = 1\n               ^\n"},
        {"const while = 1;", "t.csl:1:7: error: expected the name of a variable, found "
                             "'while'\n    const while = 1;\n          ^\n    hint: "
                             "'while' is a word of the language\n"},
        {"x = 1;", "error: expected a declaration, found 'x'"},
        {"fn f() { }", "error: expected the type of the result, found '{'"},
        {"const a = 1 < 2 < 3;", "error: expected one comparison at a time, found '<'"},
        {"const a = []f32;", "error: expected an extent between '[' and ']'"},
        {"const a = b[];", "error: expected an index between '[' and ']'"},
        {"const a = 'ab';", "error: expected one character between quotes"},
        {"const a = 0x80000000000000000000000000000000;",
         "error: expected an integer of at most 127 bits"},
        {"fn f() void { ", "error: expected '}' at the end of a block, found the end"},
        {"const a = 1; const a = 2;", "error: 'a' is declared twice in this file"},
        {"fn f() void { var a = 1; var a = 2; }",
         "error: 'a' is declared twice in this block"},
        {"fn f(a: u8, a: u8) void { }", "error: 'a' is declared twice in this block"},
        {"const a = .{ .b = 1, 2 };", "error: expected '.' and the name of a field"},
        {"const a = #1;", "error: a character that CSL does not use"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *wrong = NULL;
        g_autofree char *tree = parse(rows[i].text, &wrong);

        if (tree != NULL || strstr(wrong, rows[i].message) == NULL) {
            print_error("row %zu: %s\n", i, wrong);
        }
        assert_null(tree);
        assert_non_null(strstr(wrong, rows[i].message));
    }
}

static void several_errors_are_reported_at_once(void **state)
{
    g_autofree char *wrong = NULL;
    g_autofree char *tree = parse("fn f() void {\n  a = ;\n  b = 2;\n  c d;\n}\n"
                                  "const x = );\nconst y = 1;\nvar;\n",
                                  &wrong);

    (void) state;
    assert_null(tree);
    assert_non_null(strstr(wrong, "t.csl:2:7: error"));
    assert_non_null(strstr(wrong, "t.csl:4:5: error"));
    assert_non_null(strstr(wrong, "t.csl:6:11: error"));
    assert_non_null(strstr(wrong, "t.csl:8:4: error"));
    assert_null(strstr(wrong, "t.csl:3"));
    assert_null(strstr(wrong, "t.csl:7"));
}

/* `times` copies of a text around another. */
static char *
repeat(const char *before, const char *middle, const char *after, guint times)
{
    GString *text = g_string_new("const x = ");

    for (guint i = 0; i < times; i++) {
        g_string_append(text, before);
    }
    g_string_append(text, middle);
    for (guint i = 0; i < times; i++) {
        g_string_append(text, after);
    }
    g_string_append_c(text, ';');
    return g_string_free(text, FALSE);
}

static void deep_and_long_input_is_refused(void **state)
{
    static const struct {
        const char *before;
        const char *middle;
        const char *after;
        const char *message;
    } rows[] = {
        {"(", "1", ")", "nested more than"},
        {"-", "1", "", "nested more than"},
        {"*", "u8", "", "nested more than"},
        {"{", "", "}", "nested more than"},
        {".{", "", "}", "nested more than"},
        {"[1]", "u8", "", "nested more than"},
        {"if (1) ", "1", "", "nested more than"},
        {"comptime ", "1", "", "nested more than"},
        {"", "1", " + 1", "more than 1000 steps"},
        {"", "a", ".b", "more than 1000 steps"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text =
            repeat(rows[i].before, rows[i].middle, rows[i].after, 100000);
        g_autofree char *wrong = NULL;
        g_autofree char *tree = parse(text, &wrong);

        assert_null(tree);
        assert_non_null(strstr(wrong, rows[i].message));
    }
}

static void errors_are_bounded(void **state)
{
    g_autofree char *text = repeat("var; ", "", "# ", 10000);
    g_autofree char *wrong = NULL;
    g_autofree char *tree = parse(text, &wrong);

    (void) state;
    assert_null(tree);
    assert_non_null(strstr(wrong, "20 errors: the rest is not shown\n"));
    assert_true(strlen(wrong) < 10000);
}

static void names_are_bound(void **state)
{
    static const char text[] =
        "const g = 1; fn f(a: u16) u16 { var b = a; { const a = g; "
        "b = a; } return b + unknown; }";
    g_autoptr(CslSource) source = csl_source_new("t.csl", text, strlen(text));
    GStringChunk *names = g_string_chunk_new(256);
    g_autoptr(CslDiagnostics) to = csl_diagnostics_new();
    g_autoptr(CslTree) tree = csl_parse(source, names, to);
    const CslNode *function = tree->globals[1];
    const CslNode *body = csl_child(function, 1);
    const CslNode *inner = csl_child(body, 1);
    const CslNode *assign = csl_child(inner, 1);
    const CslNode *sum = csl_child(csl_child(body, 2), 0);

    (void) state;
    assert_int_equal(tree->global_count, 2);
    assert_int_equal(function->slot, 3);
    assert_int_equal(csl_child(assign, 0)->binding, CSL_LOCAL);
    assert_int_equal(csl_child(assign, 0)->slot, 1);
    assert_int_equal(csl_child(assign, 1)->binding, CSL_LOCAL_CONST);
    assert_int_equal(csl_child(assign, 1)->slot, 2);
    assert_int_equal(csl_child(csl_child(inner, 0), 1)->binding, CSL_GLOBAL);
    assert_int_equal(csl_child(sum, 1)->binding, CSL_UNBOUND);
    g_string_chunk_free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_the_precedence_of_csl),
        cmocka_unit_test(declarations_and_statements_are_parsed),
        cmocka_unit_test(wrong_files_are_explained),
        cmocka_unit_test(several_errors_are_reported_at_once),
        cmocka_unit_test(deep_and_long_input_is_refused),
        cmocka_unit_test(errors_are_bounded),
        cmocka_unit_test(names_are_bound),
    };

    return cmocka_run_group_tests_name("workloads.csl_syntax_parser", tests, NULL,
                                       NULL);
}
