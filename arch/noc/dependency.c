/* Which links can wait for which: the channel dependency graph of a set of routes.
 *
 * Packets hold a link while they wait for the next one. If the links of a closed ring
 * are each held for the next, nothing moves; without such a ring nothing can stand
 * still for ever (Dally and Seitz, 1987). */
#include "arch/noc/dependency.h"

#include <string.h>

#include "arch/error.h"
#include "sim/narrow.h"

/* A link is its output's place in the grid's table `next`: node * port_count + port. */
#define LINK_NONE UINT32_MAX

typedef enum {
    UNSEEN,
    OPEN, /* on the way from where the search began */
    CLOSED,
} Mark;

struct NocDependency {
    const NocGrid *grid;
    guint link_count;
    uint8_t
        *onward; /* [link]: outputs of the next router it may wait for, a bit each */
};

/* What a search for the shortest ring needs; all links are LINK_NONE between two. */
typedef struct {
    uint32_t *reached_from; /* [link] */
    uint32_t *queue;
    guint *steps; /* [place in the queue]: from the first link */
} Breadth;

_Static_assert(NOC_PORTS_MAXIMUM <= 8, "outputs are bits of a byte");

NocDependency *noc_dependency_new(const NocGrid *grid)
{
    NocDependency *self = g_new0(NocDependency, 1);

    self->grid = grid;
    self->link_count = grid->node_count * grid->port_count;
    self->onward = g_new0(uint8_t, self->link_count);
    return self;
}

void noc_dependency_free(NocDependency *self)
{
    if (self != NULL) {
        g_free(self->onward);
        g_free(self);
    }
}

/* Takes one of the outputs out of the set. */
static guint take_port(guint *ports)
{
    guint port = (guint) g_bit_nth_lsf(*ports, -1);

    *ports &= *ports - 1;
    return port;
}

static uint32_t link_after(const NocDependency *self, uint32_t link, guint port)
{
    return self->grid->next[link] * self->grid->port_count + port;
}

/* Searches in depth from `first`. Returns the links of a ring, or NULL. */
static GArray *search_from(const NocDependency *self, uint32_t first, uint8_t *marks)
{
    g_autoptr(GArray) trail = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autoptr(GArray) untried = g_array_new(FALSE, FALSE, sizeof(guint));
    uint32_t link = first;

    for (;;) {
        if (marks[link] == OPEN) {
            guint start = 0;

            while (g_array_index(trail, uint32_t, start) != link) {
                start++;
            }
            g_array_remove_range(trail, 0, start);
            return g_steal_pointer(&trail);
        }
        if (marks[link] == UNSEEN) {
            guint ports = self->onward[link];

            marks[link] = OPEN;
            g_array_append_val(trail, link);
            g_array_append_val(untried, ports);
        }
        while (trail->len > 0 && g_array_index(untried, guint, trail->len - 1) == 0) {
            marks[g_array_index(trail, uint32_t, trail->len - 1)] = CLOSED;
            g_array_set_size(trail, trail->len - 1);
            g_array_set_size(untried, untried->len - 1);
        }
        if (trail->len == 0) {
            return NULL;
        }
        link = link_after(self, g_array_index(trail, uint32_t, trail->len - 1),
                          take_port(&g_array_index(untried, guint, trail->len - 1)));
    }
}

static GArray *find_any_ring(const NocDependency *self)
{
    g_autofree uint8_t *marks = g_new0(uint8_t, self->link_count);
    GArray *ring = NULL;

    for (uint32_t link = 0; ring == NULL && link < self->link_count; link++) {
        if (marks[link] == UNSEEN && self->onward[link] != 0) {
            ring = search_from(self, link, marks);
        }
    }
    return ring;
}

/* The ring that ends with the link `last` and then closes. */
static GArray *trace_back(const Breadth *breadth, uint32_t first, uint32_t last)
{
    GArray *ring = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    for (uint32_t link = last; link != first; link = breadth->reached_from[link]) {
        g_array_prepend_val(ring, link);
    }
    g_array_prepend_val(ring, first);
    return ring;
}

/* The shortest ring through `first` if it has fewer links than `limit`, or NULL. */
static GArray *
find_shorter(const NocDependency *self, Breadth *breadth, uint32_t first, guint limit)
{
    GArray *ring = NULL;
    guint count = 1;

    breadth->queue[0] = first;
    breadth->steps[0] = 0;
    breadth->reached_from[first] = first;
    for (guint i = 0; ring == NULL && i < count && breadth->steps[i] + 1 < limit; i++) {
        uint32_t link = breadth->queue[i];
        guint ports = self->onward[link];

        while (ring == NULL && ports != 0) {
            uint32_t after = link_after(self, link, take_port(&ports));

            if (after == first) {
                ring = trace_back(breadth, first, link);
            } else if (breadth->reached_from[after] == LINK_NONE) {
                breadth->reached_from[after] = link;
                breadth->steps[count] = breadth->steps[i] + 1;
                breadth->queue[count++] = after;
            }
        }
    }
    for (guint i = 0; i < count; i++) {
        breadth->reached_from[breadth->queue[i]] = LINK_NONE;
    }
    return ring;
}

/* The shortest ring through any link of `ring`, which it takes. A search in depth
 * wanders; four nodes say what is wrong better than forty do. */
static GArray *shorten(const NocDependency *self, GArray *ring)
{
    g_autofree uint32_t *reached_from = g_new(uint32_t, self->link_count);
    g_autofree uint32_t *queue = g_new(uint32_t, self->link_count);
    g_autofree guint *steps = g_new(guint, self->link_count);
    g_autoptr(GArray) links = ring;
    Breadth breadth = {.reached_from = reached_from, .queue = queue, .steps = steps};
    GArray *shortest = g_array_ref(ring);

    memset(reached_from, 0xff, self->link_count * sizeof *reached_from);
    for (guint i = 0; i < links->len; i++) {
        GArray *shorter = find_shorter(
            self, &breadth, g_array_index(links, uint32_t, i), shortest->len);

        if (shorter != NULL) {
            g_array_unref(shortest);
            shortest = shorter;
        }
    }
    return shortest;
}

/* The nodes of a ring, the first one again at the end, or NULL when there is none; a
 * short one where there are several. The caller unrefs it. */
static GArray *find_ring(const NocDependency *self)
{
    GArray *ring = find_any_ring(self);

    if (ring == NULL) {
        return NULL;
    }
    ring = shorten(self, ring);

    GArray *nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    for (guint i = 0; i <= ring->len; i++) {
        uint32_t node =
            g_array_index(ring, uint32_t, i % ring->len) / self->grid->port_count;

        g_array_append_val(nodes, node);
    }
    g_array_unref(ring);
    return nodes;
}

void noc_dependency_add(NocDependency *self, uint32_t node, guint port, guint onward)
{
    g_assert(port < self->grid->local && onward < self->grid->local);
    self->onward[node * self->grid->port_count + port] |= sim_u8(1U << onward);
}

bool noc_dependency_check(const NocDependency *self, const char *what, GError **error)
{
    g_autoptr(GArray) ring = find_ring(self);

    if (ring == NULL) {
        return true;
    }
    g_autofree char *circle = noc_grid_circle_text(
        self->grid, &g_array_index(ring, uint32_t, 0), ring->len - 1);

    return arch_refuse(error, "%s: links can wait for each other in a ring: %s", what,
                       circle);
}
