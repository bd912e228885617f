/* Analyses if, switch and blocks that give values at run time: statements that store
 * the value in a local run before the statement that uses it. */
#include "workloads/csl/meaning/analyser.h"

/* Where `break :label value` puts the value. */
struct CslTarget {
    const char *label;
    uint32_t local;
    GPtrArray *stores; /* CslTyped ASSIGN; their values still have their own types */
    CslTarget *outer;
};

/* The first type that PEs have, or that of the first value. */
static const CslType *common_type(const GPtrArray *stores, const CslType *wanted)
{
    const CslType *type = wanted;

    for (guint i = 0; i < stores->len && wanted == NULL; i++) {
        const CslTyped *store = stores->pdata[i];
        const CslType *one = store->children[1]->type;

        if (type == NULL ||
            (csl_type_is_comptime_only(type) && !csl_type_is_comptime_only(one))) {
            type = one;
        }
    }
    return type;
}

static bool settle(CslAnalyser *self, const CslTarget *target, const CslType *type)
{
    for (guint i = 0; i < target->stores->len; i++) {
        CslTyped *store = target->stores->pdata[i];

        store->children[0]->type = type;
        store->children[1] = csl_typed_coerce(self, store->children[1], type);
        if (store->children[1] == NULL) {
            return false;
        }
    }
    g_array_index(self->instance->locals, CslLocal, target->local).type = type;
    return true;
}

static uint32_t add_local(CslAnalyser *self, const CslType *type)
{
    const CslLocal local = {"value", type};

    g_array_append_val(self->instance->locals, local);
    return self->instance->locals->len - 1;
}

/* local = value */
static CslTyped *
assign(CslAnalyser *self, const CslNode *node, uint32_t local, CslTyped *value)
{
    CslTyped *typed = csl_typed_new(self, CSL_TYPED_ASSIGN, node, CSL_T(VOID), 2);

    typed->token = CSL_TOKEN_ASSIGN;
    typed->children[0] = csl_typed_local(self, node, local);
    typed->children[1] = value;
    return typed;
}

static CslTyped *store_value(CslAnalyser *self, const CslNode *node, CslTarget *target)
{
    CslTyped *value = csl_analyse(self, node);
    CslTyped *typed;

    if (value == NULL || value->type == CSL_T(VOID)) {
        return value; /* a call, or {} */
    }
    typed = assign(self, node, target->local, value);
    g_ptr_array_add(target->stores, typed);
    return typed;
}

static CslTyped *deliver(CslAnalyser *self, const CslNode *node, CslTarget *target);

/* The same, with what it needs before it. */
static CslTyped *
deliver_apart(CslAnalyser *self, const CslNode *node, CslTarget *target)
{
    GPtrArray *outer = csl_begin_ahead(self);
    CslTyped *typed;

    self->branch_depth++;
    typed = deliver(self, node, target);
    self->branch_depth--;
    return csl_end_ahead(self, outer, typed);
}

static CslTyped *deliver_if(CslAnalyser *self, const CslNode *node, CslTarget *target)
{
    CslTyped *condition = csl_analyse_as(self, node->children[0], CSL_T(BOOL));
    const CslNode *otherwise = csl_child(node, 2);
    const uint32_t count = otherwise == NULL ? 2 : 3;
    CslTyped *typed;

    if (condition == NULL) {
        return NULL;
    }
    if (condition->kind == CSL_TYPED_CONSTANT) {
        if (condition->value.integer != 0) {
            return deliver(self, node->children[1], target);
        }
        return otherwise == NULL ? csl_typed_constant(self, node, csl_value_void())
                                 : deliver(self, otherwise, target);
    }
    typed = csl_typed_new(self, CSL_TYPED_IF, node, CSL_T(VOID), count);
    typed->children[0] = condition;
    for (uint32_t i = 1; i < count; i++) {
        typed->children[i] = deliver_apart(self, node->children[i], target);
        if (typed->children[i] == NULL) {
            return NULL;
        }
    }
    return typed;
}

static CslTyped *
deliver_switch(CslAnalyser *self, const CslNode *node, CslTarget *target)
{
    CslTyped *typed = csl_analyse_subject(self, node);

    if (typed == NULL) {
        return NULL;
    }
    if (typed->children[0]->kind == CSL_TYPED_CONSTANT) {
        const CslNode *live =
            csl_find_arm(self->evaluator, node, typed->children[0]->value);

        return live == NULL ? NULL : deliver(self, live->children[0], target);
    }
    for (uint32_t i = 1; i < node->count; i++) {
        typed->children[i]->children[0] =
            deliver_apart(self, node->children[i]->children[0], target);
        if (typed->children[i]->children[0] == NULL) {
            return NULL;
        }
    }
    return typed;
}

