/* Places a transfer on a chip. */
#include "tools/gridloom/noc/transfer_plan.h"

#include "tools/gridloom/option_value.h"
#include "tools/gridloom/quantity.h"

#define PACKETS_MAXIMUM UINT64_C(10000000)
#define FLITS_MAXIMUM   UINT64_C(1000000000)

/* Cores at L:0,0. */
typedef struct {
    guint columns;
    guint rows;
} Cores;

/* Column by column, as tt-metal lists the cores of a range. */
static ArchTile core_at(const CmdNocChip *chip, Cores cores, guint index)
{
    return cmd_noc_chip_core(chip, index / cores.rows, index % cores.rows);
}

static guint core_count(Cores cores)
{
    return cores.columns * cores.rows;
}

static bool is_same(ArchTile a, ArchTile b)
{
    return a.x == b.x && a.y == b.y;
}

static bool read_cores(const char *text, Cores *cores)
{
    guint size[2] = {0};

    if (!option_is_pair(text, "x", size) || size[0] < 1 || size[1] < 1) {
        return false;
    }
    *cores = (Cores){.columns = size[0], .rows = size[1]};
    return true;
}

static bool is_one(CmdNocTransferPattern pattern)
{
    return pattern == CMD_NOC_PATTERN_ONE_TO_ALL ||
           pattern == CMD_NOC_PATTERN_ONE_FROM_ALL;
}

/* cores[0] issue, by default one core; cores[1] are their peers. */
static bool read_grid(const CmdNocTransferOptions *options,
                      const CmdNocChip *chip,
                      Cores cores[2],
                      GError **error)
{
    g_auto(GStrv) parts = g_strsplit(options->grid, ":", -1);
    const guint count = g_strv_length(parts);
    const bool has_one_sender = is_one(options->pattern);
    g_autofree char *allowed = g_strdup_printf(
        "WxH or WxH:WxH, each at most %ux%u%s", cmd_noc_chip_core_columns(chip),
        cmd_noc_chip_core_rows(chip), has_one_sender ? ", the first of two 1x1" : "");

    if (count < 1 || count > 2 || !read_cores(parts[count - 1], &cores[1]) ||
        (count == 2 && !read_cores(parts[0], &cores[0]))) {
        return option_refuse("--grid", options->grid, allowed, error);
    }
    if (count == 1 && !has_one_sender) {
        cores[0] = cores[1];
    }
    for (guint i = 0; i < 2; i++) {
        if (cores[i].columns > cmd_noc_chip_core_columns(chip) ||
            cores[i].rows > cmd_noc_chip_core_rows(chip)) {
            return option_refuse("--grid", options->grid, allowed, error);
        }
    }
    if (has_one_sender && core_count(cores[0]) > 1) {
        return option_refuse("--grid", options->grid, allowed, error);
    }
    return true;
}

static void add_agent(CmdNocTransferPlan *self, ArchTile core, gsize peer_count)
{
    /* Where its peers are is known when there are no more to come. */
    ArchTransferAgent agent = {.core = core, .peer_count = peer_count};

    g_array_append_val(self->agents, agent);
}

static void point_to_peers(CmdNocTransferPlan *self)
{
    gsize offset = 0;

    for (guint i = 0; i < self->agents->len; i++) {
        ArchTransferAgent *agent = &g_array_index(self->agents, ArchTransferAgent, i);

        agent->peers = &g_array_index(self->peers, ArchTile, offset);
        offset += agent->peer_count;
    }
    self->config.agents = (const ArchTransferAgent *) (gpointer) self->agents->data;
    self->config.agent_count = self->agents->len;
}

