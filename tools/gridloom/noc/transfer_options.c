/* The command line of `gridloom noc transfer`. */
#include "tools/gridloom/noc/transfer_options.h"

#include "tools/gridloom/option_value.h"

enum {
    BYTES_DEFAULT = 2048,
    BYTES_MAXIMUM = 16 << 20,
    COUNT_MAXIMUM = 1000000,
    SKEW_MAXIMUM = 1000000000,
    NOC_MAXIMUM = 1,
    VC_MAXIMUM = 3,
    WORD_BYTES = 4, /* of an inline write and of a semaphore */
    READ_NOC = 1,   /* tt-metal reads on this one, */
    READ_VC = 1,    /* and on this channel */
};

static const char *const ops[] = {
    [ARCH_TRANSFER_READ] = "read",
    [ARCH_TRANSFER_WRITE] = "write",
    [ARCH_TRANSFER_INLINE] = "inline",
    [ARCH_TRANSFER_ATOMIC] = "atomic",
    [ARCH_TRANSFER_BIDIRECTIONAL] = "bidirectional",
    [ARCH_TRANSFER_PAGE_READ] = "page-read",
    [ARCH_TRANSFER_PAGE_WRITE] = "page-write",
    [ARCH_TRANSFER_MULTICAST] = "multicast",
    [ARCH_TRANSFER_MULTICAST_LINKED] = "multicast-linked",
    [ARCH_TRANSFER_MULTICAST_LINKED + 1] = "loopback",
    [ARCH_TRANSFER_MULTICAST_LINKED + 2] = NULL,
};

static const char *const patterns[] = {"one-to-all", "one-from-all", "all-to-all",
                                       "all-from-all", NULL};

static const char *const definitions =
    "Tiles are X,Y as NoC 0 counts them, or L:X,Y, logical coordinates of Tensix "
    "tiles\n"
    "that work. Cycles are those of the core that issues the commands: issue cost and\n"
    "barrier included; with several cores, of the median one. A pattern has its cores\n"
    "at L:0,0: one-to-all writes from L:0,0 to each core of the grid, one after\n"
    "another, one-from-all reads; all-to-all and all-from-all do so from every core "
    "of\n"
    "the first grid to every core of the second.\n\n"
    "  gridloom noc transfer --op write --from L:0,0 --to L:1,1 --bytes 8192 --count "
    "64\n"
    "  gridloom noc transfer --op multicast --from L:0,0 --to L:0,0:4,4 --bytes 4096\n"
    "  gridloom noc transfer --pattern all-to-all --grid 8x8 --bytes 512\n";

/* Everything comes as text, so that one message says what is allowed. */
typedef struct {
    char *op;
    char *pattern;
    char *bytes;
    char *count;
    char *noc;
    char *vc;
    char *api;
    char *loopback;
    char *start_skew;
    char *l1_conflicts;
    char *limit_seconds;
    gboolean is_posted;
    gboolean is_stateful;
    char **words;
} Texts;

static void texts_clear(Texts *self)
{
    g_free(self->op);
    g_free(self->pattern);
    g_free(self->bytes);
    g_free(self->count);
    g_free(self->noc);
    g_free(self->vc);
    g_free(self->api);
    g_free(self->loopback);
    g_free(self->start_skew);
    g_free(self->l1_conflicts);
    g_free(self->limit_seconds);
    g_strfreev(self->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

void cmd_noc_transfer_options_clear(CmdNocTransferOptions *self)
{
    g_free(self->chip);
    g_strfreev(self->overrides);
    g_free(self->from);
    g_free(self->to);
    g_free(self->grid);
    cmd_noc_output_clear(&self->output);
}

bool cmd_noc_transfer_is_multicast(const ArchTransferConfig *config)
{
    return config->op == ARCH_TRANSFER_MULTICAST ||
           config->op == ARCH_TRANSFER_MULTICAST_LINKED;
}

bool cmd_noc_transfer_is_paged(const ArchTransferConfig *config)
{
    return config->op == ARCH_TRANSFER_PAGE_READ ||
           config->op == ARCH_TRANSFER_PAGE_WRITE;
}

static bool is_word(const ArchTransferConfig *config)
{
    return config->op == ARCH_TRANSFER_INLINE || config->op == ARCH_TRANSFER_ATOMIC;
}

static bool fail(GError **error, const char *message)
{
    g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
    return false;
}

static bool is_read_pattern(CmdNocTransferPattern pattern)
{
    return pattern == CMD_NOC_PATTERN_ONE_FROM_ALL ||
           pattern == CMD_NOC_PATTERN_ALL_FROM_ALL;
}

/* A pattern says whether its commands read or write. */
static bool check_pattern_op(const CmdNocTransferOptions *self, GError **error)
{
    const ArchTransferConfig *config = &self->config;
    const bool is_one_to_all = self->pattern == CMD_NOC_PATTERN_ONE_TO_ALL;
    const ArchTransferOp op =
        is_read_pattern(self->pattern) ? ARCH_TRANSFER_READ : ARCH_TRANSFER_WRITE;

    if ((config->op == op && !self->is_to_itself) ||
        (is_one_to_all && cmd_noc_transfer_is_multicast(config))) {
        return true;
    }
    g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                "--op = %s, allowed with --pattern %s is %s%s", self->op,
                self->pattern_name, ops[op],
                is_one_to_all ? ", multicast or multicast-linked" : "");
    return false;
}

static bool read_op(CmdNocTransferOptions *self, const Texts *texts, GError **error)
{
    guint pattern = 0;
    guint op = ARCH_TRANSFER_WRITE;

    if (!option_word(texts->pattern, "--pattern", patterns, &pattern, error) ||
        !option_word(texts->op, "--op", ops, &op, error)) {
        return false;
    }
    if (texts->op == NULL && texts->pattern == NULL) {
        g_autofree char *known = g_strjoinv(", ", (char **) ops);

        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                    "noc transfer: no --op, known are %s", known);
        return false;
    }
    if (texts->pattern != NULL) {
        self->pattern = (CmdNocTransferPattern) (pattern + CMD_NOC_PATTERN_ONE_TO_ALL);
        self->pattern_name = patterns[pattern];
    }
    if (texts->op == NULL && is_read_pattern(self->pattern)) {
        op = ARCH_TRANSFER_READ;
    }
    self->op = ops[op];
    self->is_to_itself = op > ARCH_TRANSFER_MULTICAST_LINKED;
    self->config.op = self->is_to_itself ? ARCH_TRANSFER_WRITE : (ArchTransferOp) op;
    return texts->pattern == NULL || check_pattern_op(self, error);
}

