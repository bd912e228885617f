/* Fills tables of trees: the parent of every node, and what follows from it. */
#include <string.h>

#include "arch/error.h"
#include "arch/noc/dependency.h"
#include "arch/noc/grid.h"
#include "arch/noc_trees.h"
#include "sim/narrow.h"

enum {
    UNKNOWN = UINT16_MAX, /* no parent, no depth */
    FOLLOWED = UINT16_MAX - 1,
};

struct ArchNocTrees {
    NocGrid *grid;
    uint32_t root; /* or ARCH_NOC_ALL_ROOTS */
    ArchNocTreeUse use;
    bool is_checked;
    guint count; /* of trees */
    /* [tree][node] */
    uint16_t *parents;
    uint16_t *depths;
    uint8_t *outs;
};

ArchNocTrees *arch_noc_trees_new(ArchNocTopology topology,
                                 guint width,
                                 guint height,
                                 uint32_t root,
                                 ArchNocTreeUse use)
{
    g_return_val_if_fail(width >= 1 && height >= 1, NULL);
    g_return_val_if_fail((uint64_t) width * height < FOLLOWED, NULL);
    g_return_val_if_fail(root == ARCH_NOC_ALL_ROOTS || root < width * height, NULL);
    ArchNocTrees *self = g_new0(ArchNocTrees, 1);

    self->grid = noc_grid_new(topology, width, height);
    self->root = root;
    self->use = use;
    self->count = root == ARCH_NOC_ALL_ROOTS ? self->grid->node_count : 1;

    const gsize size = (gsize) self->count * self->grid->node_count;

    self->parents = g_new(uint16_t, size);
    self->depths = g_new0(uint16_t, size);
    self->outs = g_new0(uint8_t, size);
    memset(self->parents, 0xff, size * sizeof *self->parents);
    return self;
}

void arch_noc_trees_free(ArchNocTrees *self)
{
    if (self != NULL) {
        noc_grid_free(self->grid);
        g_free(self->parents);
        g_free(self->depths);
        g_free(self->outs);
        g_free(self);
    }
}

ArchNocTreeUse arch_noc_trees_use(const ArchNocTrees *self)
{
    return self->use;
}

bool arch_noc_trees_fit(const ArchNocTrees *self,
                        ArchNocTopology topology,
                        guint width,
                        guint height)
{
    return self->grid->topology == topology && self->grid->width == width &&
           self->grid->height == height;
}

bool arch_noc_trees_has(const ArchNocTrees *self, uint32_t root)
{
    return self->root == ARCH_NOC_ALL_ROOTS ? root < self->grid->node_count
                                            : root == self->root;
}

static uint32_t root_of(const ArchNocTrees *self, guint tree)
{
    return self->root == ARCH_NOC_ALL_ROOTS ? tree : self->root;
}

/* The place of a node of a root's tree in the tables. */
static gsize place_of(const ArchNocTrees *self, uint32_t root, uint32_t node)
{
    const gsize tree = self->root == ARCH_NOC_ALL_ROOTS ? root : 0;

    return tree * self->grid->node_count + node;
}

uint32_t arch_noc_trees_parent(const ArchNocTrees *self, uint32_t root, uint32_t node)
{
    const uint16_t parent = self->parents[place_of(self, root, node)];

    return parent == UNKNOWN ? NOC_NODE_NONE : parent;
}

guint arch_noc_trees_children(const ArchNocTrees *self,
                              uint32_t root,
                              uint32_t node,
                              uint32_t children[ARCH_NOC_CHILDREN_MAXIMUM])
{
    const NocGrid *grid = self->grid;
    const uint32_t *beyond =
        self->use == ARCH_NOC_DOWNWARD ? grid->next : grid->previous;
    guint count = 0;

    for (guint port = 0; port < grid->local; port++) {
        const uint32_t child = beyond[node * grid->port_count + port];
        /* Around a ring of two nodes both ways lead to the same one. */
        const bool is_known = count > 0 && children[count - 1] == child;

        if (child != NOC_NODE_NONE && !is_known &&
            arch_noc_trees_parent(self, root, child) == node) {
            children[count++] = child;
        }
    }
    return count;
}

guint arch_noc_trees_depth(const ArchNocTrees *self, uint32_t root, uint32_t node)
{
    return self->depths[place_of(self, root, node)];
}

uint32_t arch_noc_trees_outs(const ArchNocTrees *self, uint32_t root, uint32_t node)
{
    return self->outs[place_of(self, root, node)];
}

bool arch_noc_trees_is_checked(const ArchNocTrees *self)
{
    return self->is_checked;
}

/* The output of `from` that leads to `to`, or the local one if none does. Around a ring
 * of one node a link leads back to it: no way to anywhere. */
static guint port_between(const NocGrid *grid, uint32_t from, uint32_t to)
{
    guint port = 0;

    while (port < grid->local &&
           (from == to || grid->next[from * grid->port_count + port] != to)) {
        port++;
    }
    return port;
}

