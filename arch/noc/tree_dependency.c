/* Whether packets that go down the trees of different roots can wait for each other.
 *
 * Without forks a packet holds links in the order of its way, as any packet does. Where
 * it forks, a branch that is held up holds up all others: the packet may hold any of
 * its links while it waits for any other. Packets of two roots that share two links can
 * then each hold one and wait for the other's; so can more of them around a ring of
 * shared links. There is no such ring if roots and links, each root joined to the links
 * of its tree, make a forest. */

#include "arch/error.h"
#include "arch/noc/dependency.h"

/* Links are numbered as in the grid's table `next`; trees follow by their roots. */
typedef struct {
    const ArchNocTrees *trees;
    const NocGrid *grid;
    uint32_t *joined; /* [link or tree]: 1 + another one of its set; 0: none */
} Forest;

static bool has_fork(const ArchNocTrees *trees, const NocGrid *grid)
{
    for (uint32_t root = 0; root < grid->node_count; root++) {
        for (uint32_t node = 0; node < grid->node_count; node++) {
            const uint32_t outs = arch_noc_trees_outs(trees, root, node);

            if ((outs & (outs - 1)) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* The way of a tree without forks; there is at least one link. */
static void add_way(const ArchNocTrees *trees,
                    const NocGrid *grid,
                    uint32_t root,
                    NocDependency *to)
{
    uint32_t node = root;
    uint32_t outs = arch_noc_trees_outs(trees, root, node);

    while (outs != 0) {
        const guint port = (guint) g_bit_nth_lsf(outs, -1);
        const uint32_t next = grid->next[node * grid->port_count + port];

        outs = arch_noc_trees_outs(trees, root, next);
        if (outs != 0) {
            noc_dependency_add(to, node, port, (guint) g_bit_nth_lsf(outs, -1));
        }
        node = next;
    }
}

static bool check_ways(const ArchNocTrees *trees, const NocGrid *grid, GError **error)
{
    g_autoptr(NocDependency) dependency = noc_dependency_new(grid);

    for (uint32_t root = 0; root < grid->node_count; root++) {
        add_way(trees, grid, root, dependency);
    }
    return noc_dependency_check(dependency, "trees", error);
}

static uint32_t find_set(const Forest *self, uint32_t item)
{
    while (self->joined[item] != 0) {
        item = self->joined[item] - 1;
    }
    return item;
}

/* False if they are joined already. */
static bool join(const Forest *self, uint32_t one, uint32_t other)
{
    const uint32_t set = find_set(self, one);
    const uint32_t other_set = find_set(self, other);

    if (set == other_set) {
        return false;
    }
    self->joined[set] = 1 + other_set;
    return true;
}

static bool has_link(const Forest *self, uint32_t root, uint32_t link)
{
    const guint ports = self->grid->port_count;

    return (arch_noc_trees_outs(self->trees, root, link / ports) >> (link % ports) &
            1) != 0;
}

static uint32_t link_count(const Forest *self)
{
    return self->grid->node_count * self->grid->port_count;
}

/* Two links that both trees have; false if there are none. */
static bool
find_shared(const Forest *self, uint32_t one, uint32_t other, uint32_t *links)
{
    guint count = 0;

    for (uint32_t link = 0; link < link_count(self) && count < 2; link++) {
        if (has_link(self, one, link) && has_link(self, other, link)) {
            links[count++] = link;
        }
    }
    return count == 2;
}

static char *link_text(const Forest *self, uint32_t link)
{
    const NocGrid *grid = self->grid;
    const uint32_t node = link / grid->port_count;

    return g_strdup_printf("%s of %u,%u",
                           grid->directions[link % grid->port_count].name,
                           grid->x[node], grid->y[node]);
}

/* The tree of `root` has closed a ring. */
static bool refuse(const Forest *self, uint32_t root, GError **error)
{
    const NocGrid *grid = self->grid;
    uint32_t links[2] = {0};
    uint32_t other = 0;

    while (other < root && !find_shared(self, other, root, links)) {
        other++;
    }
    if (other == root) {
        return arch_refuse(
            error,
            "trees: that of %u,%u shares links with others in a ring; where trees "
            "fork, packets may hold one and wait for the next",
            grid->x[root], grid->y[root]);
    }
    g_autofree char *first = link_text(self, links[0]);
    g_autofree char *second = link_text(self, links[1]);

    return arch_refuse(
        error,
        "trees: those of %u,%u and %u,%u share the links %s and %s; where trees "
        "fork, packets may hold one and wait for the other",
        grid->x[other], grid->y[other], grid->x[root], grid->y[root], first, second);
}

static bool check_forks(const ArchNocTrees *trees, const NocGrid *grid, GError **error)
{
    const guint links = grid->node_count * grid->port_count;
    g_autofree uint32_t *joined = g_new0(uint32_t, links + grid->node_count);
    const Forest forest = {.trees = trees, .grid = grid, .joined = joined};

    for (uint32_t root = 0; root < grid->node_count; root++) {
        for (uint32_t link = 0; link < links; link++) {
            if (has_link(&forest, root, link) && !join(&forest, link, links + root)) {
                return refuse(&forest, root, error);
            }
        }
    }
    return true;
}

bool noc_tree_dependency_check(const ArchNocTrees *trees,
                               const NocGrid *grid,
                               GError **error)
{
    return has_fork(trees, grid) ? check_forks(trees, grid, error)
                                 : check_ways(trees, grid, error);
}
