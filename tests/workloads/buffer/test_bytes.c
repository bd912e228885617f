/* Host memory in scripts: contents, bounds, and who pays for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <lauxlib.h>

#include "tests/workloads/chunk.h"
#include "workloads/buffer/bytes.h"
#include "workloads/error.h"
#include "workloads/reference/methods.h"

/* Lua functions buffer(count), with data, and bare(count), as in timing-only runs. */
static int make_buffer(lua_State *L)
{
    host_bytes_push(L, (uint64_t) luaL_checkinteger(L, 1), true);
    return 1;
}

static int make_bare(lua_State *L)
{
    host_bytes_push(L, (uint64_t) luaL_checkinteger(L, 1), false);
    return 1;
}

static bool run(const char *text, GString *output, GError **error)
{
    WlSandboxConfig config = chunk_config(output);
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, error);
    lua_State *L = sandbox_state(sandbox);

    host_bytes_register(L, &bytes_api);
    lua_pushcfunction(L, make_buffer);
    lua_setglobal(L, "buffer");
    lua_pushcfunction(L, make_bare);
    lua_setglobal(L, "bare");
    return chunk_run_in(sandbox, text, error);
}

static void assert_prints(const char *text, const char *expected)
{
    g_autoptr(GError) error = NULL;
    GString *output = g_string_new(NULL);

    if (!run(text, output, &error)) {
        fail_msg("%s", error->message);
    }
    assert_string_equal(output->str, expected);
    g_string_free(output, TRUE);
}

static void assert_fails(const char *text, WlError code, const char *message)
{
    g_autoptr(GError) error = NULL;
    GString *output = g_string_new(NULL);

    if (run(text, output, &error)) {
        fail_msg("%s is taken", text);
    }
    if (!g_error_matches(error, WL_ERROR, (gint) code) ||
        !g_str_has_prefix(error->message, message)) {
        fail_msg("%s gives %s", text, error->message);
    }
    g_string_free(output, TRUE);
}

static void a_buffer_starts_as_zeros(void **state G_GNUC_UNUSED)
{
    assert_prints("local b = buffer(3) print(#b, b:byte(0), b:byte(1), b:byte(2))",
                  "3\t0\t0\t0\n");
    assert_prints("print(#buffer(0))", "0\n");
}

static void bytes_are_what_they_were_set_to(void **state G_GNUC_UNUSED)
{
    assert_prints("local b = buffer(2) b:set_byte(0, 255) b:set_byte(1, 0) "
                  "b:set_byte(1, 7) print(b:byte(0), b:byte(1))",
                  "255\t7\n");
}

static void a_fill_follows_from_its_seed_alone(void **state G_GNUC_UNUSED)
{
    assert_prints("local a, b, c = buffer(1000), buffer(1000), buffer(1000) "
                  "a:fill(7) b:fill(1) b:fill(7) c:fill(8) "
                  "print(a:differing(b), a:differing(c) > 900)",
                  "0\ttrue\n");
}

/* A result of every run depends on these: they are the same on every machine. */
static void a_fill_is_the_same_for_ever(void **state G_GNUC_UNUSED)
{
    assert_prints("local b = buffer(4) b:fill(7) "
                  "print(b:byte(0), b:byte(1), b:byte(2), b:byte(3)) "
                  "b:fill(-1) print(b:byte(0), b:byte(3))",
                  "126\t244\t232\t69\n187\t107\n");
}

static void a_shorter_fill_is_the_start_of_a_longer_one(void **state G_GNUC_UNUSED)
{
    assert_prints("local a, b = buffer(5), buffer(9) a:fill(3) b:fill(3) local n = 0 "
                  "for i = 0, 4 do if a:byte(i) ~= b:byte(i) then n = n + 1 end end "
                  "print(n)",
                  "0\n");
}

static void differing_counts_bytes(void **state G_GNUC_UNUSED)
{
    assert_prints("local a, b = buffer(9), buffer(9) print(a:differing(b)) "
                  "b:set_byte(0, 1) b:set_byte(8, 1) print(a:differing(b), "
                  "b:differing(a), a:differing(a))",
                  "0\n2\t2\t0\n");
}

