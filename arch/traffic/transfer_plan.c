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
    g_clear_pointer(&self->receivers, g_array_unref);
}

static ArchTile
core_at(const ArchTiles *tiles, const ArchTransferCores *cores, guint index)
{
    const guint length = cores->is_by_rows ? cores->columns : cores->rows;
    const guint major = index / length;
    const guint minor = index % length;

    return arch_tiles_core(tiles, cores->column + (cores->is_by_rows ? minor : major),
                           cores->row + (cores->is_by_rows ? major : minor));
}

guint arch_transfer_cores_count(const ArchTransferCores *self)
{
    return self->columns * self->rows;
}

void arch_transfer_cores_corners(const ArchTransferCores *self,
                                 const ArchTiles *tiles,
                                 ArchTile corners[2])
{
    corners[0] = core_at(tiles, self, 0);
    corners[1] = core_at(tiles, self, arch_transfer_cores_count(self) - 1);
}

static void add_agent(ArchTransferPlan *self, ArchTile core, gsize peer_count)
{
    /* Where its peers are is known when there are no more to come. */
    ArchTransferAgent agent = {.core = core, .peer_count = peer_count};

    g_array_append_val(self->agents, agent);
}

void arch_transfer_plan_add(ArchTransferPlan *self,
                            ArchTile core,
                            const ArchTile *peers,
                            gsize peer_count)
{
    g_array_append_vals(self->peers, peers, sim_u32(peer_count));
    add_agent(self, core, peer_count);
}

GArray *arch_transfer_dram_banks(const ArchParams *params)
{
    gsize count = 0;
    const uint64_t *columns = arch_params_list(params, "dram.view_columns", &count);
    const uint64_t *rows = arch_params_list(params, "dram.view_rows", &count);
    GArray *banks = g_array_new(FALSE, FALSE, sizeof(ArchTile));

    for (gsize i = 0; i < count; i++) {
        const ArchTile bank = {.x = sim_u32(columns[i]), .y = sim_u32(rows[i])};

        g_array_append_val(banks, bank);
    }
    return banks;
}

GArray *arch_transfer_l1_banks(const ArchTiles *tiles)
{
    const ArchTransferCores cores = {
        .columns = tiles->columns->len, .rows = tiles->rows->len, .is_by_rows = true};
    GArray *banks = g_array_new(FALSE, FALSE, sizeof(ArchTile));

    for (guint i = 0; i < arch_transfer_cores_count(&cores); i++) {
        const ArchTile bank = core_at(tiles, &cores, i);

        g_array_append_val(banks, bank);
    }
    return banks;
}

void arch_transfer_plan_add_pages(ArchTransferPlan *self,
                                  const ArchTiles *tiles,
                                  const ArchTransferCores *cores,
                                  const ArchTransferPages *pages)
{
    const guint bank_count = pages->banks->len;
    const uint64_t count = pages->count > 0 ? pages->count : bank_count;

    self->config.is_by_turns = true;
    for (guint i = 0; i < arch_transfer_cores_count(cores); i++) {
        for (uint64_t page = 0; page < count; page++) {
            const uint64_t number = pages->first + i * pages->step + page;
            const uint64_t bank = number / MAX(pages->run, 1) % bank_count;

            g_array_append_val(self->peers,
                               g_array_index(pages->banks, ArchTile, bank));
        }
        add_agent(self, core_at(tiles, cores, i), count);
    }
}

void arch_transfer_plan_add_neighbours(ArchTransferPlan *self,
                                       const ArchParams *params,
                                       const ArchTiles *tiles,
                                       guint bank_count,
                                       ArchNeighbours which)
{
    g_autoptr(GArray) neighbours =
        arch_neighbours_new(params, tiles, bank_count, which);

    for (guint i = 0; i < neighbours->len; i++) {
        const ArchNeighbour *at = &g_array_index(neighbours, ArchNeighbour, i);

        arch_transfer_plan_add(self, at->core, &at->bank, 1);
    }
}

