/* Arrays with arithmetic: rounding, shapes, places, sums, and what is refused. */
#include "tests/workloads/buffer_chunk.h"
#include "workloads/numbers/numbers.h"

static int make(lua_State *L)
{
    return numbers_make(L, true);
}

static int make_bare(lua_State *L)
{
    return numbers_make(L, false);
}

static int make_indices(lua_State *L)
{
    return numbers_make_indices(L, true);
}

/* show(a): its shape, its format and its numbers. */
#define SHOW                                                                           \
    "local function show(a) local words, s, text = {}, a:shape(), {} "                 \
    "for i, n in ipairs(s) do text[i] = tostring(n) end "                              \
    "local flat = a:reshaped({ #a }) "                                                 \
    "for i = 0, #a - 1 do words[i + 1] = string.format('%.9g', flat:get({ i })) end "  \
    "print(table.concat(text, 'x') .. ' ' .. a:format() .. ': ' .. "                   \
    "table.concat(words, ' ')) end "                                                   \
    "local function fp32(list) return numbers('fp32', { #list }, list) end "

static char *output_of(const char *text)
{
    g_autoptr(GError) error = NULL;
    GString *output = g_string_new(NULL);
    WlSandboxConfig config = chunk_config(output);
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, &error);
    g_autofree char *whole = g_strconcat(SHOW, text, NULL);
    lua_State *L = sandbox_state(sandbox);

    host_bytes_register(L, &bytes_api);
    numbers_register(L);
    lua_register(L, "buffer", buffer_chunk_make);
    lua_register(L, "numbers", make);
    lua_register(L, "bare", make_bare);
    lua_register(L, "indices", make_indices);
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

static void operators_work_cell_by_cell(void **state)
{
    (void) state;

    assert_prints("local a, b = fp32{ 1, 2, 3 }, fp32{ 4, -5, 0.5 } "
                  "show(a + b) show(a - b) show(a * b) show(b / a) show(-a) "
                  "show(a ^ 2) show(b % 3) show(10 - a) show(2 * a + 1)",
                  "3 fp32: 5 -3 3.5\n3 fp32: -3 7 2.5\n3 fp32: 4 -10 1.5\n"
                  "3 fp32: 4 -2.5 0.166666672\n3 fp32: -1 -2 -3\n3 fp32: 1 4 9\n"
                  "3 fp32: 1 1 0.5\n3 fp32: 9 8 7\n3 fp32: 3 5 7\n");
}

static void functions_work_cell_by_cell(void **state)
{
    (void) state;

    assert_prints(
        "local a = fp32{ 4, 2.25, -1.5 } "
        "show(a:abs()) show(a:abs():sqrt()) show(a:floor()) show((a * 0):exp()) "
        "show((a * 0):cos()) show((a * 0):sin()) show((a * 0 + 1):log()) "
        "show(a:least(2)) show(a:greatest(fp32{ 5, 0, -2 })) show(a:less(2.25)) "
        "show(a:at_most(2.25)) show(a:equal(4)) show(a:less(3):choose(a, -1))",
        "3 fp32: 4 2.25 1.5\n3 fp32: 2 1.5 1.22474492\n3 fp32: 4 2 -2\n"
        "3 fp32: 1 1 1\n3 fp32: 1 1 1\n3 fp32: 0 0 -0\n3 fp32: 0 0 0\n"
        "3 fp32: 2 2 -1.5\n3 fp32: 5 2.25 -1.5\n3 fp32: 0 0 1\n"
        "3 fp32: 0 1 1\n3 fp32: 1 0 0\n3 fp32: -1 2.25 -1.5\n");
}

static void each_operation_rounds_to_the_format(void **state)
{
    (void) state;

    /* 1/3 in four formats; 2^24 + 1 has no place in fp32. */
    assert_prints(
        "for _, f in ipairs{ 'double', 'fp32', 'bf16', 'fp16', 'int32' } do "
        "show(numbers(f, { 1 }, 1) / 3) end "
        "show(fp32{ 16777216 } + 1) show(numbers('double', {1}, 16777216) + 1) "
        "show(numbers('bf16', { 1 }, 0.1) * 3) show(fp32{ 1 }:as('bf16') / 3)",
        "1 double: 0.333333333\n1 fp32: 0.333333343\n1 bf16: 0.333984375\n"
        "1 fp16: 0.333251953\n1 int32: 0\n1 fp32: 16777216\n"
        "1 double: 16777217\n1 bf16: 0.30078125\n1 bf16: 0.333984375\n");
}

static void arrays_round_as_buffers_do(void **state)
{
    (void) state;

    assert_prints(
        "local n = 4000 local wrong = 0 "
        "for _, f in ipairs{ 'bf16', 'fp16', 'int32', 'uint16' } do "
        "local b = buffer(2 * n * 4) b:fill_random('fp32', 7, -3, 3) "
        "for i = 0, n - 1 do local x = b:get('fp32', i) "
        "b:set('fp32', n + i, x * 2.0 ^ (i % 300 - 150)) "
        "b:set('fp32', i, 1 + (i % 1000) * 2^-10 + (i % 3 - 1) * 2^-20) end "
        "local other = b:converted('fp32', f) "
        "wrong = wrong + b:numbers('fp32'):as(f):buffer():differing(other) end "
        "print(wrong)",
        "0\n");
}

