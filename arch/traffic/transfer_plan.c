/* Places a transfer on a chip. */
#include "arch/traffic/transfer_plan.h"

#include "arch/error.h"
#include "sim/narrow.h"

#define PACKETS_MAXIMUM      UINT64_C(10000000)
#define PACKETS_MAXIMUM_TEXT "10,000,000"
#define FLITS_MAXIMUM        UINT64_C(1000000000)
#define FLITS_MAXIMUM_TEXT   "1,000,000,000"

void arch_transfer_plan_init(ArchTransferPlan *self, const ArchTransferConfig *config)
{
    *self = (ArchTransferPlan){
        .config = *config,
        .agents = g_array_new(FALSE, FALSE, sizeof(ArchTransferAgent)),
        .peers = g_array_new(FALSE, FALSE, sizeof(ArchTile)),
    };
}

void arch_transfer_plan_clear(ArchTransferPlan *self)
{
    g_clear_pointer(&self->agents, g_array_unref);
    g_clear_pointer(&self->peers, g_array_unref);
}

static ArchTile
core_at(const ArchTiles *tiles, const ArchTransferCores *cores, guint index)
{
    return arch_tiles_core(tiles, index / cores->rows, index % cores->rows);
}

static guint core_count(const ArchTransferCores *cores)
{
    return cores->columns * cores->rows;
}

static void add_agent(ArchTransferPlan *self, ArchTile core, gsize peer_count)
{
    /* Where its peers are is known when there are no more to come. */
    ArchTransferAgent agent = {.core = core, .peer_count = peer_count};

    g_array_append_val(self->agents, agent);
}

void arch_transfer_plan_add_pair(ArchTransferPlan *self, ArchTile core, ArchTile peer)
{
    g_array_append_val(self->peers, peer);
    add_agent(self, core, 1);
}

void arch_transfer_plan_add_pages(ArchTransferPlan *self,
                                  const ArchParams *params,
                                  ArchTile core)
{
    gsize count = 0;
    /* The model wants the name of one channel. */
    const ArchTile first = {
        .x = sim_u32(arch_params_list(params, "dram.view_columns", &count)[0]),
        .y = sim_u32(arch_params_list(params, "dram.view_rows", &count)[0])};

    arch_transfer_plan_add_pair(self, core, first);
}

/* The model's rectangle goes the way of its network: NoC 1 begins at the far corner. */
bool arch_transfer_plan_add_multicast(ArchTransferPlan *self,
                                      const ArchTiles *tiles,
                                      ArchTile core,
                                      const ArchTile corners[2])
{
    const guint first = self->config.noc == 0 ? 0 : 1;

    if (!arch_tiles_have_receiver(tiles, corners,
                                  self->config.is_loopback ? NULL : &core)) {
        return false;
    }
    self->config.corner = corners[1 - first];
    arch_transfer_plan_add_pair(self, core, corners[first]);
    return true;
}

void arch_transfer_cores_corners(const ArchTransferCores *self,
                                 const ArchTiles *tiles,
                                 ArchTile corners[2])
{
    corners[0] = core_at(tiles, self, 0);
    corners[1] = core_at(tiles, self, core_count(self) - 1);
}

bool arch_transfer_plan_add_pattern(ArchTransferPlan *self,
                                    const ArchTiles *tiles,
                                    const ArchTransferCores cores[2],
                                    const ArchTile *one)
{
    for (guint i = 0; i < core_count(&cores[0]); i++) {
        const ArchTile core = one != NULL ? *one : core_at(tiles, &cores[0], i);
        const guint before = self->peers->len;

        for (guint j = 0; j < core_count(&cores[1]); j++) {
            const ArchTile peer = core_at(tiles, &cores[1], j);

            if (self->config.is_loopback || !arch_tile_is_same(core, peer)) {
                g_array_append_val(self->peers, peer);
            }
        }
        if (self->peers->len == before) {
            return false;
        }
        add_agent(self, core, self->peers->len - before);
    }
    return true;
}

bool arch_transfer_plan_fits(const ArchTransferPlan *self,
                             const ArchParams *params,
                             uint64_t pair_count,
                             GError **error)
{
    const ArchTransferConfig *config = &self->config;
    const uint64_t flit_bytes = arch_params_uint(params, "noc.flit_bytes");
    const uint64_t packet_bytes =
        flit_bytes * arch_params_uint(params, "noc.payload_limit_flits");
    const uint64_t packets = (config->bytes + packet_bytes - 1) / packet_bytes;
    const uint64_t flits = (config->bytes + flit_bytes - 1) / flit_bytes + packets;
    const uint64_t commands = pair_count * config->count *
                              (config->op == ARCH_TRANSFER_BIDIRECTIONAL ? 2 : 1);
    const bool has_many_packets = commands > PACKETS_MAXIMUM / packets;

    return (!has_many_packets && commands <= FLITS_MAXIMUM / flits) ||
           arch_refuse(error, "%.4g %s in all, allowed are at most %s",
                       (double) commands *
                           (double) (has_many_packets ? packets : flits),
                       has_many_packets ? "packets" : "flits",
                       has_many_packets ? PACKETS_MAXIMUM_TEXT : FLITS_MAXIMUM_TEXT);
}

void arch_transfer_plan_end(ArchTransferPlan *self)
{
    gsize offset = 0;

    for (guint i = 0; i < self->agents->len; i++) {
        ArchTransferAgent *agent = &g_array_index(self->agents, ArchTransferAgent, i);
        const uint64_t bytes =
            agent->peer_count * self->config.count * self->config.bytes;

        agent->peers = &g_array_index(self->peers, ArchTile, offset);
        offset += agent->peer_count;
        self->core_bytes = MAX(self->core_bytes, bytes);
        self->total_bytes += bytes;
    }
    self->config.agents = (const ArchTransferAgent *) (gpointer) self->agents->data;
    self->config.agent_count = self->agents->len;
}
