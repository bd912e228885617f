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

/* Fails, with a message that begins with `what`, if a cycle of links can all wait for
 * each other. */
bool noc_dependency_check(const NocDependency *self, const char *what, GError **error);

/* Adds a dependency: a packet from output `port` of `node` may continue through output
 * `onward` of the next router, and holds the first link while it waits for the second.
 */
void noc_dependency_add(NocDependency *self, uint32_t node, guint port, guint onward);

/* Fails with ARCH_ERROR_INVALID and names the links that can wait for each other. The
 * trees must be complete. */
bool noc_tree_dependency_check(const ArchNocTrees *trees,
                               const NocGrid *grid,
                               GError **error);
