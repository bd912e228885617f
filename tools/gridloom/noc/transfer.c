/* gridloom noc transfer: commands of one core or of many, timed as on silicon. */
#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/monitor.h"
#include "tools/gridloom/noc/transfer_result.h"
#include "tools/gridloom/option_value.h"

static bool read_cores(const char *text, ArchTransferCores *cores)
{
    guint size[2] = {0};

    if (!option_is_pair(text, "x", size) || size[0] < 1 || size[1] < 1) {
        return false;
    }
    *cores = (ArchTransferCores){.columns = size[0], .rows = size[1]};
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
        if (cores[i].columns > tiles->columns->len ||
            cores[i].rows > tiles->rows->len) {
            return false;
        }
    }
    return !is_one || cores[0].columns * cores[0].rows == 1;
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
    g_autofree char *allowed = g_strdup_printf(
        "WxH or WxH:WxH, each at most %ux%u%s", tiles->columns->len, tiles->rows->len,
        has_one_sender ? ", the first of two 1x1" : "");

    if (count < 1 || count > 2 || !read_cores(parts[count - 1], &cores[1]) ||
        (count == 2 && !read_cores(parts[0], &cores[0]))) {
        return option_refuse("--grid", options->grid, allowed, error);
    }
    if (count == 1 && !has_one_sender) {
        cores[0] = cores[1];
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

static bool add_multicast(ArchTransferPlan *plan,
                          const CmdNocTransferOptions *options,
                          const CmdNocChip *chip,
                          ArchTile core,
                          const ArchTile corners[2],
                          GError **error)
{
    return arch_transfer_plan_add_multicast(plan, chip->tiles, core, corners) ||
           option_refuse(
               options->to != NULL ? "--to" : "--grid",
               options->to != NULL ? options->to : options->grid,
               "a rectangle with another Tensix tile than the sender, or --loopback on",
               error);
}

static bool add_pattern(ArchTransferPlan *plan,
                        const CmdNocTransferOptions *options,
                        const CmdNocChip *chip,
                        const ArchTransferCores cores[2],
                        ArchTile core,
                        GError **error)
{
    if (cmd_noc_transfer_is_multicast(&plan->config)) {
        ArchTile corners[2];

        arch_transfer_cores_corners(&cores[1], chip->tiles, corners);
        return add_multicast(plan, options, chip, core, corners, error);
    }
    return check_amount(plan, chip,
                        (uint64_t) cores[0].columns * cores[0].rows * cores[1].columns *
                            cores[1].rows,
                        error) &&
           (arch_transfer_plan_add_pattern(plan, chip->tiles, cores,
                                           is_one(options->pattern) ? &core : NULL) ||
            option_refuse("--grid", options->grid,
                          "more than one core, or --loopback on", error));
}

static bool add_pair(ArchTransferPlan *plan,
                     const CmdNocTransferOptions *options,
                     const CmdNocChip *chip,
                     ArchTile core,
                     GError **error)
{
    const bool is_paged = cmd_noc_transfer_is_paged(&plan->config);
    const bool has_target = !is_paged && !options->is_to_itself;
    ArchTile peer = core;

    if (has_target != (options->to != NULL)) {
        return option_fail(error,
                           has_target ? "--op %s: needs --to X,Y"
                                      : "--to: not together with --op %s",
                           options->op);
    }
    if (is_paged) {
        arch_transfer_plan_add_pages(plan, chip->params, core);
        return true;
    }
    if (has_target && !cmd_noc_chip_read_tile(chip, options->to, "--to",
                                              ARCH_TILES_MEMORY, &peer, error)) {
        return false;
    }
    arch_transfer_plan_add_pair(plan, core, peer);
    return true;
}

/* What can be refused before tiles are read. */
static bool check_places(const CmdNocTransferOptions *options,
                         const CmdNocChip *chip,
                         GError **error)
{
    const bool has_pattern = options->pattern != CMD_NOC_PATTERN_NONE;

    if (chip->tiles->columns->len == 0 || chip->tiles->rows->len == 0) {
        return option_fail(error, "--chip: no Tensix tile that works");
    }
    if (has_pattern &&
        (options->to != NULL || (options->from != NULL && !is_one(options->pattern)))) {
        return option_fail(error, "%s: not together with --pattern %s",
                           options->to != NULL ? "--to" : "--from",
                           options->pattern_name);
    }
    if (!has_pattern && cmd_noc_transfer_is_multicast(&options->config) &&
        options->to == NULL) {
        return option_fail(error, "--op %s: needs --to X,Y:X,Y", options->op);
    }
    return true;
}

/* Who talks to whom. Fails with G_OPTION_ERROR: a tile is malformed, off the grid or
 * without the function that it needs, a grid larger than the chip, more packets than
 * can be simulated. */
static bool make_plan(ArchTransferPlan *plan,
                      const CmdNocTransferOptions *options,
                      const CmdNocChip *chip,
                      GError **error)
{
    const bool has_pattern = options->pattern != CMD_NOC_PATTERN_NONE;
    const bool has_rectangle =
        !has_pattern && cmd_noc_transfer_is_multicast(&options->config);
    ArchTransferCores cores[2] = {{.columns = 1, .rows = 1}, {.columns = 1, .rows = 1}};
    ArchTile core;
    ArchTile corners[2];
    bool is_added;

    arch_transfer_plan_init(plan, &options->config);
    if (!check_places(options, chip, error) ||
        (has_pattern && !read_grid(options, chip->tiles, cores, error)) ||
        (has_rectangle &&
         !cmd_noc_chip_read_rectangle(chip, options->to, "--to", corners, error)) ||
        !cmd_noc_chip_read_tile(chip, options->from != NULL ? options->from : "L:0,0",
                                "--from", ARCH_TILES_TENSIX, &core, error)) {
        return false;
    }
    if (has_pattern) {
        is_added = add_pattern(plan, options, chip, cores, core, error);
    } else {
        is_added = has_rectangle
                       ? add_multicast(plan, options, chip, core, corners, error)
                       : add_pair(plan, options, chip, core, error);
    }
    if (!is_added || !check_amount(plan, chip, plan->peers->len, error)) {
        return false;
    }
    arch_transfer_plan_end(plan);
    return true;
}

static bool run(const CmdNocTransferOptions *options,
                const CmdNocChip *chip,
                const ArchTransferPlan *plan,
                Monitor *monitor,
                GError **error)
{
    ArchTransferConfig config = plan->config;
    g_auto(ArchTransferResult) outcome = {0};
    CmdNocTransferResult result = {
        .options = options, .chip = chip, .plan = plan, .outcome = &outcome};

    config.monitor = monitor_observe;
    config.monitor_data = monitor;
    if (!arch_transfer_run(&config, chip->params, &outcome, error)) {
        return false;
    }
    monitor_silence(monitor);
    result.wall_seconds = monitor_seconds(monitor);
    if (!cmd_noc_transfer_result_write(&result, error)) {
        return false;
    }
    if (cmd_noc_output_has_text(&options->output)) {
        cmd_noc_transfer_result_print(&result);
    }
    return true;
}

int cmd_noc_transfer_run(gpointer data)
{
    const CmdNocTransferOptions *options = data;
    g_auto(CmdNocChip) chip = {0};
    g_auto(ArchTransferPlan) plan = {0};
    g_autoptr(Monitor) monitor = NULL;
    g_autoptr(GError) error = NULL;

    if (!cmd_noc_chip_load(&chip, options->chip, options->overrides, &error) ||
        !make_plan(&plan, options, &chip, &error) ||
        !cmd_noc_output_check(&options->output, &error)) {
        return complain_of(error);
    }
    monitor = monitor_new("noc transfer", cmd_noc_chip_hertz(&chip),
                          options->output.limit_seconds, !options->output.is_quiet);
    return run(options, &chip, &plan, monitor, &error)
               ? EXIT_DONE
               : monitor_complain(monitor, error);
}