/* Says no to what has no meaning, rather than to leave it out. */
static bool
check_modes(const CmdNocTransferOptions *self, const Texts *texts, GError **error)
{
    const ArchTransferConfig *config = &self->config;
    const bool is_write = config->op == ARCH_TRANSFER_WRITE;

    if (texts->is_posted && !is_write && !is_word(config) &&
        config->op != ARCH_TRANSFER_PAGE_WRITE) {
        return fail(error, "--posted: allowed is an --op of write, loopback, inline, "
                           "atomic or page-write");
    }
    if (texts->is_stateful && !is_write && config->op != ARCH_TRANSFER_READ &&
        config->op != ARCH_TRANSFER_INLINE) {
        return fail(error, "--stateful: allowed is an --op of read, write, loopback or "
                           "inline");
    }
    if (texts->loopback != NULL && self->pattern == CMD_NOC_PATTERN_NONE &&
        !cmd_noc_transfer_is_multicast(config)) {
        return fail(error, "--loopback: allowed is an --op of multicast or "
                           "multicast-linked, or a --pattern");
    }
    if (self->pattern == CMD_NOC_PATTERN_NONE && self->grid != NULL) {
        return fail(error, "--grid: allowed with --pattern only");
    }
    if (self->pattern != CMD_NOC_PATTERN_NONE && self->grid == NULL) {
        return fail(error, "--pattern: needs --grid WxH");
    }
    return true;
}

static bool read_bytes(CmdNocTransferOptions *self, const Texts *texts, GError **error)
{
    ArchTransferConfig *config = &self->config;

    config->bytes = is_word(config) ? WORD_BYTES : BYTES_DEFAULT;
    if (is_word(config) && texts->bytes != NULL && !g_str_equal(texts->bytes, "4")) {
        return option_refuse("--bytes", texts->bytes, "4 for inline and atomic", error);
    }
    return option_count(texts->bytes, "--bytes", 1, BYTES_MAXIMUM, &config->bytes,
                        error);
}

static bool
read_numbers(CmdNocTransferOptions *self, const Texts *texts, GError **error)
{
    ArchTransferConfig *config = &self->config;
    const bool is_read =
        config->op == ARCH_TRANSFER_READ || config->op == ARCH_TRANSFER_PAGE_READ;
    uint64_t noc = is_read ? READ_NOC : 0;
    uint64_t vc = is_read ? READ_VC : 0;
    uint64_t api = 2;

    config->count = 1;
    if (!read_bytes(self, texts, error) ||
        !option_count(texts->count, "--count", 1, COUNT_MAXIMUM, &config->count,
                      error) ||
        !option_count(texts->noc, "--noc", 0, NOC_MAXIMUM, &noc, error) ||
        !option_count(texts->vc, "--vc", 0, VC_MAXIMUM, &vc, error) ||
        !option_count(texts->api, "--api", 1, 2, &api, error) ||
        !option_count(texts->start_skew, "--start-skew", 0, SKEW_MAXIMUM,
                      &config->start_skew_cycles, error)) {
        return false;
    }
    config->noc = (guint) noc;
    config->vc = (guint) vc;
    config->is_old_api = api == 1;
    return true;
}

