/* Trees along which a root sends to all other nodes, or all other nodes send to the
 * root. */
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

/* Whether the trees were made for such a grid. */
bool arch_noc_trees_fit(const ArchNocTrees *self,
                        ArchNocTopology topology,
                        guint width,
                        guint height);

/* Whether `root` has a tree. */
bool arch_noc_trees_has(const ArchNocTrees *self, uint32_t root);

/* Makes `node` a child of `parent` in the tree of `root`. Fails with ARCH_ERROR_INVALID
 * if no link joins them in the tree's direction, if `node` has a parent already, or if
 * it is the root. */
bool arch_noc_trees_set(
    ArchNocTrees *self, uint32_t root, uint32_t node, uint32_t parent, GError **error);

/* Checks that every tree connects all nodes to its root without a loop. For downward
 * trees, unless `allow_cycles`, it also checks that packets of different roots cannot
 * wait for each other in a cycle. The message names the first violation. The functions
 * below require trees that have passed. */
bool arch_noc_trees_check(ArchNocTrees *self, bool allow_cycles, GError **error);
bool arch_noc_trees_is_checked(const ArchNocTrees *self);

/* UINT32_MAX for the root. */
uint32_t arch_noc_trees_parent(const ArchNocTrees *self, uint32_t root, uint32_t node);

/* The children of `node`; returns their number. */
guint arch_noc_trees_children(const ArchNocTrees *self,
                              uint32_t root,
                              uint32_t node,
                              uint32_t children[ARCH_NOC_CHILDREN_MAXIMUM]);

/* Links between `node` and the root. */
guint arch_noc_trees_depth(const ArchNocTrees *self, uint32_t root, uint32_t node);

/* Outputs as a bit mask: those to the children of `node` in a downward tree, the one to
 * its parent in an upward tree. */
uint32_t arch_noc_trees_outs(const ArchNocTrees *self, uint32_t root, uint32_t node);