/* Packets and flits of all that is asked for: refused before it is laid out. */
static bool check_amount(const CmdNocTransferPlan *self,
                         const CmdNocChip *chip,
                         uint64_t pair_count,
                         GError **error)
{
    const ArchTransferConfig *config = &self->config;
    const ArchParams *params = cmd_noc_chip_params(chip);
    const uint64_t flit_bytes = arch_params_uint(params, "noc.flit_bytes");
    const uint64_t packet_bytes =
        flit_bytes * arch_params_uint(params, "noc.payload_limit_flits");
    const uint64_t packets = (config->bytes + packet_bytes - 1) / packet_bytes;
    const uint64_t flits = (config->bytes + flit_bytes - 1) / flit_bytes + packets;
    const uint64_t commands = pair_count * config->count *
                              (config->op == ARCH_TRANSFER_BIDIRECTIONAL ? 2 : 1);
    const bool has_many_packets = commands > PACKETS_MAXIMUM / packets;

    if (!has_many_packets && commands <= FLITS_MAXIMUM / flits) {
        return true;
    }
    const uint64_t most = has_many_packets ? PACKETS_MAXIMUM : FLITS_MAXIMUM;
    g_autofree char *allowed = quantity_count(most);

    g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                "--count = %" G_GUINT64_FORMAT ", --bytes = %" G_GUINT64_FORMAT
                ": %.4g %s in all, allowed are at most %s",
                config->count, config->bytes,
                (double) commands * (double) (has_many_packets ? packets : flits),
                has_many_packets ? "packets" : "flits", allowed);
    return false;
}

static bool read_from(const CmdNocTransferOptions *options,
                      const CmdNocChip *chip,
                      ArchTile *core,
                      GError **error)
{
    return cmd_noc_chip_read_tile(chip, options->from != NULL ? options->from : "L:0,0",
                                  "--from", CMD_NOC_CHIP_TENSIX, core, error);
}

/* Columns of the rectangle or its rows, around the edge. */
static guint side(guint first, guint last, guint length)
{
    return (last + length - first) % length + 1;
}

static bool has_receiver(const CmdNocTransferPlan *self,
                         const CmdNocChip *chip,
                         const ArchTile corners[2],
                         ArchTile sender)
{
    const guint width = side(corners[0].x, corners[1].x, cmd_noc_chip_width(chip));
    const guint height = side(corners[0].y, corners[1].y, cmd_noc_chip_height(chip));

    for (guint i = 0; i < width * height; i++) {
        const ArchTile tile = {
            .x = (corners[0].x + i % width) % cmd_noc_chip_width(chip),
            .y = (corners[0].y + i / width) % cmd_noc_chip_height(chip),
        };

        if (cmd_noc_chip_has(chip, tile, CMD_NOC_CHIP_TENSIX) &&
            (self->config.is_loopback || !is_same(tile, sender))) {
            return true;
        }
    }
    return false;
}

/* The model's rectangle goes the way of its network: NoC 1 begins at the far corner. */
static bool add_multicast(CmdNocTransferPlan *self,
                          const CmdNocTransferOptions *options,
                          const CmdNocChip *chip,
                          const ArchTile corners[2],
                          GError **error)
{
    const guint first = self->config.noc == 0 ? 0 : 1;
    ArchTile core;

    if (!read_from(options, chip, &core, error)) {
        return false;
    }
    if (!has_receiver(self, chip, corners, core)) {
        return option_refuse(
            options->to != NULL ? "--to" : "--grid",
            options->to != NULL ? options->to : options->grid,
            "a rectangle with another Tensix tile than the sender, or --loopback on",
            error);
    }
    self->config.corner = corners[1 - first];
    g_array_append_val(self->peers, corners[first]);
    add_agent(self, core, 1);
    return true;
}

/* Every core of cores[0], or --from, with every core of cores[1] in the same order. */
static bool add_pattern(CmdNocTransferPlan *self,
                        const CmdNocTransferOptions *options,
                        const CmdNocChip *chip,
                        GError **error)
{
    Cores cores[2] = {{.columns = 1, .rows = 1}, {.columns = 1, .rows = 1}};
    ArchTile one;

    if (options->to != NULL || (options->from != NULL && !is_one(options->pattern))) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "%s: not together with --pattern %s",
                    options->to != NULL ? "--to" : "--from", options->pattern_name);
        return false;
    }
    if (!read_grid(options, chip, cores, error) ||
        !read_from(options, chip, &one, error)) {
        return false;
    }
    if (cmd_noc_transfer_is_multicast(&self->config)) {
        const ArchTile corners[] = {core_at(chip, cores[1], 0),
                                    core_at(chip, cores[1], core_count(cores[1]) - 1)};

        return add_multicast(self, options, chip, corners, error);
    }
    if (!check_amount(self, chip,
                      (uint64_t) core_count(cores[0]) * core_count(cores[1]), error)) {
        return false;
    }
    for (guint i = 0; i < core_count(cores[0]); i++) {
        const ArchTile core =
            is_one(options->pattern) ? one : core_at(chip, cores[0], i);
        const guint before = self->peers->len;

        for (guint j = 0; j < core_count(cores[1]); j++) {
            const ArchTile peer = core_at(chip, cores[1], j);

            if (self->config.is_loopback || !is_same(core, peer)) {
                g_array_append_val(self->peers, peer);
            }
        }
        if (self->peers->len == before) {
            return option_refuse("--grid", options->grid,
                                 "more than one core, or --loopback on", error);
        }
        add_agent(self, core, self->peers->len - before);
    }
    return true;
}