static bool read_modes(CmdNocTransferOptions *self, const Texts *texts, GError **error)
{
    ArchTransferConfig *config = &self->config;

    /* As the silicon tests have it: who reads from all, reads from itself too. */
    config->is_loopback = self->pattern != CMD_NOC_PATTERN_NONE &&
                          self->pattern != CMD_NOC_PATTERN_ONE_TO_ALL;
    config->is_posted = texts->is_posted;
    config->is_stateful = texts->is_stateful;
    config->options =
        (ArchWormholeNocOptions){.has_contention = true, .has_l1_conflicts = true};
    return option_switch(texts->loopback, "--loopback", &config->is_loopback, error) &&
           option_switch(texts->l1_conflicts, "--l1-conflicts",
                         &config->options.has_l1_conflicts, error);
}

bool cmd_noc_transfer_options_parse(CmdNocTransferOptions *self,
                                    int argc,
                                    char **argv,
                                    GError **error)
{
    g_auto(Texts) texts = {0};
    const GOptionEntry entries[] = {
        {"chip", 0, 0, G_OPTION_ARG_FILENAME, &self->chip,
         "chip to use (default: wormhole_n300)", "NAME|FILE"},
        {"op", 0, 0, G_OPTION_ARG_FILENAME, &texts.op,
         "read, write, inline, atomic, bidirectional, page-read, page-write, "
         "multicast, "
         "multicast-linked or loopback (a write to itself)",
         "NAME"},
        {"from", 0, 0, G_OPTION_ARG_FILENAME, &self->from,
         "core that issues the commands (default: L:0,0)", "X,Y"},
        {"to", 0, 0, G_OPTION_ARG_FILENAME, &self->to,
         "tile at the other end; of a multicast the corners", "X,Y[:X,Y]"},
        {"bytes", 0, 0, G_OPTION_ARG_FILENAME, &texts.bytes,
         "of one command (default: 2048; inline and atomic: 4)", "N"},
        {"count", 0, 0, G_OPTION_ARG_FILENAME, &texts.count,
         "commands to each tile (default: 1)", "N"},
        {"noc", 0, 0, G_OPTION_ARG_FILENAME, &texts.noc,
         "network, 0 or 1 (default: 1 for reads, else 0)", "N"},
        {"vc", 0, 0, G_OPTION_ARG_FILENAME, &texts.vc,
         "virtual channel of requests, 0..3 (default: 1 for reads, else 0)", "N"},
        {"posted", 0, 0, G_OPTION_ARG_NONE, &texts.is_posted,
         "writes without acknowledgement", NULL},
        {"stateful", 0, 0, G_OPTION_ARG_NONE, &texts.is_stateful,
         "command registers are set once, not for each command", NULL},
        {"api", 0, 0, G_OPTION_ARG_FILENAME, &texts.api,
         "version of tt-metal's data movement API, for issue costs (default: 2)",
         "1|2"},
        {"loopback", 0, 0, G_OPTION_ARG_FILENAME, &texts.loopback,
         "does the sender of a multicast or a pattern send to itself too", "on|off"},
        {"start-skew", 0, 0, G_OPTION_ARG_FILENAME, &texts.start_skew,
         "cycles between the starts of two cores (default: 0)", "N"},
        {"pattern", 0, 0, G_OPTION_ARG_FILENAME, &texts.pattern,
         "one-to-all, one-from-all, all-to-all or all-from-all", "NAME"},
        {"grid", 0, 0, G_OPTION_ARG_FILENAME, &self->grid,
         "cores of a pattern: those that issue, and their peers if others",
         "WxH[:WxH]"},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->overrides,
         "change a number of the chip; may be repeated", "SECTION.KEY=VALUE"},
        {"l1-conflicts", 0, 0, G_OPTION_ARG_FILENAME, &texts.l1_conflicts,
         "the calibrated costs of sharing an L1 (default: on)", "on|off"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->output.json,
         "write the result as JSON; - is standard output", "FILE"},
        {"heatmap", 0, 0, G_OPTION_ARG_FILENAME, &self->output.heatmap,
         "draw how busy the links are", "FILE.svg"},
        {"limit-seconds", 0, 0, G_OPTION_ARG_FILENAME, &texts.limit_seconds,
         "stop after this much real time", "N"},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &self->output.is_quiet,
         "no progress line and no result table", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("- move data over a chip's network, as silicon tests do");

    *self = (CmdNocTransferOptions){0};
    g_set_prgname("gridloom noc transfer");
    g_option_context_set_description(context, definitions);
    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, &argc, &argv, error) &&
           option_no_words(texts.words, "noc transfer", error) &&
           read_op(self, &texts, error) && check_modes(self, &texts, error) &&
           read_numbers(self, &texts, error) && read_modes(self, &texts, error) &&
           option_seconds(texts.limit_seconds, "--limit-seconds", &self->limit_seconds,
                          error);
}
