/* Makes the plan of a transfer from its options. */
#include "tools/gridloom/noc/transfer_plan.h"

#include "tools/gridloom/option_value.h"

static bool read_cores(const char *text, ArchTransferCores *cores)
{
    guint size[2] = {0};

    if (!option_is_pair(text, "x", size) || size[0] < 1 || size[1] < 1) {
        return false;
    }
    cores->columns = size[0];
    cores->rows = size[1];
    return true;
}

static bool is_one(CmdNocTransferPattern pattern)
{
    return pattern == CMD_NOC_PATTERN_ONE_TO_ALL ||
           pattern == CMD_NOC_PATTERN_ONE_FROM_ALL;
}

/* Is each on the chip, and the first of one sender a single core? */
static bool fit(const ArchTransferCores cores[2], const ArchTiles *tiles, bool is_one)
{
    for (guint i = 0; i < 2; i++) {
        if (cores[i].column + cores[i].columns > tiles->columns->len ||
            cores[i].row + cores[i].rows > tiles->rows->len) {
            return false;
        }
    }
    return !is_one || arch_transfer_cores_count(&cores[0]) == 1;
}

/* Where the values are, the index of one of them. */
static guint index_of(const GArray *values, guint value)
{
    guint index = 0;

    while (index + 1 < values->len && g_array_index(values, guint, index) != value) {
        index++;
    }
    return index;
}

/* The core that issues, or the first of those. */
static bool read_from(const CmdNocTransferOptions *options,
                      const CmdNocChip *chip,
                      ArchTransferCores *cores,
                      GError **error)
{
    ArchTile core;

    if (!cmd_noc_chip_read_tile(chip, options->from != NULL ? options->from : "L:0,0",
                                "--from", ARCH_TILES_TENSIX, &core, error)) {
        return false;
    }
    cores->column = index_of(chip->tiles->columns, core.x);
    cores->row = index_of(chip->tiles->rows, core.y);
    return true;
}

/* cores[0] issue, by default one core; cores[1] are their peers. */
static bool read_grid(const CmdNocTransferOptions *options,
                      const ArchTiles *tiles,
                      ArchTransferCores cores[2],
                      GError **error)
{
    g_auto(GStrv) parts = g_strsplit(options->grid, ":", -1);
    const guint count = g_strv_length(parts);
    const bool has_one_sender = is_one(options->pattern);
    const guint most = options->pattern == CMD_NOC_PATTERN_NONE ? 1 : 2;
    g_autofree char *allowed =
        g_strdup_printf("WxH%s, each at most %ux%u%s%s", most > 1 ? " or WxH:WxH" : "",
                        tiles->columns->len, tiles->rows->len,
                        options->from != NULL ? " less what is before --from" : "",
                        has_one_sender ? ", the first of two 1x1" : "");

    if (count < 1 || count > most || !read_cores(parts[count - 1], &cores[1]) ||
        (count == 2 && !read_cores(parts[0], &cores[0]))) {
        return option_refuse("--grid", options->grid, allowed, error);
    }
    if (count == 1 && !has_one_sender) {
        cores[0].columns = cores[1].columns;
        cores[0].rows = cores[1].rows;
    }
    return fit(cores, tiles, has_one_sender) ||
           option_refuse("--grid", options->grid, allowed, error);
}

/* Refused before it is laid out. */
static bool check_amount(const ArchTransferPlan *plan,
                         const CmdNocChip *chip,
                         uint64_t pair_count,
                         GError **error)
{
    if (!arch_transfer_plan_fits(plan, chip->params, pair_count, error)) {
        g_prefix_error(
            error, "--count = %" G_GUINT64_FORMAT ", --bytes = %" G_GUINT64_FORMAT ": ",
            plan->config.count, plan->config.bytes);
        return false;
    }
    return true;
}

/* What a plan is made from. */
typedef struct {
    ArchTransferPlan *plan;
    const CmdNocTransferOptions *options;
    const CmdNocChip *chip;
    ArchTransferCores cores[2];
} Making;

static bool add_multicast(const Making *self, const ArchTile corners[2], GError **error)
{
    const CmdNocTransferOptions *options = self->options;

    return arch_transfer_plan_add_multicast(self->plan, self->chip->tiles,
                                            &self->cores[0], corners) ||
           option_refuse(
               options->to != NULL ? "--to" : "--grid",
               options->to != NULL ? options->to : options->grid,
               "a rectangle with another Tensix tile than the sender, or --loopback on",
               error);
}

static bool add_pattern(const Making *self, GError **error)
{
    const CmdNocTransferOptions *options = self->options;
    const ArchTransferCores *cores = self->cores;

    if (options->pattern == CMD_NOC_PATTERN_DRAM_NEIGHBOURS) {
        arch_transfer_plan_add_neighbours(
            self->plan, self->chip->params, self->chip->tiles,
            options->banks > 0 ? options->banks : G_MAXUINT,
            (ArchNeighbours) options->neighbours);
        return true;
    }
    if (cmd_noc_transfer_is_multicast(&self->plan->config)) {
        ArchTile corners[2];

        arch_transfer_cores_corners(&cores[1], self->chip->tiles, corners);
        return add_multicast(self, corners, error);
    }
    return check_amount(self->plan, self->chip,
                        (uint64_t) arch_transfer_cores_count(&cores[0]) *
                            arch_transfer_cores_count(&cores[1]),
                        error) &&
           (arch_transfer_plan_add_pattern(self->plan, self->chip->tiles, cores) ||
            option_refuse("--grid", options->grid,
                          "more than one core, or --loopback on", error));
}

