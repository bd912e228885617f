/* Trees by which nodes reach all others, or all others reach them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/noc_routes.h"

/* In place of a root: every node has a tree of its own. */
#define ARCH_NOC_ALL_ROOTS UINT32_MAX

enum {
    ARCH_NOC_CHILDREN_MAXIMUM = 4,
};

typedef struct ArchNocTrees ArchNocTrees;

typedef enum {
    ARCH_NOC_DOWNWARD, /* from the root: links lead from parents to children */
    ARCH_NOC_UPWARD,   /* to the root: links lead from children to parents */
} ArchNocTreeUse;

/* The tree of one root, or those of all nodes. */
ArchNocTrees *arch_noc_trees_new(ArchNocTopology topology,
                                 guint width,
                                 guint height,
                                 uint32_t root,
                                 ArchNocTreeUse use);
void arch_noc_trees_free(ArchNocTrees *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchNocTrees, arch_noc_trees_free)

ArchNocTreeUse arch_noc_trees_use(const ArchNocTrees *self);

/* They were made for such a grid. */
bool arch_noc_trees_fit(const ArchNocTrees *self,
                        ArchNocTopology topology,
                        guint width,
                        guint height);

/* That node has a tree. */
bool arch_noc_trees_has(const ArchNocTrees *self, uint32_t root);

/* In the tree of `root`, `node` hangs below `parent`. Fails with ARCH_ERROR_INVALID
 * when there is no link between them in the direction of the use, when `node` hangs
 * below another already, or is the root. */
bool arch_noc_trees_set(
    ArchNocTrees *self, uint32_t root, uint32_t node, uint32_t parent, GError **error);

/* In every tree every node hangs below the root, without a loop; and, for trees that
 * lead downward and unless `allow_cycles`, packets of different roots cannot wait for
 * each other in a ring. The message names the first offence. What follows is for trees
 * that have passed. */
bool arch_noc_trees_check(ArchNocTrees *self, bool allow_cycles, GError **error);
bool arch_noc_trees_is_checked(const ArchNocTrees *self);

/* UINT32_MAX for the root. */
uint32_t arch_noc_trees_parent(const ArchNocTrees *self, uint32_t root, uint32_t node);

/* Nodes right below it; returns how many. */
guint arch_noc_trees_children(const ArchNocTrees *self,
                              uint32_t root,
                              uint32_t node,
                              uint32_t children[ARCH_NOC_CHILDREN_MAXIMUM]);

/* Links between it and the root. */
guint arch_noc_trees_depth(const ArchNocTrees *self, uint32_t root, uint32_t node);

/* Outputs, a bit each: to the children of `node`, or to its parent, whichever the use
 * is. */
uint32_t arch_noc_trees_outs(const ArchNocTrees *self, uint32_t root, uint32_t node);