static void fma_rounds_once(void **state)
{
    (void) state;

    /* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the last bit is a tie, and 2^-60 breaks it. */
    assert_prints("local a = fp32{ 1 + 2^-12 } "
                  "print(a:fma(a, 2^-60):get{ 0 } == 1 + 2^-11 + 2^-23, "
                  "a:fma(a, -2^-60):get{ 0 } == 1 + 2^-11, "
                  "(a * a + 2^-60):get{ 0 } == 1 + 2^-11, "
                  "numbers('double', { 1 }, 3):fma(3, 1):get{ 0 })",
                  "true\ttrue\ttrue\t10.0\n");
}

static void shapes_that_differ_go_together_as_in_numpy(void **state)
{
    (void) state;

    assert_prints("local a = numbers('fp32', { 2, 3 }, { 1, 2, 3, 4, 5, 6 }) "
                  "show(a + fp32{ 10, 20, 30 }) "
                  "show(a * numbers('fp32', { 2, 1 }, { 1, -1 })) "
                  "show(numbers('fp32', { 2, 1 }, { 1, 2 }) + fp32{ 10, 20 }) "
                  "show(numbers('fp32', {}, 7) + 1)",
                  "2x3 fp32: 11 22 33 14 25 36\n2x3 fp32: 1 2 3 -4 -5 -6\n"
                  "2x2 fp32: 11 21 12 22\n fp32: 8\n");
}

static void neighbours_lie_along_axes(void **state)
{
    (void) state;

    assert_prints(
        "local a = numbers('fp32', { 2, 3 }, { 1, 2, 3, 4, 5, 6 }) "
        "show(a:neighbour(2, 1)) show(a:neighbour(2, -1, 9)) "
        "show(a:neighbour(1, 1)) show(a:neighbour(2, 1, 'wrap')) "
        "show(a:neighbour(2, -2, 'nearest')) show(a:neighbour(2, -4, 'wrap')) "
        "show(a:neighbour(1, 7))",
        "2x3 fp32: 2 3 0 5 6 0\n2x3 fp32: 9 1 2 9 4 5\n"
        "2x3 fp32: 4 5 6 0 0 0\n2x3 fp32: 2 3 1 5 6 4\n"
        "2x3 fp32: 1 1 1 4 4 4\n2x3 fp32: 3 1 2 6 4 5\n"
        "2x3 fp32: 0 0 0 0 0 0\n");
}

static void parts_are_taken_and_put(void **state)
{
    (void) state;

    assert_prints(
        "local a = indices('fp32', { 3, 4 }, 1) * 10 + indices('fp32', { 3, 4 }, 2) "
        "show(a:part({ 1, 2 }, { 2, 2 })) "
        "local b = numbers('fp32', { 3, 4 }) b:put({ 1, 1 }, a:part({ 0, 0 }, { 2, 3 "
        "})) "
        "show(b) show(a:permuted{ 2, 1 }) b:set({ 0, 3 }, 0.1) print(b:get{ 0, 3 })",
        "2x2 fp32: 12 13 22 23\n3x4 fp32: 0 0 0 0 0 0 1 2 0 10 11 12\n"
        "4x3 fp32: 0 10 20 1 11 21 2 12 22 3 13 23\n0.10000000149012\n");
}

static void sums_go_in_index_order(void **state)
{
    (void) state;

    /* 2^24 and then ones: in fp32 every one of them is lost, in double none. */
    assert_prints(
        "local a = fp32{ 16777216, 1, 1, 1, 1 } "
        "print(a:sum(), a:rounded_sum(), a:max(), a:min()) "
        "print(fp32{ 3, 4 }:norm(), fp32{ 3, 4 }:dot(fp32{ 1, 2 })) "
        "local b = numbers('fp32', { 2, 3 }, { 1, 2, 3, 4, 5, 6 }) "
        "show(b:sum(1)) show(b:sum(2)) show(b:max(1)) show(b:min(2)) "
        "show(numbers('bf16', { 3 }, { 256, 1, 1 }):reshaped{ 3, 1 }:rounded_sum(1)) "
        "show(numbers('bf16', { 3, 1 }, { 256, 1, 1 }):sum(1)) "
        "local n = (fp32{ 0, 1 } / 0):max() print(n ~= n, numbers('fp32', { 0 "
        "}):sum())",
        "16777220.0\t16777216.0\t16777216.0\t1.0\n5.0\t11.0\n"
        "3 fp32: 5 7 9\n2 fp32: 6 15\n3 fp32: 4 5 6\n2 fp32: 1 4\n"
        "1 bf16: 256\n1 bf16: 258\ntrue\t0.0\n");
}

