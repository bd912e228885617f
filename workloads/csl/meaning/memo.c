/* Remembers what expressions without effects gave, by the local variables in them. */
#include "workloads/csl/meaning/memo.h"

#include "sim/narrow.h"

#define VARIABLES_MOST 3
/* Smaller expressions are evaluated faster than found. */
#define NODES_FEWEST 6
/* An expression that is not found again in so many trials is not remembered. */
#define TRIALS 2048

/* Variables of an expression that are declared outside of it. */
typedef struct {
    uint32_t slots[VARIABLES_MOST];
    uint32_t count;
    uint32_t node_count;
} Shape;

typedef struct {
    const CslModule *module;
    uint32_t count;
    CslValue variables[VARIABLES_MOST];
    CslValue value;
} Entry;

struct CslMemo {
    Shape shape;
    uint32_t found_count;
    uint32_t missed_count;
    bool is_off;
    GHashTable *entries; /* Entry, by module and variables */
};

static bool add_variable(Shape *self, uint32_t slot)
{
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->slots[i] == slot) {
            return true;
        }
    }
    if (self->count == VARIABLES_MOST) {
        return false;
    }
    self->slots[self->count++] = slot;
    return true;
}

/* False if the expression declares or changes variables, or has too many. */
static bool measure(const CslNode *node, Shape *shape)
{
    if (node == NULL) {
        return true;
    }
    if (node->kind == CSL_VARIABLE || node->kind == CSL_ASSIGN ||
        node->kind == CSL_FOR || node->kind == CSL_ACCESS) {
        return false;
    }
    shape->node_count++;
    if (node->kind == CSL_NAME &&
        (node->binding == CSL_LOCAL || node->binding == CSL_LOCAL_CONST) &&
        !add_variable(shape, node->slot)) {
        return false;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        if (!measure(node->children[i], shape)) {
            return false;
        }
    }
    return true;
}

void csl_memo_bind(CslNode *node, uint32_t *count)
{
    Shape shape = {.count = 0};

    if (node == NULL) {
        return;
    }
    if ((node->kind == CSL_CALL || node->kind == CSL_AGGREGATE) &&
        measure(node, &shape) &&
        (node->kind == CSL_CALL || shape.node_count >= NODES_FEWEST)) {
        node->slot = ++*count;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        csl_memo_bind(node->children[i], count);
    }
}

static guint hash_entry(gconstpointer key)
{
    const Entry *entry = key;
    guint hash = g_direct_hash(entry->module);

    for (uint32_t i = 0; i < entry->count; i++) {
        hash = hash * 31U + csl_value_hash(&entry->variables[i]);
    }
    return hash;
}

static gboolean are_entries_equal(gconstpointer a, gconstpointer b)
{
    const Entry *left = a;
    const Entry *right = b;

    for (uint32_t i = 0; i < left->count; i++) {
        if (!csl_value_equal(&left->variables[i], &right->variables[i])) {
            return FALSE;
        }
    }
    return left->module == right->module;
}

static void free_memo(gpointer data)
{
    CslMemo *self = data;

    if (self != NULL) {
        g_hash_table_destroy(self->entries);
        g_free(self);
    }
}

static CslMemo *memo_of(CslEvaluator *self, const CslNode *node)
{
    CslMemo *memo;

    if (self->memos == NULL) {
        self->memos = g_ptr_array_new_with_free_func(free_memo);
    }
    if (self->memos->len < node->slot) {
        g_ptr_array_set_size(self->memos, sim_i32(node->slot));
    }
    memo = self->memos->pdata[node->slot - 1];
    if (memo == NULL) {
        memo = g_new0(CslMemo, 1);
        (void) measure(node, &memo->shape);
        memo->entries =
            g_hash_table_new_full(hash_entry, are_entries_equal, g_free, NULL);
        self->memos->pdata[node->slot - 1] = memo;
    }
    return memo;
}

/* False if a variable may change without a trace: arrays do. */
static bool read_variables(const CslEvaluator *self, const Shape *shape, Entry *to)
{
    to->module = self->frame->module;
    to->count = shape->count;
    for (uint32_t i = 0; i < shape->count; i++) {
        const CslValue *value = &self->frame->slots[shape->slots[i]];

        if (value->type == NULL || value->type->kind == CSL_KIND_ARRAY) {
            return false;
        }
        to->variables[i] = *value;
    }
    return true;
}

/* Forgets all if remembering has not paid. */
static void review(CslMemo *self)
{
    self->missed_count++;
    if (self->missed_count >= TRIALS && self->found_count < self->missed_count) {
        self->is_off = true;
        g_hash_table_remove_all(self->entries);
    }
}

CslValue csl_recall(CslEvaluator *self,
                    const CslNode *node,
                    CslValue (*evaluate)(CslEvaluator *self, const CslNode *node))
{
    CslMemo *memo = memo_of(self, node);
    const uint64_t effect_count = self->effect_count;
    Entry asked;
    const Entry *found;
    Entry *kept;

    if (memo->is_off || !read_variables(self, &memo->shape, &asked)) {
        return evaluate(self, node);
    }
    found = g_hash_table_lookup(memo->entries, &asked);
    if (found != NULL) {
        memo->found_count++;
        return found->value;
    }
    asked.value = evaluate(self, node);
    if (asked.value.type == NULL || asked.value.type->kind == CSL_KIND_ARRAY ||
        self->effect_count != effect_count) {
        return asked.value;
    }
    kept = g_new(Entry, 1);
    *kept = asked;
    g_hash_table_insert(memo->entries, kept, kept);
    review(memo);
    return asked.value;
}
