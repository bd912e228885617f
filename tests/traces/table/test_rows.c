/* Tests of tables whose rows are JSON objects. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "traces/table/record.h"
#include "traces/table/rows.h"

static JsonArray *rows(void)
{
    JsonArray *array = json_array_new();

    json_array_add_object_element(
        array, RECORD(VALUE("name", "a"), VALUE("mm2", 1.0 / 3), VALUE("count", 7),
                      VALUE("tile", RECORD(VALUE("steps", 4)))));
    json_array_add_object_element(array, RECORD(VALUE("name", (const char *) NULL),
                                                VALUE("mm2", (double) NAN),
                                                VALUE("count", 8)));
    return array;
}

static void columns_name_members_headings_and_formats(void **state)
{
    g_autofree char *csv =
        trace_rows_csv(rows(), "name,area=mm2:%.2f,mm2,count,steps=tile.steps", "-");

    (void) state;
    assert_string_equal(csv, "name,area,mm2,count,steps\n"
                             "a,0.33,0.333333333333333,7,4\n"
                             "-,-,-,8,-\n");
}

static void a_heading_may_have_an_equals_sign(void **state)
{
    g_autofree char *csv = trace_rows_csv(rows(), "I=C/M: [%]=count", "");

    (void) state;
    assert_string_equal(csv, "I=C/M: [%]\n7\n8\n");
}

static void no_rows_are_a_line_of_headings(void **state)
{
    g_autofree char *csv = trace_rows_csv(json_array_new(), "a,b=c", "");

    (void) state;
    assert_string_equal(csv, "a,b\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_name_members_headings_and_formats),
        cmocka_unit_test(a_heading_may_have_an_equals_sign),
        cmocka_unit_test(no_rows_are_a_line_of_headings),
    };

    return cmocka_run_group_tests_name("traces.rows", tests, NULL, NULL);
}
