/* Values of options: what is read, what is refused, and in which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/option_value.h"

static void assert_says(GError *error, const char *message)
{
    assert_non_null(error);
    assert_true(error->domain == G_OPTION_ERROR);
    assert_string_equal(error->message, message);
    g_error_free(error);
}

static void a_count_is_read_up_to_its_limits(void **state G_GNUC_UNUSED)
{
    uint64_t value = 7;

    assert_true(option_count("1", "--n", 1, 9, &value, NULL));
    assert_int_equal(value, 1);
    assert_true(option_count("9", "--n", 1, 9, &value, NULL));
    assert_int_equal(value, 9);
}

static void what_is_not_given_is_left_alone(void **state G_GNUC_UNUSED)
{
    static const char *const words[] = {"a", NULL};
    uint64_t count = 7;
    guint word = 7;

    assert_true(option_count(NULL, "--n", 1, 3, &count, NULL));
    assert_true(option_word(NULL, "--n", words, &word, NULL));

    assert_int_equal(count, 7);
    assert_int_equal(word, 7);
}

static void a_count_is_refused_with_what_is_allowed(void **state G_GNUC_UNUSED)
{
    static const char *const bad[] = {"0",
                                      "10",
                                      "-1",
                                      "+1",
                                      "1.0",
                                      " 1",
                                      "0x1",
                                      "1e9",
                                      "x",
                                      "1 ",
                                      "99999999999999999999"};
    uint64_t value = 7;

    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *message =
            g_strdup_printf("--n = %s, allowed is a whole number in 1..9", bad[i]);
        GError *error = NULL;

        assert_false(option_count(bad[i], "--n", 1, 9, &value, &error));
        assert_says(error, message);
    }
    assert_int_equal(value, 7);
}

static void nothing_and_odd_bytes_are_shown_as_such(void **state G_GNUC_UNUSED)
{
    uint64_t value = 7;
    GError *error = NULL;

    assert_false(option_count("", "--n", 1, 9, &value, &error));
    assert_says(error, "--n = (nothing), allowed is a whole number in 1..9");
    error = NULL;
    assert_false(option_count("1\n2", "--n", 1, 9, &value, &error));
    assert_says(error, "--n = 1?2, allowed is a whole number in 1..9");
}

static void a_word_is_one_of_the_list(void **state G_GNUC_UNUSED)
{
    static const char *const words[] = {"one", "two", NULL};
    guint value = 7;
    GError *error = NULL;

    assert_true(option_word("two", "--w", words, &value, NULL));
    assert_int_equal(value, 1);
    assert_false(option_word("tw", "--w", words, &value, &error));
    assert_says(error, "--w = tw, known are one, two");
    assert_int_equal(value, 1);
}

static void a_pair_is_two_whole_numbers(void **state G_GNUC_UNUSED)
{
    static const char *const bad[] = {"",     "1",   "1x",   "x1",          "1x2x3",
                                      "-1x2", "1,2", "1 x2", "1x2147483648"};
    guint pair[2] = {7, 7};

    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        assert_false(option_is_pair(bad[i], "x", pair));
    }
    assert_int_equal(pair[0], 7);
    assert_true(option_is_pair("12x0", "x", pair));
    assert_int_equal(pair[0], 12);
    assert_int_equal(pair[1], 0);
}

static void sizes_are_as_many_as_asked_for(void **state G_GNUC_UNUSED)
{
    static const char *const bad[] = {"",     "8",     "8x",   "x8",   "8x8x8",
                                      "8x8 ", "0x8",   "8x0",  "8X8",  "8,8",
                                      "-8x8", "8x101", "8x+8", "8x8.", "8xx8"};
    uint64_t sizes[3] = {7, 7, 7};

    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        if (option_is_sizes(bad[i], 2, 100, sizes)) {
            fail_msg("'%s' was read", bad[i]);
        }
    }
    assert_true(option_is_sizes("1x100", 2, 100, sizes));
    assert_int_equal(sizes[0], 1);
    assert_int_equal(sizes[1], 100);
    assert_int_equal(sizes[2], 7);
    assert_true(option_is_sizes("18446744073709551615", 1, UINT64_MAX, sizes));
    assert_true(sizes[0] == UINT64_MAX);
    assert_false(option_is_sizes("18446744073709551616", 1, UINT64_MAX, sizes));
}

static void a_name_and_its_values_are_split(void **state G_GNUC_UNUSED)
{
    static const char *const bad[] = {"", "n", "=1", "n="};
    g_autofree char *name = NULL;
    g_auto(GStrv) values = NULL;
    GError *error = NULL;

    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        assert_false(option_values(bad[i], "--n", &name, &values, NULL));
        assert_null(name);
        assert_null(values);
    }
    assert_false(option_values("n=", "--n", &name, &values, &error));
    assert_says(error, "--n = n=, allowed is NAME=VALUE,VALUE,...");
    assert_true(option_values("n=1,,b=2", "--n", &name, &values, NULL));
    assert_string_equal(name, "n");
    assert_int_equal(g_strv_length(values), 3);
    assert_string_equal(values[0], "1");
    assert_string_equal(values[1], "");
    assert_string_equal(values[2], "b=2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_count_is_read_up_to_its_limits),
        cmocka_unit_test(what_is_not_given_is_left_alone),
        cmocka_unit_test(a_count_is_refused_with_what_is_allowed),
        cmocka_unit_test(nothing_and_odd_bytes_are_shown_as_such),
        cmocka_unit_test(a_word_is_one_of_the_list),
        cmocka_unit_test(a_pair_is_two_whole_numbers),
        cmocka_unit_test(sizes_are_as_many_as_asked_for),
        cmocka_unit_test(a_name_and_its_values_are_split),
    };

    return cmocka_run_group_tests_name("tools.option_value", tests, NULL, NULL);
}
