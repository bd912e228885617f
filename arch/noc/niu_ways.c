/* Chooses a chip's ways: along one axis after the other, or by a table of routes. */
#include "arch/noc/niu_ways.h"

#include "arch/error.h"
#include "sim/narrow.h"

#define ROUTING "noc.routing"

/* What a chip says of its networks. */
typedef enum {
    WORMHOLE, /* NoC 0 one way, NoC 1 the other */
    MESH,
    TORUS,
} Topology;

static Topology topology_of(const ArchParams *params)
{
    const char *word = arch_params_text(params, "noc.topology");

    return g_str_equal(word, "mesh")    ? MESH
           : g_str_equal(word, "torus") ? TORUS
                                        : WORMHOLE;
}

static ArchNocTopology grid_topology(Topology topology, guint index)
{
    switch (topology) {
    case MESH:
        return ARCH_NOC_MESH;
    case TORUS:
        return ARCH_NOC_TORUS;
    case WORMHOLE:
        break;
    }
    return index == 0 ? ARCH_NOC_WORMHOLE0 : ARCH_NOC_WORMHOLE1;
}

static bool refuse(const ArchParams *params, const char *what, GError **error)
{
    return arch_refuse(error, "%s: " ROUTING " = %s, %s", arch_params_name(params),
                       arch_params_text(params, ROUTING), what);
}

static bool check_file(const ArchParams *params, GError **error)
{
    const ArchNocRoutes *routes = arch_params_attached(params, ROUTING);
    const guint width = sim_u32(arch_params_uint(params, "grid.column_count"));
    const guint height = sim_u32(arch_params_uint(params, "grid.row_count"));
    const Topology topology = topology_of(params);

    if (topology == WORMHOLE) {
        return refuse(params, "a file is for noc.topology = mesh or torus", error);
    }
    return (routes != NULL &&
            arch_noc_routes_fit(routes, grid_topology(topology, 0), width, height)) ||
           refuse(params, "whose routes were not read for this grid", error);
}

bool noc_niu_ways_check(const ArchParams *params, GError **error)
{
    static const char *const words[] = {"minimal", "xy", "yx", NULL};
    const char *routing = arch_params_text(params, ROUTING);

    if (g_str_has_suffix(routing, ".lua")) {
        return check_file(params, error);
    }
    return g_strv_contains(words, routing) ||
           refuse(params, "expected one of minimal, xy, yx, FILE.lua", error);
}

void noc_niu_ways_open(NocNiuNoc *noc, const ArchParams *params)
{
    const char *routing = arch_params_text(params, ROUTING);
    const Topology topology = topology_of(params);

    noc->grid = noc_grid_new(grid_topology(topology, noc->index), noc->owner->width,
                             noc->owner->height);
    noc->grid->has_dateline_at_wrap =
        g_str_equal(arch_params_text(params, "noc.dateline"), "wrap");
    noc->routes = arch_params_attached(params, ROUTING);
    noc->is_y_first = g_str_equal(routing, "yx") ||
                      (g_str_equal(routing, "minimal") && noc->index == 1);
    /* With links both ways, five ports of 12 channels fit the routers' words. */
    noc->request_ids = topology == TORUS ? 2 : 4;
    noc->dateline_bits = topology == MESH ? 0 : 1;
}

static bool is_up(const NocNiuNoc *noc, guint from, guint to, guint length)
{
    const guint up = noc_grid_steps_up(from, to, length);

    switch (noc->grid->topology) {
    case ARCH_NOC_MESH:
        return to > from;
    case ARCH_NOC_TORUS: /* where both ways are equal, always the same: in order */
        return up <= length - up;
    case ARCH_NOC_WORMHOLE0:
    case ARCH_NOC_WORMHOLE1:
        break;
    }
    return noc->grid->topology == ARCH_NOC_WORMHOLE0;
}

void noc_niu_ways_begin(const NocNiuNoc *noc, NocPacket *packet)
{
    const NocGrid *grid = noc->grid;
    const uint32_t from = packet->source;
    const uint32_t to = packet->target;
    const bool is_east = is_up(noc, grid->x[from], grid->x[to], grid->width);
    const bool is_south = is_up(noc, grid->y[from], grid->y[to], grid->height);

    packet->ports[NOC_X] = sim_u8(noc_grid_port(grid, NOC_X, is_east));
    packet->ports[NOC_Y] = sim_u8(noc_grid_port(grid, NOC_Y, is_south));
}

uint32_t noc_niu_ways_outs(const NocNiuNoc *noc, uint32_t node, const NocPacket *packet)
{
    const NocGrid *grid = noc->grid;
    const bool needs_x = grid->x[node] != grid->x[packet->target];
    const bool needs_y = grid->y[node] != grid->y[packet->target];

    if (!needs_x && !needs_y) {
        return 1U << grid->local;
    }
    if (noc->routes != NULL) {
        return 1U << arch_noc_routes_port(noc->routes, node, packet->target);
    }
    return 1U
           << packet->ports[needs_x && !(noc->is_y_first && needs_y) ? NOC_X : NOC_Y];
}

guint noc_niu_ways_hops(const NocNiuNoc *noc, uint32_t from, uint32_t to)
{
    const NocGrid *grid = noc->grid;
    NocPacket packet = {.source = from, .target = to};
    uint32_t node = from;
    guint hops = 0;

    noc_niu_ways_begin(noc, &packet);
    while (node != to) {
        const guint out =
            (guint) g_bit_nth_lsf(noc_niu_ways_outs(noc, node, &packet), -1);

        node = grid->next[node * grid->port_count + out];
        hops++;
    }
    return hops;
}