static void positions_outside_are_errors(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {
        "buffer(3):byte(3)", "buffer(3):byte(-1)",
        "buffer(0):byte(0)", "buffer(3):byte(math.maxinteger)",
        "bare(3):byte(3)",   "buffer(3):byte(math.mininteger)",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        assert_fails(texts[i], WL_ERROR_RUNTIME,
                     "t.lua:1: bad argument #1 to 'byte' (outside the buffer)");
    }
    assert_fails("buffer(3):set_byte(3, 1)", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #1 to 'set_byte' (outside the buffer)");
}

static void values_outside_a_byte_are_errors(void **state G_GNUC_UNUSED)
{
    assert_fails("buffer(3):set_byte(0, 256)", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #2 to 'set_byte' (a byte is 0..255)");
    assert_fails("buffer(3):set_byte(0, -1)", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #2 to 'set_byte' (a byte is 0..255)");
    assert_fails("bare(3):set_byte(0, 256)", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #2 to 'set_byte' (a byte is 0..255)");
}

/* Which one a processor makes of 0 / 0 differs. */
static void there_is_one_nan_in_each_format(void **state)
{
    (void) state;
    assert_prints("local zero = 0.0\n"
                  "for _, format in ipairs({ 'bf16', 'fp16', 'fp32' }) do\n"
                  "    for _, nan in ipairs({ zero / zero, -(zero / zero) }) do\n"
                  "        local b, text = buffer(4), format\n"
                  "        b:set(format, 0, nan)\n"
                  "        for i = 0, 3 do text = text .. ' ' .. b:byte(i) end\n"
                  "        print(text)\n"
                  "    end\n"
                  "end",
                  "bf16 192 127 0 0\nbf16 192 127 0 0\n"
                  "fp16 0 126 0 0\nfp16 0 126 0 0\n"
                  "fp32 0 0 192 127\nfp32 0 0 192 127\n");
}

static void a_matrix_is_transposed(void **state)
{
    (void) state;
    assert_prints("local b, text = buffer(12), ''\n"
                  "for i = 0, 5 do b:set('bf16', i, i) end\n"
                  "local t = b:transposed('bf16', 2, 3)\n"
                  "for i = 0, 5 do text = text .. ' ' .. t:get('bf16', i) end\n"
                  "print(text, b:differing(t:transposed('bf16', 3, 2)))\n"
                  "print(#bare(24):transposed('fp32', 2, 3))",
                  " 0.0 3.0 1.0 4.0 2.0 5.0\t0\n24\n");
    assert_fails(
        "buffer(12):transposed('bf16', 2, 2)", WL_ERROR_RUNTIME,
        "t.lua:1: calling 'transposed' on bad self (the buffer is not as large as "
        "the matrix)");
    assert_fails("buffer(12):transposed('bf16', 0, 3)", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #2 to 'transposed' (rows are 1");
    assert_fails("buffer(12):transposed('bf16', 2, 1 << 40)", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #3 to 'transposed' (columns are 1");
}

static void axes_are_permuted(void **state)
{
    (void) state;
    assert_prints(
        "local b = buffer(48)\n"
        "for i = 0, 23 do b:set('uint16', i, i) end\n"
        "local t, text = b:permuted('uint16', { 2, 3, 4 }, { 2, 3, 1 }), ''\n"
        "for i = 0, 23 do text = text .. ' ' .. t:get('uint16', i) end\n"
        "print(text:gsub('%.0', ''), nil)\n"
        "print(b:differing(t:permuted('uint16', { 3, 4, 2 }, { 3, 1, 2 })))\n"
        "print(#bare(48):permuted('uint16', { 4, 6 }, { 2, 1 }))",
        " 0 12 1 13 2 14 3 15 4 16 5 17 6 18 7 19 8 20 9 21 10 22 11 23\tnil\n"
        "0\n48\n");
    assert_fails("buffer(12):permuted('bf16', { 2, 2 }, { 1, 2 })", WL_ERROR_RUNTIME,
                 "t.lua:1: calling 'permuted' on bad self (the buffer is not as large");
    assert_fails("buffer(12):permuted('bf16', { 2, 3 }, { 1, 1 })", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #3 to 'permuted' (each axis once");
    assert_fails("buffer(12):permuted('bf16', { 2, 0 }, { 1, 2 })", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #2 to 'permuted' (lengths are 1 or more");
    assert_fails("buffer(12):permuted('bf16', { 2, 3 }, { 1 })", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #3 to 'permuted' (as many axes as lengths");
}

static void numbers_are_scaled(void **state)
{
    (void) state;
    assert_prints("local b = buffer(8)\n"
                  "b:set('fp32', 0, 3) b:set('fp32', 1, -0.5)\n"
                  "local s = b:scaled('fp32', -2)\n"
                  "print(s:get('fp32', 0), s:get('fp32', 1), b:get('fp32', 0))\n"
                  "print(#bare(8):scaled('bf16', 2))",
                  "-6.0\t1.0\t3.0\n8\n");
}

static void buffers_of_different_length_are_not_compared(void **state G_GNUC_UNUSED)
{
    assert_fails("buffer(3):differing(buffer(4))", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #1 to 'differing' (the buffers differ in");
}

static void only_a_buffer_is_a_buffer(void **state G_GNUC_UNUSED)
{
    assert_fails("buffer(3).fill({}, 1)", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #1 to 'fill' (gridloom.buffer expected");
    assert_fails("buffer(3):differing('abc')", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #1 to 'differing' (gridloom.buffer expected");
    assert_fails("buffer(3):fill('x')", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #1 to 'fill' (number expected, got string)");
}

static void the_metatable_is_out_of_reach(void **state G_GNUC_UNUSED)
{
    assert_prints("print(getmetatable(buffer(1)))", "false\n");
    assert_fails("setmetatable(buffer(1), {})", WL_ERROR_RUNTIME, "t.lua:1: ");
}

static void a_buffer_above_the_limit_ends_the_script(void **state G_GNUC_UNUSED)
{
    assert_fails("pcall(buffer, 65 << 20) print('never')", WL_ERROR_LIMIT,
                 "t.lua: memory limit of 64 MiB passed");
    assert_fails("buffer(math.maxinteger)", WL_ERROR_LIMIT,
                 "t.lua: memory limit of 64 MiB passed");
}

static void buffers_together_have_one_limit(void **state G_GNUC_UNUSED)
{
    assert_fails("local t = {} for i = 1, 8 do t[i] = buffer(8 << 20) end",
                 WL_ERROR_LIMIT, "t.lua: memory limit of 64 MiB passed");
}

static void a_buffer_that_is_gone_is_paid_back(void **state G_GNUC_UNUSED)
{
    assert_prints("for i = 1, 100 do local b = buffer(32 << 20) b:set_byte(0, 1) end "
                  "print('end')",
                  "end\n");
}

static void without_data_there_is_length_and_nothing_to_pay(void **state G_GNUC_UNUSED)
{
    assert_prints(
        "local b, c = bare(1 << 50), bare(1 << 50) b:fill(1) b:set_byte(0, 9) "
        "print(#b, b:byte(0), b:differing(c))",
        "1125899906842624\t0\t0\n");
}

static void parts_stay_inside(void **state G_GNUC_UNUSED)
{
    assert_prints("local b = buffer(8) for i = 0, 7 do b:set_byte(i, i) end\n"
                  "local p = b:part(6, 2) print(#p, p:byte(0), p:byte(1))\n"
                  "print(#b:part(0, 0), #b:part(8, 0), #buffer(0):part(0, 0))\n"
                  "b:put(8, buffer(0)) buffer(0):put(0, buffer(0))",
                  "2\t6\t7\n0\t0\t0\n");
    assert_fails("buffer(8):part(7, 2)", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #2 to 'part' (outside the buffer)");
    assert_fails("buffer(8):part(9, 0)", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #1 to 'part' (outside the buffer)");
    assert_fails("buffer(8):put(7, buffer(2))", WL_ERROR_RUNTIME,
                 "t.lua:1: bad argument #2 to 'put' (outside the buffer)");
}

static void what_is_no_number_is_an_error_without_bound(void **state G_GNUC_UNUSED)
{
    assert_prints("local a, b = buffer(12), buffer(12)\n"
                  "b:set('fp32', 1, 3) print(a:error('fp32', b))\n"
                  "for i = 0, 2 do b:set('fp32', i, 0 / 0) print(a:error('fp32', b), "
                  "b:error('fp32', a), b:error('fp32', b)) b:set('fp32', i, 1) end",
                  "3.0\ninf\tinf\tinf\ninf\tinf\tinf\ninf\tinf\tinf\n");
}

static void a_total_with_infinities_is_defined(void **state G_GNUC_UNUSED)
{
    assert_prints("local b = buffer(2048) b:set('bf16', 0, 1 / 0) b:set('bf16', 1, 3)\n"
                  "print(b:total('bf16')) b:set('bf16', 7, -1 / 0)\n"
                  "print(b:total('bf16') ~= b:total('bf16'))",
                  "inf\ntrue\n");
}

/* A denormal makes the whole block go one by one; sums that it takes no part in stay.
 */
static void sums_do_not_depend_on_how_they_are_made(void **state G_GNUC_UNUSED)
{
    assert_prints(
        "local x, y = buffer(6002), buffer(6002)\n"
        "for _, range in ipairs { 1, 1000, 1e30, 1e-30 } do\n"
        "    x:fill_random('bf16', 3, -range, range)\n"
        "    y:fill_random('bf16', 7, -range / 16, range)\n"
        "    local many = x:sum('bf16', y, 'fpu')\n"
        "    for i = 0, 3000, 500 do x:set('bf16', i, 1e-39) end\n"
        "    local single = x:sum('bf16', y, 'fpu')\n"
        "    for i = 0, 3000 do\n"
        "        if i % 500 ~= 0 and many:get('bf16', i) ~= single:get('bf16', i) "
        "then\n"
        "            print(range, i, many:get('bf16', i), single:get('bf16', i))\n"
        "        end\n"
        "    end\n"
        "end\n"
        "x:fill_with('bf16', 3e38)\n"
        "print(x:sum('bf16', x, 'fpu'):get('bf16', 5))",
        "inf\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_starts_as_zeros),
        cmocka_unit_test(bytes_are_what_they_were_set_to),
        cmocka_unit_test(a_fill_follows_from_its_seed_alone),
        cmocka_unit_test(a_fill_is_the_same_for_ever),
        cmocka_unit_test(a_shorter_fill_is_the_start_of_a_longer_one),
        cmocka_unit_test(differing_counts_bytes),
        cmocka_unit_test(positions_outside_are_errors),
        cmocka_unit_test(values_outside_a_byte_are_errors),
        cmocka_unit_test(buffers_of_different_length_are_not_compared),
        cmocka_unit_test(there_is_one_nan_in_each_format),
        cmocka_unit_test(a_matrix_is_transposed),
        cmocka_unit_test(axes_are_permuted),
        cmocka_unit_test(numbers_are_scaled),
        cmocka_unit_test(parts_stay_inside),
        cmocka_unit_test(what_is_no_number_is_an_error_without_bound),
        cmocka_unit_test(a_total_with_infinities_is_defined),
        cmocka_unit_test(only_a_buffer_is_a_buffer),
        cmocka_unit_test(the_metatable_is_out_of_reach),
        cmocka_unit_test(a_buffer_above_the_limit_ends_the_script),
        cmocka_unit_test(buffers_together_have_one_limit),
        cmocka_unit_test(a_buffer_that_is_gone_is_paid_back),
        cmocka_unit_test(without_data_there_is_length_and_nothing_to_pay),
        cmocka_unit_test(sums_do_not_depend_on_how_they_are_made),
    };

    return cmocka_run_group_tests_name("workloads.bytes", tests, NULL, NULL);
}
