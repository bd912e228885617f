/* Reductions: the parts that each node has received, and when it may send its own to
 * its parent. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/noc_trees.h"

typedef struct {
    const ArchNocTrees *trees;
    uint32_t packets; /* sent by every node but the root */
    /* [root][node] */
    uint32_t *sent;
    uint32_t *arrived; /* at the node's parent */
    guint node_count;
} NocReduction;

/* Borrows `trees`, which lead upward. */
void noc_reduction_init(NocReduction *self,
                        const ArchNocTrees *trees,
                        guint node_count,
                        uint32_t packets);
void noc_reduction_clear(NocReduction *self);

/* Records that the next packet of `node` has arrived at its parent. */
void noc_reduction_arrive(NocReduction *self, uint32_t root, uint32_t node);

/* Lets `node` send its next packet if it has that packet from all its children. Returns
 * false otherwise. */
bool noc_reduction_take(NocReduction *self, uint32_t root, uint32_t node);
