/* Counts the packets of a reduction on every link of its tree. */
#include "arch/noc/reduction.h"

void noc_reduction_init(NocReduction *self,
                        const ArchNocTrees *trees,
                        guint node_count,
                        uint32_t packets)
{
    const gsize size = (gsize) node_count * node_count;

    *self = (NocReduction){
        .trees = trees,
        .packets = packets,
        .node_count = node_count,
        .sent = g_new0(uint32_t, size),
        .arrived = g_new0(uint32_t, size),
    };
}

void noc_reduction_clear(NocReduction *self)
{
    g_clear_pointer(&self->sent, g_free);
    g_clear_pointer(&self->arrived, g_free);
}

static gsize place_of(const NocReduction *self, uint32_t root, uint32_t node)
{
    return (gsize) root * self->node_count + node;
}

void noc_reduction_arrive(NocReduction *self, uint32_t root, uint32_t node)
{
    self->arrived[place_of(self, root, node)]++;
}

bool noc_reduction_take(NocReduction *self, uint32_t root, uint32_t node)
{
    uint32_t *sent = &self->sent[place_of(self, root, node)];
    uint32_t children[ARCH_NOC_CHILDREN_MAXIMUM];
    const guint count = arch_noc_trees_children(self->trees, root, node, children);

    if (node == root || *sent == self->packets) {
        return false;
    }
    for (guint i = 0; i < count; i++) {
        if (self->arrived[place_of(self, root, children[i])] == *sent) {
            return false;
        }
    }
    ++*sent;
    return true;
}
