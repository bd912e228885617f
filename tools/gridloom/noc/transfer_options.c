/* The command line of `gridloom noc transfer`. */
#include "tools/gridloom/noc/transfer_options.h"

#include <math.h>

#include "sim/error.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"

typedef CmdNocTransferOptions Options;

enum {
    BYTES_DEFAULT = 2048,
    WORD_BYTES = 4, /* of an inline write and of a semaphore */
    READ_NOC = 1,   /* tt-metal reads on this one, */
    READ_VC = 1,    /* and on this channel */
    VC_COUNT = 4,
    ISSUE_UNITS = 1000, /* of a cycle that --issue-cycles may name */
};

/* Those after ARCH_TRANSFER_WRITE_AFTER_READ are several of the model's. */
enum {
    OP_LOOPBACK = ARCH_TRANSFER_WRITE_AFTER_READ + 1,
    OP_PAGE_COPY,
    OP_COUNT,
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
    [ARCH_TRANSFER_READ_AFTER_WRITE] = "read-after-write",
    [ARCH_TRANSFER_WRITE_AFTER_READ] = "write-after-read",
    [OP_LOOPBACK] = "loopback",
    [OP_PAGE_COPY] = "page-copy",
    [OP_COUNT] = NULL,
};

static const char *const patterns[] = {"one-to-all",   "one-from-all",    "all-to-all",
                                       "all-from-all", "dram-neighbours", NULL};
static const char *const orders[] = {"columns", "rows", NULL};
static const char *const starts[] = {
    [ARCH_TRANSFER_AT_ONCE] = "at-once",
    [ARCH_TRANSFER_BARRIER] = "barrier",
    [ARCH_TRANSFER_BARRIER + 1] = NULL,
};
static const char *const memories[] = {"dram", "l1", NULL};
static const char *const neighbours[] = {
    [ARCH_NEIGHBOURS_BOTH] = "both",  [ARCH_NEIGHBOURS_EAST] = "east",
    [ARCH_NEIGHBOURS_WEST] = "west",  [ARCH_NEIGHBOURS_ROW] = "row",
    [ARCH_NEIGHBOURS_ROW + 1] = NULL,
};

