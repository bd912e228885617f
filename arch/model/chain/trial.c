/* Multiplies a chain with the loops that its plan chose. */
#include "arch/model/chain/trial.h"

#include "arch/error.h"
#include "sim/narrow.h"
#include "sim/random.h"

/* Multiplications from the left to the right, which is what the plain product takes and
 * at least what the plan does. */
#define MOST_WORK 0x1p24

#define EXACT_BITS   52 /* of whole numbers in a double, with one to spare */
#define LARGEST_TERM 9

static uint64_t divide_up(uint64_t value, uint64_t by)
{
    return (value + by - 1) / by;
}

static double plain_work(const Chain *chain, uint64_t scale)
{
    double work = 0;

    for (guint i = 1; i < chain->matrix_count; i++) {
        work += (double) divide_up(chain->sizes[0], scale) *
                (double) divide_up(chain->sizes[i], scale) *
                (double) divide_up(chain->sizes[i + 1], scale);
    }
    return work;
}

/* The least whole number whose cube is at least `ratio`, bit by bit: cbrt() differs in
 * its last bit between machines, and of 27 it is more than 3. */
static uint64_t cube_root_up(double ratio)
{
    uint64_t below = 0;

    for (uint64_t bit = UINT64_C(1) << 30; bit > 0; bit >>= 1) {
        const double root = (double) (below + bit);

        below += root * root * root < ratio ? bit : 0;
    }
    return below + 1;
}

static uint64_t scale_of(const Chain *chain)
{
    const uint64_t steps = 64; /* of the scale in which it is looked for */
    uint64_t scale = cube_root_up(plain_work(chain, 1) / MOST_WORK);

    /* Rounding up leaves more than the cube of the scale takes away. */
    while (plain_work(chain, scale) > MOST_WORK && scale < CHAIN_MOST_SIZE) {
        scale += 1 + scale / steps;
    }
    return scale;
}

bool chain_trial_init(ChainTrial *self,
                      const Chain *chain,
                      uint64_t words,
                      ChainForm form,
                      GError **error)
{
    const uint64_t scale = scale_of(chain);
    /* Division first, so that nothing overflows. */
    const uint64_t left = words / scale / scale;

    if (left < CHAIN_LEAST_WORDS) {
        g_set_error(
            error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
            "the check: a chain that can be multiplied here has 1/%" G_GUINT64_FORMAT
            " of each size, and then fast memory %" G_GUINT64_FORMAT
            " words of %" G_GUINT64_FORMAT ", which is fewer than %d",
            scale, left, words, CHAIN_LEAST_WORDS);
        return false;
    }
    *self = (ChainTrial){
        .scale = scale,
        .chain.matrix_count = chain->matrix_count,
        .words = left,
        .form = form,
        .is_right = true,
    };
    for (guint i = 0; i <= chain->matrix_count; i++) {
        self->chain.sizes[i] = divide_up(chain->sizes[i], scale);
    }
    return true;
}

/* Every row has numbers whose sizes sum up to `most` or less, so that those of a
 * product of so many matrices are at most most^n, in whatever order they are added. */
static void fill(GpuMatrix *matrix, guint32 most, uint64_t *state)
{
    const guint32 columns = matrix->column_count;
    const guint32 largest = CLAMP(most / columns, 1, LARGEST_TERM);

    for (guint row = 0; row < matrix->row_count; row++) {
        for (guint32 left = MIN(most, columns); left > 0; left--) {
            const guint32 column =
                most >= columns ? left - 1 : sim_random_below(state, columns);
            const gint32 number = 1 + sim_i32(sim_random_below(state, largest));
            const bool is_negative = sim_random_below(state, 2) == 1;

            *gpu_matrix_at(matrix, row, column) = is_negative ? -number : number;
        }
    }
}

