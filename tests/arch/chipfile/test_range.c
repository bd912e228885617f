/* Ranges of chip files: what they may say, and what is in them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/chipfile/range.h"
#include "arch/error.h"

static const ArchKey whole = ARCH_UINT("s", "a_cycles", "cycles", 1, 100);
static const ArchKey real = ARCH_REAL("s", "b_us", "us", 0, 1000);
static const ArchKey ratio = ARCH_RATIO("s", "c_cycles", "cycles", 0, 10);
static const ArchKey list = ARCH_LIST("s", "d_words", "words", 1, 100, 1, 8);
static const ArchKey choice = ARCH_CHOICE("s", "e", "one|two|three");
static const ArchKey text = ARCH_TEXT("s", "f");

static ArchRange *make(const ArchKey *key, const char *value, const char *range)
{
    g_autoptr(GError) error = NULL;
    ArchValue parsed = {0};
    ArchRange *self;

    assert_true(arch_value_parse(key, value, &parsed, NULL));
    self = arch_range_new(range, key, &parsed, &error);
    arch_value_clear(&parsed);
    if (error != NULL) {
        print_error("%s\n", error->message);
    }
    assert_non_null(self);
    return self;
}

static void assert_refused(const ArchKey *key,
                           const char *value,
                           const char *range,
                           const char *message)
{
    g_autoptr(GError) error = NULL;
    ArchValue parsed = {0};

    assert_true(arch_value_parse(key, value, &parsed, NULL));
    assert_null(arch_range_new(range, key, &parsed, &error));
    arch_value_clear(&parsed);
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, message);
}

static void assert_sample(const ArchRange *range, double u, const char *expected)
{
    g_autofree char *sample = arch_range_sample(range, u);

    assert_string_equal(sample, expected);
}

static void whole_numbers_are_equally_likely(void **state)
{
    g_autoptr(ArchRange) range = make(&whole, "3", "2..5");

    (void) state;
    assert_sample(range, 0, "2");
    assert_sample(range, 0.2499, "2");
    assert_sample(range, 0.25, "3");
    assert_sample(range, 0.5, "4");
    assert_sample(range, 0.7499, "4");
    assert_sample(range, 0.75, "5");
    assert_sample(range, 1, "5");
}

static void reals_and_ratios_are_spread_evenly(void **state)
{
    g_autoptr(ArchRange) launch = make(&real, "30", "25..38");
    g_autoptr(ArchRange) flit = make(&ratio, "1.0225", "1.01..1.035");

    (void) state;
    assert_sample(launch, 0, "25");
    assert_sample(launch, 0.5, "31.5");
    assert_sample(launch, 1, "38");
    assert_sample(flit, 0, "1.010000");
    assert_sample(flit, 0.1, "1.012500");
    assert_sample(flit, 1, "1.035000");
}

/* One third of the way the ratio has more decimals than its key takes; a real at its
 * end may not be rounded out of the range. */
static void rounding_stays_inside(void **state)
{
    g_autoptr(ArchRange) third = make(&ratio, "1", "1..1.000001");
    g_autoptr(ArchRange) fine = make(&real, "1", "0.1234567891..1.00000000049");

    (void) state;
    assert_sample(third, 0.49, "1.000000");
    assert_sample(third, 1, "1.000001");
    assert_sample(fine, 0, "0.1234567891");
    assert_sample(fine, 1, "1");
}

static void a_list_has_one_factor(void **state)
{
    g_autoptr(ArchRange) range = make(&list, "2,6,20", "x0.5..x2");

    (void) state;
    assert_sample(range, 0, "1,3,10");
    assert_sample(range, 1.0 / 3, "2,6,20");
    assert_sample(range, 1, "4,12,40");
    assert_int_equal(arch_range_end_count(range), 2);
    assert_string_equal(arch_range_end(range, 0), "1,3,10");
    assert_int_equal(arch_range_end_side(range, 0), ARCH_RANGE_BELOW);
    assert_string_equal(arch_range_end(range, 1), "4,12,40");
    assert_int_equal(arch_range_end_side(range, 1), ARCH_RANGE_ABOVE);
}

static void words_are_equally_likely(void **state)
{
    g_autoptr(ArchRange) range = make(&choice, "two", "one|two|three");

    (void) state;
    assert_sample(range, 0, "one");
    assert_sample(range, 0.34, "two");
    assert_sample(range, 1, "three");
    assert_int_equal(arch_range_end_count(range), 2);
    assert_string_equal(arch_range_end(range, 0), "one");
    assert_string_equal(arch_range_end(range, 1), "three");
    assert_int_equal(arch_range_end_side(range, 1), ARCH_RANGE_OTHER);
}

