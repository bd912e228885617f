/* Wormhole's pair of networks, put together from the chip file. */
#include "arch/noc/cost.h"
#include "arch/noc/floorplan.h"
#include "arch/noc/multicast.h"
#include "arch/noc/niu.h"
#include "arch/noc/niu_ways.h"
#include "arch/wormhole_noc.h"
#include "sim/narrow.h"

static uint32_t node_of(const ArchWormholeNoc *self, ArchTile tile)
{
    return tile.x + self->width * tile.y;
}

/* Marks the tiles that a pair of lists names. */
static void mark_tiles(ArchWormholeNoc *self,
                       const char *columns_path,
                       const char *rows_path,
                       ArchTileKind kind)
{
    gsize column_count = 0;
    gsize row_count = 0;
    const uint64_t *columns =
        arch_params_list(self->params, columns_path, &column_count);
    const uint64_t *rows = arch_params_list(self->params, rows_path, &row_count);

    for (gsize i = 0; i < MIN(column_count, row_count); i++) {
        ArchTile tile = {.x = sim_u32(columns[i]), .y = sim_u32(rows[i])};

        self->kinds[node_of(self, tile)] = kind;
    }
}

static bool is_harvested(const ArchWormholeNoc *self, uint64_t row)
{
    gsize count = 0;
    const uint64_t *rows =
        arch_params_list(self->params, "grid.harvested_rows", &count);

    for (gsize i = 0; i < count && !self->options.is_whole; i++) {
        if (rows[i] == row) {
            return true;
        }
    }
    return false;
}

/* Tensix tiles are where a Tensix column and a row cross; harvested ones only route. */
static void mark_tensix(ArchWormholeNoc *self)
{
    gsize column_count = 0;
    gsize row_count = 0;
    const uint64_t *columns =
        arch_params_list(self->params, "grid.tensix_columns", &column_count);
    const uint64_t *rows =
        arch_params_list(self->params, "grid.tensix_rows", &row_count);

    for (gsize i = 0; i < column_count * row_count; i++) {
        ArchTile tile = {.x = sim_u32(columns[i % column_count]),
                         .y = sim_u32(rows[i / column_count])};

        if (!is_harvested(self, tile.y)) {
            self->kinds[node_of(self, tile)] = ARCH_TILE_TENSIX;
        }
    }
}

static void make_l1s(ArchWormholeNoc *self)
{
    const guint nodes = self->width * self->height;
    gsize count = 0;
    const uint64_t *ports = arch_params_list(self->params, "l1.noc_ports", &count);

    for (gsize i = 0; i < count; i++) {
        self->l1_ports[i / 2][i % 2] = sim_u32(ports[i]);
    }
    self->l1_word_bytes = sim_u32(arch_params_uint(self->params, "l1.bank_word_bytes"));
    self->l1_costs = noc_l1_costs_read(self->params, self->options.has_l1_conflicts);
    self->l1_shares = g_new0(NocL1Share, nodes);
    self->atomic_free = g_new0(SimTime, nodes);
    self->l1s = g_new0(ArchL1Banks *, nodes);
    for (guint i = 0; i < nodes; i++) {
        if (self->kinds[i] == ARCH_TILE_TENSIX) {
            self->l1s[i] = arch_l1_banks_new(self->params);
        }
    }
}

/* A channel has one tile that programs use; the others of its group share its first. */
static void map_channels(ArchWormholeNoc *self)
{
    enum {
        GROUP_TILES = 3,
        GROUP_CHANNELS = 2,
    };
    gsize tiles = 0;
    gsize views = 0;
    const uint64_t *columns =
        arch_params_list(self->params, "dram.tile_columns", &tiles);
    const uint64_t *rows = arch_params_list(self->params, "dram.tile_rows", &tiles);
    const uint64_t *view_columns =
        arch_params_list(self->params, "dram.view_columns", &views);
    const uint64_t *view_rows =
        arch_params_list(self->params, "dram.view_rows", &views);
    guint count = sim_u32(arch_params_uint(self->params, "dram.channel_count"));

    for (gsize i = 0; i < tiles; i++) {
        ArchTile tile = {.x = sim_u32(columns[i]), .y = sim_u32(rows[i])};

        self->channels[node_of(self, tile)] =
            sim_u32(i / GROUP_TILES * GROUP_CHANNELS) % count;
    }
    for (gsize i = 0; i < views; i++) {
        ArchTile tile = {.x = sim_u32(view_columns[i]), .y = sim_u32(view_rows[i])};

        self->channels[node_of(self, tile)] = sim_u32(i) % count;
    }
    self->drams = g_new0(NocDramChannel, count);
}