const char *cmd_noc_transfer_neighbours(const CmdNocTransferOptions *self)
{
    return neighbours[self->neighbours];
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

bool cmd_noc_transfer_has_phases(const ArchTransferConfig *config)
{
    return config->op == ARCH_TRANSFER_READ_AFTER_WRITE ||
           config->op == ARCH_TRANSFER_WRITE_AFTER_READ;
}

static bool is_word(const ArchTransferConfig *config)
{
    return config->op == ARCH_TRANSFER_INLINE || config->op == ARCH_TRANSFER_ATOMIC;
}

static bool is_read_pattern(CmdNocTransferPattern pattern)
{
    return pattern == CMD_NOC_PATTERN_ONE_FROM_ALL ||
           pattern == CMD_NOC_PATTERN_ALL_FROM_ALL ||
           pattern == CMD_NOC_PATTERN_DRAM_NEIGHBOURS;
}

/* A pattern says whether its commands read or write. */
static bool check_pattern_op(const CmdNocTransferOptions *self, GError **error)
{
    const ArchTransferConfig *config = &self->config;
    const bool is_reader = is_read_pattern(self->pattern);
    const ArchTransferOp op = is_reader ? ARCH_TRANSFER_READ : ARCH_TRANSFER_WRITE;

    if ((config->op == op && !self->is_to_itself) ||
        (!is_reader && cmd_noc_transfer_is_multicast(config))) {
        return true;
    }
    return sim_fail(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "--op = %s, allowed with --pattern %s is %s%s", self->op,
                    self->pattern_name, ops[op],
                    is_reader ? "" : ", multicast or multicast-linked");
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
    self->is_to_itself = op == OP_LOOPBACK;
    self->is_copy = op == OP_PAGE_COPY;
    self->config.is_chained = self->is_copy;
    self->config.op = self->is_to_itself ? ARCH_TRANSFER_WRITE
                      : self->is_copy    ? ARCH_TRANSFER_PAGE_READ
                                         : (ArchTransferOp) op;
    return !has_pattern || check_pattern_op(self, error);
}

/* Is there a grid where there are several cores, and only there? */
static bool check_cores(const CmdNocTransferOptions *self, GError **error)
{
    const bool has_banks = self->pattern == CMD_NOC_PATTERN_DRAM_NEIGHBOURS;
    const bool has_pattern = self->pattern != CMD_NOC_PATTERN_NONE && !has_banks;

    if (self->grid != NULL && !has_pattern &&
        !cmd_noc_transfer_is_paged(&self->config)) {
        return option_fail(
            error, has_banks ? "--grid: not together with --pattern dram-neighbours"
                             : "--grid: allowed with --pattern only, or with an --op "
                               "of page-read, page-write or page-copy");
    }
    if (has_pattern && self->grid == NULL) {
        return option_fail(error, "--pattern: needs --grid WxH");
    }
    return true;
}

static bool check_kernels(const CmdNocTransferOptions *self, GError **error)
{
    if (self->kernels > 1 && self->config.op != ARCH_TRANSFER_BIDIRECTIONAL) {
        return option_fail(error, "--kernels 2: allowed is an --op of bidirectional");
    }
    if (self->is_handshake && (!cmd_noc_transfer_is_multicast(&self->config) ||
                               self->pattern == CMD_NOC_PATTERN_ALL_TO_ALL)) {
        return option_fail(error, "--handshake: allowed is an --op of multicast or "
                                  "multicast-linked from one core");
    }
    return true;
}

static bool
check_pages(const CmdNocTransferOptions *self, const OptionTexts *texts, GError **error)
{
    static const char *const of_pages[] = {"pages", "first-page", "page-step",
                                           "page-run", "page-memory"};
    static const char *const of_banks[] = {"banks", "neighbours"};

    for (gsize i = 0; i < G_N_ELEMENTS(of_pages); i++) {
        if (option_is_given(texts, of_pages[i]) &&
            !cmd_noc_transfer_is_paged(&self->config)) {
            return option_fail(error,
                               "--%s: allowed is an --op of page-read, page-write or "
                               "page-copy",
                               of_pages[i]);
        }
    }
    for (gsize i = 0; i < G_N_ELEMENTS(of_banks); i++) {
        if (option_is_given(texts, of_banks[i]) &&
            self->pattern != CMD_NOC_PATTERN_DRAM_NEIGHBOURS) {
            return option_fail(error, "--%s: allowed with --pattern dram-neighbours",
                               of_banks[i]);
        }
    }
    return true;
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
        config->op != ARCH_TRANSFER_INLINE && !cmd_noc_transfer_has_phases(config)) {
        return option_fail(error,
                           "--stateful: allowed is an --op of read, write, loopback, "
                           "inline, read-after-write or write-after-read");
    }
    if (option_is_given(texts, "loopback") && self->pattern == CMD_NOC_PATTERN_NONE &&
        !cmd_noc_transfer_is_multicast(config)) {
        return option_fail(error, "--loopback: allowed is an --op of multicast or "
                                  "multicast-linked, or a --pattern");
    }
    return check_cores(self, error) && check_kernels(self, error) &&
           check_pages(self, texts, error);
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
        config->vc = is_read && !option_is_given(texts, "vcs") ? READ_VC : 0;
    }
    if (is_word(config) && config->bytes != WORD_BYTES) {
        return option_refuse("--bytes", option_text(texts, "bytes"),
                             "4 for inline and atomic", error);
    }
    return config->vc + config->vc_count <= VC_COUNT ||
           option_fail(error, "--vc, --vcs: %u channels from %u on, there are %d",
                       config->vc_count, config->vc, VC_COUNT);
}

