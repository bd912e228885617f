/* The command line of `gridloom run`: defaults, every option, every range. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/run/options.h"

enum {
    WORD_LIMIT = 32,
};

static void options_free(CmdRunOptions *self)
{
    command_free_options(&cmd_run, self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdRunOptions, options_free)

/* The words after "run", ended by NULL. The option parser reorders its list, so it gets
 * one of its own. */
static CmdRunOptions *parse(const char *const *words, GError **error)
{
    char *arguments[WORD_LIMIT] = {(char *) "run"};
    int count = 1;

    for (; *words != NULL; words++) {
        arguments[count++] = (char *) *words;
    }
    return command_parse(&cmd_run, count, arguments, error);
}

static CmdRunOptions *parse_or_fail(const char *const *words)
{
    g_autoptr(GError) error = NULL;
    CmdRunOptions *options = parse(words, &error);

    if (options == NULL) {
        fail_msg("%s", error->message);
    }
    return options;
}

static void a_script_alone_gets_the_defaults(void **state G_GNUC_UNUSED)
{
    static const char *const words[] = {"transfer", NULL};
    g_autoptr(CmdRunOptions) options = parse_or_fail(words);

    assert_string_equal(options->script, "transfer");
    assert_null(options->words[0]);
    assert_null(options->chip);
    assert_null(options->system);
    assert_null(options->overrides);
    assert_null(options->out);
    assert_null(options->json);
    assert_null(options->system_trace);
    assert_int_equal(options->threads, 1);
    assert_int_equal(options->seed, 1);
    assert_true(options->limit_cycles == SIM_TIME_NEVER);
    assert_int_equal(options->limit_steps, 0);
    assert_true(options->limit_seconds == 0);
    assert_false(options->is_timing_only);
    assert_false(options->is_dry_run);
    assert_false(options->is_quiet);
}

static void every_option_is_read(void **state G_GNUC_UNUSED)
{
    static const char *const words[] = {"--chip=wse2",
                                        "--system",
                                        "n300",
                                        "--set",
                                        "a.b=1",
                                        "--set=c.d=2",
                                        "--out=folder",
                                        "--json",
                                        "-",
                                        "--threads=2",
                                        "--timing-only",
                                        "--limit-cycles=7",
                                        "--seed",
                                        "0",
                                        "--limit-steps=9",
                                        "--limit-seconds=0.5",
                                        "--dry-run",
                                        "-q",
                                        "--system-trace",
                                        "t.paje",
                                        "pcg",
                                        NULL};
    g_autoptr(CmdRunOptions) options = parse_or_fail(words);

    assert_string_equal(options->script, "pcg");
    assert_string_equal(options->chip, "wse2");
    assert_string_equal(options->system, "n300");
    assert_int_equal(g_strv_length(options->overrides), 2);
    assert_string_equal(options->overrides[0], "a.b=1");
    assert_string_equal(options->overrides[1], "c.d=2");
    assert_string_equal(options->out, "folder");
    assert_string_equal(options->json, "-");
    assert_string_equal(options->system_trace, "t.paje");
    assert_int_equal(options->threads, 2);
    assert_int_equal(options->seed, 0);
    assert_int_equal(options->limit_cycles, 7);
    assert_int_equal(options->limit_steps, 9);
    assert_true(options->limit_seconds == 0.5);
    assert_true(options->is_timing_only && options->is_dry_run && options->is_quiet);
}

static void words_after_the_script_go_to_the_script(void **state G_GNUC_UNUSED)
{
    static const char *const words[] = {"pcg",      "size=64", "--seed=3",
                                        "name=a=b", "-q",      NULL};
    g_autoptr(CmdRunOptions) options = parse_or_fail(words);

    assert_int_equal(g_strv_length(options->words), 2);
    assert_string_equal(options->words[0], "size=64");
    assert_string_equal(options->words[1], "name=a=b");
    assert_int_equal(options->seed, 3);
    assert_true(options->is_quiet);
}

/* Both ends of each range are in it. */
static void ranges_include_their_ends(void **state G_GNUC_UNUSED)
{
    static const char *const least[] = {"x",
                                        "--threads=1",
                                        "--seed=0",
                                        "--limit-cycles=1",
                                        "--limit-steps=1",
                                        "--limit-seconds=1e-9",
                                        NULL};
    static const char *const most[] = {"x",
                                       "--threads=256",
                                       "--seed=9223372036854775807",
                                       "--limit-cycles=9223372036854775807",
                                       "--limit-steps=9223372036854775807",
                                       "--limit-seconds=1e9",
                                       NULL};
    g_autoptr(CmdRunOptions) first = parse_or_fail(least);
    g_autoptr(CmdRunOptions) second = parse_or_fail(most);

    assert_int_equal(first->limit_cycles, 1);
    assert_int_equal(second->threads, 256);
    assert_int_equal(second->seed, INT64_MAX);
    assert_int_equal(second->limit_cycles, INT64_MAX);
    assert_int_equal(second->limit_steps, INT64_MAX);
    assert_true(second->limit_seconds == 1e9);
}

