/* Fills tables of routes: the output of every router toward every target. */
#include <string.h>

#include "arch/error.h"
#include "arch/noc/dependency.h"
#include "arch/noc/grid.h"
#include "arch/noc_routes.h"
#include "sim/narrow.h"

enum {
    PORT_NONE = UINT8_MAX,
};

/* What is known of the way from a node to one target. */
typedef enum {
    UNKNOWN,
    FOLLOWED, /* being looked at */
    ARRIVES,
} Mark;

/* Whom packets ask, and the first error. */
typedef struct {
    ArchNocChooseFunc func;
    gpointer data;
    GDestroyNotify free_data;
    GError *failure;
} Chooser;

struct ArchNocRoutes {
    NocGrid *grid;
    /* [target][node]: the output taken. Checks go target by target: the row of one fits
     * into the nearest cache. */
    uint8_t *ports;
    uint8_t *allowed; /* likewise: outputs, a bit each; NULL: no choice */
    Chooser *chooser; /* or NULL */
};

/* Where the ways to one target are followed. */
typedef struct {
    const ArchNocRoutes *routes;
    uint8_t *marks;  /* [node] */
    uint32_t *trail; /* nodes passed since the start */
    guint length;
} Walk;

ArchNocRoutes *arch_noc_routes_new(ArchNocTopology topology, guint width, guint height)
{
    g_return_val_if_fail(width >= 1 && width <= G_MAXUINT16, NULL);
    g_return_val_if_fail(height >= 1 && height <= G_MAXUINT16, NULL);
    ArchNocRoutes *self = g_new0(ArchNocRoutes, 1);

    self->grid = noc_grid_new(topology, width, height);
    gsize count = (gsize) self->grid->node_count * self->grid->node_count;

    self->ports = g_malloc(count);
    memset(self->ports, PORT_NONE, count);
    return self;
}

static void chooser_free(Chooser *self)
{
    if (self != NULL) {
        if (self->free_data != NULL) {
            self->free_data(self->data);
        }
        g_clear_error(&self->failure);
        g_free(self);
    }
}

void arch_noc_routes_free(ArchNocRoutes *self)
{
    if (self != NULL) {
        chooser_free(self->chooser);
        g_free(self->allowed);
        noc_grid_free(self->grid);
        g_free(self->ports);
        g_free(self);
    }
}

bool arch_noc_routes_fit(const ArchNocRoutes *self,
                         ArchNocTopology topology,
                         guint width,
                         guint height)
{
    return self->grid->topology == topology && self->grid->width == width &&
           self->grid->height == height;
}

/* [node]: the outputs taken toward one target. */
static uint8_t *row_of(const ArchNocRoutes *self, uint32_t target)
{
    return &self->ports[(gsize) target * self->grid->node_count];
}

guint arch_noc_routes_port(const ArchNocRoutes *self, uint32_t node, uint32_t target)
{
    return row_of(self, target)[node];
}

uint32_t arch_noc_routes_next(const ArchNocRoutes *self, uint32_t node, uint32_t target)
{
    const NocGrid *grid = self->grid;

    g_return_val_if_fail(node < grid->node_count && target < grid->node_count,
                         NOC_NODE_NONE);
    uint8_t port = row_of(self, target)[node];

    return port == PORT_NONE ? NOC_NODE_NONE
                             : grid->next[node * grid->port_count + port];
}

/* The output of `node` that leads to `next`. */
static bool find_port(const ArchNocRoutes *self,
                      uint32_t node,
                      uint32_t next,
                      guint *found,
                      GError **error)
{
    const NocGrid *grid = self->grid;
    guint port = 0;

    while (port < grid->local && grid->next[node * grid->port_count + port] != next) {
        port++;
    }
    /* Around a ring of one node a link leads back to it: no way to anywhere. */
    if (port == grid->local || next == node || next == NOC_NODE_NONE) {
        return arch_refuse(error, "no link leads from %u,%u to %u,%u", grid->x[node],
                           grid->y[node], next % grid->width, next / grid->width);
    }
    *found = port;
    return true;
}

bool arch_noc_routes_set(
    ArchNocRoutes *self, uint32_t node, uint32_t target, uint32_t next, GError **error)
{
    guint port = 0;

    g_return_val_if_fail(node < self->grid->node_count && node != target, false);
    g_return_val_if_fail(target < self->grid->node_count, false);
    if (!find_port(self, node, next, &port, error)) {
        return false;
    }
    row_of(self, target)[node] = sim_u8(port);
    return true;
}

/* [node]: the outputs allowed toward one target. */
static uint8_t *choices_of(const ArchNocRoutes *self, uint32_t target)
{
    return &self->allowed[(gsize) target * self->grid->node_count];
}

static void make_choices(ArchNocRoutes *self)
{
    const gsize count = (gsize) self->grid->node_count * self->grid->node_count;

    if (self->allowed == NULL) {
        self->allowed = g_new0(uint8_t, count);
    }
}

