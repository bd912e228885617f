/* Analyses the statements of functions. */
#include "workloads/csl/meaning/analyser.h"

static CslValue *slot_of(const CslAnalyser *self, const CslNode *node)
{
    return &self->evaluator->frame->slots[node->slot];
}

uint32_t csl_add_local(CslAnalyser *self, const CslNode *node, const CslType *type)
{
    const CslLocal local = {node->name, type};

    g_array_append_val(self->instance->locals, local);
    self->slot_locals[node->slot] = self->instance->locals->len - 1;
    *slot_of(self, node) = csl_no_value();
    return self->instance->locals->len - 1;
}

/* A statement that leaves nothing to do at run time. */
static CslTyped *nothing(CslAnalyser *self, const CslNode *node)
{
    return csl_typed_new(self, CSL_TYPED_BLOCK, node, CSL_T(VOID), 0);
}

static CslTyped *execute(CslAnalyser *self, const CslNode *node)
{
    return csl_execute(self->evaluator, node) == CSL_FLOW_NEXT ? nothing(self, node)
                                                               : NULL;
}

static CslTyped *declare(CslAnalyser *self, const CslNode *node)
{
    const CslNode *type_node = csl_child(node, 0);
    const CslNode *value_node = csl_child(node, 1);
    const bool is_const = node->token == CSL_TOKEN_CONST;
    const CslType *type = NULL;
    CslTyped *value = NULL;
    CslTyped *typed;

    if ((node->flags & CSL_IS_COMPTIME) != 0 ||
        (is_const && value_node != NULL && csl_is_known(self, value_node))) {
        return execute(self, node);
    }
    if (type_node != NULL) {
        type = csl_evaluate_type(self->evaluator, type_node);
        if (type == NULL) {
            return NULL;
        }
    }
    if (value_node != NULL) {
        value = csl_analyse_as(self, value_node, type);
        if (value == NULL) {
            return NULL;
        }
        type = value->type;
    }
    if (value != NULL && is_const && value->kind == CSL_TYPED_CONSTANT) {
        *slot_of(self, node) = value->value;
        return nothing(self, node);
    }
    if (type == NULL ||
        (csl_type_is_comptime_only(type) && type != CSL_T(COMPTIME_STRUCT))) {
        csl_complain(self->evaluator, node, "'%s' needs a type that PEs have, not %s",
                     node->name, type == NULL ? "none" : type->name);
        csl_report_hint(self->evaluator->program->to, "say which: var %s: u16 = ...",
                        node->name);
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_DECLARE, node, type, value == NULL ? 0 : 1);
    typed->children[0] = value;
    typed->local = csl_add_local(self, node, type);
    return typed;
}

static bool is_assignable(CslAnalyser *self, const CslNode *node)
{
    if (node->kind == CSL_NAME && node->binding == CSL_LOCAL_CONST) {
        csl_complain(self->evaluator, node, "'%s' is const", node->name);
        return false;
    }
    if (node->kind == CSL_NAME && node->binding == CSL_GLOBAL) {
        const CslNode *global =
            self->evaluator->frame->module->globals[node->slot].node;

        if (global->token != CSL_TOKEN_VAR) {
            csl_complain(self->evaluator, node, "'%s' is not a var", node->name);
            return false;
        }
    }
    if (node->kind != CSL_NAME && node->kind != CSL_INDEX && node->kind != CSL_FIELD &&
        node->kind != CSL_DEREFERENCE) {
        csl_complain(self->evaluator, node, "expected what can be assigned to");
        return false;
    }
    return true;
}

static CslTyped *assign(CslAnalyser *self, const CslNode *node)
{
    const CslNode *target = node->children[0];
    const bool is_shift =
        node->token == CSL_TOKEN_SHIFT_LEFT || node->token == CSL_TOKEN_SHIFT_RIGHT;
    CslTyped *typed;
    CslTyped *place;

    if (target->kind == CSL_NAME && g_strcmp0(target->name, "_") == 0) {
        return csl_analyse(self, node->children[1]);
    }
    if (!is_assignable(self, target)) {
        return NULL;
    }
    if (target->kind == CSL_NAME && target->binding == CSL_LOCAL &&
        slot_of(self, target)->type != NULL) {
        return execute(self, node); /* a comptime var */
    }
    place = csl_analyse(self, target);
    if (place == NULL) {
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_ASSIGN, node, CSL_T(VOID), 2);
    typed->token = node->token;
    typed->children[0] = place;
    typed->children[1] =
        csl_analyse_as(self, node->children[1], is_shift ? NULL : place->type);
    return typed->children[1] == NULL ? NULL : typed;
}

/* Whether what follows a statement is never reached. */
static bool leaves(const CslTyped *typed)
{
    if (typed->kind == CSL_TYPED_BLOCK && typed->name == NULL && typed->count > 0) {
        return leaves(typed->children[typed->count - 1]);
    }
    return typed->kind == CSL_TYPED_RETURN || typed->kind == CSL_TYPED_BREAK ||
           typed->kind == CSL_TYPED_CONTINUE;
}

