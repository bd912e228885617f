/* The CSV reader: quotes, line ends, and one clear line for what is malformed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/error.h"
#include "traces/file/csv.h"

static TraceCsv *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    TraceCsv *csv = trace_csv_parse("t.csv", text, strlen(text), &error);

    assert_null(error);
    return csv;
}

static void fields_are_found_by_column_and_row(void **state)
{
    (void) state;
    g_autoptr(TraceCsv) csv = parse("a,b\n1,2\n,x y\n");

    assert_int_equal(trace_csv_row_count(csv), 2);
    assert_int_equal(trace_csv_column_count(csv), 2);
    assert_int_equal(trace_csv_column(csv, "b"), 1);
    assert_int_equal(trace_csv_column(csv, "c"), -1);
    assert_string_equal(trace_csv_column_name(csv, 0), "a");
    assert_string_equal(trace_csv_field(csv, 0, 1), "2");
    assert_string_equal(trace_csv_field(csv, 1, 0), "");
    assert_string_equal(trace_csv_field(csv, 1, 1), "x y");
}

static void quotes_hold_commas_quotes_and_lines(void **state)
{
    (void) state;
    g_autoptr(TraceCsv) csv =
        parse("a,b\n\"1,5\",\"say \"\"x\"\"\"\n\"two\nlines\",\"\"\n3,4");

    assert_string_equal(trace_csv_field(csv, 0, 0), "1,5");
    assert_string_equal(trace_csv_field(csv, 0, 1), "say \"x\"");
    assert_string_equal(trace_csv_field(csv, 1, 0), "two\nlines");
    assert_string_equal(trace_csv_field(csv, 1, 1), "");
    assert_string_equal(trace_csv_field(csv, 2, 1), "4");
    assert_int_equal(trace_csv_line(csv, 1), 3);
    assert_int_equal(trace_csv_line(csv, 2), 5);
}

static void comments_empty_lines_and_other_line_ends_are_nothing(void **state)
{
    (void) state;
    g_autoptr(TraceCsv) csv = parse("# why\r\n\r\na,b\r\n\n#,\n1,#2\r\n");

    assert_int_equal(trace_csv_row_count(csv), 1);
    assert_string_equal(trace_csv_field(csv, 0, 1), "#2");
    assert_int_equal(trace_csv_line(csv, 0), 6);
}

static void malformed_files_are_refused_with_their_line(void **state)
{
    (void) state;
    static const struct {
        const char *text;
        gsize length; /* 0: up to the NUL */
        const char *message;
    } rows[] = {
        {"", 0, "t.csv:1: the file is empty, expected a line with column names"},
        {"# x\n", 0, "t.csv:1: the file is empty, expected a line with column names"},
        {"a,b\n1\n", 0, "t.csv:2: 1 fields, expected 2 as in the first line"},
        {"a,b\n\n1,2,3", 0, "t.csv:3: 3 fields, expected 2 as in the first line"},
        {"a,a\n", 0, "t.csv:1: two columns are called a"},
        {"a,\n", 0, "t.csv:1: a column has no name"},
        {"a\n\"x\ny", 0, "t.csv:2: a quote is not closed"},
        {"a\n\"x\"y\n", 0,
         "t.csv:2: a closing quote is followed by text, expected , or a new line"},
        {"a\nx\"y\n", 0,
         "t.csv:2: a quote inside a field, put the field in quotes and double it"},
        {"a\nb\n\xff", 0, "t.csv:3: not UTF-8 text"},
        {"a\n\0\n", 4, "t.csv:2: not UTF-8 text"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        gsize length = rows[i].length > 0 ? rows[i].length : strlen(rows[i].text);

        assert_null(trace_csv_parse("t.csv", rows[i].text, length, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, rows[i].message);
    }
}

static void formulas_are_written_as_text(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *field;
        const char *written; /* NULL: as it is */
    } rows[] = {
        {"", NULL},         {"a", NULL},           {"-", NULL},
        {"-1.5", NULL},     {"+2e-3", NULL},       {"-inf", NULL},
        {"a=b", NULL},      {"=1+1", "'=1+1"},     {"@sum", "'@sum"},
        {"-x", "'-x"},      {"+1 a", "'+1 a"},     {"-1-1", "'-1-1"},
        {"a,b", "\"a,b\""}, {"=\"", "\"'=\"\"\""}, {"-1,5", "\"'-1,5\""},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *written = trace_csv_written(rows[i].field);

        if (g_strcmp0(written, rows[i].written) != 0) {
            fail_msg("%s: %s", rows[i].field, written);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_found_by_column_and_row),
        cmocka_unit_test(quotes_hold_commas_quotes_and_lines),
        cmocka_unit_test(comments_empty_lines_and_other_line_ends_are_nothing),
        cmocka_unit_test(malformed_files_are_refused_with_their_line),
        cmocka_unit_test(formulas_are_written_as_text),
    };

    return cmocka_run_group_tests_name("traces.csv", tests, NULL, NULL);
}
