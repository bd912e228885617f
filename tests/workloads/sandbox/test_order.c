/* Tests of the order in which pairs and next visit a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/workloads/chunk.h"

static void assert_prints(const char *text, const char *expected)
{
    g_autofree char *output = chunk_output(text);
    if (strncmp(output, expected, strlen(expected)) != 0) {
        fail_msg("%s\nprints %s", text, output);
    }
}

/* A table with keys of every type that has an order, made in a mixed order. */
#define MIXED                                                                          \
    "local t = { 'one', 'two', b = 1, [true] = 1, [0.5] = 1, a = 1, [-7] = 1, "        \
    "[math.maxinteger] = 1, [-math.huge] = 1, [false] = 1, ['b\\0c'] = 1, ['\\xff'] "  \
    "= 1, "                                                                            \
    "[''] = 1, [10] = 1 } t[print] = 1 "
#define MIXED_ORDER                                                                    \
    "-7 1 2 10 9223372036854775807 -inf 0.5 [] [a] [b] [b\\000c] [\\255] false true F"
#define SHOW                                                                           \
    "local s = {} local function show(k) s[#s + 1] = type(k) == 'string' and "         \
    "'[' .. k:gsub('[^a-z]', function(c) return ('\\\\%03d'):format(c:byte()) end) "   \
    ".. "                                                                              \
    "']' or type(k) == 'function' and 'F' or tostring(k) end "

static void pairs_visits_keys_by_type_then_value(void **state)
{
    (void) state;
    assert_prints(MIXED SHOW
                  "for k in pairs(t) do show(k) end print(table.concat(s, ' '))",
                  MIXED_ORDER "\n");
}

static void next_visits_keys_by_type_then_value(void **state)
{
    (void) state;
    assert_prints(MIXED SHOW
                  "for k in next, t do show(k) end print(table.concat(s, ' '))",
                  MIXED_ORDER "\n");
}

static void both_give_the_values_too(void **state)
{
    (void) state;
    assert_prints(
        "local t = { x = 5, 7, y = false } for k, v in pairs(t) do print(k, v) end "
        "print(next(t)) print(next(t, 1)) print(next(t, 'y')) print(next({}))",
        "1\t7\nx\t5\ny\tfalse\n1\t7\nx\t5\nnil\nnil\n");
}

static void arrays_are_visited_in_order(void **state)
{
    (void) state;
    assert_prints("local n, t = 0, {} for i = 1, 1000 do t[i] = i end "
                  "for k, v in pairs(t) do n = n + 1 assert(k == n and v == n) end "
                  "for k, v in next, t do n = n - 1 assert(v == 1000 - n) end print(n)",
                  "0\n");
}

static void arrays_filled_backwards_are_visited_in_order(void **state)
{
    (void) state;
    assert_prints("local t = {} for i = 9, -1, -1 do t[i] = i end "
                  "for k in pairs(t) do s = (s or '') .. k end print(s)",
                  "-10123456789\n");
}

static void two_keys_without_an_order_are_an_error(void **state)
{
    (void) state;
    const char *message =
        "t.lua:1: cannot traverse a table with two or more keys that are "
        "tables, functions, userdata or threads";
    assert_prints("pairs({ [print] = 1, [type] = 2 })", message);
    assert_prints("next({ [{}] = 1, [type] = 2 })", message);
    assert_prints("next({ 1, [{}] = 1, [type] = 2 }, 1)", message);
    assert_prints("for k in pairs({ [{}] = 1, 'x' }) do print(type(k)) end",
                  "number\ntable\n");
}

static void pairs_asks_the_metatable(void **state)
{
    (void) state;
    assert_prints(
        "local t = setmetatable({ 1 }, { __pairs = function(t) return "
        "function(_, k) if not k then return 'only', 5 end end, t, nil end }) "
        "for k, v in pairs(t) do print(k, v) end",
        "only\t5\n");
    assert_prints("pairs(nil)",
                  "t.lua:1: bad argument #1 to 'pairs' (table expected, got "
                  "nil)");
    assert_prints("pairs()", "t.lua:1: bad argument #1 to 'pairs'");
    assert_prints("next(5)", "t.lua:1: bad argument #1 to 'next'");
}

