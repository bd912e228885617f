/* Tests of reports in which waiters that wait alike are one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "sim/alike.h"

static void lines_that_are_alike_are_folded(void **state)
{
    static const char *const given[] = {
        "core[0,0].reader (k) waits for a page, since cycle 7\n    core[0,0] has cb 0",
        "core[0,0].writer (k) waits for a page, since cycle 7",
        "core[1,0].reader (k) waits for a page, since cycle 99",
        "core[12,10].reader (k) waits for a page, since cycle 7",
        "pe[3,0] (held); needs a wavelet of color 4",
        "pe[4,0] (held); needs a wavelet of color 4",
        "7 PEs like pe[9,9] (deaf)",
    };
    static const char *const expected[] = {
        "3 cores like core[0,0]: reader (k) waits for a page, since cycle 7\n"
        "    core[0,0] has cb 0",
        "core[0,0].writer (k) waits for a page, since cycle 7",
        "2 PEs like pe[3,0] (held); needs a wavelet of color 4",
        "7 PEs like pe[9,9] (deaf)",
    };
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(given); i++) {
        g_ptr_array_add(lines, g_strdup(given[i]));
    }
    assert_int_equal(sim_alike_fold(lines), 13);
    assert_int_equal(lines->len, G_N_ELEMENTS(expected));
    for (gsize i = 0; i < G_N_ELEMENTS(expected); i++) {
        assert_string_equal(g_ptr_array_index(lines, i), expected[i]);
    }
}

static void no_lines_stay_none(void **state)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

    (void) state;
    assert_int_equal(sim_alike_fold(lines), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_are_alike_are_folded),
        cmocka_unit_test(no_lines_stay_none),
    };

    return cmocka_run_group_tests_name("sim.alike", tests, NULL, NULL);
}
