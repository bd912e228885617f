/* Writes and prints the result of a transfer. */
#include "tools/gridloom/noc/transfer_result.h"

#include <math.h>
#include <stdio.h>

#include "tools/gridloom/envelope.h"
#include "tools/gridloom/noc/map.h"
#include "tools/gridloom/record.h"
#include "traces/file/quantity.h"

enum {
    BUSIEST_LINKS = 5,
};

static const char *const reference =
    "nothing: times only, no data is moved that could be checked";

static char *tile_text(ArchTile tile)
{
    return g_strdup_printf("%u,%u", tile.x, tile.y);
}

/* Who talks to whom, in words. */
static char *title_of(const CmdNocTransferResult *self)
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

static void find_use(const CmdNocTransferResult *self, ArchLinkUse *use)
{
    arch_link_use_of_chip(use, self->chip->tiles, self->outcome->links,
                          &self->outcome->windows);
}

static JsonArray *tile_array(ArchTile tile)
{
    return cmd_noc_map_tile(tile.x, tile.y);
}

static void set_places(const CmdNocTransferResult *self, JsonObject *object)
{
    const CmdNocTransferOptions *options = self->options;
    const ArchTransferConfig *config = &self->plan->config;
    const ArchTransferAgent *agent = &config->agents[0];

    if (options->pattern != CMD_NOC_PATTERN_NONE) {
        json_object_set_string_member(object, "pattern", options->pattern_name);
        json_object_set_string_member(object, "grid", options->grid);
    }
    if (config->agent_count == 1) {
        json_object_set_array_member(object, "from", tile_array(agent->core));
    }
    if (options->pattern == CMD_NOC_PATTERN_NONE &&
        !cmd_noc_transfer_is_paged(config)) {
        json_object_set_array_member(object, "to", tile_array(agent->peers[0]));
    }
    if (cmd_noc_transfer_is_multicast(config)) {
        json_object_set_array_member(object, "corner", tile_array(config->corner));
    }
}

static char *switch_text(bool is_on)
{
    return g_strdup(is_on ? "on" : "off");
}

static char *loopback_text(gconstpointer config)
{
    return switch_text(((const ArchTransferConfig *) config)->is_loopback);
}

static char *conflicts_text(gconstpointer config)
{
    return switch_text(((const ArchTransferConfig *) config)->options.has_l1_conflicts);
}

static JsonNode *api_node(gconstpointer config)
{
    const bool is_old = ((const ArchTransferConfig *) config)->is_old_api;

    return json_node_init_int(json_node_alloc(), is_old ? 1 : 2);
}

static const RecordField config_fields[] = {
    {"bytes", RECORD_MEMBER(ArchTransferConfig, bytes)},
    {"count", RECORD_MEMBER(ArchTransferConfig, count)},
    {"noc", RECORD_MEMBER(ArchTransferConfig, noc)},
    {"vc", RECORD_MEMBER(ArchTransferConfig, vc)},
    {"posted", RECORD_MEMBER(ArchTransferConfig, is_posted)},
    {"stateful", RECORD_MEMBER(ArchTransferConfig, is_stateful)},
    {"api", .node = api_node},
    {"loopback", .text = loopback_text},
    {"start_skew", RECORD_MEMBER(ArchTransferConfig, start_skew_cycles)},
    {"l1_conflicts", .text = conflicts_text},
};
static const RecordTable config_table = RECORD_TABLE(config_fields);

static JsonObject *parameters_object(const CmdNocTransferResult *self)
{
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "op", self->options->op);
    set_places(self, object);
    record_set(&config_table, &self->plan->config, object);
    return object;
}

static double bytes_per_cycle(const CmdNocTransferResult *self)
{
    return (double) self->plan->core_bytes / arch_transfer_median(self->outcome);
}

static JsonArray *cores_array(const CmdNocTransferResult *self)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < self->outcome->cycles->len; i++) {
        const ArchTile core = self->plan->config.agents[i].core;
        JsonObject *object = json_object_new();

        json_object_set_array_member(object, "core", tile_array(core));
        json_object_set_int_member(
            object, "cycles",
            (gint64) g_array_index(self->outcome->cycles, SimTime, i));
        json_array_add_object_element(array, object);
    }
    return array;
}

static JsonObject *metrics_object(const CmdNocTransferResult *self,
                                  const ArchLinkUse *use)
{
    JsonObject *metrics = json_object_new();

    json_object_set_double_member(metrics, "bytes_per_cycle", bytes_per_cycle(self));
    json_object_set_int_member(metrics, "bytes", (gint64) self->plan->core_bytes);
    json_object_set_double_member(metrics, "median_cycles",
                                  arch_transfer_median(self->outcome));
    json_object_set_int_member(metrics, "total_cycles", (gint64) self->outcome->total);
    json_object_set_int_member(metrics, "cores", self->outcome->cycles->len);
    json_object_set_array_member(metrics, "core_cycles", cores_array(self));
    cmd_noc_map_set(use, metrics);
    return metrics;
}

static JsonObject *counters_object(const CmdNocTransferResult *self,
                                   const ArchLinkUse *use)
{
    JsonObject *object = json_object_new();

    json_object_set_int_member(object, "noc_bytes", (gint64) self->plan->total_bytes);
    json_object_set_int_member(object, "noc_flit_hops",
                               (gint64) arch_link_use_flits(use));
    return object;
}

static char *to_json(const CmdNocTransferResult *self, const ArchLinkUse *use)
{
    const double cycles = arch_transfer_median(self->outcome);

    return envelope_to_json(
        (TraceResult){
            .workload = "noc transfer",
            .seed = 1,
            .parameters = parameters_object(self),
            .cycles = (uint64_t) llround(cycles),
            .seconds = cycles / cmd_noc_chip_hertz(self->chip),
            .counters = counters_object(self, use),
            .metrics = metrics_object(self, use),
            .reference = reference,
            .wall_seconds = self->wall_seconds,
            .events = self->outcome->events,
        },
        self->chip->params);
}

bool cmd_noc_transfer_result_write(const CmdNocTransferResult *self, GError **error)
{
    const CmdNocOutput *output = &self->options->output;
    g_auto(ArchLinkUse) use = {0};
    g_autofree char *what = title_of(self);
    g_autofree char *title = g_strdup_printf(
        "noc transfer on %s: %s", arch_params_name(self->chip->params), what);

    find_use(self, &use);
    g_autofree char *json = output->json != NULL ? to_json(self, &use) : NULL;

    return cmd_noc_map_write(&use, title, output, json, error);
}

static void print_commands(const CmdNocTransferResult *self)
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

void cmd_noc_transfer_result_print(const CmdNocTransferResult *self)
{
    const double median = arch_transfer_median(self->outcome);
    const guint cores = self->outcome->cycles->len;
    g_autofree char *what = title_of(self);
    g_autofree char *cycles = quantity_count((uint64_t) llround(median));
    g_autofree char *seconds =
        quantity_seconds(median / cmd_noc_chip_hertz(self->chip));
    g_autofree char *total = quantity_count(self->outcome->total);
    g_autofree char *bytes = quantity_count(self->plan->core_bytes);
    g_auto(ArchLinkUse) use = {0};

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
    find_use(self, &use);
    printf("\nbusiest links, flits per cycle\n");
    cmd_noc_map_print(&use, BUSIEST_LINKS);
}