static void make_noc(ArchWormholeNoc *self, guint index, SimKey key)
{
    const ArchParams *params = self->params;
    NocNiuNoc *noc = &self->nocs[index];
    guint nodes = self->width * self->height;
    uint64_t flit = arch_params_uint(params, "noc.flit_bytes");
    uint64_t reserved = arch_params_uint(params, "noc.vc_reserved_bytes");
    uint64_t shared = arch_params_uint(params, "noc.vc_shared_limit_bytes");
    uint64_t port = arch_params_uint(params, "noc.port_buffer_bytes");
    uint64_t vcs = arch_params_uint(params, "noc.vc_count");
    NocNetworkConfig config = {
        .vc_flits = sim_u32((reserved + shared) / flit),
        .pool_flits = sim_u32((port - vcs * reserved) / flit),
        .takes_in_turn = true,
        .queue_count = NOC_NIU_QUEUES,
        .hop_cycles = self->hop_cycles,
        .link_cycles = self->link_cycles,
        .gap_cycles = arch_params_uint(params, "noc.vc_gap_cycles"),
        .inject_cycles = self->inject_cycles,
        .eject_cycles = self->eject_cycles,
        .credit_cycles =
            arch_params_uint(params, index == 0 ? "noc.noc0_credit_return_cycles"
                                                : "noc.noc1_credit_return_cycles"),
        .name = index == 0 ? "noc0" : "noc1",
    };

    noc->owner = self;
    noc->index = index;
    noc_niu_ways_open(noc, params);
    config.grid = noc->grid;
    config.id_count = noc->request_ids + NOC_NIU_MULTICAST_IDS + NOC_NIU_RESPONSE_IDS;
    config.has_dateline = noc->dateline_bits > 0;
    noc->servers = g_new0(NocNiuServer, nodes * NOC_NIU_VCS);
    noc->dram_requests = g_new0(guint, nodes);
    noc->outstanding = g_new0(guint, nodes);
    noc->held = g_new0(GQueue, nodes);
    noc_multicast_open(noc);
    noc->places = g_new0(SimSemaphore *, nodes * NOC_NIU_PLACES);
    noc->vc_flits = config.vc_flits;
    noc->credit_cycles = config.credit_cycles;
    noc->network =
        noc_network_new(self->region, key + index, &config, &noc_niu_endpoint_ops, noc);
}

