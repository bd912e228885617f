/* The command line of `gridloom noc transfer`: defaults, options, and what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/noc/transfer_options.h"

enum {
    WORD_LIMIT = 48,
};

static void options_free(CmdNocTransferOptions *self)
{
    command_free_options(&cmd_noc_transfer, self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdNocTransferOptions, options_free)

/* The words after "transfer"; the option parser reorders its list. */
static CmdNocTransferOptions *parse(const char *line, GError **error)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    char *arguments[WORD_LIMIT] = {(char *) "transfer"};
    int count = 1;

    for (char **word = words; *word != NULL; word++) {
        arguments[count++] = *word;
    }
    return command_parse(&cmd_noc_transfer, count, arguments, error);
}

static CmdNocTransferOptions *parse_or_fail(const char *line)
{
    g_autoptr(GError) error = NULL;
    CmdNocTransferOptions *options = parse(line, &error);

    if (options == NULL) {
        fail_msg("%s: %s", line, error->message);
    }
    return options;
}

static void a_write_gets_the_defaults(void **state G_GNUC_UNUSED)
{
    g_autoptr(CmdNocTransferOptions) options = parse_or_fail("--op write --to 2,2");

    assert_int_equal(options->config.op, ARCH_TRANSFER_WRITE);
    assert_int_equal(options->config.noc, 0);
    assert_int_equal(options->config.vc, 0);
    assert_int_equal(options->config.bytes, 2048);
    assert_int_equal(options->config.count, 1);
    assert_int_equal(options->config.start_skew_cycles, 0);
    assert_false(options->config.is_posted || options->config.is_stateful);
    assert_false(options->config.is_old_api || options->config.is_loopback);
    assert_true(options->config.options.has_contention);
    assert_true(options->config.options.has_l1_conflicts);
    assert_int_equal(options->pattern, CMD_NOC_PATTERN_NONE);
    assert_string_equal(options->to, "2,2");
    assert_null(options->from);
    assert_null(options->chip);
}

static void every_option_is_read(void **state G_GNUC_UNUSED)
{
    g_autoptr(CmdNocTransferOptions) options =
        parse_or_fail("--chip c --op write --from 1,1 --to 2,2 --bytes 16777216 "
                      "--count 1000000 --noc 1 --vc 3 --posted --stateful --api 1 "
                      "--start-skew 7 --start barrier --issue-cycles 22.25 --set a.b=1 "
                      "--set c.d=2 --l1-conflicts off --json j "
                      "--heatmap h -q");

    assert_string_equal(options->chip, "c");
    assert_string_equal(options->from, "1,1");
    assert_int_equal(options->config.bytes, 16 << 20);
    assert_int_equal(options->config.count, 1000000);
    assert_int_equal(options->config.noc, 1);
    assert_int_equal(options->config.vc, 3);
    assert_true(options->config.is_posted && options->config.is_stateful);
    assert_true(options->config.is_old_api);
    assert_int_equal(options->config.start_skew_cycles, 7);
    assert_int_equal(options->config.start, ARCH_TRANSFER_BARRIER);
    assert_int_equal(options->config.issue_cycles.num * 4,
                     options->config.issue_cycles.den * 89);
    assert_int_equal(g_strv_length(options->overrides), 2);
    assert_false(options->config.options.has_l1_conflicts);
    assert_string_equal(options->output.json, "j");
    assert_string_equal(options->output.heatmap, "h");
    assert_true(options->output.is_quiet);
}

/* As the silicon tests: reads go over NoC 1 and its channel 1, all else over NoC 0. */
static void operations_choose_their_network(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *line;
        ArchTransferOp op;
        guint noc;
        bool is_loopback;
    } rows[] = {
        {"--op read", ARCH_TRANSFER_READ, 1, false},
        {"--op page-read", ARCH_TRANSFER_PAGE_READ, 1, false},
        {"--op page-write", ARCH_TRANSFER_PAGE_WRITE, 0, false},
        {"--op bidirectional", ARCH_TRANSFER_BIDIRECTIONAL, 0, false},
        {"--op loopback", ARCH_TRANSFER_WRITE, 0, false},
        {"--op multicast-linked", ARCH_TRANSFER_MULTICAST_LINKED, 0, false},
        {"--op multicast --loopback on", ARCH_TRANSFER_MULTICAST, 0, true},
        {"--pattern one-to-all --grid 2x2", ARCH_TRANSFER_WRITE, 0, false},
        {"--pattern one-from-all --grid 2x2", ARCH_TRANSFER_READ, 1, true},
        {"--pattern all-to-all --grid 2x2", ARCH_TRANSFER_WRITE, 0, true},
        {"--pattern all-from-all --grid 2x2", ARCH_TRANSFER_READ, 1, true},
        {"--pattern all-to-all --grid 2x2 --loopback off", ARCH_TRANSFER_WRITE, 0,
         false},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(CmdNocTransferOptions) options = parse_or_fail(rows[i].line);

        if (options->config.op != rows[i].op || options->config.noc != rows[i].noc ||
            options->config.vc != rows[i].noc ||
            options->config.is_loopback != rows[i].is_loopback) {
            fail_msg("%s", rows[i].line);
        }
    }
}