/* A1 .. An; the caller frees them. */
static GPtrArray *make_matrices(const Chain *chain, uint64_t seed)
{
    GPtrArray *matrices =
        g_ptr_array_new_with_free_func((GDestroyNotify) gpu_matrix_free);
    const guint32 most = UINT32_C(1) << MIN(EXACT_BITS / chain->matrix_count, 31);

    for (guint i = 0; i < chain->matrix_count; i++) {
        uint64_t state = sim_random_stream(seed, i);
        GpuMatrix *matrix =
            gpu_matrix_new(sim_u32(chain->sizes[i]), sim_u32(chain->sizes[i + 1]));

        fill(matrix, MAX(most, 1), &state);
        g_ptr_array_add(matrices, matrix);
    }
    return matrices;
}

static GpuMatrix *plain_pair(const GpuMatrix *left, const GpuMatrix *right)
{
    GpuMatrix *result = gpu_matrix_new(left->row_count, right->column_count);

    gpu_matrix_multiply_add(result, left, right);
    return result;
}

/* From the left to the right, in three plain loops. */
static GpuMatrix *plain_product(const GPtrArray *matrices)
{
    GpuMatrix *product =
        plain_pair(g_ptr_array_index(matrices, 0), g_ptr_array_index(matrices, 1));

    for (guint i = 2; i < matrices->len; i++) {
        GpuMatrix *next = plain_pair(product, g_ptr_array_index(matrices, i));

        gpu_matrix_free(product);
        product = next;
    }
    return product;
}

static bool are_equal(const GpuMatrix *left, const GpuMatrix *right)
{
    const gsize count = (gsize) left->row_count * left->column_count;

    for (gsize i = 0; i < count; i++) {
        if (left->values[i] != right->values[i]) {
            return false;
        }
    }
    return true;
}

static void finish_row(ChainTrial *self, ChainTrialRow *row, bool is_equal)
{
    const double moved = (double) (row->traffic.loaded + row->traffic.stored);

    row->is_equal = is_equal;
    row->is_right = is_equal && moved == row->predicted &&
                    row->traffic.peak <= row->capacity &&
                    (!row->is_strict || row->capacity <= self->words);
    self->is_right = self->is_right && row->is_right;
    self->row_count++;
}

/* One product, or two fused; adds to the row. */
static GpuMatrix *run_method(const ChainTrial *self,
                             ChainTrialRow *row,
                             ChainMethod method,
                             const GpuMatrix *const *factors,
                             const uint64_t *sizes)
{
    const bool is_fused = method == CHAIN_FUSE_LEFT || method == CHAIN_FUSE_RIGHT;
    GpuMatrix *result =
        gpu_matrix_new(sim_u32(sizes[0]), sim_u32(sizes[is_fused ? 3 : 2]));
    ChainTile tile;
    ChainCost cost;

    chain_cost_init(&cost, method, sizes, self->words, self->form);
    chain_tile_init(&tile, method, sizes, self->words, self->form, row->is_strict);
    const uint64_t capacity =
        self->words + (row->is_strict ? 0 : chain_tile_stream(&tile));

    chain_loops_multiply(method, factors, &tile, capacity, result, &row->traffic);
    row->formula += cost.words;
    row->predicted += chain_tile_words(&tile, method, sizes);
    row->capacity = MAX(row->capacity, capacity);
    return result;
}

void chain_trial_run_methods(ChainTrial *self, uint64_t seed)
{
    const bool is_pair = self->chain.matrix_count > CHAIN_LEAST_MATRICES;
    const guint first = is_pair ? CHAIN_FUSE_LEFT : CHAIN_KEEP_OUTPUT;
    const guint last = is_pair ? CHAIN_FUSE_RIGHT : CHAIN_KEEP_RIGHT;
    g_autoptr(GPtrArray) matrices = make_matrices(&self->chain, seed);
    g_autoptr(GpuMatrix) expected = plain_product(matrices);

    for (guint method = first; method <= last; method++) {
        for (guint strict = 0; strict <= 1; strict++) {
            ChainTrialRow *row = &self->rows[self->row_count];

            (void) g_strlcpy(row->name, chain_method_name((ChainMethod) method),
                             sizeof(row->name));
            row->is_strict = strict == 1;
            g_autoptr(GpuMatrix) result = run_method(
                self, row, (ChainMethod) method,
                (const GpuMatrix *const *) matrices->pdata, self->chain.sizes);

            finish_row(self, row, are_equal(result, expected));
        }
    }
}