ArchWormholeNoc *arch_wormhole_noc_new(SimRegion *region,
                                       SimKey key,
                                       const ArchParams *params,
                                       ArchWormholeNocOptions options,
                                       GError **error)
{
    ArchWormholeNoc *self;
    guint nodes;

    if (!noc_floorplan_check(params, error) || !noc_niu_ways_check(params, error)) {
        return NULL;
    }
    self = g_new0(ArchWormholeNoc, 1);
    self->region = region;
    self->params = params;
    self->options = options;
    self->width = sim_u32(arch_params_uint(params, "grid.column_count"));
    self->height = sim_u32(arch_params_uint(params, "grid.row_count"));
    nodes = self->width * self->height;
    self->kinds = g_new(ArchTileKind, nodes);
    for (guint i = 0; i < nodes; i++) {
        self->kinds[i] = ARCH_TILE_OTHER;
    }
    self->channels = g_new0(guint, nodes);
    self->transactions = g_hash_table_new_full(g_direct_hash, g_direct_equal,
                                               noc_niu_transaction_free, NULL);
    self->flit_bytes = sim_u32(arch_params_uint(params, "noc.flit_bytes"));
    self->queue_places = sim_u32(arch_params_uint(params, "niu.vc_queue_commands"));
    self->read_places = sim_u32(arch_params_uint(params, "niu.read_queue_commands"));
    self->outstanding_most =
        sim_u32(arch_params_uint(params, "niu.outstanding_commands"));
    self->read_response_cycles = arch_params_uint(params, "niu.read_response_cycles");
    self->write_ack_cycles = arch_params_uint(params, "niu.write_ack_cycles");
    self->atomic_cycles = arch_params_uint(params, "niu.atomic_cycles");
    self->read_gap_cycles = arch_params_uint(params, "niu.read_gap_cycles");
    self->read_interval_cycles = arch_params_uint(params, "niu.read_interval_cycles");
    self->atomic_response_cycles =
        arch_params_uint(params, "niu.atomic_response_cycles");
    self->inject_cycles = arch_params_uint(params, "niu.inject_cycles");
    self->eject_cycles = arch_params_uint(params, "niu.eject_cycles");
    self->hop_cycles = arch_params_uint(params, "noc.hop_cycles");
    self->link_cycles = noc_floorplan_link_cycles(params);
    self->handover_cycles = arch_params_uint(params, "noc.multicast_handover_cycles");
    self->reserve_cycles = arch_params_uint(params, "noc.multicast_reserve_cycles");
    self->reserve_cycles_per_hop =
        arch_params_uint(params, "noc.multicast_reserve_cycles_per_hop");
    self->multicast_cost = noc_cost_of(params, "noc.multicast_cycles_per_flit");
    self->response_vcs = sim_u32(arch_params_uint(params, "noc.response_vc_count"));
    self->is_response_vc_fixed =
        g_str_equal(arch_params_text(params, "noc.response_vc_choice"), "fixed");
    self->dram_numbers = noc_dram_numbers_read(params);
    mark_tensix(self);
    mark_tiles(self, "dram.tile_columns", "dram.tile_rows", ARCH_TILE_DRAM);
    mark_tiles(self, "ethernet.tile_columns", "ethernet.tile_rows", ARCH_TILE_ETHERNET);
    self->kinds[node_of(
        self, (ArchTile){.x = sim_u32(arch_params_uint(params, "pcie.tile_column")),
                         .y = sim_u32(arch_params_uint(params, "pcie.tile_row"))})] =
        ARCH_TILE_PCIE;
    map_channels(self);
    make_l1s(self);
    for (guint i = 0; i < NOC_NIU_NOCS; i++) {
        make_noc(self, i, key);
    }
    return self;
}

static void noc_clear(const ArchWormholeNoc *self, NocNiuNoc *noc)
{
    guint nodes = self->width * self->height;

    noc_multicast_close(noc);
    noc_network_free(noc->network);
    noc_grid_free(noc->grid);
    for (guint i = 0; i < nodes * NOC_NIU_VCS; i++) {
        g_queue_clear(&noc->servers[i].waiting);
    }
    for (guint i = 0; i < nodes * NOC_NIU_PLACES; i++) {
        sim_semaphore_free(noc->places[i]);
    }
    for (guint i = 0; i < nodes; i++) {
        g_queue_clear(&noc->held[i]);
    }
    g_free(noc->servers);
    g_free(noc->dram_requests);
    g_free(noc->outstanding);
    g_free(noc->held);
    g_free(noc->places);
}

void arch_wormhole_noc_free(ArchWormholeNoc *self)
{
    if (self != NULL) {
        for (guint i = 0; i < NOC_NIU_NOCS; i++) {
            noc_clear(self, &self->nocs[i]);
        }
        g_hash_table_unref(self->transactions);
        g_free(self->kinds);
        g_free(self->channels);
        g_free(self->drams);
        for (guint i = 0; i < self->width * self->height; i++) {
            arch_l1_banks_free(self->l1s[i]);
        }
        g_free(self->l1s);
        g_free(self->l1_shares);
        g_free(self->atomic_free);
        g_free(self);
    }
}

