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

/* Likewise adds `next` to the nodes among which packets choose on their way. Where some
 * are allowed, what was set is an escape: one channel of each link is for it, and who
 * takes it keeps to it. */
bool arch_noc_routes_allow(
    ArchNocRoutes *self, uint32_t node, uint32_t target, uint32_t next, GError **error);

/* Allows all shortest ways. */
void arch_noc_routes_allow_shortest(ArchNocRoutes *self);

bool arch_noc_routes_has_choice(const ArchNocRoutes *self);
bool arch_noc_routes_has_escape(const ArchNocRoutes *self);

/* The outputs allowed from `node` toward `target`, a bit each. */
guint arch_noc_routes_allowed(const ArchNocRoutes *self,
                              uint32_t node,
                              uint32_t target);

/* A packet at a router that has several allowed outputs. */
typedef struct {
    uint32_t node;
    uint32_t target;
    guint outs;               /* those allowed, a bit each */
    const char *const *names; /* [output]: "east" */
    const guint *free_flits;  /* [output]: room beyond it, but for the escape */
} ArchNocHop;

/* Sets `port` to one of hop->outs. */
typedef bool (*ArchNocChooseFunc)(gpointer data,
                                  const ArchNocHop *hop,
                                  guint *port,
                                  GError **error);

/* Calls `func` once for every packet at every router where it has a choice; without it
 * a packet takes what is free. `data` is freed with the routes. */
void arch_noc_routes_on_choice(ArchNocRoutes *self,
                               ArchNocChooseFunc func,
                               gpointer data,
                               GDestroyNotify free_data);

/* The outputs of a hop that a packet asks for: hop->outs, or what the function chose.
 */
guint arch_noc_routes_choose(const ArchNocRoutes *self, const ArchNocHop *hop);

/* Whether the function has failed so far; from then on it is not called. */
bool arch_noc_routes_has_failed(const ArchNocRoutes *self, GError **error);

/* Checks that every node reaches every target without a loop and, unless
 * `allow_cycles`, that the channel dependency graph has no cycle; where packets choose,
 * for all that they may choose, and, if there is an escape, rings of that only. The
 * message names the nodes of the first violation. */
bool arch_noc_routes_check(const ArchNocRoutes *self,
                           bool allow_cycles,
                           GError **error);
