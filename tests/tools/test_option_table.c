/* Tables of options: every type into its member, what is refused, what is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/command.h"

enum {
    WORD_LIMIT = 32,
};

typedef enum {
    RED,
    GREEN,
} Colour;

typedef struct {
    char *json;
    bool is_quiet;
} Output;

typedef struct {
    bool is_fast;
    bool has_loops;
    uint64_t count;
    guint jobs;
    double part;
    double seconds;
    char *limit;
    Colour colour;
    char *chip;
    char *picture;
    char **sets;
    char **words;
    Output output;
    char *owned; /* by no option */
    guint choice;
} Options;

static const char *const colours[] = {[RED] = "red", [GREEN] = "green", NULL};

static const Option rows[] = {
    {"fast", NULL, "", OPTION_FLAG(is_fast)},
    {"green", NULL, "", OPTION_CASE(colour, GREEN)},
    {"loops", "on|off", "", OPTION_SWITCH(has_loops)},
    {"count", "N", "", OPTION_COUNT(count, 1, 9)},
    {"jobs", "N", "", OPTION_SMALL(jobs, 0, 3), .letter = 'j'},
    {"part", "P", "", OPTION_PERCENT(part, 50, "0 to 50 percent")},
    {"seconds", "X", "", OPTION_SECONDS(seconds)},
    {"limit", "X", "", OPTION_DURATION(limit)},
    {"colour", "NAME", "", OPTION_WORD(colour, colours)},
    {"chip", "NAME", "", OPTION_TEXT(chip)},
    {"svg", "FILE", "", OPTION_SVG(picture), .letter = 'o'},
    {"set", "A=B", "", OPTION_TEXTS(sets)},
    {"choice", "NAME", "", OPTION_CHOICE(colours)},
    {"other", "TEXT", "", OPTION_OTHER(TEXT)},
    {"others", "TEXT", "", OPTION_OTHER(TEXTS)},
    {"asked", NULL, "", OPTION_OTHER(FLAG), .tasks = 2},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words)},
    {0},
};

static const Option output_rows[] = {
    {"json", "FILE", "", .type = OPTION_TYPE_TEXT, .offset = offsetof(Output, json)},
    {"quiet", NULL, "", .type = OPTION_TYPE_FLAG, .letter = 'q',
     .offset = offsetof(Output, is_quiet)},
    {0},
};

/* What a command's own rules see. */
static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    self->owned = g_strdup("owned");
    self->choice = option_choice(texts, "choice", 7);
    if (option_is_given(texts, "asked")) {
        assert_string_equal(option_text(texts, "count"), "3");
        assert_string_equal(option_text(texts, "other"), "o");
        assert_string_equal(option_list(texts, "others")[1], "2");
        assert_string_equal(option_list(texts, OPTION_WORDS)[0], "word");
        assert_true(option_is_given(texts, "fast"));
        assert_string_equal(option_is_idle(texts, 1), "asked");
        assert_null(option_is_idle(texts, 2));
        assert_false(option_is_given(texts, "seconds"));
        assert_null(option_text(texts, "seconds"));
        assert_null(option_list(texts, "set"));
    }
    if (self->count == 9) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "nine");
        return false;
    }
    return true;
}

static void clear(gpointer options)
{
    Options *self = options;

    g_free(self->owned);
}

static int run(gpointer options)
{
    const Options *self = options;

    return (int) self->count;
}

static const Command command = {
    .name = "weave",
    .purpose = "test",
    .tables = {{rows, 0}, {output_rows, offsetof(Options, output)}},
    COMMAND_OPTIONS(Options, .has_loops = true, .count = 5),
    .check = check,
    .clear = clear,
    .run = run,
};

static const Command wordless = {
    .name = "noc weave",
    .purpose = "test",
    .tables = {{output_rows, 0}},
    .size = sizeof(Output),
    .run = run,
};

static void options_free(Options *self)
{
    command_free_options(&command, self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Options, options_free)

static gpointer parse(const Command *self, const char *line, GError **error)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    char *arguments[WORD_LIMIT] = {(char *) "weave"};
    int count = 1;

    for (char **word = words; *word != NULL; word++) {
        arguments[count++] = *word;
    }
    return command_parse(self, count, arguments, error);
}

static void what_is_not_given_is_as_usual(void **state G_GNUC_UNUSED)
{
    g_autoptr(Options) options = parse(&command, "", NULL);

    assert_true(options->has_loops && !options->is_fast);
    assert_int_equal(options->count, 5);
    assert_int_equal(options->jobs, 0);
    assert_int_equal(options->colour, RED);
    assert_int_equal(options->choice, 7);
    assert_null(options->chip);
    assert_null(options->sets);
}

static void every_type_reaches_its_member(void **state G_GNUC_UNUSED)
{
    g_autoptr(Options) options =
        parse(&command,
              "--fast --loops off --count 7 -j 3 --part 25 --seconds 1.5 --limit 2.50 "
              "--green --chip c -o p.svg --set a=1 --set b=2 --choice green "
              "--json j -q word",
              NULL);

    assert_true(options->is_fast && !options->has_loops);
    assert_int_equal(options->count, 7);
    assert_int_equal(options->jobs, 3);
    assert_true(options->part == 0.25 && options->seconds == 1.5);
    assert_string_equal(options->limit, "2.50");
    assert_int_equal(options->colour, GREEN);
    assert_string_equal(options->chip, "c");
    assert_string_equal(options->picture, "p.svg");
    assert_int_equal(g_strv_length(options->sets), 2);
    assert_string_equal(options->sets[1], "b=2");
    assert_int_equal(options->choice, GREEN);
    assert_string_equal(options->output.json, "j");
    assert_true(options->output.is_quiet);
    assert_string_equal(options->words[0], "word");
}