/* What the nodes of a tree made; a node that is fused into its parent made nothing. */
typedef struct {
    const ChainPlan *plan;
    const GPtrArray *matrices;
    GpuMatrix *made[CHAIN_NODES];
} Tree;

static void tree_clear(Tree *self)
{
    for (guint i = 0; i < self->plan->node_count; i++) {
        gpu_matrix_free(self->made[i]);
    }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Tree, tree_clear)

static const GpuMatrix *factor(const Tree *self, guint node, guint matrix)
{
    return node == CHAIN_LEAF ? g_ptr_array_index(self->matrices, matrix - 1)
                              : self->made[node];
}

static void factors_of(const Tree *self,
                       guint node,
                       ChainFusion fusion,
                       const GpuMatrix *factors[3])
{
    const ChainNode *at = &self->plan->nodes[node];

    if (fusion == CHAIN_LEFT) {
        const ChainNode *child = &self->plan->nodes[at->left];

        factors[0] = factor(self, child->left, child->first);
        factors[1] = factor(self, child->right, child->last);
        factors[2] = factor(self, at->right, at->last);
    } else if (fusion == CHAIN_RIGHT) {
        const ChainNode *child = &self->plan->nodes[at->right];

        factors[0] = factor(self, at->left, at->first);
        factors[1] = factor(self, child->left, child->first);
        factors[2] = factor(self, child->right, child->last);
    } else {
        factors[0] = factor(self, at->left, at->first);
        factors[1] = factor(self, at->right, at->last);
    }
}

static void run_tree(ChainTrial *self,
                     const ChainPlan *plan,
                     const GPtrArray *matrices,
                     const GpuMatrix *expected,
                     bool is_fused)
{
    g_auto(Tree) tree = {.plan = plan, .matrices = matrices};
    ChainTrialRow *row = &self->rows[self->row_count];

    (void) g_strlcpy(row->name, is_fused ? "chain, fused" : "chain, single",
                     sizeof(row->name));
    for (guint i = 0; i < plan->node_count; i++) {
        const ChainFusion fusion = is_fused ? plan->nodes[i].fusion : CHAIN_SINGLE;
        const GpuMatrix *factors[3] = {NULL};
        uint64_t sizes[CHAIN_METHOD_SIZES] = {0};

        if (is_fused && plan->nodes[i].is_inside) {
            continue;
        }
        const ChainMethod method = chain_plan_method(plan, i, fusion, sizes);

        factors_of(&tree, i, fusion, factors);
        tree.made[i] = run_method(self, row, method, factors, sizes);
    }
    const GpuMatrix *root = tree.made[plan->node_count - 1];

    g_assert(root != NULL);
    finish_row(self, row, are_equal(root, expected));
}

bool chain_trial_run_plan(ChainTrial *self, uint64_t seed, GError **error)
{
    g_autofree ChainOrder *order = g_new0(ChainOrder, 1);
    g_autofree ChainPlan *plan = g_new0(ChainPlan, 1);

    if (!chain_order_init(order, &self->chain, error)) {
        return false;
    }
    chain_plan_init(plan, &self->chain, order, self->words, self->form);
    g_autoptr(GPtrArray) matrices = make_matrices(&self->chain, seed);
    g_autoptr(GpuMatrix) expected = plain_product(matrices);

    for (guint fused = 0; fused <= 1; fused++) {
        for (guint strict = 0; strict <= 1; strict++) {
            self->rows[self->row_count].is_strict = strict == 1;
            run_tree(self, plan, matrices, expected, fused == 1);
        }
    }
    return true;
}
