/* Numbers as people write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/file/number.h"

static void counts_may_have_exponents(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } rows[] = {{"0", 0},
                {"17", 17},
                {"20e9", 20000000000},
                {"1.5e6", 1500000},
                {"2E+3", 2000},
                {"1.25e2", 125},
                {"007", 7},
                {"9223372036854775807", G_MAXINT64}};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        uint64_t value = 1;

        assert_true(quantity_read_count(rows[i].text, 0, G_MAXINT64, &value));
        assert_int_equal(value, rows[i].value);
    }
}

static void what_is_not_whole_or_not_allowed_is_refused(void **state)
{
    static const char *const texts[] = {
        "",   "e9",   "1.5",  "1.25e1", "1e",   "1e-3",  "-1",   "+1",  " 1",
        "1 ", ".5e1", "1.e3", "1e99",   "2e19", "1e3e3", "0x10", "inf", "9e18x"};
    uint64_t value = 5;

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        assert_false(quantity_read_count(texts[i], 0, G_MAXINT64, &value));
    }
    assert_false(quantity_read_count("2e3", 0, 1999, &value));
    assert_false(quantity_read_count("2e3", 2001, 9999, &value));
    assert_int_equal(value, 5);
}

static void bytes_may_have_a_suffix(void **state)
{
    uint64_t bytes = 0;

    (void) state;
    assert_true(quantity_read_bytes("800M", &bytes));
    assert_int_equal(bytes, UINT64_C(800) << 20);
    assert_true(quantity_read_bytes("16g", &bytes));
    assert_int_equal(bytes, UINT64_C(16) << 30);
    assert_true(quantity_read_bytes("2e9", &bytes));
    assert_int_equal(bytes, 2000000000);
    assert_false(quantity_read_bytes("", &bytes));
    assert_false(quantity_read_bytes("K", &bytes));
    assert_false(quantity_read_bytes("0", &bytes));
    assert_false(quantity_read_bytes("9e18G", &bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_may_have_exponents),
        cmocka_unit_test(what_is_not_whole_or_not_allowed_is_refused),
        cmocka_unit_test(bytes_may_have_a_suffix),
    };

    return cmocka_run_group_tests_name("traces.file.number", tests, NULL, NULL);
}
