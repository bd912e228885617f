/* gridloom noc transfer: commands of one core or of many, timed as on silicon. */
#include <math.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/monitor.h"
#include "tools/gridloom/noc/chip.h"
#include "tools/gridloom/noc/map.h"
#include "tools/gridloom/noc/transfer_options.h"
#include "tools/gridloom/noc/transfer_plan.h"
#include "traces/file/quantity.h"
#include "traces/table/record.h"

enum {
    BUSIEST_LINKS = 5,
};

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

/* The kernel that moves the data. */
static const ArchTransferConfig *mover_of(const Result *self)
{
    return self->options->is_handshake ? &self->plan->other : &self->plan->config;
}

static char *pattern_text(const CmdNocTransferOptions *options)
{
    return options->pattern == CMD_NOC_PATTERN_DRAM_NEIGHBOURS
               ? g_strdup_printf("%s, %s", options->pattern_name, options->op)
               : g_strdup_printf("%s, %s, grid %s", options->pattern_name, options->op,
                                 options->grid);
}

/* Who talks to whom, in words. */
static char *title_of(const Result *self)
{
    const CmdNocTransferOptions *options = self->options;
    const ArchTransferConfig *config = mover_of(self);
    const ArchTransferAgent *agent = &config->agents[0];
    g_autofree char *from = tile_text(agent->core);
    g_autofree char *to = tile_text(agent->peers[0]);
    g_autofree char *corner = tile_text(config->corner);

    if (options->pattern != CMD_NOC_PATTERN_NONE) {
        return pattern_text(options);
    }
    if (cmd_noc_transfer_is_multicast(config)) {
        return g_strdup_printf("%s, %s to %s:%s", options->op, from, to, corner);
    }
    if (cmd_noc_transfer_is_paged(config)) {
        return g_strdup_printf(
            "%s, %s%s, %s", options->op, options->grid != NULL ? "grid " : from,
            options->grid != NULL ? options->grid : "",
            options->page_memory == 0 ? "all DRAM channels" : "the L1 of all cores");
    }
    return g_strdup_printf("%s, %s %s %s", options->op, from,
                           config->op == ARCH_TRANSFER_READ ? "from" : "to", to);
}

static JsonArray *tile_array(ArchTile tile)
{
    return record_counts((const uint64_t[]){tile.x, tile.y}, 2);
}

/* What is not as usual. */
static void add_rare_parameters(const CmdNocTransferOptions *options,
                                JsonObject *object)
{
    const ArchTransferConfig *config = &options->config;

    if (config->vc_count > 1) {
        RECORD_ADD(object, VALUE("vcs", config->vc_count));
    }
    if (config->issue_cycles.num > 0) {
        RECORD_ADD(object, VALUE("issue_cycles", options->issue_cycles));
    }
    if (options->peer_cycles > 0) {
        RECORD_ADD(object, VALUE("peer_cycles", options->peer_cycles));
    }
    if (config->start == ARCH_TRANSFER_BARRIER) {
        RECORD_ADD(object, VALUE("start", "barrier"));
    }
    if (cmd_noc_transfer_is_paged(config)) {
        RECORD_ADD(object, VALUE("pages", options->pages),
                   VALUE("first_page", options->first_page),
                   VALUE("page_step", options->page_step),
                   VALUE("page_run", MAX(options->page_run, 1)),
                   VALUE("page_memory", options->page_memory == 0 ? "dram" : "l1"));
    }
    if (options->pattern == CMD_NOC_PATTERN_DRAM_NEIGHBOURS) {
        RECORD_ADD(object, VALUE("banks", options->banks),
                   VALUE("neighbours", cmd_noc_transfer_neighbours(options)));
    }
    if (options->order > 0) {
        RECORD_ADD(object, VALUE("order", "rows"));
    }
    if (options->kernels > 1) {
        RECORD_ADD(object, VALUE("kernels", options->kernels));
    }
    if (options->is_handshake) {
        RECORD_ADD(object, VALUE("handshake", true));
    }
}

static JsonObject *parameters_object(const Result *self)
{
    const CmdNocTransferOptions *options = self->options;
    const ArchTransferConfig *config = mover_of(self);
    const ArchTransferAgent *agent = &config->agents[0];
    const bool has_pattern = options->pattern != CMD_NOC_PATTERN_NONE;
    JsonObject *object = RECORD(VALUE("op", options->op));

    if (has_pattern) {
        RECORD_ADD(object, VALUE("pattern", options->pattern_name));
    }
    if (options->grid != NULL) {
        RECORD_ADD(object, VALUE("grid", options->grid));
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
    add_rare_parameters(options, object);
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
    if (outcome->beside != NULL) {
        RECORD_ADD(metrics,
                   VALUE("beside_cycles", arch_transfer_median_beside(outcome)),
                   VALUE("span_cycles", outcome->spans[0]),
                   VALUE("beside_span_cycles", outcome->spans[1]));
    }
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
    const ArchTransferConfig *config = mover_of(self);
    g_autofree char *count = quantity_count(config->count);
    g_autofree char *bytes = quantity_count(config->bytes);

    printf("  commands    %s of %s bytes%s, NoC %u, virtual channel %u%s%s%s\n", count,
           bytes,
           !config->is_by_turns && self->plan->peers->len > self->plan->agents->len
               ? " to each"
               : "",
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
    if (self->outcome->beside != NULL) {
        g_autofree char *beside = quantity_count(
            (uint64_t) llround(arch_transfer_median_beside(self->outcome)));

        printf("  beside      %s cycles, the kernel at the same time\n", beside);
    }
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
        !cmd_noc_transfer_make_plan(&plan, options, &chip, &error) ||
        !cmd_noc_output_check(&options->output, &error)) {
        return complain_of(error);
    }
    monitor = monitor_new("noc transfer", cmd_noc_chip_hertz(&chip),
                          options->output.limit_seconds, !options->output.is_quiet);
    return run(options, &chip, &plan, monitor, &error)
               ? EXIT_DONE
               : monitor_complain(monitor, error);
}
