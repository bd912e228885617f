/* Numbers as people read them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/file/quantity.h"

typedef struct {
    double value;
    const char *text;
} Row;

static void assert_row(char *(*func)(double), const Row *row)
{
    g_autofree char *text = func(row->value);

    if (!g_str_equal(text, row->text)) {
        fail_msg("%.17g gives '%s', expected '%s'", row->value, text, row->text);
    }
}

static void assert_count(uint64_t value, const char *expected)
{
    g_autofree char *text = quantity_count(value);

    assert_string_equal(text, expected);
}

static void counts_are_grouped_by_thousands(void **state G_GNUC_UNUSED)
{
    assert_count(0, "0");
    assert_count(999, "999");
    assert_count(1000, "1,000");
    assert_count(123456, "123,456");
    assert_count(1234567, "1,234,567");
    assert_count(UINT64_MAX, "18,446,744,073,709,551,615");
}

static void sizes_have_an_x_between_them(void **state G_GNUC_UNUSED)
{
    static const uint64_t sizes[] = {16, 1, UINT64_MAX};
    g_autofree char *one = quantity_sizes(sizes, 1);
    g_autofree char *all = quantity_sizes(sizes, 3);

    assert_string_equal(one, "16");
    assert_string_equal(all, "16x1x18446744073709551615");
}

static void seconds_get_the_unit_that_fits(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0, "0 s"},           {1, "1 s"},
        {1.23456, "1.235 s"}, {123.456, "123.5 s"},
        {1e-3, "1 ms"},       {1.2345e-3, "1.234 ms"},
        {30e-6, "30 us"},     {1342e-9, "1.342 us"},
        {25e-9, "25 ns"},     {1e-12, "0.001 ns"},
        {-2e-3, "-2 ms"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_row(quantity_seconds, &rows[i]);
    }
}

static void joules_get_the_unit_that_fits(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0, "0 J"},           {1, "1 J"},       {1234, "1.23 kJ"},   {0.66, "660 mJ"},
        {254.3e-6, "254 uJ"}, {1e-9, "1 nJ"},   {0.99949, "999 mJ"}, {0.99951, "1 J"},
        {999.6e-6, "1 mJ"},   {-2e-3, "-2 mJ"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_row(quantity_joules, &rows[i]);
    }
}

static void percents_have_two_digits(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0, "0 %"},        {100, "100 %"},   {73.4, "73 %"},
        {9.96, "10 %"},    {9.94, "9.9 %"},  {0.96, "1.0 %"},
        {0.044, "0.04 %"}, {1e-9, "0.00 %"}, {-12.5, "-12 %"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_row(quantity_percent, &rows[i]);
    }
}

static void seconds_that_round_up_get_the_next_unit(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0.9999, "999.9 ms"}, {0.99996, "1 s"},    {999.9e-6, "999.9 us"},
        {999.96e-6, "1 ms"},  {999.99e-9, "1 us"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_row(quantity_seconds, &rows[i]);
    }
}

static void long_times_have_no_exponent(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {9999, "9999 s"},     {9999.6, "10000 s"},
        {12345.6, "12346 s"}, {86400 * 365, "31536000 s"},
        {1e300, "1e+300 s"},  {INFINITY, "inf s"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_row(quantity_seconds, &rows[i]);
    }
}

static void scaled_values_leave_room_for_a_unit(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0, "0 "},        {1, "1 "},        {12.34, "12.3 "},     {999.4, "999 "},
        {999.5, "1 k"},   {1000, "1 k"},    {12345678, "12.3 M"}, {999999, "1 M"},
        {2.5e9, "2.5 G"}, {999.9e9, "1 T"}, {1e12, "1 T"},        {-4e6, "-4 M"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_row(quantity_scaled, &rows[i]);
    }
}

static char *short_of(double value)
{
    return quantity_short(value, 4);
}

static void short_numbers_have_a_prefix_where_they_are_long(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0, "0"},           {0.25, "0.25"}, {9999, "9999"}, {10000, "10 k"},
        {65536, "65.54 k"}, {1e6, "1 M"},   {-3e9, "-3 G"}, {1e-6, "1e-06"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_row(short_of, &rows[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_grouped_by_thousands),
        cmocka_unit_test(sizes_have_an_x_between_them),
        cmocka_unit_test(seconds_get_the_unit_that_fits),
        cmocka_unit_test(joules_get_the_unit_that_fits),
        cmocka_unit_test(percents_have_two_digits),
        cmocka_unit_test(seconds_that_round_up_get_the_next_unit),
        cmocka_unit_test(long_times_have_no_exponent),
        cmocka_unit_test(scaled_values_leave_room_for_a_unit),
        cmocka_unit_test(short_numbers_have_a_prefix_where_they_are_long),
    };

    return cmocka_run_group_tests_name("traces.file_quantity", tests, NULL, NULL);
}
