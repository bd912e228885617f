/* Which links can wait for which: the channel dependency graph of a set of routes. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/noc/grid.h"
#include "arch/noc_trees.h"

typedef struct NocDependency NocDependency;

/* Borrows `grid`. */
NocDependency *noc_dependency_new(const NocGrid *grid);
void noc_dependency_free(NocDependency *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NocDependency, noc_dependency_free)

/* False, with a message that begins with `what`, if there is a ring of links that can
 * all wait for each other. */
bool noc_dependency_check(const NocDependency *self, const char *what, GError **error);

/* What comes through output `port` of `node` may go on through output `onward` of the
 * next router: it holds the first link while it waits for the second. */
void noc_dependency_add(NocDependency *self, uint32_t node, guint port, guint onward);

/* Fails with ARCH_ERROR_INVALID and names what can wait. The trees are complete. */
bool noc_tree_dependency_check(const ArchNocTrees *trees,
                               const NocGrid *grid,
                               GError **error);
