/* Sparse matrices of scripts: entries, order, layouts for cores, references. */
#include "tests/workloads/buffer_chunk.h"
#include "workloads/sparse/matrix.h"

/* Lua function sparse(rows, columns [, is_bare]): without rows yet. */
static int make_sparse(lua_State *L)
{
    const SparseMatrix like = {.format = NUMBER_FP32,
                               .has_data = lua_toboolean(L, 3) == 0,
                               .rows = (guint) luaL_checkinteger(L, 1),
                               .columns = (guint) luaL_checkinteger(L, 2)};

    sparse_matrix_push(L, &like);
    return 1;
}

static char *output_of(const char *text)
{
    g_autoptr(GError) error = NULL;
    GString *output = g_string_new(NULL);
    WlSandboxConfig config = chunk_config(output);
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, &error);
    lua_State *L = sandbox_state(sandbox);
    g_autofree char *whole = g_strconcat(
        "local function make(rows, columns, text, is_bare)\n"
        "  local m = sparse(rows, columns, is_bare)\n"
        "  for row in text:gmatch('([^;]*);') do\n"
        "    for c, v in row:gmatch('(%S+)=(%S+)') do\n"
        "      m:put(math.tointeger(c), tonumber(v)) end\n"
        "    m:end_row()\n"
        "  end\n"
        "  return m\n"
        "end\n"
        "local function list(b, format, n)\n"
        "  local t = {}\n"
        "  for i = 0, n - 1 do t[i + 1] = ('%g'):format(b:get(format, i)) end\n"
        "  return table.concat(t, ' ')\n"
        "end\n",
        text, NULL);

    host_bytes_register(L, &bytes_api);
    sparse_matrix_register(L);
    lua_register(L, "sparse", make_sparse);
    lua_register(L, "buffer", buffer_chunk_make);
    if (!chunk_run_in(sandbox, whole, &error)) {
        g_string_append(output, error->message);
    }
    return g_string_free(output, FALSE);
}

static void assert_prints(const char *text, const char *expected)
{
    g_autofree char *output = output_of(text);

    assert_string_equal(output, expected);
}

static void rows_may_be_empty_and_out_of_order(void **state G_GNUC_UNUSED)
{
    assert_prints(
        "local m = make(3, 4, '3=3 1=1;;0=5 2=7;')\n"
        "print(m:size())\n"
        "print(m:entries(0, 3))\n"
        "print(m:entries(1, 1))\n"
        "local p = { 0, 4, 0 }\n"
        "local v, o, r, n = m:csr { first = 0, rows = 3, slice = 16, pieces = p }\n"
        "print(list(v, 'fp32', 4), list(o, 'uint32', 4), list(r, 'uint32', 4))\n"
        "print(string.unpack('<I4I4I4', n))",
        "3\t4\t4\n4\t2\n0\t0\n1 3 5 7\t4 12 0 8\t0 2 2 4\n2\t0\t2\t13\n");
}

static void wrong_entries_are_told_in_a_line(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *text;
        const char *says;
    } rows[] = {
        {"make(2, 4, '1=1;4=1;')", "row 1 has column 4, columns are 0 to 3"},
        {"make(2, 4, '-1=1;')", "row 0 has column -1"},
        {"make(2, 4, '1=1 2=1 1=3;')", "row 0 has column 1 twice"},
        {"make(2, 4, '1=1e99;')", "row 0, column 1 has no finite number"},
        {"make(2, 4, '1=1;'):size()", "1 rows so far, of 2"},
        {"make(1, 1, '0=1;'):end_row()", "has all its 1 rows"},
        {"make(1, 2, '0=1;'):asymmetry()", "not square"},
        {"make(1, 2, '1=1;'):csr { first = 0, rows = 1, slice = 16, pieces = { 0, 1, 0 "
         "} }",
         "none has column 1"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *output = output_of(rows[i].text);

        if (strstr(output, rows[i].says) == NULL) {
            fail_msg("%s: %s", rows[i].text, output);
        }
    }
}

/* Two slices of 2 rows; numbers of x lie at 0, 1, 1024 and 1025. */
static void slices_have_a_tile_for_each_entry(void **state G_GNUC_UNUSED)
{
    assert_prints(
        "local m = make(4, 4, '0=1;1=2 3=3;;2=4;')\n"
        "local p = { 0, 16, 64, 1024, 16, 0 }\n"
        "local v, o, w, n = m:sliced_ell { first = 0, rows = 4, slice = 2, pieces = p "
        "}\n"
        "print(#v, #o, table.concat(w, ' '), table.concat(n, ' '))\n"
        "for tile = 0, 2 do\n"
        "  print(v:get('fp32', tile * 1024), v:get('fp32', tile * 1024 + 1),\n"
        "    o:get('uint32', tile * 1024), o:get('uint32', tile * 1024 + 1))\n"
        "end\n"
        "print(table.concat(m:needed { first = 0, rows = 2, slice = 2, block = 16 }, ' "
        "'))\n"
        "print(table.concat(m:needed { first = 2, rows = 1, slice = 2, block = 16 }, ' "
        "'))\n"
        "local bare = make(2, 2, '0=1;1=2;', true)\n"
        "print(#bare:sliced_ell { first = 0, rows = 2, slice = 2, pieces = {} })",
        "12288\t12288\t2 1\t2 2 2\n"
        "1.0\t2.0\t64.0\t68.0\n"
        "0.0\t3.0\t0.0\t4.0\n"
        "0.0\t4.0\t0.0\t0.0\n"
        "0 16 1024 16\n\n4096\n");
}

