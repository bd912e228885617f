/* Analyses the statements of functions. */
#include "workloads/csl/meaning/analyser.h"

static CslValue *slot_of(const CslAnalyser *self, const CslNode *node)
{
    return &self->evaluator->frame->slots[node->slot];
}

GPtrArray *csl_begin_ahead(CslAnalyser *self)
{
    GPtrArray *outer = self->ahead;

    self->ahead = g_ptr_array_new();
    return outer;
}

void csl_add_ahead(CslAnalyser *self, CslTyped *statement)
{
    g_ptr_array_add(self->ahead, statement);
}

void csl_take_ahead(CslAnalyser *self, GPtrArray *to)
{
    g_ptr_array_extend(to, self->ahead, NULL, NULL);
    g_ptr_array_set_size(self->ahead, 0);
}

CslTyped *csl_end_ahead(CslAnalyser *self, GPtrArray *outer, CslTyped *typed)
{
    if (typed != NULL && self->ahead->len > 0) {
        csl_add_ahead(self, typed);
        typed = csl_typed_block(self, typed->node, NULL, self->ahead);
    }
    g_ptr_array_free(self->ahead, TRUE);
    self->ahead = outer;
    return typed;
}

CslTyped *csl_typed_block(CslAnalyser *self,
                          const CslNode *node,
                          const char *label,
                          const GPtrArray *statements)
{
    CslTyped *typed =
        csl_typed_new(self, CSL_TYPED_BLOCK, node, CSL_T(VOID), statements->len);

    typed->name = label;
    for (guint i = 0; i < statements->len; i++) {
        typed->children[i] = statements->pdata[i];
    }
    return typed;
}

