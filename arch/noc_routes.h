/* Routes as a table: the output of every router toward every target. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* Node id = x + width * y. */
typedef enum {
    ARCH_NOC_MESH,
    ARCH_NOC_TORUS,     /* links both ways, wrapped around */
    ARCH_NOC_WORMHOLE0, /* one way: +x and +y, wrapped around */
    ARCH_NOC_WORMHOLE1, /* one way: -x and -y, wrapped around */
} ArchNocTopology;

typedef struct ArchNocRoutes ArchNocRoutes;

ArchNocRoutes *arch_noc_routes_new(ArchNocTopology topology, guint width, guint height);
void arch_noc_routes_free(ArchNocRoutes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchNocRoutes, arch_noc_routes_free)

/* Whether the routes were made for such a grid. */
bool arch_noc_routes_fit(const ArchNocRoutes *self,
                         ArchNocTopology topology,
                         guint width,
                         guint height);

/* The next node from `node` toward `target`, or UINT32_MAX while unset. */
uint32_t
arch_noc_routes_next(const ArchNocRoutes *self, uint32_t node, uint32_t target);

/* The output of `node` toward `target`: 0 is east, or the only direction along x; the
 * others follow in the order of arch_noc_link(). UINT8_MAX while unset. */
guint arch_noc_routes_port(const ArchNocRoutes *self, uint32_t node, uint32_t target);

/* Fails with ARCH_ERROR_INVALID when no link leads from `node` to `next`. */
bool arch_noc_routes_set(
    ArchNocRoutes *self, uint32_t node, uint32_t target, uint32_t next, GError **error);

/* Checks that every node reaches every target without a loop and, unless
 * `allow_cycles`, that the channel dependency graph has no cycle. The message names the
 * nodes of the first violation. */
bool arch_noc_routes_check(const ArchNocRoutes *self,
                           bool allow_cycles,
                           GError **error);
