/* The links of Wormhole's networks: the flits they have carried, and when. */
#include "arch/noc/niu.h"
#include "arch/wormhole_noc.h"

static ArchTile tile_of(const ArchWormholeNoc *self, uint32_t node)
{
    return (ArchTile){.x = node % self->width, .y = node / self->width};
}

void arch_wormhole_noc_show_links(ArchWormholeNoc *self)
{
    static const char *const kinds[NOC_NIU_NOCS] = {"noc0", "noc1"};
    static const char *const units[][4] = {
        [ARCH_NOC_MESH] = {"east", "west", "south", "north"},
        [ARCH_NOC_TORUS] = {"east", "west", "south", "north"},
        [ARCH_NOC_WORMHOLE0] = {"east", "south"},
        [ARCH_NOC_WORMHOLE1] = {"west", "north"},
    };

    for (guint i = 0; i < NOC_NIU_NOCS; i++) {
        const SimLaneGrid grid = {.kind = kinds[i],
                                  .columns = self->width,
                                  .rows = self->height,
                                  .units = units[self->nocs[i].grid->topology],
                                  .unit_count = self->nocs[i].grid->local};

        noc_network_show_links(
            self->nocs[i].network,
            sim_engine_lanes(sim_region_engine(self->region), &grid));
    }
}

GArray *arch_wormhole_noc_links(const ArchWormholeNoc *self, guint noc)
{
    const NocGrid *grid = self->nocs[noc].grid;
    GArray *links = g_array_new(FALSE, FALSE, sizeof(ArchWormholeLink));

    for (guint i = 0; i < noc_grid_link_count(grid); i++) {
        uint32_t node = grid->links[i] / grid->port_count;
        guint port = grid->links[i] % grid->port_count;
        ArchWormholeLink link = {
            .from = tile_of(self, node),
            .to = tile_of(self, grid->next[grid->links[i]]),
            .direction = grid->directions[port].name,
            .flits = noc_network_flits(self->nocs[noc].network, node, port),
        };

        g_array_append_val(links, link);
    }
    return links;
}

uint64_t arch_wormhole_noc_flit_hops(const ArchWormholeNoc *self)
{
    uint64_t sum = 0;

    for (guint i = 0; i < NOC_NIU_NOCS; i++) {
        sum += noc_network_flit_hops(self->nocs[i].network);
    }
    return sum;
}