guint arch_wormhole_noc_width(const ArchWormholeNoc *self)
{
    return self->width;
}

guint arch_wormhole_noc_height(const ArchWormholeNoc *self)
{
    return self->height;
}

ArchL1Banks *arch_wormhole_noc_l1(const ArchWormholeNoc *self, ArchTile tile)
{
    return self->l1s[tile.x + self->width * tile.y];
}

ArchTileKind arch_wormhole_noc_tile(const ArchWormholeNoc *self, ArchTile tile)
{
    g_return_val_if_fail(tile.x < self->width && tile.y < self->height,
                         ARCH_TILE_OTHER);

    return self->kinds[node_of(self, tile)];
}

/* The next coordinate in a network's direction. */
static guint next_of(guint at, guint length, guint noc)
{
    return (noc == 0 ? at + 1 : at + length - 1) % length;
}

guint arch_wormhole_noc_receivers(const ArchWormholeNoc *self,
                                  const ArchNocCommand *command)
{
    const guint noc = command->noc;
    const guint end_x = next_of(command->corner.x, self->width, noc);
    const guint end_y = next_of(command->corner.y, self->height, noc);
    ArchTile tile = command->to;
    guint count = 0;

    do {
        do {
            const bool is_sender =
                tile.x == command->from.x && tile.y == command->from.y;

            count +=
                !is_sender && arch_wormhole_noc_tile(self, tile) == ARCH_TILE_TENSIX;
            tile.y = next_of(tile.y, self->height, noc);
        } while (tile.y != end_y);
        tile.y = command->to.y;
        tile.x = next_of(tile.x, self->width, noc);
    } while (tile.x != end_x);
    return count;
}

static SimSemaphore *places_of(ArchWormholeNoc *self, const ArchNocCommand *command)
{
    NocNiuNoc *noc = &self->nocs[command->noc];
    uint32_t node = node_of(self, command->from);
    SimSemaphore **places =
        &noc->places[node * NOC_NIU_PLACES + noc_niu_place(command)];

    if (*places == NULL) {
        g_autofree char *name =
            g_strdup_printf("noc%u[%u,%u] vc %u command queue", command->noc,
                            command->from.x, command->from.y, command->vc);

        *places = sim_semaphore_new(name, self->queue_places);
    }
    return *places;
}

bool arch_wormhole_noc_reserve(ArchWormholeNoc *self,
                               const ArchNocCommand *command,
                               SimProcess *process)
{
    return sim_semaphore_take(places_of(self, command), 1, process);
}

static SimTime leg_cycles(const NocNiuNoc *noc, uint32_t from, uint32_t to)
{
    const ArchWormholeNoc *self = noc->owner;

    return self->inject_cycles + self->eject_cycles +
           self->hop_cycles * noc_niu_ways_hops(noc, from, to);
}

/* When the last flit of data follows the header: its costs, or, where there is a link,
 * what that takes for each, or as many flits as a buffer holds in the time that a
 * credit takes to return. */
static SimTime
tail_cycles(const NocNiuNoc *noc, uint64_t flits, uint32_t cost, bool has_link)
{
    const SimTime loop = noc->owner->hop_cycles + noc->credit_cycles;
    const SimTime paid = flits == 0 ? 0 : 1 + (flits - 1) * cost / NOC_CYCLE;
    const SimTime credited = flits / noc->vc_flits * loop + flits % noc->vc_flits;

    const SimTime carried = flits * noc->owner->link_cycles;

    return has_link ? MAX(paid, MAX(carried, credited)) : paid;
}

/* When the last flit has reached the first router, whose buffer is that much ahead. */
static SimTime sent_cycles(const NocNiuNoc *noc, uint64_t flits, bool has_link)
{
    const SimTime paid = tail_cycles(noc, flits, noc->owner->l1_costs.read, false);
    const SimTime tail = tail_cycles(noc, flits, noc->owner->l1_costs.read, has_link);
    const SimTime inject = noc->owner->inject_cycles;
    const SimTime ahead = noc->owner->hop_cycles - inject;

    return inject + (tail > paid + ahead ? tail - ahead : paid);
}

