/* Finds the neighbours of routers, by topology. */
#include "arch/noc/grid.h"

#include "sim/narrow.h"

enum {
    SHOWN_NODES = 16, /* of a circle, in a message */
};

static const NocDirection both_ways[] = {
    {NOC_X, true, "east"},
    {NOC_X, false, "west"},
    {NOC_Y, true, "south"},
    {NOC_Y, false, "north"},
};
static const NocDirection up_only[] = {{NOC_X, true, "east"}, {NOC_Y, true, "south"}};
static const NocDirection down_only[] = {{NOC_X, false, "west"},
                                         {NOC_Y, false, "north"}};

guint noc_grid_link_count(const NocGrid *self)
{
    return self->link_count;
}

bool noc_grid_is_wrapped(const NocGrid *self)
{
    return self->topology != ARCH_NOC_MESH;
}

guint noc_grid_steps_up(guint from, guint to, guint length)
{
    return to >= from ? to - from : to + length - from;
}

static void set_directions(NocGrid *self)
{
    static const struct {
        const NocDirection *directions;
        guint count;
    } kinds[] = {
        [ARCH_NOC_MESH] = {both_ways, G_N_ELEMENTS(both_ways)},
        [ARCH_NOC_TORUS] = {both_ways, G_N_ELEMENTS(both_ways)},
        [ARCH_NOC_WORMHOLE0] = {up_only, G_N_ELEMENTS(up_only)},
        [ARCH_NOC_WORMHOLE1] = {down_only, G_N_ELEMENTS(down_only)},
    };

    self->directions = kinds[self->topology].directions;
    self->port_count = kinds[self->topology].count + 1;
    self->local = self->port_count - 1;
}

static uint32_t neighbour(const NocGrid *self, uint32_t node, guint port)
{
    const NocDirection *direction = &self->directions[port];
    guint position[] = {[NOC_X] = self->x[node], [NOC_Y] = self->y[node]};
    guint length = direction->axis == NOC_X ? self->width : self->height;
    guint *moved = &position[direction->axis];

    if (!noc_grid_is_wrapped(self) && *moved == (direction->is_up ? length - 1 : 0)) {
        return NOC_NODE_NONE;
    }
    *moved = (*moved + (direction->is_up ? 1 : length - 1)) % length;
    return position[NOC_X] + self->width * position[NOC_Y];
}

static void connect_nodes(NocGrid *self)
{
    gsize count = (gsize) self->node_count * self->port_count;

    self->next = g_new(uint32_t, count);
    self->previous = g_new(uint32_t, count);
    self->links = g_new(uint32_t, count);
    for (gsize i = 0; i < count; i++) {
        self->next[i] = NOC_NODE_NONE;
        self->previous[i] = NOC_NODE_NONE;
    }
    for (uint32_t node = 0; node < self->node_count; node++) {
        for (guint port = 0; port < self->local; port++) {
            uint32_t next = neighbour(self, node, port);

            self->next[node * self->port_count + port] = next;
            if (next != NOC_NODE_NONE) {
                self->links[self->link_count++] = node * self->port_count + port;
                self->previous[next * self->port_count + port] = node;
            }
        }
    }
}

NocGrid *noc_grid_new(ArchNocTopology topology, guint width, guint height)
{
    NocGrid *self = g_new0(NocGrid, 1);

    self->topology = topology;
    self->width = width;
    self->height = height;
    self->node_count = width * height;
    self->x = g_new(uint16_t, self->node_count);
    self->y = g_new(uint16_t, self->node_count);
    for (uint32_t node = 0; node < self->node_count; node++) {
        self->x[node] = sim_u16(node % width);
        self->y[node] = sim_u16(node / width);
    }
    set_directions(self);
    connect_nodes(self);
    return self;
}

void noc_grid_free(NocGrid *self)
{
    if (self != NULL) {
        g_free(self->next);
        g_free(self->previous);
        g_free(self->links);
        g_free(self->x);
        g_free(self->y);
        g_free(self);
    }
}

guint noc_grid_port(const NocGrid *self, NocAxis axis, bool is_up)
{
    guint port = 0;

    while (port < self->local && (self->directions[port].axis != axis ||
                                  self->directions[port].is_up != is_up)) {
        port++;
    }
    return port < self->local ? port : self->port_count;
}

bool noc_grid_crosses_dateline(const NocGrid *self, uint32_t node, guint port)
{
    if (port == self->local || !noc_grid_is_wrapped(self)) {
        return false;
    }
    const NocDirection *direction = &self->directions[port];
    guint position = direction->axis == NOC_X ? self->x[node] : self->y[node];
    guint last = (direction->axis == NOC_X ? self->width : self->height) - 1;

    /* A torus: the link that wraps around. Wormhole: the link that leaves coordinate 0
     * in that NoC's own numbering, unless told; NoC 1 counts from the far corner. */
    if (self->topology == ARCH_NOC_TORUS || self->has_dateline_at_wrap) {
        return position == (direction->is_up ? last : 0);
    }
    return position == (direction->is_up ? 0 : last);
}

char *noc_grid_circle_text(const NocGrid *self, const uint32_t *nodes, guint count)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < MIN(count, SHOWN_NODES); i++) {
        g_string_append_printf(text, "%u,%u ", self->x[nodes[i]], self->y[nodes[i]]);
    }
    if (count > SHOWN_NODES) {
        g_string_append_printf(text, "... (%u more) ", count - SHOWN_NODES);
    }
    g_string_append_printf(text, "%u,%u", self->x[nodes[0]], self->y[nodes[0]]);
    return g_string_free(text, FALSE);
}