static void buffers_become_arrays_and_back(void **state)
{
    (void) state;

    assert_prints("local b = buffer(12) for i = 0, 2 do b:set('fp32', i, i + 0.1) end "
                  "show(b:numbers('fp32')) show(b:numbers('fp32', { 3, 1 })) "
                  "local c = (b:numbers('fp32') * 2):buffer() "
                  "print(#c, c:get('fp32', 2), #b:numbers('fp32'):buffer('bf16'), "
                  "b:numbers('fp32'):buffer('bf16'):get('bf16', 1))",
                  "3 fp32: 0.100000001 1.10000002 2.0999999\n"
                  "3x1 fp32: 0.100000001 1.10000002 2.0999999\n"
                  "12\t4.1999998092651\t6\t1.1015625\n");
}

static void arrays_without_data_have_shapes(void **state)
{
    (void) state;

    assert_prints(
        "local a = bare('fp32', { 2, 3 }, 5) local b = (a + 1):neighbour(1, 1) * a "
        "b:put({ 0, 0 }, a:part({ 0, 0 }, { 1, 1 })) b:set({ 0, 0 }, 1) "
        "print(#b, b:sum(), b:max(), b:get{ 1, 1 }, #b:sum(1), #b:buffer(), b:norm())",
        "6\t0.0\t0.0\t0.0\t3\t24\t0.0\n");
}

static void whole_lengths_and_places_may_be_quotients(void **state)
{
    g_autofree char *output = output_of("local a = numbers('fp32', { 8 / 2 }, { 1, 2, "
                                        "3, 4 }) print(#a, a:get{ 4 / 2 })");

    (void) state;
    assert_string_equal(output, "4\t3.0\n");
}

static void what_makes_no_sense_is_refused(void **state)
{
    static const BufferChunkRefusal cases[] = {
        {"a + fp32{ 1, 2 }", "arrays of shapes (2, 3) and (2,)"},
        {"a + a:as('bf16')", "arrays of formats fp32 and bf16: round one with"},
        {"a + 'x'", "array or number expected"},
        {"a + nil", "array or number expected"},
        {"a:fma(1)", "array or number expected"},
        {"a:neighbour(3, 1)", "not an axis of the array"},
        {"a:neighbour(0, 1)", "not an axis of the array"},
        {"a:neighbour(1, 1, 'mirror')", "invalid option 'mirror'"},
        {"a:part({ 1, 1 }, { 2, 2 })", "outside the array"},
        {"a:part({ 1 }, { 1 })", "as many lengths as axes"},
        {"a:put({ 0, 0 }, numbers('bf16', { 1, 1 }))", "of another format"},
        {"a:put({ 1, 1 }, a)", "outside the array"},
        {"a:get{ 2, 0 }", "outside the array"},
        {"a:get{ 0 }", "a list with a place on each axis"},
        {"a:reshaped{ 7 }", "not as many numbers"},
        {"a:permuted{ 1, 1 }", "each axis once"},
        {"a:dot(fp32{ 1 })", "not as many numbers"},
        {"a:sum(3)", "not an axis"},
        {"numbers('fp32', { 0 }):max()", "no numbers"},
        {"numbers('fp8', { 1 })", "invalid option 'fp8'"},
        {"numbers('fp32', { -1 })", "lengths are whole numbers"},
        {"numbers('fp32', { 1.5 })", "lengths are whole numbers"},
        {"numbers('fp32', { '4' })", "lengths are whole numbers"},
        {"numbers('fp32', { 2000000000, 2000000000 })", "the array is too large"},
        {"numbers('fp32', { 1, 1, 1, 1, 1, 1, 1, 1, 1 })", "at most 8 lengths"},
        {"numbers('fp32', { 2 }, { 1 })", "not as many numbers"},
        {"numbers('fp32', { 1 }, { 'x' })", "a list of numbers"},
        {"numbers('double', { 1 }):buffer()", "buffers have no doubles"},
        {"buffer(5):numbers('fp32')", "the buffer is not as large as the array"},
        {"buffer(8):numbers('fp32', { 3 })", "the buffer is not as large as the array"},
        {"a:neighbor(1, 1)", "neighbour"},
    };
    (void) state;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strconcat(
            "local a = numbers('fp32', { 2, 3 }) print(", cases[i].text, ")", NULL);
        g_autofree char *output = output_of(text);

        if (strstr(output, cases[i].says) == NULL) {
            fail_msg("%s: %s", cases[i].text, output);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_work_cell_by_cell),
        cmocka_unit_test(functions_work_cell_by_cell),
        cmocka_unit_test(each_operation_rounds_to_the_format),
        cmocka_unit_test(arrays_round_as_buffers_do),
        cmocka_unit_test(fma_rounds_once),
        cmocka_unit_test(shapes_that_differ_go_together_as_in_numpy),
        cmocka_unit_test(neighbours_lie_along_axes),
        cmocka_unit_test(parts_are_taken_and_put),
        cmocka_unit_test(sums_go_in_index_order),
        cmocka_unit_test(buffers_become_arrays_and_back),
        cmocka_unit_test(arrays_without_data_have_shapes),
        cmocka_unit_test(whole_lengths_and_places_may_be_quotients),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };

    return cmocka_run_group_tests_name("workloads.numbers", tests, NULL, NULL);
}