/* The model's rectangle goes the way of its network: NoC 1 begins at the far corner. */
bool arch_transfer_plan_add_multicast(ArchTransferPlan *self,
                                      const ArchTiles *tiles,
                                      const ArchTransferCores *cores,
                                      const ArchTile corners[2])
{
    const guint first = self->config.noc == 0 ? 0 : 1;

    self->config.corner = corners[1 - first];
    for (guint i = 0; i < arch_transfer_cores_count(cores); i++) {
        const ArchTile core = core_at(tiles, cores, i);

        if (!arch_tiles_have_receiver(tiles, corners,
                                      self->config.is_loopback ? NULL : &core)) {
            return false;
        }
        arch_transfer_plan_add(self, core, &corners[first], 1);
    }
    return true;
}

bool arch_transfer_plan_add_pattern(ArchTransferPlan *self,
                                    const ArchTiles *tiles,
                                    const ArchTransferCores cores[2])
{
    for (guint i = 0; i < arch_transfer_cores_count(&cores[0]); i++) {
        const ArchTile core = core_at(tiles, &cores[0], i);
        const guint before = self->peers->len;

        for (guint j = 0; j < arch_transfer_cores_count(&cores[1]); j++) {
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
        const uint64_t commands =
            self->config.count * (self->config.is_by_turns ? 1 : agent->peer_count);
        const uint64_t bytes = commands * self->config.bytes;

        agent->peers = &g_array_index(self->peers, ArchTile, offset);
        offset += agent->peer_count;
        self->core_bytes = MAX(self->core_bytes, bytes);
        self->total_bytes += bytes;
    }
    self->config.agents = (const ArchTransferAgent *) (gpointer) self->agents->data;
    self->config.agent_count = self->agents->len;
}

void arch_transfer_plan_double(ArchTransferPlan *self,
                               ArchTransferOp op,
                               guint noc,
                               guint vc)
{
    self->other = self->config;
    self->other.op = op;
    self->other.noc = noc;
    self->other.vc = vc;
    self->config.beside = &self->other;
    self->total_bytes *= 2;
}

/* The tiles from one corner to the other, around the edge if need be. */
static bool is_between(guint at, guint from, guint to, guint size)
{
    return (at + size - from) % size <= (to + size - from) % size;
}

void arch_transfer_plan_shake_hands(ArchTransferPlan *self, const ArchTiles *tiles)
{
    const ArchTransferAgent *sender = &self->config.agents[0];
    const guint far = self->config.noc == 0 ? 1 : 0;
    const ArchTile corners[2] = {self->config.noc == 0 ? sender->peers[0]
                                                       : self->config.corner,
                                 far == 1 ? self->config.corner : sender->peers[0]};

    self->receivers = g_array_new(FALSE, FALSE, sizeof(ArchTransferAgent));
    for (guint column = 0; column < tiles->columns->len; column++) {
        for (guint row = 0; row < tiles->rows->len; row++) {
            const ArchTransferAgent receiver = {.core =
                                                    arch_tiles_core(tiles, column, row),
                                                .peers = &sender->core,
                                                .peer_count = 1};

            if (is_between(receiver.core.x, corners[0].x, corners[1].x, tiles->width) &&
                is_between(receiver.core.y, corners[0].y, corners[1].y,
                           tiles->height) &&
                (self->config.is_loopback ||
                 !arch_tile_is_same(receiver.core, sender->core))) {
                g_array_append_val(self->receivers, receiver);
            }
        }
    }
    self->other = self->config;
    self->other.await_count = self->receivers->len;
    self->config.op = ARCH_TRANSFER_RECEIVE;
    self->config.noc = 1 - self->config.noc;
    self->config.issue_cycles = (SimRatio){0};
    self->config.agents = (const ArchTransferAgent *) (gpointer) self->receivers->data;
    self->config.agent_count = self->receivers->len;
    self->config.beside = &self->other;
}
