/* Chooses outputs by what waits beyond them, among those that a routing allows. */
#include "arch/noc/choice.h"

#include "arch/noc/network_state.h"
#include "sim/narrow.h"

/* A packet's present choice. */
typedef struct {
    const NocNetwork *network;
    const NocChoice *choice;
    uint32_t node;
    guint flits;
} Search;

static bool is_free(const Search *self, const NocOutput *output, const NocEnd *beyond)
{
    const NocNetworkConfig *config = &self->network->config;
    const guint room = noc_room(self->network, output);

    if (beyond->owner != NOC_NO_OWNER || beyond->held >= room) {
        return false;
    }
    return config->escape_count == 0 || beyond->held == 0 ||
           (config->pool_flits == 0 && beyond->held + self->flits <= room);
}

static const NocEnd *ends_of(const Search *self, guint out)
{
    return self->network->routers[self->node].ends +
           (gsize) out * self->network->vc_count;
}

/* Finds the free channel with the fewest flits beyond an output, of those that are for
 * all. Returns the flits beyond the output, or UINT_MAX if none is free. */
static guint search_output(const Search *self, guint out, guint *vc)
{
    const NocOutput *output = &self->network->routers[self->node].outputs[out];
    const NocEnd *ends = ends_of(self, out);
    guint best = UINT_MAX;
    guint flits = 0;

    for (guint i = 0; i < self->network->vc_count; i++) {
        flits += ends[i].held;
        if (i >= self->network->config.escape_count && ends[i].held < best &&
            is_free(self, output, &ends[i])) {
            best = ends[i].held;
            *vc = i;
        }
    }
    return best == UINT_MAX ? UINT_MAX : flits;
}

/* The output that is best now, and its channel; the number of ports if none is free. */
static guint search_all(const Search *self, guint *best_vc)
{
    guint best = self->network->port_count;
    guint fewest = UINT_MAX;

    for (guint outs = self->choice->outs; outs != 0; outs &= outs - 1) {
        const guint out = (guint) __builtin_ctz(outs);
        guint vc = 0;
        const guint flits = search_output(self, out, &vc);

        if (flits < fewest) {
            best = out;
            fewest = flits;
            *best_vc = vc;
        }
    }
    return best;
}

static bool may_escape(const Search *self, guint out)
{
    const NocOutput *output = &self->network->routers[self->node].outputs[out];
    const NocEnd *beyond = &ends_of(self, out)[self->choice->escape_vc];

    return (self->choice->escape >> out & 1) != 0 && beyond->owner == NOC_NO_OWNER &&
           beyond->held < noc_room(self->network, output);
}

int noc_choice_channel(const NocNetwork *self, uint32_t index, guint out)
{
    const uint32_t packet = noc_channel(self, index)->packet;
    const Search search = {
        .network = self,
        .choice = &self->choices[index],
        .node = index / NOC_BITS,
        .flits = self->packets.packets[packet].flits,
    };
    guint vc = 0;
    const guint best = search_all(&search, &vc);

    if (best == self->port_count && may_escape(&search, out)) {
        vc = search.choice->escape_vc;
    } else if (best != out) {
        return best == self->port_count ? NOC_CHOICE_NONE : NOC_CHOICE_ELSEWHERE;
    }
    return sim_i32(out * self->vc_count + vc);
}

/* The shortest ways, or the node itself. */
static NocChoice
shortest_ways(const NocGrid *grid, uint32_t node, const NocPacket *packet)
{
    const bool needs_x = grid->x[node] != grid->x[packet->target];
    const bool needs_y = grid->y[node] != grid->y[packet->target];
    const guint outs = (needs_x ? 1U << packet->ports[NOC_X] : 0) |
                       (needs_y ? 1U << packet->ports[NOC_Y] : 0);

    return (NocChoice){.outs = sim_u8(outs != 0 ? outs : 1U << grid->local)};
}

NocChoice
noc_choice_adaptive(const NocGrid *grid, uint32_t node, const NocPacket *packet)
{
    NocChoice choice = shortest_ways(grid, node, packet);
    const bool is_x = grid->x[node] != grid->x[packet->target];
    const uint16_t *places = is_x ? grid->x : grid->y;
    const guint here = places[node];
    const guint there = places[packet->target];
    const guint port = packet->ports[is_x ? NOC_X : NOC_Y];

    if (node != packet->target) {
        const bool is_past_end =
            grid->directions[port].is_up ? there > here : there < here;

        choice.escape = sim_u8(1U << port);
        choice.escape_vc = noc_grid_is_wrapped(grid) && is_past_end ? 1 : 0;
    }
    return choice;
}

NocChoice
noc_choice_west_first(const NocGrid *grid, uint32_t node, const NocPacket *packet)
{
    NocChoice choice = shortest_ways(grid, node, packet);

    if (grid->x[packet->target] < grid->x[node]) {
        choice.outs = sim_u8(1U << packet->ports[NOC_X]);
    }
    return choice;
}
