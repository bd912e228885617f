/* What moves for a chain of matrix products on its tree. */
#include "arch/model/chain/plan.h"

#include <math.h>

#include "sim/narrow.h"

const char *chain_fusion_name(ChainFusion fusion)
{
    static const char *const names[] = {
        [CHAIN_SINGLE] = "single",
        [CHAIN_LEFT] = "left",
        [CHAIN_RIGHT] = "right",
    };

    return names[fusion];
}

static guint add_node(ChainPlan *self, const ChainOrder *order, guint first, guint last)
{
    self->nodes[self->node_count] = (ChainNode){
        .first = first,
        .last = last,
        .split = order->splits[first - 1][last - 1],
        .left = CHAIN_LEAF,
        .right = CHAIN_LEAF,
    };
    return self->node_count++;
}

/* Short ones first, those of one length from the left. */
static gint compare_nodes(gconstpointer left, gconstpointer right, gpointer data)
{
    const ChainNode *a = left;
    const ChainNode *b = right;
    const guint a_length = a->last - a->first;
    const guint b_length = b->last - b->first;

    (void) data;
    if (a_length != b_length) {
        return a_length < b_length ? -1 : 1;
    }
    return (a->first > b->first) - (a->first < b->first);
}

static guint find_node(const ChainPlan *self, guint first, guint last)
{
    for (guint i = 0; i < self->node_count; i++) {
        if (self->nodes[i].first == first && self->nodes[i].last == last) {
            return i;
        }
    }
    return CHAIN_LEAF;
}

/* Nodes in the order in which the thesis numbers them: as a table by lengths is filled.
 */
static void grow(ChainPlan *self, const ChainOrder *order)
{
    (void) add_node(self, order, 1, self->chain.matrix_count);
    for (guint i = 0; i < self->node_count; i++) {
        const ChainNode node = self->nodes[i];

        if (node.first < node.split) {
            (void) add_node(self, order, node.first, node.split);
        }
        if (node.split + 1 < node.last) {
            (void) add_node(self, order, node.split + 1, node.last);
        }
    }
    g_qsort_with_data(self->nodes, sim_i32(self->node_count), sizeof(ChainNode),
                      compare_nodes, NULL);
    for (guint i = 0; i < self->node_count; i++) {
        ChainNode *node = &self->nodes[i];

        node->left = find_node(self, node->first, node->split);
        node->right = find_node(self, node->split + 1, node->last);
    }
}

ChainMethod chain_plan_method(const ChainPlan *self,
                              guint node,
                              ChainFusion fusion,
                              uint64_t sizes[CHAIN_METHOD_SIZES])
{
    const ChainNode *at = &self->nodes[node];
    const uint64_t *all = self->chain.sizes;

    switch (fusion) {
    case CHAIN_SINGLE:
        sizes[0] = all[at->first - 1];
        sizes[1] = all[at->split];
        sizes[2] = all[at->last];
        return CHAIN_KEEP_OUTPUT;
    case CHAIN_LEFT:
        sizes[0] = all[at->first - 1];
        sizes[1] = all[self->nodes[at->left].split];
        sizes[2] = all[at->split];
        sizes[3] = all[at->last];
        return CHAIN_FUSE_LEFT;
    case CHAIN_RIGHT:
        sizes[0] = all[at->first - 1];
        sizes[1] = all[at->split];
        sizes[2] = all[self->nodes[at->right].split];
        sizes[3] = all[at->last];
        return CHAIN_FUSE_RIGHT;
    }
    return CHAIN_KEEP_OUTPUT;
}

/* w (D.19): words that are written of a child. */
static double written(const ChainPlan *self, guint node)
{
    const uint64_t *sizes = self->chain.sizes;

    return node == CHAIN_LEAF ? 0
                              : (double) sizes[self->nodes[node].first - 1] *
                                    (double) sizes[self->nodes[node].last];
}

static double least(const ChainPlan *self, guint node)
{
    return node == CHAIN_LEAF ? 0 : self->nodes[node].least;
}

/* The factors of a node where it is fused so: two or three. */
static guint
factors_of(const ChainPlan *self, const ChainNode *at, ChainFusion fusion, guint out[3])
{
    const bool is_left = fusion == CHAIN_LEFT;

    if (fusion == CHAIN_SINGLE) {
        out[0] = at->left;
        out[1] = at->right;
        return 2;
    }
    out[0] = is_left ? self->nodes[at->left].left : at->left;
    out[1] = is_left ? self->nodes[at->left].right : self->nodes[at->right].left;
    out[2] = is_left ? at->right : self->nodes[at->right].right;
    return 3;
}