/* The time of a command that meets no other. */
static SimTime lone_cycles(const ArchWormholeNoc *self,
                           const NocNiuTransaction *transaction)
{
    const ArchNocCommand *command = &transaction->command;
    const NocNiuNoc *noc = transaction->noc;
    const NocDramNumbers *dram = &self->dram_numbers;
    const bool is_dram = self->kinds[transaction->target] == ARCH_TILE_DRAM;
    const bool has_link = transaction->source != transaction->target;
    const uint64_t flits = noc_niu_flits(self, command->bytes) - 1;
    const SimTime there = leg_cycles(noc, transaction->source, transaction->target);
    const SimTime back = leg_cycles(noc, transaction->target, transaction->source);
    const SimTime tail = tail_cycles(noc, flits, self->l1_costs.read, has_link);
    NocDramChannel channel = {0};

    switch (command->op) {
    case ARCH_NOC_READ:
        if (is_dram) {
            return there + back +
                   tail_cycles(noc, flits, MAX(dram->flit_cost, (uint32_t) NOC_CYCLE),
                               has_link) +
                   dram->read_latency;
        }
        return there + back + tail + self->read_response_cycles;
    case ARCH_NOC_WRITE:
        if (is_dram) {
            /* It drains from when its first flit of data leaves the router. */
            channel.write_done =
                (there - self->eject_cycles + 1) * NOC_CYCLE + flits * dram->flit_cost;
            return back + noc_dram_channel_write_end(&channel, dram, there + tail,
                                                     command->to_address,
                                                     command->bytes);
        }
        return there + back + tail + self->write_ack_cycles;
    case ARCH_NOC_ATOMIC:
        return there + back + self->atomic_response_cycles;
    case ARCH_NOC_MULTICAST:
        return there + back + tail + self->write_ack_cycles;
    case ARCH_NOC_WRITE_POSTED:
        return sent_cycles(noc, flits, has_link);
    case ARCH_NOC_ATOMIC_POSTED:
        return self->inject_cycles;
    }
    return 0;
}

static void end_alone(SimRegion *region, gpointer data)
{
    (void) region;
    noc_niu_end(data);
}

static void leave_alone(SimRegion *region, gpointer data)
{
    (void) region;
    noc_niu_leave(data);
}

/* A command that meets no other. */
static void run_alone(const ArchWormholeNoc *self, NocNiuTransaction *transaction)
{
    const ArchNocOp op = transaction->command.op;
    const bool has_data =
        op == ARCH_NOC_WRITE || op == ARCH_NOC_WRITE_POSTED || op == ARCH_NOC_MULTICAST;
    const uint64_t flits =
        has_data ? noc_niu_flits(self, transaction->command.bytes) - 1 : 0;
    const bool has_link = transaction->source != transaction->target;
    const SimTime now = sim_region_now(self->region);
    const SimTime leaves = sent_cycles(transaction->noc, flits, has_link);

    sim_region_at(self->region, now + leaves, 0, leave_alone, transaction);
    sim_region_at(self->region, now + lone_cycles(self, transaction), 0, end_alone,
                  transaction);
}

void arch_wormhole_noc_issue(ArchWormholeNoc *self, const ArchNocCommand *command)
{
    NocNiuTransaction *transaction = g_new0(NocNiuTransaction, 1);

    transaction->command = *command;
    transaction->noc = &self->nocs[command->noc];
    transaction->source = node_of(self, command->from);
    transaction->target = node_of(self, command->to);
    g_hash_table_add(self->transactions, transaction);
    SimSemaphore *places = places_of(self, command);

    if (self->options.has_contention) {
        noc_niu_begin(transaction);
        return;
    }
    sim_semaphore_give(places, 1);
    run_alone(self, transaction);
}
