/* Whether packets that go down the trees of different roots can wait for each other. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/noc/grid.h"
#include "arch/noc_trees.h"

/* Fails with ARCH_ERROR_INVALID and names what can wait. The trees are complete. */
bool noc_tree_dependency_check(const ArchNocTrees *trees,
                               const NocGrid *grid,
                               GError **error);