static CslTyped *analyse_block(CslAnalyser *self, const CslNode *node)
{
    CslTyped *typed =
        csl_typed_new(self, CSL_TYPED_BLOCK, node, CSL_T(VOID), node->count);
    bool is_well = true;

    typed->name = node->name;
    for (uint32_t i = 0; i < typed->count; i++) {
        typed->children[i] = csl_analyse_statement(self, node->children[i]);
        is_well &= typed->children[i] != NULL;
        if (typed->children[i] != NULL && leaves(typed->children[i])) {
            typed->count = i + 1; /* dead code is not analysed */
        }
        if (csl_diagnostics_is_full(self->evaluator->program->to)) {
            return NULL;
        }
    }
    return is_well ? typed : NULL;
}

static CslTyped *analyse_if(CslAnalyser *self, const CslNode *node)
{
    CslTyped *condition = csl_analyse_as(self, node->children[0], CSL_T(BOOL));
    const CslNode *otherwise = csl_child(node, 2);
    CslTyped *typed;

    if (condition == NULL) {
        return NULL;
    }
    if (condition->kind == CSL_TYPED_CONSTANT) {
        const CslNode *live =
            condition->value.integer != 0 ? node->children[1] : otherwise;

        return live == NULL ? nothing(self, node) : csl_analyse_statement(self, live);
    }
    typed =
        csl_typed_new(self, CSL_TYPED_IF, node, CSL_T(VOID), otherwise == NULL ? 2 : 3);
    typed->children[0] = condition;
    for (uint32_t i = 1; i < typed->count; i++) {
        typed->children[i] = csl_analyse_statement(self, node->children[i]);
        if (typed->children[i] == NULL) {
            return NULL;
        }
    }
    return typed;
}

/* inline while: the condition is comptime's, and so is what changes it. */
static CslTyped *unroll_while(CslAnalyser *self, const CslNode *node)
{
    g_autoptr(GPtrArray) bodies = g_ptr_array_new();
    CslTyped *typed;

    for (;;) {
        const CslValue more = csl_evaluate(self->evaluator, node->children[0]);
        CslTyped *body;

        if (more.type == NULL || more.type->kind != CSL_KIND_BOOL) {
            return NULL;
        }
        if (more.integer == 0) {
            break;
        }
        body = csl_analyse_statement(self, node->children[1]);
        if (body == NULL || (node->children[2] != NULL &&
                             csl_analyse_statement(self, node->children[2]) == NULL)) {
            return NULL;
        }
        g_ptr_array_add(bodies, body);
    }
    typed = csl_typed_new(self, CSL_TYPED_BLOCK, node, CSL_T(VOID), bodies->len);
    for (guint i = 0; i < bodies->len; i++) {
        typed->children[i] = bodies->pdata[i];
    }
    return typed;
}

static CslTyped *analyse_while(CslAnalyser *self, const CslNode *node)
{
    const bool has_step = node->children[2] != NULL;
    CslTyped *typed;

    if ((node->flags & CSL_IS_INLINE) != 0) {
        return unroll_while(self, node);
    }
    typed = csl_typed_new(self, CSL_TYPED_WHILE, node, CSL_T(VOID), has_step ? 3 : 2);
    typed->name = node->name;
    typed->children[0] = csl_analyse_as(self, node->children[0], CSL_T(BOOL));
    typed->children[1] = csl_analyse_statement(self, node->children[1]);
    if (has_step) {
        typed->children[2] = csl_analyse_statement(self, node->children[2]);
    }
    return typed->children[0] == NULL || typed->children[1] == NULL ||
                   (has_step && typed->children[2] == NULL)
               ? NULL
               : typed;
}

/* inline for over a range or an array that comptime knows. */
static CslTyped *unroll_for(CslAnalyser *self, const CslNode *node)
{
    const CslValue all = csl_evaluate(self->evaluator, node->children[0]);
    g_autoptr(GPtrArray) bodies = g_ptr_array_new();
    CslInteger count = 0;
    CslTyped *typed;

    if (all.type == NULL) {
        return NULL;
    }
    if (all.type->kind == CSL_KIND_RANGE) {
        count = (all.range->stop - all.range->start + all.range->step -
                 (all.range->step > 0 ? 1 : -1)) /
                all.range->step;
    } else if (all.type->kind == CSL_KIND_ARRAY) {
        count = (CslInteger) all.array->count;
    }
    for (CslInteger i = 0; i < count; i++) {
        CslTyped *body;

        *slot_of(self, node->children[2]) =
            all.type->kind == CSL_KIND_RANGE
                ? csl_value_integer(all.range->type,
                                    all.range->start + i * all.range->step)
                : csl_array_get(all.array, (uint64_t) i);
        if (node->children[3] != NULL) {
            *slot_of(self, node->children[3]) = csl_value_integer(CSL_T(U16), i);
        }
        body = csl_analyse_statement(self, node->children[1]);
        if (body == NULL) {
            return NULL;
        }
        g_ptr_array_add(bodies, body);
    }
    typed = csl_typed_new(self, CSL_TYPED_BLOCK, node, CSL_T(VOID), bodies->len);
    for (guint i = 0; i < bodies->len; i++) {
        typed->children[i] = bodies->pdata[i];
    }
    return typed;
}