static void rules_can_ask_what_was_given(void **state G_GNUC_UNUSED)
{
    g_autoptr(Options) options =
        parse(&command, "--asked --fast --count 3 --other o --others 1 --others 2 word",
              NULL);

    assert_non_null(options);
}

/* As it always was: who says it twice has changed their mind. */
static void the_last_value_counts(void **state G_GNUC_UNUSED)
{
    g_autoptr(Options) options =
        parse(&command, "--count x --count 2 --chip a --chip b --colour green", NULL);

    assert_int_equal(options->count, 2);
    assert_int_equal(options->colour, GREEN);
    assert_string_equal(options->chip, "b");
}

static void what_is_wrong_is_named(void **state G_GNUC_UNUSED)
{
    static const char *const lines[][2] = {
        {"--loops 1", "--loops = 1, known are off, on"},
        {"--count 0", "--count = 0, allowed is a whole number in 1..9"},
        {"--jobs 4", "--jobs = 4, allowed is a whole number in 0..3"},
        {"--part 51", "--part = 51, allowed is 0 to 50 percent"},
        {"--part nan", "--part = nan, allowed is 0 to 50 percent"},
        {"--seconds 0", "--seconds = 0, allowed is a number above 0"},
        {"--limit x", "--limit = x, allowed is a number above 0"},
        {"--colour blue", "--colour = blue, known are red, green"},
        {"--choice blue", "--choice = blue, known are red, green"},
        {"-o p.png", "-o p.png: pictures are SVG, expected a name with .svg"},
        {"--count 9", "nine"},
        {"--fly", "Unknown option --fly"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
        g_autoptr(GError) error = NULL;

        if (parse(&command, lines[i][0], &error) != NULL) {
            fail_msg("%s is taken", lines[i][0]);
        }
        assert_int_equal(error->domain, G_OPTION_ERROR);
        assert_string_equal(error->message, lines[i][1]);
    }
}

static void seconds_are_finite_and_above_zero(void **state G_GNUC_UNUSED)
{
    static const char *const bad[] = {"0", "-1", "inf", "nan", "1s", "1e999"};
    g_autoptr(Options) options = parse(&command, "--seconds 1.5e-1", NULL);

    assert_true(options->seconds == 0.15);
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *line = g_strconcat("--seconds ", bad[i], NULL);

        assert_null(parse(&command, line, NULL));
    }
}

static void pictures_are_svg_unless_they_are_no_file(void **state G_GNUC_UNUSED)
{
    static const char *const good[] = {"-o -", "-o /dev/full", "-o a.png.svg"};

    for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autoptr(Options) options = parse(&command, good[i], NULL);

        assert_non_null(options);
    }
    assert_null(parse(&command, "-o a.svg.png", NULL));
}

static void words_without_a_row_are_refused(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    assert_null(parse(&wordless, "--json j word", &error));
    assert_string_equal(error->message,
                        "noc weave: unexpected word 'word'; --help lists the options");
}

static void words_may_have_to_be_there(void **state G_GNUC_UNUSED)
{
    Command strict = command;
    g_autoptr(GError) error = NULL;
    g_autoptr(Options) options = NULL;

    strict.missing = "no thread";
    assert_null(parse(&strict, "--count 1", &error));
    assert_string_equal(error->message, "weave: no thread");
    options = parse(&strict, "warp", NULL);
    assert_non_null(options);
}

static void more_words_than_wanted_are_refused(void **state G_GNUC_UNUSED)
{
    Command strict = command;
    g_autoptr(GError) error = NULL;
    g_autoptr(Options) options = NULL;

    strict.most_words = 2;
    assert_null(parse(&strict, "a b c", &error));
    assert_string_equal(error->message,
                        "weave: unexpected word 'c'; --help lists the options");
    options = parse(&strict, "a b", NULL);
    assert_non_null(options);
}

static void a_command_returns_what_it_does(void **state G_GNUC_UNUSED)
{
    char *words[] = {(char *) "weave", (char *) "--count=8", NULL};

    assert_int_equal(command_run(&command, 2, words), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_given_is_as_usual),
        cmocka_unit_test(every_type_reaches_its_member),
        cmocka_unit_test(rules_can_ask_what_was_given),
        cmocka_unit_test(the_last_value_counts),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(seconds_are_finite_and_above_zero),
        cmocka_unit_test(pictures_are_svg_unless_they_are_no_file),
        cmocka_unit_test(words_without_a_row_are_refused),
        cmocka_unit_test(words_may_have_to_be_there),
        cmocka_unit_test(more_words_than_wanted_are_refused),
        cmocka_unit_test(a_command_returns_what_it_does),
    };

    return cmocka_run_group_tests_name("tools.option_table", tests, NULL, NULL);
}