static void weigh(ChainPlan *self, guint node, ChainFusion fusion)
{
    ChainNode *at = &self->nodes[node];
    uint64_t sizes[CHAIN_METHOD_SIZES] = {0};
    guint factors[3];
    const ChainMethod method = chain_plan_method(self, node, fusion, sizes);
    const guint factor_count = factors_of(self, at, fusion, factors);

    chain_cost_init(&at->costs[fusion], method, sizes, self->words, self->form);
    /* What a closed form has, but for the write of the node: its parent counts that. */
    at->local[fusion] = at->costs[fusion].words - written(self, node);
    for (guint i = 0; i < factor_count; i++) {
        at->local[fusion] += written(self, factors[i]);
    }
    at->total[fusion] = at->local[fusion];
    for (guint i = 0; i < factor_count; i++) {
        at->total[fusion] += least(self, factors[i]);
    }
    if (fusion == CHAIN_SINGLE || at->total[fusion] < at->least) {
        at->least = at->total[fusion];
        at->fusion = fusion;
    }
}

static void weigh_all(ChainPlan *self, guint node)
{
    ChainNode *at = &self->nodes[node];

    for (guint i = CHAIN_SINGLE; i <= CHAIN_RIGHT; i++) {
        at->local[i] = NAN;
        at->total[i] = NAN;
    }
    weigh(self, node, CHAIN_SINGLE);
    if (at->left != CHAIN_LEAF) {
        weigh(self, node, CHAIN_LEFT);
    }
    if (at->right != CHAIN_LEAF) {
        weigh(self, node, CHAIN_RIGHT);
    }
}

/* From the root down: a child that is fused into its parent is a node no more. */
static void choose(ChainPlan *self)
{
    for (guint i = self->node_count; i-- > 0;) {
        const ChainNode *at = &self->nodes[i];

        if (!at->is_inside && at->fusion != CHAIN_SINGLE) {
            self->nodes[at->fusion == CHAIN_LEFT ? at->left : at->right].is_inside =
                true;
        }
    }
}

void chain_plan_init(ChainPlan *self,
                     const Chain *chain,
                     const ChainOrder *order,
                     uint64_t words,
                     ChainForm form)
{
    self->chain = *chain;
    self->words = words;
    self->form = form;
    self->operations = chain_order_operations(order, chain);
    self->node_count = 0;
    self->single_words = 0;
    grow(self, order);
    for (guint i = 0; i < self->node_count; i++) {
        weigh_all(self, i);
        self->single_words += self->nodes[i].costs[CHAIN_SINGLE].words;
    }
    choose(self);
    self->fused_before_output = self->nodes[self->node_count - 1].least;
    self->fused_words = self->fused_before_output + written(self, self->node_count - 1);
}

double chain_plan_reduction(const ChainPlan *self)
{
    const double percent = 100;

    return percent * (1 - self->fused_words / self->single_words);
}

double chain_plan_tile_words(const ChainPlan *self, bool is_fused, bool is_strict)
{
    double words = 0;

    for (guint i = 0; i < self->node_count; i++) {
        const ChainNode *at = &self->nodes[i];
        uint64_t sizes[CHAIN_METHOD_SIZES] = {0};
        ChainTile tile;

        if (is_fused && at->is_inside) {
            continue;
        }
        const ChainMethod method =
            chain_plan_method(self, i, is_fused ? at->fusion : CHAIN_SINGLE, sizes);

        chain_tile_init(&tile, method, sizes, self->words, self->form, is_strict);
        words += chain_tile_words(&tile, method, sizes);
    }
    return words;
}

/* Of node `count` - 1 and those before it; `inside` has a bit for each that is fused
 * into its parent. */
static double try_all(const ChainPlan *self, guint count, guint32 inside)
{
    if (count == 0) {
        return 0;
    }
    const ChainNode *at = &self->nodes[count - 1];

    if ((inside >> (count - 1) & 1) != 0) {
        return try_all(self, count - 1, inside);
    }
    double best = at->local[CHAIN_SINGLE] + try_all(self, count - 1, inside);
    if (at->left != CHAIN_LEAF) {
        best = MIN(best, at->local[CHAIN_LEFT] +
                             try_all(self, count - 1, inside | 1U << at->left));
    }
    if (at->right != CHAIN_LEAF) {
        best = MIN(best, at->local[CHAIN_RIGHT] +
                             try_all(self, count - 1, inside | 1U << at->right));
    }
    return best;
}

double chain_plan_by_trial(const ChainPlan *self)
{
    g_return_val_if_fail(self->chain.matrix_count <= CHAIN_MOST_FUSED, NAN);
    return try_all(self, self->node_count, 0) + written(self, self->node_count - 1);
}