/* Pages go over all DRAM channels; the model wants the name of one. */
static ArchTile first_channel(const CmdNocChip *chip)
{
    gsize count = 0;
    const ArchParams *params = cmd_noc_chip_params(chip);

    return (ArchTile){
        .x = (guint) arch_params_list(params, "dram.view_columns", &count)[0],
        .y = (guint) arch_params_list(params, "dram.view_rows", &count)[0]};
}

static bool add_pair(CmdNocTransferPlan *self,
                     const CmdNocTransferOptions *options,
                     const CmdNocChip *chip,
                     GError **error)
{
    const bool is_paged = cmd_noc_transfer_is_paged(&self->config);
    const bool has_target = !is_paged && !options->is_to_itself;
    ArchTile core;
    ArchTile peer;

    if (!read_from(options, chip, &core, error)) {
        return false;
    }
    if (has_target != (options->to != NULL)) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    has_target ? "--op %s: needs --to X,Y"
                               : "--to: not together with --op %s",
                    options->op);
        return false;
    }
    peer = is_paged ? first_channel(chip) : core;
    if (has_target && !cmd_noc_chip_read_tile(chip, options->to, "--to",
                                              CMD_NOC_CHIP_MEMORY, &peer, error)) {
        return false;
    }
    g_array_append_val(self->peers, peer);
    add_agent(self, core, 1);
    return true;
}

static bool add_rectangle(CmdNocTransferPlan *self,
                          const CmdNocTransferOptions *options,
                          const CmdNocChip *chip,
                          GError **error)
{
    ArchTile corners[2];

    if (options->to == NULL) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "--op %s: needs --to X,Y:X,Y", options->op);
        return false;
    }
    return cmd_noc_chip_read_rectangle(chip, options->to, "--to", corners, error) &&
           add_multicast(self, options, chip, corners, error);
}

static bool add_agents(CmdNocTransferPlan *self,
                       const CmdNocTransferOptions *options,
                       const CmdNocChip *chip,
                       GError **error)
{
    if (options->pattern != CMD_NOC_PATTERN_NONE) {
        return add_pattern(self, options, chip, error);
    }
    return cmd_noc_transfer_is_multicast(&self->config)
               ? add_rectangle(self, options, chip, error)
               : add_pair(self, options, chip, error);
}

bool cmd_noc_transfer_plan_init(CmdNocTransferPlan *self,
                                const CmdNocTransferOptions *options,
                                const CmdNocChip *chip,
                                GError **error)
{
    *self = (CmdNocTransferPlan){
        .config = options->config,
        .agents = g_array_new(FALSE, FALSE, sizeof(ArchTransferAgent)),
        .peers = g_array_new(FALSE, FALSE, sizeof(ArchTile)),
    };
    if (cmd_noc_chip_core_columns(chip) == 0 || cmd_noc_chip_core_rows(chip) == 0) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "--chip: no Tensix tile that works");
        return false;
    }
    if (!add_agents(self, options, chip, error) ||
        !check_amount(self, chip, self->peers->len, error)) {
        return false;
    }
    for (guint i = 0; i < self->agents->len; i++) {
        const uint64_t bytes =
            g_array_index(self->agents, ArchTransferAgent, i).peer_count *
            self->config.count * self->config.bytes;

        self->core_bytes = MAX(self->core_bytes, bytes);
        self->total_bytes += bytes;
    }
    point_to_peers(self);
    return true;
}

void cmd_noc_transfer_plan_clear(CmdNocTransferPlan *self)
{
    g_clear_pointer(&self->agents, g_array_unref);
    g_clear_pointer(&self->peers, g_array_unref);
}