static void keys_can_be_removed_and_changed_on_the_way(void **state)
{
    (void) state;
#define FILL "local t = {} for i = 1, 50 do t['k' .. i] = i t[i] = i end local n = 0 "
    assert_prints(FILL
                  "for k in pairs(t) do t[k] = nil n = n + 1 end print(n, next(t))",
                  "100\tnil\n");
    assert_prints(FILL "for k in next, t do t[k] = nil n = n + 1 end print(n, next(t))",
                  "100\tnil\n");
    assert_prints(FILL
                  "local k = next(t) while k do t[k] = nil k = next(t, k) n = n + 1 "
                  "end print(n)",
                  "100\n");
    assert_prints(FILL
                  "for k in pairs(t) do t[k] = 0 t['k50'] = nil n = n + 1 end print(n)",
                  "99\n");
    assert_prints(
        "local a = { 1, 2, 3, 4 } for k in pairs(a) do a[k] = nil a[k + 1] = nil "
        "print(k) end",
        "1\n3\n");
#undef FILL
}

static void next_sees_keys_added_between_two_traversals(void **state)
{
    (void) state;
    assert_prints(
        "local t = { b = 1, c = 1 } for k in next, t do if k == 'b' then break end "
        "end t.a = 1 t.d = 1 for k in next, t do print(k) end",
        "a\nb\nc\nd\n");
    assert_prints("local t = { b = 1 } print(next(t)) t.c = 2 print(next(t, 'b'))",
                  "b\t1\nc\t2\n");
}

static void traversals_of_one_table_can_be_nested(void **state)
{
    (void) state;
    assert_prints(
        "local t = { a = 1, b = 1, c = 1 } local s = '' "
        "for k in next, t do for j in next, t do s = s .. k .. j .. ' ' end end "
        "for k in pairs(t) do for j in pairs(t) do s = s .. k .. j end end print(s)",
        "aa ab ac ba bb bc ca cb cc aaabacbabbbccacbcc\n");
}

static void asking_for_emptiness_does_not_disturb_a_traversal(void **state)
{
    (void) state;
    assert_prints("local t = {} for i = 1, 2000 do t['k' .. i] = i end local n = 0 "
                  "for k in next, t do assert(next(t) == 'k1') n = n + 1 end print(n)",
                  "2000\n");
}

static void an_iterator_can_start_again(void **state)
{
    (void) state;
    assert_prints(
        "local f, t, k = pairs({ a = 1, b = 2 }) print(f(t, k)) print(f(t, 'a')) "
        "print(f(t, nil)) print(f(t, 'b'))",
        "a\t1\nb\t2\na\t1\nnil\n");
}

static void long_traversals_cost_one_sort(void **state)
{
    (void) state;
    /* With a sort at each step this would take hours. */
    assert_prints("local t = {} for i = 1, 50000 do t['k' .. i] = i end local n = 0 "
                  "for k in next, t do n = n + 1 end "
                  "for k in pairs(t) do n = n + 1 end "
                  "local a, b = next(t), next(t) "
                  "while a do a = next(t, a) n = n + 1 end print(n)",
                  "150000\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_visits_keys_by_type_then_value),
        cmocka_unit_test(next_visits_keys_by_type_then_value),
        cmocka_unit_test(both_give_the_values_too),
        cmocka_unit_test(arrays_are_visited_in_order),
        cmocka_unit_test(arrays_filled_backwards_are_visited_in_order),
        cmocka_unit_test(two_keys_without_an_order_are_an_error),
        cmocka_unit_test(pairs_asks_the_metatable),
        cmocka_unit_test(keys_can_be_removed_and_changed_on_the_way),
        cmocka_unit_test(next_sees_keys_added_between_two_traversals),
        cmocka_unit_test(traversals_of_one_table_can_be_nested),
        cmocka_unit_test(asking_for_emptiness_does_not_disturb_a_traversal),
        cmocka_unit_test(an_iterator_can_start_again),
        cmocka_unit_test(long_traversals_cost_one_sort),
    };
    return cmocka_run_group_tests_name("workloads.order", tests, NULL, NULL);
}
