/* A network on chip of any size: routers with virtual channels and credits, flit by
 * flit. Wormhole's pair of networks uses the same routers (arch/wormhole_noc.h). */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/noc_routes.h"
#include "arch/noc_trees.h"
#include "sim/engine.h"

typedef struct ArchNoc ArchNoc;

typedef enum {
    ARCH_NOC_XY,         /* x first, the shorter way around on a torus */
    ARCH_NOC_YX,         /* y first, likewise */
    ARCH_NOC_VALIANT,    /* through a random node, XY on both legs */
    ARCH_NOC_WEST_FIRST, /* mesh only: to the west first, then any shortest way that is
                          * free */
    ARCH_NOC_ADAPTIVE,   /* any shortest way that is free; one channel, or two on rings,
                          * for escape along x first */
    ARCH_NOC_TABLE,      /* as `routes` says */
    ARCH_NOC_TREE,       /* along `trees`: arch_noc_broadcast(), arch_noc_send_up() */
} ArchNocRouting;

/* A packet takes endpoint_cycles + hop_cycles x hops + flits - 1 through an empty
 * network. Virtual channels: at least 2 on a ring (dateline), twice that for Valiant,
 * one more than for escape; at most 12. */
typedef struct {
    ArchNocTopology topology;
    guint width;
    guint height;
    ArchNocRouting routing;
    const ArchNocRoutes *routes; /* borrowed; ARCH_NOC_TABLE only */
    const ArchNocTrees *trees;   /* borrowed, checked; ARCH_NOC_TREE only */
    guint vc_count;
    guint buffer_flits;      /* of each virtual channel at each input */
    SimTime hop_cycles;      /* at least 1 */
    SimTime endpoint_cycles; /* in and out together */
    SimTime credit_cycles;   /* from leaving a buffer until its space is known; >= 1 */
    uint64_t seed;           /* for choices between equal routes */
} ArchNocConfig;

/* A packet that has arrived completely. */
typedef struct {
    uint32_t source;
    uint32_t target;
    uint32_t root; /* of the tree it followed, if any */
    guint flits;
    guint hops;
    SimTime created;
    SimTime arrived;
} ArchNocDelivery;

typedef void (*ArchNocArriveFunc)(gpointer data, const ArchNocDelivery *delivery);

/* A link between two routers. */
typedef struct {
    uint32_t from;
    uint32_t to;
    const char *direction; /* east, west, south, north */
    uint64_t flits;        /* carried so far */
} ArchNocLink;

/* Fails with ARCH_ERROR_INVALID, naming what is allowed. `key` orders its work among
 * the other components in a cycle; packets sent earlier in the cycle are included. */
ArchNoc *arch_noc_new(SimRegion *region,
                      SimKey key,
                      const ArchNocConfig *config,
                      GError **error);
void arch_noc_free(ArchNoc *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchNoc, arch_noc_free)

/* Packets sent and not yet arrived. */
uint64_t arch_noc_pending(const ArchNoc *self);

/* Flits that passed a link, all links together. */
uint64_t arch_noc_flit_hops(const ArchNoc *self);

/* Links in a fixed order; valid until the next call. */
guint arch_noc_link_count(const ArchNoc *self);
ArchNocLink arch_noc_link(const ArchNoc *self, guint index);

/* Called in the network's region for every packet. */
void arch_noc_on_arrival(ArchNoc *self, ArchNocArriveFunc func, gpointer data);

/* Queues a packet at its source, which injects its packets in order, a flit a cycle.
 * Not with ARCH_NOC_TREE. */
void arch_noc_send(ArchNoc *self, uint32_t source, uint32_t target, guint flits);

/* With trees that lead downward: queues a packet at `root` that arrives once at every
 * other node. Routers forward each flit to all branches at once. All packets of a root
 * use one virtual channel, so that they keep their order. */
void arch_noc_broadcast(ArchNoc *self, uint32_t root, guint flits);

/* With trees that lead upward: queues a packet at `node` for its parent in the tree of
 * `root`. */
void arch_noc_send_up(ArchNoc *self, uint32_t root, uint32_t node, guint flits);

/* Flits that links carried, by consecutive windows of time. */
typedef struct {
    guint count;
    guint link_count;
    SimTime
        *ends; /* [window]: it starts where the one before it ends, the first at 0 */
    uint64_t *flits; /* [window][link] */
} ArchNocWindows;

void arch_noc_windows_clear(ArchNocWindows *self);