/* The two ends of the link between a node and its parent. */
static uint32_t link_start(const ArchNocTrees *self, uint32_t node, uint32_t parent)
{
    return self->use == ARCH_NOC_DOWNWARD ? parent : node;
}

static uint32_t link_end(const ArchNocTrees *self, uint32_t node, uint32_t parent)
{
    return self->use == ARCH_NOC_DOWNWARD ? node : parent;
}

static bool refuse_second(
    const NocGrid *grid, uint32_t node, uint32_t first, uint32_t second, GError **error)
{
    return arch_refuse(error, "%u,%u hangs below both %u,%u and %u,%u", grid->x[node],
                       grid->y[node], grid->x[first], grid->y[first], grid->x[second],
                       grid->y[second]);
}

bool arch_noc_trees_set(
    ArchNocTrees *self, uint32_t root, uint32_t node, uint32_t parent, GError **error)
{
    const NocGrid *grid = self->grid;

    g_return_val_if_fail(arch_noc_trees_has(self, root), false);
    g_return_val_if_fail(node < grid->node_count && parent < grid->node_count, false);
    const uint32_t from = link_start(self, node, parent);
    const uint32_t to = link_end(self, node, parent);
    const guint port = port_between(grid, from, to);
    uint16_t *known = &self->parents[place_of(self, root, node)];

    if (port == grid->local) {
        return arch_refuse(error, "no link leads from %u,%u to %u,%u", grid->x[from],
                           grid->y[from], grid->x[to], grid->y[to]);
    }
    if (node == root) {
        return arch_refuse(error, "the root %u,%u hangs below %u,%u", grid->x[node],
                           grid->y[node], grid->x[parent], grid->y[parent]);
    }
    if (*known != UNKNOWN) {
        return refuse_second(grid, node, *known, parent, error);
    }
    *known = sim_u16(parent);
    self->outs[place_of(self, root, from)] |= sim_u8(1U << port);
    self->is_checked = false;
    return true;
}

static bool
refuse_node(const NocGrid *grid, uint32_t root, uint32_t node, GError **error)
{
    return arch_refuse(error, "tree of %u,%u: %u,%u hangs below no node", grid->x[root],
                       grid->y[root], grid->x[node], grid->y[node]);
}

/* `node` is below itself. */
static bool
refuse_loop(const ArchNocTrees *self, uint32_t root, uint32_t node, GError **error)
{
    const NocGrid *grid = self->grid;
    g_autoptr(GArray) loop = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint32_t at = node;

    do {
        g_array_append_val(loop, at);
        at = arch_noc_trees_parent(self, root, at);
    } while (at != node);
    g_autofree char *circle =
        noc_grid_circle_text(grid, &g_array_index(loop, uint32_t, 0), loop->len);

    return arch_refuse(error,
                       "tree of %u,%u: nodes hang below each other in a loop: %s",
                       grid->x[root], grid->y[root], circle);
}

/* Finds the depths of `start` and of all above it. */
static bool follow(ArchNocTrees *self, uint32_t root, uint32_t start, GError **error)
{
    uint16_t *depths = &self->depths[place_of(self, root, 0)];
    uint32_t node = start;
    guint steps = 0;

    while (depths[node] == UNKNOWN) {
        depths[node] = FOLLOWED;
        if (arch_noc_trees_parent(self, root, node) == NOC_NODE_NONE) {
            return refuse_node(self->grid, root, node, error);
        }
        node = arch_noc_trees_parent(self, root, node);
        steps++;
    }
    if (depths[node] == FOLLOWED) {
        return refuse_loop(self, root, node, error);
    }
    const guint depth = depths[node] + steps;

    node = start;
    for (guint i = 0; i < steps; i++) {
        depths[node] = sim_u16(depth - i);
        node = arch_noc_trees_parent(self, root, node);
    }
    return true;
}

static bool check_tree(ArchNocTrees *self, uint32_t root, GError **error)
{
    const guint node_count = self->grid->node_count;
    uint16_t *depths = &self->depths[place_of(self, root, 0)];

    memset(depths, 0xff, node_count * sizeof *depths);
    depths[root] = 0;
    for (uint32_t node = 0; node < node_count; node++) {
        if (!follow(self, root, node, error)) {
            return false;
        }
    }
    return true;
}

bool arch_noc_trees_check(ArchNocTrees *self, bool allow_cycles, GError **error)
{
    for (guint tree = 0; tree < self->count; tree++) {
        if (!check_tree(self, root_of(self, tree), error)) {
            return false;
        }
    }
    /* Packets of one root follow each other in order, and upward they stop at every
     * node: neither can wait in a ring. */
    if (self->use == ARCH_NOC_DOWNWARD && self->count > 1 && !allow_cycles &&
        !noc_tree_dependency_check(self, self->grid, error)) {
        return false;
    }
    self->is_checked = true;
    return true;
}
