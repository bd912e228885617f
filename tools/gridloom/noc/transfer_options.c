/* The command line of `gridloom noc transfer`. */
#include "tools/gridloom/noc/transfer_options.h"

#include "sim/error.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"

typedef CmdNocTransferOptions Options;

enum {
    BYTES_DEFAULT = 2048,
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
    return sim_fail(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "--op = %s, allowed with --pattern %s is %s%s", self->op,
                    self->pattern_name, ops[op],
                    is_one_to_all ? ", multicast or multicast-linked" : "");
}

static bool
read_op(CmdNocTransferOptions *self, const OptionTexts *texts, GError **error)
{
    const bool has_op = option_is_given(texts, "op");
    const bool has_pattern = option_is_given(texts, "pattern");
    const guint pattern = option_choice(texts, "pattern", 0);
    guint op;

    if (!has_op && !has_pattern) {
        g_autofree char *known = g_strjoinv(", ", (char **) ops);

        return option_fail(error, "noc transfer: no --op, known are %s", known);
    }
    if (has_pattern) {
        self->pattern = (CmdNocTransferPattern) (pattern + CMD_NOC_PATTERN_ONE_TO_ALL);
        self->pattern_name = patterns[pattern];
    }
    op = option_choice(texts, "op",
                       is_read_pattern(self->pattern) ? ARCH_TRANSFER_READ
                                                      : ARCH_TRANSFER_WRITE);
    self->op = ops[op];
    self->is_to_itself = op > ARCH_TRANSFER_MULTICAST_LINKED;
    self->config.op = self->is_to_itself ? ARCH_TRANSFER_WRITE : (ArchTransferOp) op;
    return !has_pattern || check_pattern_op(self, error);
}

/* Says no to what has no meaning, rather than to leave it out. */
static bool
check_modes(const CmdNocTransferOptions *self, const OptionTexts *texts, GError **error)
{
    const ArchTransferConfig *config = &self->config;
    const bool is_write = config->op == ARCH_TRANSFER_WRITE;

    if (config->is_posted && !is_write && !is_word(config) &&
        config->op != ARCH_TRANSFER_PAGE_WRITE) {
        return option_fail(error,
                           "--posted: allowed is an --op of write, loopback, inline, "
                           "atomic or page-write");
    }
    if (config->is_stateful && !is_write && config->op != ARCH_TRANSFER_READ &&
        config->op != ARCH_TRANSFER_INLINE) {
        return option_fail(error,
                           "--stateful: allowed is an --op of read, write, loopback or "
                           "inline");
    }
    if (option_is_given(texts, "loopback") && self->pattern == CMD_NOC_PATTERN_NONE &&
        !cmd_noc_transfer_is_multicast(config)) {
        return option_fail(error, "--loopback: allowed is an --op of multicast or "
                                  "multicast-linked, or a --pattern");
    }
    if (self->pattern == CMD_NOC_PATTERN_NONE && self->grid != NULL) {
        return option_fail(error, "--grid: allowed with --pattern only");
    }
    if (self->pattern != CMD_NOC_PATTERN_NONE && self->grid == NULL) {
        return option_fail(error, "--pattern: needs --grid WxH");
    }
    return true;
}

/* Sets the defaults, which depend on the operation. */
static bool
choose_usual(ArchTransferConfig *config, const OptionTexts *texts, GError **error)
{
    const bool is_read =
        config->op == ARCH_TRANSFER_READ || config->op == ARCH_TRANSFER_PAGE_READ;

    if (!option_is_given(texts, "bytes")) {
        config->bytes = is_word(config) ? WORD_BYTES : BYTES_DEFAULT;
    }
    if (!option_is_given(texts, "noc")) {
        config->noc = is_read ? READ_NOC : 0;
    }
    if (!option_is_given(texts, "vc")) {
        config->vc = is_read ? READ_VC : 0;
    }
    return !is_word(config) || config->bytes == WORD_BYTES ||
           option_refuse("--bytes", option_text(texts, "bytes"),
                         "4 for inline and atomic", error);
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    CmdNocTransferOptions *self = options;

    if (!read_op(self, texts, error) || !check_modes(self, texts, error)) {
        return false;
    }
    self->config.is_old_api = self->api == 1;
    if (!option_is_given(texts, "loopback")) {
        /* As the silicon tests have it: who reads from all, reads from itself too. */
        self->config.is_loopback = self->pattern != CMD_NOC_PATTERN_NONE &&
                                   self->pattern != CMD_NOC_PATTERN_ONE_TO_ALL;
    }
    return choose_usual(&self->config, texts, error);
}

static const Option rows[] = {
    {"chip", "NAME|FILE", "chip to use (default: wormhole_n300)", OPTION_TEXT(chip),
     .names = OPTION_NAMES_CHIPS},
    {"op", "NAME",
     "read, write, inline, atomic, bidirectional, page-read, page-write, multicast, "
     "multicast-linked or loopback (a write to itself)",
     OPTION_CHOICE(ops)},
    {"from", "X,Y", "core that issues the commands (default: L:0,0)",
     OPTION_TEXT(from)},
    {"to", "X,Y[:X,Y]", "tile at the other end; of a multicast the corners",
     OPTION_TEXT(to)},
    {"bytes", "N", "of one command (default: 2048; inline and atomic: 4)",
     OPTION_COUNT(config.bytes, 1, 16 << 20)},
    {"count", "N", "commands to each tile (default: 1)",
     OPTION_COUNT(config.count, 1, 1000000)},
    {"noc", "N", "network, 0 or 1 (default: 1 for reads, else 0)",
     OPTION_SMALL(config.noc, 0, 1)},
    {"vc", "N", "virtual channel of requests, 0..3 (default: 1 for reads, else 0)",
     OPTION_SMALL(config.vc, 0, 3)},
    {"posted", NULL, "writes without acknowledgement", OPTION_FLAG(config.is_posted)},
    {"stateful", NULL, "command registers are set once, not for each command",
     OPTION_FLAG(config.is_stateful)},
    {"api", "1|2",
     "version of tt-metal's data movement API, for issue costs (default: 2)",
     OPTION_SMALL(api, 1, 2)},
    {"loopback", "on|off",
     "does the sender of a multicast or a pattern send to itself too",
     OPTION_SWITCH(config.is_loopback)},
    {"start-skew", "N", "cycles between the starts of two cores (default: 0)",
     OPTION_COUNT(config.start_skew_cycles, 0, 1000000000)},
    {"pattern", "NAME", "one-to-all, one-from-all, all-to-all or all-from-all",
     OPTION_CHOICE(patterns)},
    {"grid", "WxH[:WxH]",
     "cores of a pattern: those that issue, and their peers if others",
     OPTION_TEXT(grid)},
    {"set", "SECTION.KEY=VALUE", "change a number of the chip; may be repeated",
     OPTION_TEXTS(overrides)},
    {"l1-conflicts", "on|off", "the calibrated costs of sharing an L1 (default: on)",
     OPTION_SWITCH(config.options.has_l1_conflicts)},
    {0},
};

const Command cmd_noc_transfer = {
    .name = "noc transfer",
    .purpose = "move data over a chip's network, as silicon tests do",
    .help = "noc-transfer",
    .tables = {{rows, 0}, {cmd_noc_output_rows, offsetof(Options, output)}},
    COMMAND_OPTIONS(
        Options,
        .config = {.count = 1,
                   .options = {.has_contention = true, .has_l1_conflicts = true}},
        .api = 2),
    .check = check,
    .run = cmd_noc_transfer_run,
};
