/* The command line of `gridloom compare`: chips, and what goes to which of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/compare/options.h"

enum {
    WORD_LIMIT = 32,
};

static void options_free(CompareOptions *self)
{
    command_free_options(&cmd_compare, self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CompareOptions, options_free)

static CompareOptions *parse(const char *line, GError **error)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    char *arguments[WORD_LIMIT] = {(char *) "compare"};
    int count = 1;

    for (char **word = words; *word != NULL; word++) {
        arguments[count++] = *word;
    }
    return command_parse(&cmd_compare, count, arguments, error);
}

/* The words of a run, with a space between them. */
static char *run_of(const CompareOptions *options, guint chip, guint case_index)
{
    g_auto(GStrv) words = compare_options_run(options, chip, case_index);

    return g_strjoinv(" ", words);
}

static void assert_run(const char *line, guint chip, guint case_index, const char *run)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(CompareOptions) options = parse(line, &error);

    if (options == NULL) {
        fail_msg("%s: %s", line, error->message);
    }
    g_autofree char *words = run_of(options, chip, case_index);

    assert_string_equal(words, run);
}

#define BOTH "transfer --chips wormhole_n300,wse2"
#define REST " --threads 1 --seed 1"

static void words_go_to_all_chips_or_to_one(void **state G_GNUC_UNUSED)
{
    assert_run(BOTH, 0, 0, "transfer --chip wormhole_n300" REST);
    assert_run(BOTH " a=1 wse2:b=2", 0, 0, "transfer a=1 --chip wormhole_n300" REST);
    assert_run(BOTH " a=1 wse2:b=2", 1, 0, "transfer a=1 b=2 --chip wse2" REST);
    assert_run(BOTH " wse2:a=2 a=1 c=x:y", 0, 0,
               "transfer a=1 c=x:y --chip wormhole_n300" REST);
    assert_run(BOTH " wse2:a=2 a=1 c=x:y", 1, 0, "transfer c=x:y a=2 --chip wse2" REST);
    /* What is said twice for one chip is for its run to refuse. */
    assert_run(BOTH " a=1 wse2:a=2 wse2:a=3", 1, 0,
               "transfer a=2 a=3 --chip wse2" REST);
    assert_run(BOTH " --set chip.clock_hz=5 --set wse2:fabric.hop_cycles=2", 1, 0,
               "transfer --chip wse2" REST
               " --set chip.clock_hz=5 --set fabric.hop_cycles=2");
    assert_run(BOTH " --set wse2:fabric.hop_cycles=2", 0, 0,
               "transfer --chip wormhole_n300" REST);
    assert_run(BOTH " --threads 2 --seed 7 --limit-seconds 2.5 --timing-only", 1, 0,
               "transfer --chip wse2 --threads 2 --seed 7 --limit-seconds 2.5 "
               "--timing-only");
}

static void varied_parameters_go_along_together(void **state G_GNUC_UNUSED)
{
    static const char *const line = BOTH " a=1 --over b=2,3 --over c=x,y";

    assert_run(line, 0, 0, "transfer a=1 b=2 c=x --chip wormhole_n300" REST);
    assert_run(line, 1, 1, "transfer a=1 b=3 c=y --chip wse2" REST);
}

static void what_does_not_go_together_is_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *line;
        const char *says;
    } rows[] = {
        {"--chips wse2", "compare: no script; 'gridloom workloads' lists them"},
        {"nonsense --chips wse2", "nonsense: no such script; known are "},
        {"transfer", "compare: no chips, give some with --chips A,B; known are "},
        {"transfer --chips ", "--chips: empty; known are "},
        {"transfer --chips wse2,", "--chips: a name is empty; known are "},
        {"transfer --chips wse9", "wse9: no such chip; known are "},
        {"transfer --chips wse2,wse2", "--chips: wse2 is there twice"},
        {BOTH " wse3:a=1",
         "'wse3:a=1': --chips has no such chip, only wormhole_n300, wse2"},
        {BOTH " --set wse3:a.b=1", "'wse3:a.b=1': --chips has no such chip, only "},
        {BOTH " --over nx", "--over = nx, allowed is NAME=VALUE,VALUE,..."},
        {BOTH " --over =1", "--over = =1, allowed is NAME=VALUE,VALUE,..."},
        {BOTH " --over nx=1,2 --over ny=1",
         "--over: ny has 1 values, the one before it 2; they go along together"},
        {BOTH " --over nx=1,2 --over nx=1,2", "--over: nx is there twice"},
        {BOTH " wse2:nx=1 --over nx=1,2", "'nx=1': --over varies nx"},
        {BOTH " --threads 0", "--threads = 0, allowed is "},
        {BOTH " --limit-seconds 0", "--limit-seconds = 0, allowed is a number above 0"},
        {BOTH " --quantity a+", "--quantity: "},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;

        if (parse(rows[i].line, &error) != NULL) {
            fail_msg("%s: accepted", rows[i].line);
        }
        if (!g_str_has_prefix(error->message, rows[i].says)) {
            fail_msg("%s: %s", rows[i].line, error->message);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_go_to_all_chips_or_to_one),
        cmocka_unit_test(varied_parameters_go_along_together),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };

    return cmocka_run_group_tests_name("tools.compare_options", tests, NULL, NULL);
}