uint32_t csl_add_local(CslAnalyser *self, const CslNode *node, const CslType *type)
{
    const CslLocal local = {node->name, type};

    g_array_append_val(self->instance->locals, local);
    self->slot_locals[node->slot] = self->instance->locals->len - 1;
    if (self->slot_structs != NULL) {
        self->slot_structs[node->slot] = NULL;
    }
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

/* Remembers under how many decisions of the PE a comptime var is declared. */
static void note_depth(CslAnalyser *self, const CslNode *node)
{
    if (self->slot_depths == NULL) {
        self->slot_depths = g_new0(uint32_t, self->instance->function->node->slot + 1);
    }
    self->slot_depths[node->slot] = self->branch_depth;
}

static CslTyped *declare(CslAnalyser *self, const CslNode *node)
{
    const CslNode *type_node = csl_child(node, 0);
    const CslNode *value_node = csl_child(node, 1);
    const bool is_const = node->token == CSL_TOKEN_CONST;
    const CslType *type = NULL;
    CslTyped *value = NULL;
    CslTyped *typed;

    if ((node->flags & CSL_IS_COMPTIME) != 0) {
        note_depth(self, node);
    }
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
    if (value != NULL && is_const && value->kind == CSL_TYPED_STRUCT &&
        type == CSL_T(COMPTIME_STRUCT)) {
        csl_keep_struct(self, node, value);
        return nothing(self, node);
    }
    if (type == NULL || csl_type_is_comptime_only(type)) {
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

/* What keeps a place from being assigned to, or NULL. */
static const char *constness(const CslTyped *place)
{
    const bool is_local_const =
        place->node->kind == CSL_NAME && place->node->binding == CSL_LOCAL_CONST;

    switch (+place->kind) {
    case CSL_TYPED_LOCAL:
        return is_local_const ? "is const" : NULL;
    case CSL_TYPED_GLOBAL:
        return place->global->node->token == CSL_TOKEN_VAR ? NULL : "is not a var";
    case CSL_TYPED_DEREFERENCE:
        return place->children[0]->type->is_const ? "is behind a const pointer" : NULL;
    case CSL_TYPED_INDEX:
        if (place->children[0]->type->kind == CSL_KIND_POINTER) {
            return place->children[0]->type->is_const ? "is behind a const pointer"
                                                      : NULL;
        }
        return constness(place->children[0]);
    case CSL_TYPED_FIELD:
        return constness(place->children[0]);
    default:
        return is_local_const ? "is const" : "is not a var";
    }
}

static bool is_assignable(CslAnalyser *self, const CslTyped *place)
{
    const char *reason = constness(place);

    if (reason == NULL) {
        return true;
    }
    if (place->node->kind == CSL_NAME) {
        csl_complain(self->evaluator, place->node, "'%s' %s", place->node->name,
                     reason);
    } else {
        csl_complain(self->evaluator, place->node, "what is assigned to %s", reason);
    }
    return false;
}

/* A comptime var, or an element or field of one. */
static bool is_comptime_variable(const CslAnalyser *self, const CslNode *target)
{
    const CslNode *root = target->kind == CSL_INDEX || target->kind == CSL_FIELD
                              ? target->children[0]
                              : target;

    return root->kind == CSL_NAME && root->binding == CSL_LOCAL &&
           slot_of(self, root)->type != NULL;
}

/* Comptime changes its variables once, whatever PEs decide later. */
static bool is_changeable(CslAnalyser *self, const CslNode *target)
{
    const CslNode *root = target->kind == CSL_NAME ? target : target->children[0];

    if (self->slot_depths == NULL ||
        self->slot_depths[root->slot] >= self->branch_depth) {
        return true;
    }
    csl_complain(self->evaluator, target,
                 "'%s' is comptime's, and PEs decide whether this is done", root->name);
    csl_report_hint(self->evaluator->program->to,
                    "make it a var of the PE, or the loop an inline one");
    return false;
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
    if (is_comptime_variable(self, target)) {
        return is_changeable(self, target) ? execute(self, node) : NULL;
    }
    place = csl_analyse_place(self, target);
    if (place == NULL || !is_assignable(self, place)) {
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

static CslTyped *analyse_plain(CslAnalyser *self, const CslNode *node);

static CslTyped *analyse_block(CslAnalyser *self, const CslNode *node)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    GPtrArray *outer = csl_begin_ahead(self);
    bool is_well = true;

    /* What a statement needs before it goes into the block, too. Dead code is not
     * analysed. */
    for (uint32_t i = 0; i < node->count; i++) {
        CslTyped *typed = analyse_plain(self, node->children[i]);

        is_well &= typed != NULL;
        csl_take_ahead(self, all);
        if (typed != NULL) {
            g_ptr_array_add(all, typed);
        }
        if ((typed != NULL && leaves(typed)) ||
            csl_diagnostics_is_full(self->evaluator->program->to)) {
            break;
        }
    }
    (void) csl_end_ahead(self, outer, NULL);
    return is_well ? csl_typed_block(self, node, node->name, all) : NULL;
}

CslTyped *csl_analyse_branch(CslAnalyser *self, const CslNode *node)
{
    CslTyped *typed;

    self->branch_depth++;
    typed = csl_analyse_statement(self, node);
    self->branch_depth--;
    return typed;
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
        typed->children[i] = csl_analyse_branch(self, node->children[i]);
        if (typed->children[i] == NULL) {
            return NULL;
        }
    }
    return typed;
}

/* Whether arms are for all members of an enum, or for both bools. */
static bool is_exhaustive(const CslTyped *typed)
{
    const CslType *type = typed->children[0]->type;
    uint32_t count = 0;

    for (uint32_t i = 1; i < typed->count; i++) {
        if (typed->children[i]->count == 1) {
            return true;
        }
        count += typed->children[i]->count - 1;
    }
    if (type->kind == CSL_KIND_ENUM) {
        return count >= type->count;
    }
    return type->kind == CSL_KIND_BOOL && count >= 2;
}

static CslTyped *
analyse_arm(CslAnalyser *self, const CslNode *node, const CslType *type)
{
    CslTyped *typed =
        csl_typed_new(self, CSL_TYPED_ARM, node, CSL_T(VOID), node->count);

    for (uint32_t i = 1; i < node->count; i++) {
        CslTyped *pattern = csl_analyse_as(self, node->children[i], type);

        if (pattern == NULL) {
            return NULL;
        }
        if (pattern->kind != CSL_TYPED_CONSTANT) {
            csl_complain(self->evaluator, node->children[i],
                         "what an arm is for must be known at comptime");
            return NULL;
        }
        typed->children[i] = pattern;
    }
    return typed;
}

CslTyped *csl_analyse_subject(CslAnalyser *self, const CslNode *node)
{
    CslTyped *subject = csl_analyse(self, node->children[0]);
    CslTyped *typed;

    if (subject == NULL) {
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_SWITCH, node, CSL_T(VOID), node->count);
    typed->children[0] = subject;
    if (subject->kind == CSL_TYPED_CONSTANT) {
        return typed;
    }
    for (uint32_t i = 1; i < node->count; i++) {
        typed->children[i] = analyse_arm(self, node->children[i], subject->type);
        if (typed->children[i] == NULL) {
            return NULL;
        }
    }
    if (!is_exhaustive(typed)) {
        csl_complain(self->evaluator, node, "the switch has no arm for some values");
        csl_report_hint(self->evaluator->program->to, "add 'else => {},'");
        return NULL;
    }
    return typed;
}

static CslTyped *analyse_switch(CslAnalyser *self, const CslNode *node)
{
    CslTyped *typed = csl_analyse_subject(self, node);

    if (typed == NULL) {
        return NULL;
    }
    if (typed->children[0]->kind == CSL_TYPED_CONSTANT) {
        const CslNode *live =
            csl_find_arm(self->evaluator, node, typed->children[0]->value);

        return live == NULL ? NULL : csl_analyse_statement(self, live->children[0]);
    }
    for (uint32_t i = 1; i < node->count; i++) {
        CslTyped *body = csl_analyse_branch(self, node->children[i]->children[0]);

        if (body == NULL) {
            return NULL;
        }
        typed->children[i]->children[0] = body;
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

static CslTyped *analyse_break(CslAnalyser *self, const CslNode *node)
{
    const CslInlineLoop *loop = self->loop;
    CslTyped *typed;

    if (node->count > 0) {
        return csl_analyse_break_value(self, node);
    }
    typed = csl_typed_new(self, CSL_TYPED_BREAK, node, CSL_T(VOID), 0);
    typed->name = node->name;
    if (loop != NULL && node->name == NULL) {
        typed->name = loop->break_label;
    }
    return typed;
}

static CslTyped *analyse_continue(CslAnalyser *self, const CslNode *node)
{
    CslTyped *typed =
        csl_typed_new(self, self->loop == NULL ? CSL_TYPED_CONTINUE : CSL_TYPED_BREAK,
                      node, CSL_T(VOID), 0);

    if (self->loop != NULL) {
        typed->name = self->loop->continue_label;
    }
    return typed;
}

/* A statement without what it needs before it. */
static CslTyped *analyse_plain(CslAnalyser *self, const CslNode *node)
{
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
        return csl_analyse_for(self, node);
    case CSL_WHILE:
        return csl_analyse_while(self, node);
    case CSL_IF:
        return analyse_if(self, node);
    case CSL_SWITCH:
        return analyse_switch(self, node);
    case CSL_RETURN:
        return analyse_return(self, node);
    case CSL_BREAK:
        return analyse_break(self, node);
    case CSL_CONTINUE:
        return analyse_continue(self, node);
    default:
        return csl_analyse(self, node);
    }
}

CslTyped *csl_analyse_statement(CslAnalyser *self, const CslNode *node)
{
    GPtrArray *outer = csl_begin_ahead(self);

    return csl_end_ahead(self, outer, analyse_plain(self, node));
}
