/* User-defined routing and traffic: Lua functions, compiled into tables of routes or
 * trees, or into a traffic matrix. */
#pragma once

#include <glib.h>

#include "arch/noc_routes.h"
#include "arch/noc_trees.h"
#include "arch/traffic/matrix.h"
#include "workloads/script.h"

enum {
    WL_ROUTING_NODES_MAXIMUM = 64 * 64,
};

/* Runs the file at `path` and asks its function next(x, y, tx, ty, grid) once for every
 * node and every other target, and likewise outputs(x, y, tx, ty, grid), which returns
 * directions, if it has one. If it has choose(x, y, tx, ty, free, grid), packets ask
 * that at every router: the routes keep the file open. config->steps limits the
 * instructions that the targets of one node take together. The result has passed
 * arch_noc_routes_check(). Fails with WL_ERROR_SYNTAX (no routing file),
 * WL_ERROR_RUNTIME (the function raised an error, or its answer is neither a node nor a
 * direction), WL_ERROR_LIMIT, WL_ERROR_FIT (more nodes than the maximum, or a file of
 * trees), or ARCH_ERROR_INVALID (the answer has no link, or the routes do not pass the
 * check). The caller frees it. */
ArchNocRoutes *wl_routing_load(const char *path,
                               const WlSandboxConfig *config,
                               ArchNocTopology topology,
                               guint width,
                               guint height,
                               GError **error);

/* The trees wanted from a file. */
typedef struct {
    ArchNocTopology topology;
    guint width;
    guint height;
    uint32_t root; /* or ARCH_NOC_ALL_ROOTS */
    ArchNocTreeUse use;
} WlRoutingTrees;

/* Likewise for trees, with the function children(x, y, rx, ry, grid), which returns
 * directions, or parent(x, y, rx, ry, grid), which answers like next(). Calls it for
 * every node of the tree of the root, or of the trees of all roots. The result has
 * passed arch_noc_trees_check(). */
ArchNocTrees *wl_routing_load_trees(const char *path,
                                    const WlSandboxConfig *config,
                                    const WlRoutingTrees *wanted,
                                    GError **error);

/* Runs the file at `path` and asks its function target(x, y, grid) for every node: the
 * x, y to which it sends all packets, or nothing, if it sends none; or its function
 * weight(x, y, tx, ty, grid) for every node and target, itself included: how often it
 * sends there, a number from 0 on, in proportion to its other weights. config->steps
 * limits the instructions for all nodes, or for the targets of one. Fails as
 * wl_routing_load() does, with ARCH_ERROR_INVALID where a target is off the grid or no
 * node sends. The caller frees it. */
ArchNocMatrix *wl_routing_load_pattern(const char *path,
                                       const WlSandboxConfig *config,
                                       ArchNocTopology topology,
                                       guint width,
                                       guint height,
                                       GError **error);