bool arch_noc_routes_allow(
    ArchNocRoutes *self, uint32_t node, uint32_t target, uint32_t next, GError **error)
{
    guint port = 0;

    g_return_val_if_fail(node < self->grid->node_count && node != target, false);
    g_return_val_if_fail(target < self->grid->node_count, false);
    if (!find_port(self, node, next, &port, error)) {
        return false;
    }
    make_choices(self);
    choices_of(self, target)[node] |= sim_u8(1U << port);
    return true;
}

/* The outputs that lead a step nearer along an axis. */
static guint nearer(const NocGrid *grid, NocAxis axis, uint32_t node, uint32_t target)
{
    const uint16_t *places = axis == NOC_X ? grid->x : grid->y;
    const guint length = axis == NOC_X ? grid->width : grid->height;
    const guint up = noc_grid_steps_up(places[node], places[target], length);
    guint outs = 0;

    for (guint port = 0; port < grid->local && up > 0; port++) {
        const NocDirection *direction = &grid->directions[port];
        const bool is_mesh = grid->topology == ARCH_NOC_MESH;
        const bool is_one_way = grid->port_count == 3;
        const bool is_up_nearer =
            is_mesh ? places[target] > places[node] : 2 * up <= length;
        const bool is_down_nearer = is_mesh ? !is_up_nearer : 2 * up >= length;

        if (direction->axis == axis &&
            (is_one_way || (direction->is_up ? is_up_nearer : is_down_nearer))) {
            outs |= 1U << port;
        }
    }
    return outs;
}

void arch_noc_routes_allow_shortest(ArchNocRoutes *self)
{
    const guint node_count = self->grid->node_count;

    make_choices(self);
    for (uint32_t i = 0; i < node_count * node_count; i++) {
        const uint32_t node = i % node_count;
        const uint32_t target = i / node_count;

        choices_of(self, target)[node] =
            sim_u8(nearer(self->grid, NOC_X, node, target) |
                   nearer(self->grid, NOC_Y, node, target));
    }
}

bool arch_noc_routes_has_choice(const ArchNocRoutes *self)
{
    return self->allowed != NULL;
}

/* All outputs are set, or none is: who sets some is refused. */
bool arch_noc_routes_has_escape(const ArchNocRoutes *self)
{
    return self->grid->node_count > 1 && row_of(self, 0)[1] != PORT_NONE;
}

guint arch_noc_routes_allowed(const ArchNocRoutes *self, uint32_t node, uint32_t target)
{
    return choices_of(self, target)[node];
}

void arch_noc_routes_on_choice(ArchNocRoutes *self,
                               ArchNocChooseFunc func,
                               gpointer data,
                               GDestroyNotify free_data)
{
    g_return_if_fail(self->chooser == NULL && func != NULL);
    self->chooser = g_new0(Chooser, 1);
    *self->chooser = (Chooser){.func = func, .data = data, .free_data = free_data};
}

guint arch_noc_routes_choose(const ArchNocRoutes *self, const ArchNocHop *hop)
{
    Chooser *chooser = self->chooser;
    guint port = 0;

    if (chooser == NULL || chooser->failure != NULL ||
        !chooser->func(chooser->data, hop, &port, &chooser->failure)) {
        return hop->outs;
    }
    return 1U << port;
}

bool arch_noc_routes_has_failed(const ArchNocRoutes *self, GError **error)
{
    const GError *failure = self->chooser != NULL ? self->chooser->failure : NULL;

    if (failure != NULL && error != NULL) {
        *error = g_error_copy(failure);
    }
    return failure != NULL;
}

static bool
refuse_way(const Walk *walk, uint32_t target, const char *what, GError **error)
{
    const NocGrid *grid = walk->routes->grid;
    uint32_t start = walk->trail[0];

    return arch_refuse(error, "routes: from %u,%u to %u,%u the way %s", grid->x[start],
                       grid->y[start], grid->x[target], grid->y[target], what);
}

static bool refuse_gap(const Walk *walk, uint32_t target, GError **error)
{
    const NocGrid *grid = walk->routes->grid;
    uint32_t node = walk->trail[walk->length - 1];
    g_autofree char *what =
        g_strdup_printf("is missing at %u,%u", grid->x[node], grid->y[node]);

    return refuse_way(walk, target, what, error);
}

/* The trail has come to `node` a second time. */
static bool
refuse_loop(const Walk *walk, uint32_t target, uint32_t node, GError **error)
{
    guint first = 0;

    while (walk->trail[first] != node) {
        first++;
    }
    g_autofree char *circle = noc_grid_circle_text(
        walk->routes->grid, walk->trail + first, walk->length - first);
    g_autofree char *what = g_strdup_printf("goes round in a loop: %s", circle);

    return refuse_way(walk, target, what, error);
}

