/* Squares of places as a user writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/writing/squares.h"

static void squares_have_both_ends(void **state G_GNUC_UNUSED)
{
    g_autoptr(GArray) squares = trace_squares_read("3,4;0:2,5:6");

    assert_int_equal(squares->len, 2);
    assert_true(trace_squares_have(squares, 3, 4));
    assert_true(trace_squares_have(squares, 0, 5));
    assert_true(trace_squares_have(squares, 2, 6));
    assert_false(trace_squares_have(squares, 3, 5));
    assert_false(trace_squares_have(squares, 2, 4));
}

static void what_is_no_square_is_none(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {
        "",      "3",    "3,",   "3,4;", "2:1,0", "a,0",          "0:1:2,0",
        "1,2,3", ":1,0", "0,1:", "-1,0", "1.5,0", "0,99999999999"};

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        assert_null(trace_squares_read(texts[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_have_both_ends),
        cmocka_unit_test(what_is_no_square_is_none),
    };

    return cmocka_run_group_tests_name("traces.squares", tests, NULL, NULL);
}
