/* Tests of parameters and of the words name=value that set them. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "workloads/error.h"
#include "workloads/sandbox/quote.h"
#include "workloads/script/number.h"
#include "workloads/script/parameter.h"

static const char *const dtypes[] = {"bf16", "fp32", NULL};

static const WlParameterSpec tiles = {.name = "tiles",
                                      .help = "tiles per core",
                                      .type = WL_PARAM_INTEGER,
                                      .has_minimum = true,
                                      .has_maximum = true,
                                      .least = 1,
                                      .most = 164};
static const WlParameterSpec dtype = {
    .name = "dtype", .help = "format", .type = WL_PARAM_CHOICE, .choices = dtypes};
static const WlParameterSpec halo = {
    .name = "halo", .help = "exchange", .type = WL_PARAM_SWITCH};
static const WlParameterSpec tolerance = {.name = "tolerance",
                                          .help = "when to stop",
                                          .type = WL_PARAM_NUMBER,
                                          .has_minimum = true};
static const WlParameterSpec label = {
    .name = "label", .help = "a name", .type = WL_PARAM_TEXT};

static int make_parameters(void **state)
{
    GPtrArray *array = g_ptr_array_new_with_free_func((GDestroyNotify) parameter_free);
    g_ptr_array_add(array, parameter_new(&tiles, "64", NULL));
    g_ptr_array_add(array, parameter_new(&dtype, "bf16", NULL));
    g_ptr_array_add(array, parameter_new(&halo, "on", NULL));
    g_ptr_array_add(array, parameter_new(&tolerance, "1e-6", NULL));
    g_ptr_array_add(array, parameter_new(&label, "", NULL));
    *state = array;
    return 0;
}

static int free_parameters(void **state)
{
    g_ptr_array_unref(*state);
    return 0;
}

static const char *value_of(const GPtrArray *parameters, const char *name)
{
    return parameter_view(assignment_find(parameters, name))->value_text;
}

static void
assert_refused(const GPtrArray *parameters, const char *word, const char *message)
{
    g_autoptr(GError) error = NULL;
    assert_false(assignment_apply(parameters, word, &error));
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_KEY));
    assert_string_equal(error->message, message);
}

static void words_set_values_of_every_type(void **state)
{
    GPtrArray *parameters = *state;
    assert_true(assignment_apply(parameters, "tiles=1e2", NULL));
    assert_true(assignment_apply(parameters, "dtype=fp32", NULL));
    assert_true(assignment_apply(parameters, "halo=no", NULL));
    assert_true(assignment_apply(parameters, "tolerance=.50", NULL));
    assert_true(assignment_apply(parameters, "label=a=b c", NULL));

    assert_int_equal(parameter_integer(parameters->pdata[0]), 100);
    assert_string_equal(parameter_text(parameters->pdata[1]), "fp32");
    assert_false(parameter_is_on(parameters->pdata[2]));
    assert_true(parameter_number(parameters->pdata[3]) == 0.5);
    assert_string_equal(parameter_text(parameters->pdata[4]), "a=b c");
}

static void values_are_shown_in_one_spelling(void **state)
{
    GPtrArray *parameters = *state;
    assert_string_equal(value_of(parameters, "tolerance"), "1e-06");
    assert_true(assignment_apply(parameters, "tiles=+0064", NULL));
    assert_true(assignment_apply(parameters, "halo=true", NULL));

    assert_string_equal(value_of(parameters, "tiles"), "64");
    assert_string_equal(value_of(parameters, "halo"), "on");
    assert_true(parameter_view(parameters->pdata[0])->is_set);
    assert_false(parameter_view(parameters->pdata[1])->is_set);
    assert_string_equal(parameter_view(parameters->pdata[0])->default_text, "64");
}

static void ranges_are_shown_with_open_ends_infinite(void **state)
{
    GPtrArray *parameters = *state;
    const WlParam *closed = parameter_view(parameters->pdata[0]);
    const WlParam *open = parameter_view(parameters->pdata[3]);

    assert_true(closed->has_range && closed->minimum == 1 && closed->maximum == 164);
    assert_true(open->has_range && open->minimum == 0 && isinf(open->maximum));
    assert_false(parameter_view(parameters->pdata[4])->has_range);
    assert_string_equal(parameter_view(parameters->pdata[1])->choices[1], "fp32");
}

static void every_switch_word_is_known(void **state)
{
    (void) state;
    static const struct {
        const char *text;
        bool is_on;
    } rows[] = {{"on", true},  {"off", false}, {"true", true}, {"false", false},
                {"yes", true}, {"no", false},  {"1", true},    {"0", false}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(WlParameter) self = parameter_new(&halo, rows[i].text, NULL);
        assert_non_null(self);
        assert_int_equal(parameter_is_on(self), rows[i].is_on);
    }
}

static void wrong_values_say_what_is_allowed(void **state)
{
    GPtrArray *parameters = *state;
    assert_refused(parameters, "tiles=0", "tiles = 0, expected an integer in 1..164");
    assert_refused(parameters, "tiles=165",
                   "tiles = 165, expected an integer in 1..164");
    assert_refused(parameters, "tiles=x", "tiles = x, expected an integer in 1..164");
    assert_refused(parameters, "tiles=1.5",
                   "tiles = 1.5, expected an integer in 1..164");
    assert_refused(parameters,
                   "tiles=", "tiles = (nothing), expected an integer in 1..164");
    assert_refused(parameters, "dtype=fp16",
                   "dtype = fp16, expected one of bf16, fp32");
    assert_refused(parameters, "dtype=BF16",
                   "dtype = BF16, expected one of bf16, fp32");
    assert_refused(parameters, "halo=maybe", "halo = maybe, expected on or off");
    assert_refused(parameters, "tolerance=nan",
                   "tolerance = nan, expected a number of at least 0");
    assert_refused(parameters, "tolerance=-1",
                   "tolerance = -1, expected a number of at least 0");
    assert_refused(parameters, "label=\xff",
                   "label = \xef\xbf\xbd, expected text in UTF-8");
    assert_string_equal(value_of(parameters, "tiles"), "64");
}

static void malformed_words_get_one_clear_line(void **state)
{
    GPtrArray *parameters = *state;
    assert_refused(parameters, "=5", "'=5' has no name before '='");
    assert_refused(parameters, "", "'' is not of the form name=value");
    assert_refused(parameters, "fast", "'fast' is not of the form name=value");
    assert_refused(parameters, "a\nb\001",
                   "'a\\nb\\001' is not of the form name=value");
    assert_refused(parameters, "tiles",
                   "'tiles' has no value; write tiles=VALUE, expected an integer in "
                   "1..164");
}

static void unknown_names_list_the_known_and_suggest_the_nearest(void **state)
{
    GPtrArray *parameters = *state;
#define KNOWN "known: tiles, dtype, halo, tolerance, label"
    assert_refused(parameters, "tile=5",
                   "no parameter 'tile'; did you mean 'tiles'? " KNOWN);
    assert_refused(parameters, "tolerence=5",
                   "no parameter 'tolerence'; did you mean 'tolerance'? " KNOWN);
    assert_refused(parameters, "zzzzzz=5", "no parameter 'zzzzzz'; " KNOWN);
    assert_refused(parameters, " tiles=5",
                   "no parameter ' tiles'; did you mean 'tiles'? " KNOWN);
#undef KNOWN
}

static void a_very_long_word_is_cut_in_the_message(void **state)
{
    GPtrArray *parameters = *state;
    g_autofree char *word = g_strnfill(100000, 'x');
    g_autoptr(GError) error = NULL;

    assert_false(assignment_apply(parameters, word, &error));

    assert_true(strlen(error->message) < 150);
}

static void a_name_is_set_only_once(void **state)
{
    GPtrArray *parameters = *state;
    assert_true(assignment_apply(parameters, "tiles=3", NULL));
    assert_refused(parameters, "tiles=4",
                   "'tiles=4': tiles is set twice, it is '3' already");
    assert_string_equal(value_of(parameters, "tiles"), "3");
}

static void integers_are_exact_to_the_last_bit(void **state)
{
    (void) state;
    static const struct {
        const char *text;
        gint64 value;
    } rows[] = {
        {"0", 0},
        {"-0", 0},
        {"9223372036854775807", G_MAXINT64},
        {"-9223372036854775808", G_MININT64},
        {"1e3", 1000},
        {"1E+3", 1000},
        {"2.50e1", 25},
        {"12.0", 12},
        {"1200e-2", 12},
        {".5e1", 5},
        {"9.223372036854775807e18", G_MAXINT64},
        {"0e99999999999", 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        gint64 value = 77;
        if (!number_parse_integer(rows[i].text, &value) || value != rows[i].value) {
            fail_msg("%s gives %" G_GINT64_FORMAT, rows[i].text, value);
        }
    }
}

static void what_is_not_an_integer_is_refused(void **state)
{
    (void) state;
    static const char *const rows[] = {"",
                                       "+",
                                       "-",
                                       ".",
                                       "e3",
                                       "1e",
                                       "1e+",
                                       "0x10",
                                       "1k",
                                       " 1",
                                       "1 ",
                                       "1.5",
                                       "1e-1",
                                       "nan",
                                       "inf",
                                       "1_000",
                                       "--1",
                                       "1e19",
                                       "9223372036854775808",
                                       "-9223372036854775809",
                                       "1.00000000000000000001e3",
                                       "1e99999999999999999"};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        gint64 value = 77;
        if (number_parse_integer(rows[i], &value) || value != 77) {
            fail_msg("'%s' is taken", rows[i]);
        }
    }
}

static void what_is_not_a_finite_number_is_refused(void **state)
{
    (void) state;
    static const char *const rows[] = {
        "",      "nan", "NaN", "inf", "-inf",   "infinity", "1e309", "-1e309",
        "0x1p3", "1,5", " 1",  "1 ",  "1e-999", "1e",       ".",     "1.2.3"};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        double value = 77;
        if (number_parse_double(rows[i], &value) || value != 77) {
            fail_msg("'%s' is taken", rows[i]);
        }
    }
}

static void numbers_are_written_so_that_they_read_back(void **state)
{
    (void) state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0.1, "0.1"},
                {1e-6, "1e-06"},
                {64, "64"},
                {1.0 / 3.0, "0.3333333333333333"},
                {DBL_MAX, "1.7976931348623157e+308"},
                {5e-324, "5e-324"},
                {-0.0, "-0"}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = number_format_double(rows[i].value);
        double back = 77;
        assert_string_equal(text, rows[i].text);
        assert_true(number_parse_double(text, &back) && back == rows[i].value);
    }
}

static void
assert_bad_spec(WlParameterSpec spec, const char *default_text, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WlParameter) self = parameter_new(&spec, default_text, &error);
    assert_null(self);
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_SYNTAX));
    assert_string_equal(error->message, message);
}

static void malformed_declarations_are_refused(void **state)
{
    (void) state;
    static const char *const twice[] = {"a", "a", NULL};
    static const char *const spaced[] = {"a b", NULL};
    static const char *const none[] = {NULL};
    WlParameterSpec spec = tiles;
    assert_bad_spec(spec, "900", "default = 900, expected an integer in 1..164");
    spec.least = 200;
    assert_bad_spec(spec, "1", "min is greater than max");
    spec = tiles;
    spec.help = "";
    assert_bad_spec(spec, "1", "help must be one line of text");
    spec = tiles;
    spec.name = "9x";
    assert_bad_spec(spec, "1",
                    "name = '9x', expected letters, digits and '_' (at most 64), not a "
                    "digit first");
    spec = tolerance;
    spec.minimum = (double) NAN;
    assert_bad_spec(spec, "1", "min and max must be finite");
    spec = dtype;
    spec.choices = none;
    assert_bad_spec(spec, "a", "choices: at least one is needed");
    spec.choices = twice;
    assert_bad_spec(spec, "a", "choices[2] = 'a' is there twice");
    spec.choices = spaced;
    assert_bad_spec(spec, "a", "choices[1] = 'a b', expected one word");
}

static void every_script_accepts_four_words(void **state)
{
    GPtrArray *parameters = *state;
    assert_true(words_append(parameters, NULL));

    assert_int_equal(parameters->len, 9);
    assert_string_equal(value_of(parameters, "grain"), "auto");
    assert_string_equal(value_of(parameters, "arithmetic"), "chip");
    assert_string_equal(value_of(parameters, "extrapolate"), "off");
    assert_string_equal(value_of(parameters, "unattributed"), "off");
}

static void a_script_may_declare_such_a_word_with_its_own_default(void **state)
{
    GPtrArray *parameters = *state;
    static const char *const fewer[] = {"stream", "wavelet", NULL};
    WlParameterSpec grain = {
        .name = "grain", .help = "h", .type = WL_PARAM_CHOICE, .choices = fewer};
    g_ptr_array_add(parameters, parameter_new(&grain, "stream", NULL));

    assert_true(words_append(parameters, NULL));

    assert_int_equal(parameters->len, 9);
    assert_string_equal(value_of(parameters, "grain"), "stream");
}

static void a_script_may_not_change_what_such_a_word_means(void **state)
{
    GPtrArray *parameters = *state;
    WlParameterSpec grain = {.name = "grain", .help = "h", .type = WL_PARAM_INTEGER};
    g_ptr_array_add(parameters, parameter_new(&grain, "1", NULL));
    g_autoptr(GError) error = NULL;

    assert_false(words_append(parameters, &error));

    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_SYNTAX));
}

#define WITH_PARAMETERS(test)                                                          \
    cmocka_unit_test_setup_teardown(test, make_parameters, free_parameters)

/* Cut before a character that would be halved, but not far back in what is no text. */
static void long_words_are_cut_at_a_character(void **state)
{
    static const struct {
        const char *fill;
        guint kept; /* of them */
    } rows[] = {{"a", 61}, {"\xc3\xa4", 30}, {"\xf0\x9f\x90\x9f", 15}, {"\x80", 56}};

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        GString *word = g_string_new(NULL);
        GString *expected = g_string_new(NULL);

        for (guint k = 0; k < 100; k++) {
            g_string_append(word, rows[i].fill);
            g_string_append(expected, k >= rows[i].kept         ? ""
                                      : *rows[i].fill == '\x80' ? "\xef\xbf\xbd"
                                                                : rows[i].fill);
        }
        g_string_append(expected, "...");
        g_autofree char *shown = quote_word(word->str);

        assert_string_equal(shown, expected->str);
        g_string_free(word, TRUE);
        g_string_free(expected, TRUE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PARAMETERS(words_set_values_of_every_type),
        WITH_PARAMETERS(values_are_shown_in_one_spelling),
        cmocka_unit_test(long_words_are_cut_at_a_character),
        WITH_PARAMETERS(ranges_are_shown_with_open_ends_infinite),
        cmocka_unit_test(every_switch_word_is_known),
        WITH_PARAMETERS(wrong_values_say_what_is_allowed),
        WITH_PARAMETERS(malformed_words_get_one_clear_line),
        WITH_PARAMETERS(unknown_names_list_the_known_and_suggest_the_nearest),
        WITH_PARAMETERS(a_very_long_word_is_cut_in_the_message),
        WITH_PARAMETERS(a_name_is_set_only_once),
        cmocka_unit_test(integers_are_exact_to_the_last_bit),
        cmocka_unit_test(what_is_not_an_integer_is_refused),
        cmocka_unit_test(what_is_not_a_finite_number_is_refused),
        cmocka_unit_test(numbers_are_written_so_that_they_read_back),
        cmocka_unit_test(malformed_declarations_are_refused),
        WITH_PARAMETERS(every_script_accepts_four_words),
        WITH_PARAMETERS(a_script_may_declare_such_a_word_with_its_own_default),
        WITH_PARAMETERS(a_script_may_not_change_what_such_a_word_means),
    };
    return cmocka_run_group_tests_name("workloads.parameter", tests, NULL, NULL);
}
