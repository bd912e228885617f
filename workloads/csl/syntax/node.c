/* The life of syntax trees. */
#include "workloads/csl/syntax/node.h"

static const char *const names[] = {
#define CSL_NODE(name) [CSL_##name] = #name,
#include "workloads/csl/syntax/node.def"
#undef CSL_NODE
};

void csl_tree_free(CslTree *self)
{
    if (self == NULL) {
        return;
    }
    if (self->global_slots != NULL) {
        g_hash_table_destroy(self->global_slots);
    }
    csl_arena_free(self->arena);
    g_free(self);
}

const char *csl_node_kind_name(CslNodeKind kind)
{
    return names[kind];
}
