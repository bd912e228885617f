/* gridloom noc transfer: commands of one core or of many, timed as on silicon. */
#include <math.h>
#include <stdio.h>

#include <glib.h>

#include "arch/traffic/transfer_plan.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/monitor.h"
#include "tools/gridloom/noc/chip.h"
#include "tools/gridloom/noc/map.h"
#include "tools/gridloom/noc/transfer_options.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/quantity.h"
#include "traces/table/record.h"

enum {
    BUSIEST_LINKS = 5,
};

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

/* Checks that need no tiles. */
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

typedef struct {
    const CmdNocTransferOptions *options;
    const CmdNocChip *chip;
    const ArchTransferPlan *plan;
    const ArchTransferResult *outcome;
    const ArchLinkUse *use;
    double wall_seconds;
} Result;

static const char *const reference =
    "nothing: times only, no data is moved that could be checked";

static char *tile_text(ArchTile tile)
{
    return g_strdup_printf("%u,%u", tile.x, tile.y);
}

/* Who talks to whom, in words. */
static char *title_of(const Result *self)
{
    const CmdNocTransferOptions *options = self->options;
    const ArchTransferConfig *config = &self->plan->config;
    const ArchTransferAgent *agent = &config->agents[0];
    g_autofree char *from = tile_text(agent->core);
    g_autofree char *to = tile_text(agent->peers[0]);
    g_autofree char *corner = tile_text(config->corner);

    if (options->pattern != CMD_NOC_PATTERN_NONE) {
        return g_strdup_printf("%s, %s, grid %s", options->pattern_name, options->op,
                               options->grid);
    }
    if (cmd_noc_transfer_is_multicast(config)) {
        return g_strdup_printf("%s, %s to %s:%s", options->op, from, to, corner);
    }
    if (cmd_noc_transfer_is_paged(config)) {
        return g_strdup_printf("%s, %s, all DRAM channels", options->op, from);
    }
    return g_strdup_printf("%s, %s %s %s", options->op, from,
                           config->op == ARCH_TRANSFER_READ ? "from" : "to", to);
}

static JsonArray *tile_array(ArchTile tile)
{
    return record_counts((const uint64_t[]){tile.x, tile.y}, 2);
}

static JsonObject *parameters_object(const Result *self)
{
    const CmdNocTransferOptions *options = self->options;
    const ArchTransferConfig *config = &self->plan->config;
    const ArchTransferAgent *agent = &config->agents[0];
    const bool has_pattern = options->pattern != CMD_NOC_PATTERN_NONE;
    JsonObject *object = RECORD(VALUE("op", options->op));

    if (has_pattern) {
        RECORD_ADD(object, VALUE("pattern", options->pattern_name),
                   VALUE("grid", options->grid));
    }
    if (config->agent_count == 1) {
        RECORD_ADD(object, VALUE("from", tile_array(agent->core)));
    }
    if (!has_pattern && !cmd_noc_transfer_is_paged(config)) {
        RECORD_ADD(object, VALUE("to", tile_array(agent->peers[0])));
    }
    if (cmd_noc_transfer_is_multicast(config)) {
        RECORD_ADD(object, VALUE("corner", tile_array(config->corner)));
    }
    RECORD_ADD(object, VALUE("bytes", config->bytes), VALUE("count", config->count),
               VALUE("noc", config->noc), VALUE("vc", config->vc),
               VALUE("posted", config->is_posted),
               VALUE("stateful", config->is_stateful),
               VALUE("api", config->is_old_api ? 1 : 2),
               VALUE("loopback", config->is_loopback ? "on" : "off"),
               VALUE("start_skew", config->start_skew_cycles),
               VALUE("l1_conflicts", config->options.has_l1_conflicts ? "on" : "off"));
    return object;
}

static double bytes_per_cycle(const Result *self)
{
    return (double) self->plan->core_bytes / arch_transfer_median(self->outcome);
}

static JsonObject *metrics_object(const Result *self)
{
    const ArchTransferResult *outcome = self->outcome;
    JsonArray *cores = json_array_new();
    JsonObject *metrics;

    for (guint i = 0; i < outcome->cycles->len; i++) {
        json_array_add_object_element(
            cores, RECORD(VALUE("core", tile_array(self->plan->config.agents[i].core)),
                          VALUE("cycles", g_array_index(outcome->cycles, SimTime, i))));
    }
    metrics = RECORD(VALUE("bytes_per_cycle", bytes_per_cycle(self)),
                     VALUE("bytes", self->plan->core_bytes),
                     VALUE("median_cycles", arch_transfer_median(outcome)),
                     VALUE("total_cycles", outcome->total),
                     VALUE("cores", outcome->cycles->len), VALUE("core_cycles", cores));
    cmd_noc_map_set(self->use, metrics);
    return metrics;
}

