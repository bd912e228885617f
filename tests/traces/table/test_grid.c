/* Aligned columns: text left, numbers right, by characters and not by bytes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/table/grid.h"

/* Rows of `column_count` texts, ended by NULL. */
static void assert_prints(guint column_count,
                          const char *const *texts,
                          guint indent,
                          const char *expected)
{
    g_autoptr(Grid) grid = grid_new(column_count);
    char *output = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&output, &length);

    for (; *texts != NULL; texts += column_count) {
        grid_add(grid, texts);
    }
    grid_print(grid, stream, indent);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(output, expected);
    free(output);
}

static void columns_are_as_wide_as_their_widest_text(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"KEY",    "UNIT",       "SOURCE", "hop_cycles",
                                        "cycles", "a document", "x",      "",
                                        "y",      NULL};

    assert_prints(3, texts, 2,
                  "  KEY         UNIT    SOURCE\n"
                  "  hop_cycles  cycles  a document\n"
                  "  x                   y\n");
}

static void columns_of_numbers_are_flush_right(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"bytes", "GB/s", "word", "32", "0.25",
                                        "a",     "8192", "-1e3", "bc", NULL};

    assert_prints(3, texts, 0,
                  "bytes  GB/s  word\n"
                  "   32  0.25  a\n"
                  " 8192  -1e3  bc\n");
}

static void one_word_among_numbers_makes_a_column_of_text(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"value", "x", "1", "10", "1,2",
                                        "7",     "",  "8", NULL};

    assert_prints(2, texts, 0,
                  "value   x\n"
                  "1      10\n"
                  "1,2     7\n"
                  "        8\n");
}

static void characters_count_and_not_bytes(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {
        "name", "\xc2\xb5s", "n",   "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9",
        "1",    "x",         "abc", "10",
        "y",    NULL};

    assert_prints(3, texts, 0,
                  "name   \xc2\xb5s  n\n"
                  "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9   1  x\n"
                  "abc    10  y\n");
}

static void bytes_that_are_no_characters_are_replaced(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"a", "b", "\xe2", "c", NULL};

    assert_prints(2, texts, 0, "a  b\n\xef\xbf\xbd  c\n");
}

static void no_line_ends_in_blanks(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"a", "long header", "b", "", NULL};

    assert_prints(2, texts, 0, "a  long header\nb\n");
}

static void a_header_alone_is_text(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"12", "x", NULL};
    static const char *const none[] = {NULL};

    assert_prints(2, texts, 1, " 12  x\n");
    assert_prints(2, none, 0, "");
}

static void rows_are_formatted_column_by_column(void **state G_GNUC_UNUSED)
{
    g_autoptr(Grid) grid = grid_with("NAME|N|X, %|Y");
    char *output = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&output, &length);

    grid_printf(grid, "%s %d|%u|%.1f|%+.2g|%s", "a|b", -1, 7U, 2.25, 0.5, "left out");
    grid_put(grid, "c");
    grid_printf(grid, "%" G_GUINT64_FORMAT "|%.1f|100 %%|left out", (guint64) 1 << 40,
                (double) NAN);
    grid_print(grid, stream, 0);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(output, "NAME                N  X, %  Y\n"
                                "a|b -1              7  2.2   +0.5\n"
                                "c       1099511627776  -     100 %\n");
    free(output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_as_wide_as_their_widest_text),
        cmocka_unit_test(columns_of_numbers_are_flush_right),
        cmocka_unit_test(one_word_among_numbers_makes_a_column_of_text),
        cmocka_unit_test(characters_count_and_not_bytes),
        cmocka_unit_test(bytes_that_are_no_characters_are_replaced),
        cmocka_unit_test(no_line_ends_in_blanks),
        cmocka_unit_test(a_header_alone_is_text),
        cmocka_unit_test(rows_are_formatted_column_by_column),
    };

    return cmocka_run_group_tests_name("traces.grid", tests, NULL, NULL);
}