static bool follow(Walk *walk, uint32_t start, uint32_t target, GError **error)
{
    const NocGrid *grid = walk->routes->grid;
    const uint8_t *row = row_of(walk->routes, target);
    uint32_t node = start;

    walk->length = 0;
    while (walk->marks[node] == UNKNOWN) {
        walk->marks[node] = FOLLOWED;
        walk->trail[walk->length++] = node;
        if (row[node] == PORT_NONE) {
            return refuse_gap(walk, target, error);
        }
        node = grid->next[node * grid->port_count + row[node]];
    }
    if (walk->marks[node] == FOLLOWED) {
        return refuse_loop(walk, target, node, error);
    }
    for (guint i = 0; i < walk->length; i++) {
        walk->marks[walk->trail[i]] = ARRIVES;
    }
    return true;
}

static bool check_arrival(const ArchNocRoutes *self, GError **error)
{
    guint node_count = self->grid->node_count;
    g_autofree uint8_t *marks = g_new(uint8_t, node_count);
    g_autofree uint32_t *trail = g_new0(uint32_t, node_count);
    Walk walk = {.routes = self, .marks = marks, .trail = trail};

    for (uint32_t target = 0; target < node_count; target++) {
        memset(marks, UNKNOWN, node_count);
        marks[target] = ARRIVES;
        for (uint32_t start = 0; start < node_count; start++) {
            if (marks[start] != ARRIVES && !follow(&walk, start, target, error)) {
                return false;
            }
        }
    }
    return true;
}

/* Notes which links wait for which on the ways to one target; all of them arrive. */
static void
add_target(const ArchNocRoutes *self, uint32_t target, NocDependency *dependency)
{
    const NocGrid *grid = self->grid;
    const uint8_t *row = row_of(self, target);

    for (uint32_t node = 0; node < grid->node_count; node++) {
        if (node == target) {
            continue;
        }
        uint32_t next = grid->next[node * grid->port_count + row[node]];

        if (next != target) {
            noc_dependency_add(dependency, node, row[node], row[next]);
        }
    }
}

static bool check_rings(const ArchNocRoutes *self, GError **error)
{
    const NocGrid *grid = self->grid;
    g_autoptr(NocDependency) dependency = noc_dependency_new(grid);

    for (uint32_t target = 0; target < grid->node_count; target++) {
        add_target(self, target, dependency);
    }
    return noc_dependency_check(dependency, "routes", error);
}

/* Notes which links wait for which, whatever packets to one target choose. */
static void
add_choices(const ArchNocRoutes *self, uint32_t target, NocDependency *dependency)
{
    const NocGrid *grid = self->grid;
    const uint8_t *row = choices_of(self, target);

    for (uint32_t node = 0; node < grid->node_count; node++) {
        for (guint outs = node == target ? 0 : row[node]; outs != 0; outs &= outs - 1) {
            const guint port = (guint) g_bit_nth_lsf(outs, -1);
            const uint32_t next = grid->next[node * grid->port_count + port];

            for (guint on = next == target ? 0 : row[next]; on != 0; on &= on - 1) {
                noc_dependency_add(dependency, node, port,
                                   (guint) g_bit_nth_lsf(on, -1));
            }
        }
    }
}

/* Toward one target alone a ring of links is a way that may never arrive. */
static bool check_choices(const ArchNocRoutes *self, uint32_t target, GError **error)
{
    const NocGrid *grid = self->grid;
    g_autoptr(NocDependency) dependency = noc_dependency_new(grid);
    g_autofree char *what =
        g_strdup_printf("outputs toward %u,%u", grid->x[target], grid->y[target]);

    for (uint32_t node = 0; node < grid->node_count; node++) {
        if (node != target && choices_of(self, target)[node] == 0) {
            return arch_refuse(error, "%s: none is allowed at %u,%u", what,
                               grid->x[node], grid->y[node]);
        }
    }
    add_choices(self, target, dependency);
    return noc_dependency_check(dependency, what, error);
}

static bool check_all_choices(const ArchNocRoutes *self, GError **error)
{
    for (uint32_t target = 0; target < self->grid->node_count; target++) {
        if (!check_choices(self, target, error)) {
            return false;
        }
    }
    return true;
}

static bool check_choice_rings(const ArchNocRoutes *self, GError **error)
{
    g_autoptr(NocDependency) dependency = noc_dependency_new(self->grid);

    for (uint32_t target = 0; target < self->grid->node_count; target++) {
        add_choices(self, target, dependency);
    }
    return noc_dependency_check(dependency, "outputs without an escape", error);
}

bool arch_noc_routes_check(const ArchNocRoutes *self, bool allow_cycles, GError **error)
{
    const bool has_choice = arch_noc_routes_has_choice(self);

    if (has_choice && !check_all_choices(self, error)) {
        return false;
    }
    if (has_choice && !arch_noc_routes_has_escape(self)) {
        return allow_cycles || check_choice_rings(self, error);
    }
    return check_arrival(self, error) && (allow_cycles || check_rings(self, error));
}