static char *to_json(const Result *self)
{
    const double cycles = arch_transfer_median(self->outcome);

    return envelope_to_json(
        (TraceResult){
            .workload = "noc transfer",
            .seed = 1,
            .parameters = parameters_object(self),
            .cycles = (uint64_t) llround(cycles),
            .seconds = cycles / cmd_noc_chip_hertz(self->chip),
            .counters = RECORD(VALUE("noc_bytes", self->plan->total_bytes),
                               VALUE("noc_flit_hops", arch_link_use_flits(self->use))),
            .metrics = metrics_object(self),
            .reference = reference,
            .wall_seconds = self->wall_seconds,
            .events = self->outcome->events,
        },
        self->chip->params);
}

static bool write_files(const Result *self, GError **error)
{
    const CmdNocOutput *output = &self->options->output;
    g_autofree char *what = title_of(self);
    g_autofree char *title = g_strdup_printf(
        "noc transfer on %s: %s", arch_params_name(self->chip->params), what);
    g_autofree char *json = output->json != NULL ? to_json(self) : NULL;

    return cmd_noc_map_write(self->use, title, output, json, error);
}

static void print_commands(const Result *self)
{
    const ArchTransferConfig *config = &self->plan->config;
    g_autofree char *count = quantity_count(config->count);
    g_autofree char *bytes = quantity_count(config->bytes);

    printf("  commands    %s of %s bytes%s, NoC %u, virtual channel %u%s%s%s\n", count,
           bytes, self->plan->peers->len > self->plan->agents->len ? " to each" : "",
           config->noc, config->vc, config->is_posted ? ", posted" : "",
           config->is_stateful ? ", stateful" : "",
           config->options.has_l1_conflicts ? "" : ", without L1 conflicts");
}

static void print_page(const Result *self)
{
    const double median = arch_transfer_median(self->outcome);
    const guint cores = self->outcome->cycles->len;
    g_autofree char *what = title_of(self);
    g_autofree char *cycles = quantity_count((uint64_t) llround(median));
    g_autofree char *seconds =
        quantity_seconds(median / cmd_noc_chip_hertz(self->chip));
    g_autofree char *total = quantity_count(self->outcome->total);
    g_autofree char *bytes = quantity_count(self->plan->core_bytes);

    printf("noc transfer on %s\n", arch_params_name(self->chip->params));
    printf("  transfer    %s\n", what);
    print_commands(self);
    printf("  measured    %s cycles, %s%s\n", cycles, seconds,
           cores > 1 ? ", the median core" : "");
    printf("  bandwidth   %.3f bytes per cycle: %s bytes%s\n", bytes_per_cycle(self),
           bytes, cores > 1 ? " a core" : "");
    if (cores > 1) {
        printf("  all cores   %u, %s cycles from the first start to the last end\n",
               cores, total);
    }
    printf("  check       skipped: %s\n", reference);
    printf("\nbusiest links, flits per cycle\n");
    cmd_noc_map_print(self->use, BUSIEST_LINKS);
}

static bool run(const CmdNocTransferOptions *options,
                const CmdNocChip *chip,
                const ArchTransferPlan *plan,
                Monitor *monitor,
                GError **error)
{
    ArchTransferConfig config = plan->config;
    g_auto(ArchTransferResult) outcome = {0};
    g_auto(ArchLinkUse) use = {0};
    Result result = {.options = options,
                     .chip = chip,
                     .plan = plan,
                     .outcome = &outcome,
                     .use = &use};

    config.monitor = monitor_observe;
    config.monitor_data = monitor;
    if (!arch_transfer_run(&config, chip->params, &outcome, error)) {
        return false;
    }
    arch_link_use_of_chip(&use, chip->tiles, outcome.links, &outcome.windows);
    monitor_silence(monitor);
    result.wall_seconds = monitor_seconds(monitor);
    if (!write_files(&result, error)) {
        return false;
    }
    if (cmd_noc_output_has_text(&options->output)) {
        print_page(&result);
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
