/* Tests of numbers in lines of text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "traces/table/number_text.h"

static void csv_is_formatted_field_by_field(void **state)
{
    g_autoptr(GString) csv = g_string_new(NULL);

    (void) state;
    trace_csv_printf(csv, "%s", "");
    trace_csv_printf(csv, "%s|%.3g|%u", "a, \"b|c\"", NAN, 2U);
    trace_csv_printf(csv, "%.3g|%s\n", 0.5, (const char *) NULL);
    trace_csv_printf(csv, "%s\n", "");
    assert_string_equal(csv->str, ",\"a, \"\"b|c\"\"\",,2,0.5,\n\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_is_formatted_field_by_field),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