static void options_of_pages_banks_and_channels_are_read(void **state G_GNUC_UNUSED)
{
    g_autoptr(CmdNocTransferOptions) pages =
        parse_or_fail("--op page-copy --grid 2x2 --order rows --pages 3 --first-page 5 "
                      "--page-step 7 --page-memory l1");
    g_autoptr(CmdNocTransferOptions) banks =
        parse_or_fail("--pattern dram-neighbours --banks 9 --neighbours west");
    g_autoptr(CmdNocTransferOptions) channels = parse_or_fail("--op read --vcs 4");

    assert_true(pages->is_copy && pages->config.is_chained);
    assert_int_equal(pages->config.op, ARCH_TRANSFER_PAGE_READ);
    assert_int_equal(pages->order, 1);
    assert_int_equal(pages->pages, 3);
    assert_int_equal(pages->first_page, 5);
    assert_int_equal(pages->page_step, 7);
    assert_int_equal(pages->page_memory, 1);
    assert_int_equal(banks->banks, 9);
    assert_int_equal(banks->config.op, ARCH_TRANSFER_READ);
    assert_string_equal(cmd_noc_transfer_neighbours(banks), "west");
    /* By turns from the first on, not from the usual one of reads. */
    assert_int_equal(channels->config.vc, 0);
    assert_int_equal(channels->config.vc_count, 4);
}

static void words_are_four_bytes(void **state G_GNUC_UNUSED)
{
    g_autoptr(CmdNocTransferOptions) options = parse_or_fail("--op inline --to 2,2");

    assert_int_equal(options->config.bytes, 4);
}

static void what_cannot_be_is_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *line;
        const char *message;
    } rows[] = {
        {"--op write --bytes 0", "--bytes = 0, allowed is a whole number in "
                                 "1..16777216"},
        {"--op write --count -1", "--count = -1, allowed is a whole number in "
                                  "1..1000000"},
        {"--op write --noc 2", "--noc = 2, allowed is a whole number in 0..1"},
        {"--op write --vc 4", "--vc = 4, allowed is a whole number in 0..3"},
        {"--op write --api 0", "--api = 0, allowed is a whole number in 1..2"},
        {"--op write --l1-conflicts 1", "--l1-conflicts = 1, known are off, on"},
        {"--op inline --bytes 5", "--bytes = 5, allowed is 4 for inline and atomic"},
        {"--op write --grid 2x2",
         "--grid: allowed with --pattern only, or with an --op "
         "of page-read, page-write or page-copy"},
        {"--pattern all-to-all", "--pattern: needs --grid WxH"},
        {"--pattern one-from-all --op multicast --grid 2x2",
         "--op = multicast, allowed with --pattern one-from-all is read"},
        {"--pattern one-to-all --op loopback --grid 2x2",
         "--op = loopback, allowed with --pattern one-to-all is write, multicast or "
         "multicast-linked"},
        {"--pattern x", "--pattern = x, known are one-to-all, one-from-all, "
                        "all-to-all, all-from-all, dram-neighbours"},
        {"--op write --issue-cycles 0.5",
         "--issue-cycles = 0.5, allowed is a number of 1..1,000,000"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;

        if (parse(rows[i].line, &error) != NULL) {
            fail_msg("%s is taken", rows[i].line);
        }
        assert_int_equal(error->domain, G_OPTION_ERROR);
        assert_string_equal(error->message, rows[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_gets_the_defaults),
        cmocka_unit_test(every_option_is_read),
        cmocka_unit_test(operations_choose_their_network),
        cmocka_unit_test(options_of_pages_banks_and_channels_are_read),
        cmocka_unit_test(words_are_four_bytes),
        cmocka_unit_test(what_cannot_be_is_refused),
    };

    return cmocka_run_group_tests_name("tools.noc_transfer_options", tests, NULL, NULL);
}