static void windows_are_sorted_by_length(void **state G_GNUC_UNUSED)
{
    assert_prints(
        "local m = make(4, 4, '0=1;0=2 1=3;;1=4 2=5 3=6;')\n"
        "local s = m:sorted(2)\n"
        "print(s:origin(0), s:origin(1), s:origin(2), s:origin(3))\n"
        "local o = { first = 0, rows = 4, slice = 16, pieces = { 0, 16, 0 } }\n"
        "local v, c = s:csr(o)\n"
        "print(list(v, 'fp32', 6), list(c, 'uint32', 6))\n"
        "v, c = m:sorted(4, true):csr(o)\n"
        "print(list(v, 'fp32', 6), list(c, 'uint32', 6))",
        "1\t0\t3\t2\n2 3 1 4 5 6\t0 4 0 4 8 12\n6 4 5 3 2 1\t0 4 12 4 8 8\n");
}

static void asymmetry_is_named(void **state G_GNUC_UNUSED)
{
    assert_prints("print(make(2, 2, '0=2 1=1;0=1 1=2;'):asymmetry())\n"
                  "print(make(2, 2, '0=2 1=1;0=3 1=2;'):asymmetry())\n"
                  "print(make(2, 2, '0=2 1=1;1=2;'):asymmetry())\n"
                  "print(make(2, 2, '0=2;1=-2;'):asymmetry())\n"
                  "print(make(2, 2, '0=2;;'):asymmetry())",
                  "nil\n"
                  "row 0 has 1.0 in column 1, and row 1 has 3.0 in column 0\n"
                  "row 0 has 1.0 in column 1, and row 1 has 0.0 in column 0\n"
                  "the diagonal has -2.0 in row 1\n"
                  "the diagonal has 0.0 in row 1\n");
}

static void errors_are_in_units_of_the_bound(void **state G_GNUC_UNUSED)
{
    assert_prints(
        "local m = make(2, 2, '0=2 1=-2;0=1;')\n"
        "local x, y = buffer(4096), buffer(4096)\n"
        "x:set('fp32', 0, 3) x:set('fp32', 1, 1)\n"
        "y:set('fp32', 0, 4) y:set('fp32', 1, 3)\n"
        "local o = { x = x, y = y, slice = 16, unit = 0.25, last = 0.5 }\n"
        "print(m:product_error(o))\n"
        "y:set('fp32', 0, 8)\n" /* 4 off, of (2 * 0.25 + 0.5) * 8 */
        "print(('%.3f'):format(m:product_error(o)))\n"
        "y:set('fp32', 1, 0 / 0)\n"
        "print(m:product_error(o))\n"
        "print(pcall(m.product_error, m, { x = buffer(4), y = y, slice = 16 }))",
        "0.0\n0.500\ninf\nfalse\tbad argument #2 to '?' (x is shorter than the "
        "matrix says)\n");
}

/* 4 1, 1 3 of Hestenes and Stiefel's kind: two iterations solve it. */
static void conjugate_gradients_solve(void **state G_GNUC_UNUSED)
{
    assert_prints("local m = make(2, 2, '0=4 1=1;0=1 1=3;')\n"
                  "local b = buffer(4096)\n"
                  "b:set('fp32', 0, 1) b:set('fp32', 1, 2)\n"
                  "local norms, x = m:pcg { b = b, slice = 16, iterations = 2 }\n"
                  "print(('%.6f %.6f'):format(x:get('fp32', 0), x:get('fp32', 1)))\n"
                  "print(('%.6f %s'):format(norms[0], norms[2] < 1e-12))\n"
                  "print(m:residual { b = b, x = x, slice = 16 } < 1e-6)\n"
                  "norms = m:pcg { b = b, slice = 16, iterations = 9, tolerance = 3 }\n"
                  "print(#norms)\n"
                  "print(list(m:jacobi { slice = 16 }, 'fp32', 2))",
                  "0.090909 0.636364\n2.236068 true\ntrue\n0\n0.25 0.333333\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_may_be_empty_and_out_of_order),
        cmocka_unit_test(wrong_entries_are_told_in_a_line),
        cmocka_unit_test(slices_have_a_tile_for_each_entry),
        cmocka_unit_test(windows_are_sorted_by_length),
        cmocka_unit_test(asymmetry_is_named),
        cmocka_unit_test(errors_are_in_units_of_the_bound),
        cmocka_unit_test(conjugate_gradients_solve),
    };
    return cmocka_run_group_tests_name("workloads.sparse_matrix", tests, NULL, NULL);
}