static void add_pages(const Making *self)
{
    const CmdNocTransferOptions *options = self->options;
    g_autoptr(GArray) banks = options->page_memory == 0
                                  ? arch_transfer_dram_banks(self->chip->params)
                                  : arch_transfer_l1_banks(self->chip->tiles);
    const ArchTransferPages pages = {.banks = banks,
                                     .first = options->first_page,
                                     .step = options->page_step,
                                     .count = options->pages,
                                     .run = options->page_run};

    arch_transfer_plan_add_pages(self->plan, self->chip->tiles, &self->cores[0],
                                 &pages);
}

/* One core, and what --to names. */
static bool add_pair(const Making *self, GError **error)
{
    const CmdNocTransferOptions *options = self->options;
    const ArchTransferConfig *config = &self->plan->config;
    const ArchTile core =
        arch_tiles_core(self->chip->tiles, self->cores[0].column, self->cores[0].row);
    ArchTile peers[2] = {core};

    if (cmd_noc_transfer_has_phases(config) || cmd_noc_transfer_is_multicast(config)) {
        if (!cmd_noc_chip_read_rectangle(self->chip, options->to, "--to", peers,
                                         error)) {
            return false;
        }
        if (cmd_noc_transfer_is_multicast(config)) {
            return add_multicast(self, peers, error);
        }
        arch_transfer_plan_add(self->plan, core, peers, 2);
        return true;
    }
    if (!options->is_to_itself &&
        !cmd_noc_chip_read_tile(self->chip, options->to, "--to", ARCH_TILES_MEMORY,
                                &peers[0], error)) {
        return false;
    }
    arch_transfer_plan_add(self->plan, core, peers, 1);
    return true;
}

/* Is --to given where it has a meaning, and only there? */
static bool check_to(const CmdNocTransferOptions *options, GError **error)
{
    const ArchTransferConfig *config = &options->config;
    const bool has_two =
        cmd_noc_transfer_is_multicast(config) || cmd_noc_transfer_has_phases(config);
    const bool has_target =
        !cmd_noc_transfer_is_paged(config) && !options->is_to_itself;

    if (options->pattern != CMD_NOC_PATTERN_NONE) {
        return options->to == NULL ||
               option_fail(error, "--to: not together with --pattern %s",
                           options->pattern_name);
    }
    if (has_target == (options->to != NULL)) {
        return true;
    }
    return has_target
               ? option_fail(error, "--op %s: needs --to X,Y%s", options->op,
                             has_two ? ":X,Y" : "")
               : option_fail(error, "--to: not together with --op %s", options->op);
}

/* Checks that need no tiles. */
static bool check_places(const CmdNocTransferOptions *options,
                         const CmdNocChip *chip,
                         GError **error)
{
    if (chip->tiles->columns->len == 0 || chip->tiles->rows->len == 0) {
        return option_fail(error, "--chip: no Tensix tile that works");
    }
    if (options->pattern == CMD_NOC_PATTERN_DRAM_NEIGHBOURS && options->from != NULL) {
        return option_fail(error, "--from: not together with --pattern %s",
                           options->pattern_name);
    }
    g_autoptr(GArray) banks = arch_transfer_dram_banks(chip->params);

    if (options->banks > banks->len) {
        return option_fail(error, "--banks = %u: the chip has %u", options->banks,
                           banks->len);
    }
    return check_to(options, error);
}

/* A second kernel beside the first. */
static void add_kernel(ArchTransferPlan *plan,
                       const CmdNocTransferOptions *options,
                       const CmdNocChip *chip)
{
    if (options->is_handshake) {
        arch_transfer_plan_shake_hands(plan, chip->tiles);
    } else if (options->is_copy) {
        arch_transfer_plan_double(plan, ARCH_TRANSFER_PAGE_WRITE, 1 - plan->config.noc,
                                  0);
    } else if (options->kernels > 1) {
        plan->config.op = ARCH_TRANSFER_WRITE;
        arch_transfer_plan_double(plan, ARCH_TRANSFER_READ, 1 - plan->config.noc, 1);
    }
}

bool cmd_noc_transfer_make_plan(ArchTransferPlan *plan,
                                const CmdNocTransferOptions *options,
                                const CmdNocChip *chip,
                                GError **error)
{
    const bool is_paged = cmd_noc_transfer_is_paged(&options->config);
    const ArchTransferCores one = {
        .columns = 1, .rows = 1, .is_by_rows = options->order > 0};
    Making making = {
        .plan = plan, .options = options, .chip = chip, .cores = {one, one}};
    bool is_added = true;

    arch_transfer_plan_init(plan, &options->config);
    if (!check_places(options, chip, error) ||
        !read_from(options, chip, &making.cores[0], error) ||
        (options->grid != NULL &&
         !read_grid(options, chip->tiles, making.cores, error))) {
        return false;
    }
    if (options->pattern != CMD_NOC_PATTERN_NONE) {
        is_added = add_pattern(&making, error);
    } else if (is_paged) {
        add_pages(&making);
    } else {
        is_added = add_pair(&making, error);
    }
    if (!is_added ||
        !check_amount(plan, chip, is_paged ? plan->agents->len : plan->peers->len,
                      error)) {
        return false;
    }
    arch_transfer_plan_end(plan);
    add_kernel(plan, options, chip);
    return true;
}
