/* Reductions: which parts each node has, and when it may send its own up. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/noc_trees.h"

typedef struct {
    const ArchNocTrees *trees;
    uint32_t packets; /* of every node but the root */
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

/* The next packet of `node` has come to its parent. */
void noc_reduction_arrive(NocReduction *self, uint32_t root, uint32_t node);

/* `node` sends its next packet if it has the same one of all its children. */
bool noc_reduction_take(NocReduction *self, uint32_t root, uint32_t node);