static SimRatio ratio_of(double cycles)
{
    return (SimRatio){(uint64_t) llround(cycles * ISSUE_UNITS), ISSUE_UNITS};
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    CmdNocTransferOptions *self = options;

    if (!read_op(self, texts, error) || !check_modes(self, texts, error)) {
        return false;
    }
    self->config.is_old_api = self->api == 1;
    self->config.peer_cycles = ratio_of(self->peer_cycles);
    self->config.issue_cycles = ratio_of(self->issue_cycles);
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
     "read, write, inline, atomic, bidirectional, page-read, page-write, page-copy, "
     "multicast, multicast-linked, read-after-write, write-after-read or loopback (a "
     "write to itself)",
     OPTION_CHOICE(ops)},
    {"from", "X,Y", "core that issues the commands, or the first (default: L:0,0)",
     OPTION_TEXT(from)},
    {"to", "X,Y[:X,Y]",
     "tile at the other end; of a multicast the corners; of read-after-write and its "
     "like the first and the second tile",
     OPTION_TEXT(to)},
    {"bytes", "N", "of one command (default: 2048; inline and atomic: 4)",
     OPTION_COUNT(config.bytes, 1, 16 << 20)},
    {"count", "N", "commands to each tile (default: 1)",
     OPTION_COUNT(config.count, 1, 1000000)},
    {"noc", "N", "network, 0 or 1 (default: 1 for reads, else 0)",
     OPTION_SMALL(config.noc, 0, 1)},
    {"vc", "N", "virtual channel of requests, 0..3 (default: 1 for reads, else 0)",
     OPTION_SMALL(config.vc, 0, 3)},
    {"vcs", "N", "channels by turns, command after command (default: 1)",
     OPTION_SMALL(config.vc_count, 1, VC_COUNT)},
    {"issue-cycles", "N", "cycles of issuing a command, in place of the chip's number",
     OPTION_REAL(issue_cycles, 1, 1000000, "a number of 1..1,000,000")},
    {"peer-cycles", "N", "cycles of turning to another tile, on top (default: 0)",
     OPTION_REAL(peer_cycles, 0, 1000000, "a number of 0..1,000,000")},
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
    {"start", "NAME",
     "at-once, or barrier: cores wait for each other before they are timed (default: "
     "at-once)",
     OPTION_WORD(config.start, starts)},
    {"pattern", "NAME",
     "one-to-all, one-from-all, all-to-all, all-from-all or dram-neighbours",
     OPTION_CHOICE(patterns)},
    {"grid", "WxH[:WxH]",
     "cores of a pattern or of pages: those that issue, and their peers if others",
     OPTION_TEXT(grid)},
    {"order", "columns|rows", "how the cores of a grid are counted (default: columns)",
     OPTION_WORD(order, orders)},
    {"pages", "N", "pages that a core moves, over and over (default: one in each bank)",
     OPTION_COUNT(pages, 1, 1000000)},
    {"first-page", "N", "that the first core begins with (default: 0)",
     OPTION_COUNT(first_page, 0, 1000000)},
    {"page-step", "N", "pages from one core's first to the next one's (default: 0)",
     OPTION_COUNT(page_step, 0, 1000000)},
    {"page-run", "N", "pages in a bank before the next one (default: 1)",
     OPTION_COUNT(page_run, 1, 1000000)},
    {"page-memory", "dram|l1",
     "page after page in the DRAM channels, or in the L1 of all cores, row by row "
     "(default: dram)",
     OPTION_WORD(page_memory, memories)},
    {"banks", "N", "how many DRAM banks the neighbours read (default: all)",
     OPTION_SMALL(banks, 1, 1000)},
    {"neighbours", "NAME",
     "who reads a bank: the closest core and both beside it, or only the one east or "
     "west of it, or its row (default: both)",
     OPTION_WORD(neighbours, neighbours)},
    {"kernels", "1|2",
     "bidirectional: writes and reads in one kernel, or writes in one and reads on the "
     "other network in a second (default: 1)",
     OPTION_SMALL(kernels, 1, 2)},
    {"handshake", NULL,
     "receivers of a multicast ask for it, the sender sends a flag after it, and the "
     "receivers are timed",
     OPTION_FLAG(is_handshake)},
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
                   .vc_count = 1,
                   .options = {.has_contention = true, .has_l1_conflicts = true}},
        .api = 2,
        .kernels = 1),
    .check = check,
    .run = cmd_noc_transfer_run,
};