static void ends_are_not_the_value(void **state)
{
    g_autoptr(ArchRange) both = make(&whole, "3", "2..5");
    g_autoptr(ArchRange) up = make(&whole, "2", "2..5");
    g_autoptr(ArchRange) down = make(&ratio, "5.0", "2.0..5");
    g_autoptr(ArchRange) alone = make(&whole, "2", "2..2");

    (void) state;
    assert_int_equal(arch_range_end_count(both), 2);
    assert_string_equal(arch_range_end(both, 0), "2");
    assert_string_equal(arch_range_end(both, 1), "5");
    assert_int_equal(arch_range_end_count(up), 1);
    assert_string_equal(arch_range_end(up, 0), "5");
    assert_int_equal(arch_range_end_side(up, 0), ARCH_RANGE_ABOVE);
    assert_int_equal(arch_range_end_count(down), 1);
    assert_string_equal(arch_range_end(down, 0), "2.0");
    assert_int_equal(arch_range_end_side(down, 0), ARCH_RANGE_BELOW);
    assert_true(arch_range_is_fixed(alone));
    assert_false(arch_range_is_fixed(up));
}

static void assert_level(const ArchRange *range, double u, double expected)
{
    const double level = arch_range_level(range, u);

    assert_true(level == expected || (isnan(level) && isnan(expected)));
}

static void levels_order_values(void **state)
{
    g_autoptr(ArchRange) number = make(&whole, "3", "2..5");
    g_autoptr(ArchRange) items = make(&list, "2,6,20", "x0.5..x2");
    g_autoptr(ArchRange) pair = make(&choice, "two", "one|two");
    g_autoptr(ArchRange) words = make(&choice, "two", "one|two|three");

    (void) state;
    assert_level(number, 0.3, 3);
    assert_level(items, 0.3, 0.3);
    assert_level(pair, 0.49, 0);
    assert_level(pair, 0.5, 1);
    assert_level(pair, 1, 1);
    assert_level(words, 0.3, NAN);
}

static void any_key_can_be_fixed(void **state)
{
    static const struct {
        const ArchKey *key;
        const char *value;
    } cases[] = {{&whole, "2"}, {&real, "2"},     {&ratio, "2"},
                 {&list, "2"},  {&choice, "two"}, {&text, "a line"}};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(ArchRange) range = make(cases[i].key, cases[i].value, "fixed");

        assert_true(arch_range_is_fixed(range));
        assert_string_equal(arch_range_text(range), "fixed");
    }
}

static void what_is_no_range_is_refused(void **state)
{
    static const char *const wholes = "expected a whole number, 1..100 cycles";
    g_autofree char *not_whole =
        g_strdup_printf("an end of its range is 2.5, %s", wholes);
    g_autofree char *beyond = g_strdup_printf("an end of its range is 101, %s", wholes);
    g_autofree char *nothing =
        g_strdup_printf("an end of its range is (nothing), %s", wholes);

    (void) state;
    assert_refused(&whole, "3", "3", "range 3, expected LOW..HIGH or fixed");
    assert_refused(&whole, "3", "", "range (nothing), expected LOW..HIGH or fixed");
    assert_refused(&whole, "3", "1..3..5",
                   "range 1..3..5, expected LOW..HIGH or fixed");
    assert_refused(&whole, "3", "1-5", "range 1-5, expected LOW..HIGH or fixed");
    assert_refused(&whole, "3", "1..2.5", not_whole);
    assert_refused(&whole, "3", "1..101", beyond);
    assert_refused(&whole, "3", "..5", nothing);
    assert_refused(&whole, "3", "5..1",
                   "range 5..1, its low end is above its high end");
    assert_refused(&whole, "3", "4..9", "range 4..9, the value itself is outside");
    assert_refused(&whole, "3", "1..2", "range 1..2, the value itself is outside");
    assert_refused(&text, "a", "a..b", "range a..b, expected fixed");
}

static void lists_and_words_are_refused_alike(void **state)
{
    (void) state;
    assert_refused(&list, "2,6", "1..4",
                   "range 1..4, expected factors, xLOW..xHIGH, or fixed");
    assert_refused(&list, "2,6", "x0.5..2",
                   "range x0.5..2, expected factors, xLOW..xHIGH, or fixed");
    assert_refused(&list, "2,6", "x1.5..x2",
                   "range x1.5..x2, the value itself is outside");
    assert_refused(&list, "2,6", "x0.1..x2",
                   "an end of its range is 0,1, expected 1..8 whole numbers separated "
                   "by commas, each 1..100 words");
    assert_refused(&choice, "two", "one|four",
                   "an end of its range is four, expected one of one, two, three");
    assert_refused(&choice, "two", "one|three",
                   "range one|three, the value itself is outside");
    assert_refused(&choice, "two", "two|two",
                   "range two|two, a word stands there twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_equally_likely),
        cmocka_unit_test(reals_and_ratios_are_spread_evenly),
        cmocka_unit_test(rounding_stays_inside),
        cmocka_unit_test(a_list_has_one_factor),
        cmocka_unit_test(words_are_equally_likely),
        cmocka_unit_test(ends_are_not_the_value),
        cmocka_unit_test(levels_order_values),
        cmocka_unit_test(any_key_can_be_fixed),
        cmocka_unit_test(what_is_no_range_is_refused),
        cmocka_unit_test(lists_and_words_are_refused_alike),
    };

    return cmocka_run_group_tests_name("arch.range", tests, NULL, NULL);
}