/* A statement that stores the value of an expression. */
static CslTyped *deliver(CslAnalyser *self, const CslNode *node, CslTarget *target)
{
    CslTarget named = *target;
    CslTyped *typed;

    switch (+node->kind) {
    case CSL_IF:
        return deliver_if(self, node, target);
    case CSL_SWITCH:
        return deliver_switch(self, node, target);
    case CSL_BLOCK:
        named.label = node->name;
        named.outer = self->targets;
        self->targets = &named;
        typed = csl_analyse_statement(self, node);
        self->targets = named.outer;
        return typed;
    case CSL_RETURN:
    case CSL_BREAK:
    case CSL_CONTINUE:
    case CSL_ASSIGN:
        return csl_analyse_statement(self, node);
    default:
        return store_value(self, node, target);
    }
}

CslTyped *csl_analyse_value(CslAnalyser *self, const CslNode *node)
{
    const CslType *wanted = self->wanted;
    g_autoptr(GPtrArray) stores = g_ptr_array_new();
    CslTarget target = {.stores = stores};
    CslTyped *declared = csl_typed_new(self, CSL_TYPED_DECLARE, node, NULL, 0);
    const CslType *type;
    CslTyped *statement;

    self->wanted = NULL;
    target.local = add_local(self, NULL);
    statement = deliver(self, node, &target);
    if (statement == NULL) {
        return NULL;
    }
    if (stores->len == 0) {
        g_array_index(self->instance->locals, CslLocal, target.local).type = CSL_T(U16);
        csl_add_ahead(self, statement);
        return csl_typed_constant(self, node, csl_value_void());
    }
    type = common_type(stores, wanted);
    if (csl_type_is_comptime_only(type)) {
        csl_complain(self->evaluator, node,
                     "the value is chosen on the PE and needs a type that PEs have, "
                     "not %s",
                     type->name);
        csl_report_hint(self->evaluator->program->to, "@as(u16, ...) gives it one");
        return NULL;
    }
    if (!settle(self, &target, type)) {
        return NULL;
    }
    declared->type = type;
    declared->local = target.local;
    csl_add_ahead(self, declared);
    csl_add_ahead(self, statement);
    return csl_typed_local(self, node, target.local);
}

CslTyped *csl_typed_kept(CslAnalyser *self, CslTyped *typed)
{
    CslTyped *declared =
        csl_typed_new(self, CSL_TYPED_DECLARE, typed->node, typed->type, 1);

    declared->local = add_local(self, typed->type);
    declared->children[0] = typed;
    csl_add_ahead(self, declared);
    return csl_typed_local(self, typed->node, declared->local);
}

CslTyped *csl_analyse_logic(CslAnalyser *self, const CslNode *node, CslTyped *left)
{
    const bool is_and = node->token == CSL_TOKEN_AND;
    CslTyped *value = csl_typed_coerce(self, left, CSL_T(BOOL));
    CslTyped *typed = csl_typed_new(self, CSL_TYPED_IF, node, CSL_T(VOID), 3);
    GPtrArray *outer;
    CslTyped *right;
    CslTyped *change = NULL;

    if (value == NULL) {
        return NULL;
    }
    value = csl_typed_kept(self, value);
    outer = csl_begin_ahead(self);
    right = csl_analyse_as(self, node->children[1], CSL_T(BOOL));
    if (right != NULL) {
        change = assign(self, node, value->local, right);
    }
    change = csl_end_ahead(self, outer, change);
    if (change == NULL) {
        return NULL;
    }
    typed->children[0] = value;
    typed->children[is_and ? 1 : 2] = change;
    typed->children[is_and ? 2 : 1] =
        csl_typed_new(self, CSL_TYPED_BLOCK, node, CSL_T(VOID), 0);
    csl_add_ahead(self, typed);
    return csl_typed_local(self, node, value->local);
}

/* break :label value */
CslTyped *csl_analyse_break_value(CslAnalyser *self, const CslNode *node)
{
    CslTarget *target = self->targets;
    CslTyped *typed;

    while (target != NULL && (target->label != node->name || node->name == NULL)) {
        target = target->outer;
    }
    if (target == NULL) {
        csl_complain(self->evaluator, node, "there is no block '%s' that takes a value",
                     node->name == NULL ? "without label" : node->name);
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_BLOCK, node, CSL_T(VOID), 2);
    typed->children[0] = store_value(self, node->children[0], target);
    typed->children[1] = csl_typed_new(self, CSL_TYPED_BREAK, node, CSL_T(VOID), 0);
    typed->children[1]->name = node->name;
    return typed->children[0] == NULL ? NULL : typed;
}

/* Whether an expression can only be analysed as statements. */
bool csl_needs_statements(const CslNode *node)
{
    if (node == NULL) {
        return false;
    }
    if (node->kind == CSL_SWITCH || (node->kind == CSL_BLOCK && node->count > 0)) {
        return true;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        if (csl_needs_statements(node->children[i])) {
            return true;
        }
    }
    return false;
}