#define FROM_1  ", allowed is a whole number in 1..9223372036854775807"
#define FROM_0  ", allowed is a whole number in 0..9223372036854775807"
#define THREADS ", allowed is a whole number in 1..256"
#define ABOVE_0 ", allowed is a number above 0"

typedef struct {
    const char *option;
    const char *message;
} Row;

static void assert_refused(const Row *row)
{
    const char *const words[] = {"x", row->option, NULL};
    g_autoptr(GError) error = NULL;

    if (parse(words, &error) != NULL) {
        fail_msg("%s is taken", row->option);
    }
    assert_int_equal(error->domain, G_OPTION_ERROR);
    assert_string_equal(error->message, row->message);
}

static void a_number_outside_its_range_is_named_with_it(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {"--threads=0", "--threads = 0" THREADS},
        {"--threads=257", "--threads = 257" THREADS},
        {"--threads=-1", "--threads = -1" THREADS},
        {"--threads=two", "--threads = two" THREADS},
        {"--threads=", "--threads = (nothing)" THREADS},
        {"--threads=1.0", "--threads = 1.0" THREADS},
        {"--threads=1 ", "--threads = 1 " THREADS},
        {"--seed=-1", "--seed = -1" FROM_0},
        {"--seed=+1", "--seed = +1" FROM_0},
        {"--seed=0x10", "--seed = 0x10" FROM_0},
        {"--seed=9223372036854775808", "--seed = 9223372036854775808" FROM_0},
        {"--limit-cycles=0", "--limit-cycles = 0" FROM_1},
        {"--limit-cycles=1e-6", "--limit-cycles = 1e-6" FROM_1},
        {"--limit-cycles=99999999999999999999",
         "--limit-cycles = 99999999999999999999" FROM_1},
        {"--limit-steps=0", "--limit-steps = 0" FROM_1},
        {"--limit-steps=x", "--limit-steps = x" FROM_1},
        {"--limit-seconds=0", "--limit-seconds = 0" ABOVE_0},
        {"--limit-seconds=-1", "--limit-seconds = -1" ABOVE_0},
        {"--limit-seconds=", "--limit-seconds = (nothing)" ABOVE_0},
        {"--limit-seconds=1s", "--limit-seconds = 1s" ABOVE_0},
        {"--limit-seconds=nan", "--limit-seconds = nan" ABOVE_0},
        {"--limit-seconds=inf", "--limit-seconds = inf" ABOVE_0},
        {"--limit-seconds=1e999", "--limit-seconds = 1e999" ABOVE_0},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_refused(&rows[i]);
    }
}

static void a_run_needs_a_script(void **state G_GNUC_UNUSED)
{
    static const char *const none[] = {NULL};
    static const char *const options_only[] = {"-q", "--seed=2", NULL};
    g_autoptr(GError) error = NULL;

    assert_null(parse(none, &error));
    assert_string_equal(error->message,
                        "run: no script; 'gridloom workloads' lists them");
    assert_null(parse(options_only, NULL));
}

static void an_unknown_option_is_refused(void **state G_GNUC_UNUSED)
{
    assert_refused(&(Row){"--frobnicate", "Unknown option --frobnicate"});
    assert_refused(&(Row){"-z", "Unknown option -z"});
}

static void an_option_given_twice_has_its_last_value(void **state G_GNUC_UNUSED)
{
    static const char *const words[] = {"x",        "--json=a", "--json=b",
                                        "--seed=5", "--seed=6", NULL};
    g_autoptr(CmdRunOptions) options = parse_or_fail(words);

    assert_string_equal(options->json, "b");
    assert_int_equal(options->seed, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_script_alone_gets_the_defaults),
        cmocka_unit_test(every_option_is_read),
        cmocka_unit_test(words_after_the_script_go_to_the_script),
        cmocka_unit_test(ranges_include_their_ends),
        cmocka_unit_test(a_number_outside_its_range_is_named_with_it),
        cmocka_unit_test(a_run_needs_a_script),
        cmocka_unit_test(an_unknown_option_is_refused),
        cmocka_unit_test(an_option_given_twice_has_its_last_value),
    };

    return cmocka_run_group_tests_name("tools.run_options", tests, NULL, NULL);
}