/* The type of what a loop runs over. */
static const CslType *element_type(CslAnalyser *self, const CslTyped *all)
{
    if (all->kind == CSL_TYPED_CONSTANT && all->type->kind == CSL_KIND_RANGE) {
        return all->value.range->type;
    }
    if (all->kind == CSL_TYPED_BUILTIN && all->type->kind == CSL_KIND_RANGE) {
        return all->children[0]->value.meant;
    }
    if (all->type->kind == CSL_KIND_ARRAY) {
        return all->type->element;
    }
    csl_complain(self->evaluator, all->node,
                 "'for' takes @range(...) or an array, not %s", all->type->name);
    return NULL;
}

static CslTyped *analyse_for(CslAnalyser *self, const CslNode *node)
{
    const CslType *type;
    CslTyped *typed;
    CslTyped *all;

    if ((node->flags & CSL_IS_INLINE) != 0 && csl_is_known(self, node->children[0])) {
        return unroll_for(self, node);
    }
    all = csl_analyse(self, node->children[0]);
    type = all == NULL ? NULL : element_type(self, all);
    if (type == NULL) {
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_FOR, node, CSL_T(VOID), 2);
    typed->name = node->name;
    typed->children[0] = all;
    typed->local = csl_add_local(self, node->children[2], type);
    if (node->children[3] != NULL) {
        typed->index_local = csl_add_local(self, node->children[3], CSL_T(U16));
    }
    typed->children[1] = csl_analyse_statement(self, node->children[1]);
    return typed->children[1] == NULL ? NULL : typed;
}

static CslTyped *
analyse_arm(CslAnalyser *self, const CslNode *node, const CslType *type)
{
    CslTyped *typed =
        csl_typed_new(self, CSL_TYPED_ARM, node, CSL_T(VOID), node->count);

    for (uint32_t i = 1; i < node->count; i++) {
        typed->children[i] = csl_analyse_as(self, node->children[i], type);
        if (typed->children[i] == NULL) {
            return NULL;
        }
    }
    typed->children[0] = csl_analyse_statement(self, node->children[0]);
    return typed->children[0] == NULL ? NULL : typed;
}

static CslTyped *analyse_switch(CslAnalyser *self, const CslNode *node)
{
    CslTyped *subject = csl_analyse(self, node->children[0]);
    CslTyped *typed;

    if (subject == NULL) {
        return NULL;
    }
    if (subject->kind == CSL_TYPED_CONSTANT) {
        const CslNode *live = csl_find_arm(self->evaluator, node, subject->value);

        return live == NULL ? NULL : csl_analyse_statement(self, live->children[0]);
    }
    typed = csl_typed_new(self, CSL_TYPED_SWITCH, node, CSL_T(VOID), node->count);
    typed->children[0] = subject;
    for (uint32_t i = 1; i < node->count; i++) {
        typed->children[i] = analyse_arm(self, node->children[i], subject->type);
        if (typed->children[i] == NULL) {
            return NULL;
        }
    }
    return typed;
}

static CslTyped *analyse_return(CslAnalyser *self, const CslNode *node)
{
    const CslNode *value = csl_child(node, 0);
    const CslType *type = self->instance->result;
    CslTyped *typed =
        csl_typed_new(self, CSL_TYPED_RETURN, node, CSL_T(VOID), value == NULL ? 0 : 1);

    if (value == NULL && type != CSL_T(VOID)) {
        csl_complain(self->evaluator, node, "expected a value of type %s", type->name);
        return NULL;
    }
    if (value != NULL) {
        typed->children[0] = csl_analyse_as(self, value, type);
        return typed->children[0] == NULL ? NULL : typed;
    }
    return typed;
}

CslTyped *csl_analyse_statement(CslAnalyser *self, const CslNode *node)
{
    CslTyped *typed;

    switch (node->kind) {
    case CSL_VARIABLE:
        return declare(self, node);
    case CSL_ASSIGN:
        return assign(self, node);
    case CSL_BLOCK:
        return analyse_block(self, node);
    case CSL_COMPTIME_BLOCK:
        return execute(self, node);
    case CSL_FOR:
        return analyse_for(self, node);
    case CSL_WHILE:
        return analyse_while(self, node);
    case CSL_IF:
        return analyse_if(self, node);
    case CSL_SWITCH:
        return analyse_switch(self, node);
    case CSL_RETURN:
        return analyse_return(self, node);
    case CSL_BREAK:
    case CSL_CONTINUE:
        typed = csl_typed_new(
            self, node->kind == CSL_BREAK ? CSL_TYPED_BREAK : CSL_TYPED_CONTINUE, node,
            CSL_T(VOID), 0);
        typed->name = node->name;
        return typed;
    default:
        return csl_analyse(self, node);
    }
}
