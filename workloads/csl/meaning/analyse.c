/* Analyses the expressions of functions: types, and what is known at comptime. */
#include "workloads/csl/meaning/analyser.h"

static CslFrame *frame_of(const CslAnalyser *self)
{
    return self->evaluator->frame;
}

CslTyped *csl_typed_new(CslAnalyser *self,
                        CslTypedKind kind,
                        const CslNode *node,
                        const CslType *type,
                        uint32_t count)
{
    CslArena *arena = self->evaluator->program->arena;
    CslTyped *typed = CSL_ARENA_ARRAY(arena, CslTyped, 1);

    typed->kind = kind;
    typed->node = node;
    typed->place = csl_here(self->evaluator, node);
    typed->type = type;
    typed->count = count;
    typed->children = CSL_ARENA_ARRAY(arena, CslTyped *, MAX(count, 1));
    typed->local = CSL_NO_LOCAL;
    typed->index_local = CSL_NO_LOCAL;
    return typed;
}

CslTyped *csl_typed_local(CslAnalyser *self, const CslNode *node, uint32_t local)
{
    CslTyped *typed =
        csl_typed_new(self, CSL_TYPED_LOCAL, node,
                      g_array_index(self->instance->locals, CslLocal, local).type, 0);

    typed->local = local;
    return typed;
}

/* A pointer to a function is a way to reach it. */
static void reach(CslAnalyser *self, const CslValue *value)
{
    if (value->type->kind == CSL_KIND_POINTER &&
        value->type->element->kind == CSL_KIND_FUNCTION &&
        value->pointer->global != NULL) {
        csl_reach(self->evaluator, value->pointer->global);
    }
}

CslTyped *csl_typed_constant(CslAnalyser *self, const CslNode *node, CslValue value)
{
    CslTyped *typed;

    if (value.type == NULL) {
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_CONSTANT, node, value.type, 0);
    typed->value = value;
    reach(self, &value);
    return typed;
}

CslTyped *csl_typed_coerce(CslAnalyser *self, CslTyped *typed, const CslType *type)
{
    CslEvaluator *evaluator = self->evaluator;

    if (typed == NULL || type == NULL || typed->type == type) {
        return typed;
    }
    if (typed->kind == CSL_TYPED_CONSTANT) {
        return csl_typed_constant(
            self, typed->node, csl_coerce(evaluator, typed->node, typed->value, type));
    }
    if (csl_is_tuple(typed) && type->kind == CSL_KIND_RECORD) {
        return csl_typed_record(self, typed, type);
    }
    if (typed->kind == CSL_TYPED_SELECT) {
        typed->children[1] = csl_typed_coerce(self, typed->children[1], type);
        typed->children[2] = csl_typed_coerce(self, typed->children[2], type);
        typed->type = type;
        return typed->children[1] == NULL || typed->children[2] == NULL ? NULL : typed;
    }
    if (typed->type->kind == CSL_KIND_POINTER && type->kind == CSL_KIND_POINTER) {
        CslValue sample = {.type = typed->type};

        if (csl_convert(evaluator->program, &sample, type)) {
            CslTyped *converted =
                csl_typed_new(self, CSL_TYPED_BITCAST, typed->node, type, 1);

            converted->children[0] = typed;
            return converted;
        }
    }
    csl_complain(evaluator, typed->node, "expected %s, found %s", type->name,
                 typed->type->name);
    if (csl_type_is_plain(typed->type) && csl_type_is_plain(type)) {
        csl_report_hint(evaluator->program->to, "@as(%s, ...) converts numbers",
                        type->name);
    }
    return NULL;
}

CslTyped *csl_analyse_as(CslAnalyser *self, const CslNode *node, const CslType *type)
{
    CslTyped *typed;

    self->wanted = type;
    typed = csl_analyse(self, node);
    self->wanted = NULL;
    return csl_typed_coerce(self, typed, type);
}

static CslTyped *
analyse_global(CslAnalyser *self, const CslNode *node, CslGlobal *global)
{
    const CslType *type =
        csl_global_type(self->evaluator, global, csl_here(self->evaluator, node));
    const CslValue value =
        csl_global_value(self->evaluator, global, csl_here(self->evaluator, node));
    CslTyped *typed;

    if (type == NULL || value.type == NULL) {
        return NULL;
    }
    reach(self, &value);
    typed = csl_typed_new(self, CSL_TYPED_GLOBAL, node, type, 0);
    typed->global = global;
    return typed;
}

static CslTyped *analyse_name(CslAnalyser *self, const CslNode *node)
{
    if (node->binding == CSL_GLOBAL) {
        return analyse_global(self, node,
                              csl_module_at(frame_of(self)->module, node->slot));
    }
    if (self->slot_structs != NULL && self->slot_structs[node->slot] != NULL) {
        return self->slot_structs[node->slot];
    }
    if (self->slot_locals[node->slot] == CSL_NO_LOCAL) {
        if (csl_diagnostics_error_count(self->evaluator->program->to) == 0) {
            csl_complain(self->evaluator, node, "'%s' has no value here", node->name);
        }
        return NULL; /* its declaration may be what was wrong */
    }
    return csl_analyse_local(self, node);
}

static CslTyped *analyse_field(CslAnalyser *self, const CslNode *node)
{
    CslGlobal *global = csl_member_of(self, node);
    CslTyped *whole;

    if (global != NULL) {
        return analyse_global(self, node, global);
    }
    whole = csl_analyse(self, node->children[0]);
    if (whole == NULL) {
        return NULL;
    }
    if (csl_typed_item(whole, node->name) != NULL) {
        return csl_typed_item(whole, node->name);
    }
    for (uint32_t i = 0; whole->type->kind == CSL_KIND_RECORD && i < whole->type->count;
         i++) {
        if (whole->type->names[i] == node->name) {
            CslTyped *typed =
                csl_typed_new(self, CSL_TYPED_FIELD, node, whole->type->parts[i], 1);

            typed->children[0] = whole;
            typed->name = node->name;
            return typed;
        }
    }
    csl_complain(self->evaluator, node, "%s has no field '%s'", whole->type->name,
                 node->name);
    return NULL;
}

static CslTyped *analyse_dereference(CslAnalyser *self, const CslNode *node)
{
    CslTyped *pointer = csl_analyse(self, node->children[0]);
    CslTyped *typed;

    if (pointer == NULL) {
        return NULL;
    }
    if (pointer->type->kind != CSL_KIND_POINTER || pointer->type->is_many) {
        csl_complain(self->evaluator, node, "expected a pointer before '.*', found %s",
                     pointer->type->name);
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_DEREFERENCE, node, pointer->type->element, 1);
    typed->children[0] = pointer;
    return typed;
}

CslTyped *csl_analyse_place(CslAnalyser *self, const CslNode *node)
{
    CslGlobal *global = NULL;

    if (node->kind == CSL_NAME && node->binding == CSL_GLOBAL) {
        global = csl_module_at(frame_of(self)->module, node->slot);
    } else if (node->kind == CSL_FIELD) {
        global = csl_member_of(self, node);
    }
    if (global != NULL && global->node->kind == CSL_VARIABLE) {
        const CslType *type =
            csl_global_type(self->evaluator, global, csl_here(self->evaluator, node));

        if (type != NULL && type->kind == CSL_KIND_ARRAY) {
            return analyse_global(self, node, global);
        }
    }
    return csl_analyse(self, node);
}

/* Known indices outside of an array are legal where they are never used. */
static void warn_of_index(CslAnalyser *self,
                          const CslType *array,
                          const CslTyped *index,
                          uint32_t dimension)
{
    CslProgram *program = self->evaluator->program;

    if (array->kind == CSL_KIND_ARRAY && index->kind == CSL_TYPED_CONSTANT &&
        csl_type_is_integer(index->type) &&
        (index->value.integer < 0 ||
         index->value.integer >= array->extents[dimension])) {
        g_autofree char *text = csl_value_text(&index->value);

        csl_report(program->to, CSL_WARNING, index->place, "index %s is outside of %s",
                   text, array->name);
    }
}

static CslTyped *analyse_index(CslAnalyser *self, const CslNode *node)
{
    CslTyped *whole = csl_analyse_place(self, node->children[0]);
    const CslType *type = whole == NULL ? NULL : whole->type;
    uint32_t expected = 1;
    CslTyped *typed;

    if (type == NULL) {
        return NULL;
    }
    if (csl_is_tuple(whole)) {
        return csl_tuple_item(self, node, whole);
    }
    if (whole->kind == CSL_TYPED_CONSTANT && type->kind == CSL_KIND_ARRAY) {
        whole = csl_typed_kept(self, whole);
    }
    if (type->kind == CSL_KIND_POINTER && !type->is_many) {
        type = type->element;
    }
    if (type->kind == CSL_KIND_ARRAY) {
        expected = type->count;
    } else if (type->kind != CSL_KIND_POINTER) {
        csl_complain(self->evaluator, node, "%s cannot be indexed", whole->type->name);
        return NULL;
    }
    if (node->count - 1 != expected) {
        csl_complain(self->evaluator, node, "expected %u %s for %s, found %u", expected,
                     expected == 1 ? "index" : "indices", type->name, node->count - 1);
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_INDEX, node, type->element, node->count);
    typed->children[0] = whole;
    for (uint32_t i = 1; i < node->count; i++) {
        typed->children[i] = csl_analyse(self, node->children[i]);
        if (typed->children[i] == NULL) {
            return NULL;
        }
        warn_of_index(self, type, typed->children[i], i - 1);
        if (!csl_type_is_integer(typed->children[i]->type)) {
            csl_complain(self->evaluator, node->children[i],
                         "expected an integer as index, found %s",
                         typed->children[i]->type->name);
            return NULL;
        }
    }
    return typed;
}

static CslTyped *analyse_unary(CslAnalyser *self, const CslNode *node)
{
    const bool is_address = node->token == CSL_TOKEN_AMPERSAND;
    CslTyped *operand = is_address ? csl_analyse_place(self, node->children[0])
                                   : csl_analyse(self, node->children[0]);
    const CslType *type = operand == NULL ? NULL : operand->type;
    CslTyped *typed;
    bool is_well = true;

    if (type == NULL) {
        return NULL;
    }
    if (is_address) {
        type = csl_type_pointer(self->evaluator->program->types, type, 0);
    } else if (node->token == CSL_TOKEN_EXCLAMATION) {
        is_well = type->kind == CSL_KIND_BOOL;
    } else if (node->token == CSL_TOKEN_TILDE) {
        is_well = csl_type_is_integer(type);
    } else {
        is_well = csl_type_is_integer(type) || csl_type_is_float(type);
    }
    if (!is_well) {
        csl_complain(self->evaluator, node, "'%s' does not take %s",
                     csl_token_spelling(node->token), type->name);
        return NULL;
    }
    typed = csl_typed_new(self, is_address ? CSL_TYPED_ADDRESS : CSL_TYPED_UNARY, node,
                          type, 1);
    typed->token = node->token;
    typed->children[0] = operand;
    return typed;
}

/* The type of a binary operation; NULL if it does not take such operands. */
static const CslType *binary_type(CslTokenKind token, const CslType *type)
{
    const bool is_number = csl_type_is_integer(type) || csl_type_is_float(type);

    switch (+token) {
    case CSL_TOKEN_EQUAL:
    case CSL_TOKEN_UNEQUAL:
        return CSL_T(BOOL);
    case CSL_TOKEN_AND:
    case CSL_TOKEN_OR:
        return type->kind == CSL_KIND_BOOL ? type : NULL;
    case CSL_TOKEN_LESS:
    case CSL_TOKEN_GREATER:
    case CSL_TOKEN_LESS_EQUAL:
    case CSL_TOKEN_GREATER_EQUAL:
        return is_number ? CSL_T(BOOL) : NULL;
    case CSL_TOKEN_PLUS:
    case CSL_TOKEN_MINUS:
    case CSL_TOKEN_STAR:
    case CSL_TOKEN_SLASH:
        return is_number ? type : NULL;
    default:
        return csl_type_is_integer(type) ? type : NULL;
    }
}

/* Makes both of one type: a constant takes the other's. */
static bool unite(CslAnalyser *self, const CslNode *node, CslTyped **sides)
{
    const CslType *left = sides[0]->type;
    const CslType *right = sides[1]->type;
    const bool is_shift =
        node->token == CSL_TOKEN_SHIFT_LEFT || node->token == CSL_TOKEN_SHIFT_RIGHT;

    if (left == right || (is_shift && csl_type_is_integer(right) &&
                          sides[0]->type->kind != CSL_KIND_COMPTIME_INT)) {
        return true;
    }
    if (sides[0]->kind == CSL_TYPED_CONSTANT) {
        sides[0] = csl_typed_coerce(self, sides[0], right);
        return sides[0] != NULL;
    }
    if (sides[1]->kind == CSL_TYPED_CONSTANT) {
        sides[1] = csl_typed_coerce(self, sides[1], left);
        return sides[1] != NULL;
    }
    csl_complain(self->evaluator, node,
                 "expected two values of one type, found %s and %s", left->name,
                 right->name);
    csl_report_hint(self->evaluator->program->to, "convert one: @as(%s, ...)",
                    left->name);
    return false;
}

static CslTyped *analyse_binary(CslAnalyser *self, const CslNode *node)
{
    CslTyped *sides[2] = {csl_analyse(self, node->children[0]), NULL};
    const CslType *type;
    CslTyped *typed;

    if (sides[0] == NULL) {
        return NULL;
    }
    if ((node->token == CSL_TOKEN_AND || node->token == CSL_TOKEN_OR) &&
        sides[0]->kind == CSL_TYPED_CONSTANT && sides[0]->type->kind == CSL_KIND_BOOL) {
        return (sides[0]->value.integer != 0) == (node->token == CSL_TOKEN_OR)
                   ? sides[0]
                   : csl_analyse_as(self, node->children[1], CSL_T(BOOL));
    }
    if ((node->token == CSL_TOKEN_AND || node->token == CSL_TOKEN_OR) &&
        csl_needs_statements(node->children[1])) {
        return csl_analyse_logic(self, node, sides[0]);
    }
    sides[1] = csl_analyse(self, node->children[1]);
    if (sides[1] == NULL || !unite(self, node, sides) || sides[0]->type == NULL) {
        return NULL;
    }
    type = binary_type(node->token, sides[0]->type);
    if (type == NULL) {
        csl_complain(self->evaluator, node, "'%s' does not take %s",
                     csl_token_spelling(node->token), sides[0]->type->name);
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_BINARY, node, type, 2);
    typed->token = node->token;
    typed->children[0] = sides[0];
    typed->children[1] = sides[1];
    return typed;
}

static CslTyped *analyse_select(CslAnalyser *self, const CslNode *node)
{
    const CslType *wanted = self->wanted;
    CslTyped *condition = csl_analyse_as(self, node->children[0], CSL_T(BOOL));
    CslTyped *sides[2] = {NULL};
    CslTyped *typed;

    if (condition == NULL) {
        return NULL;
    }
    if (condition->kind == CSL_TYPED_CONSTANT) {
        const CslNode *live =
            condition->value.integer != 0 ? node->children[1] : csl_child(node, 2);

        self->wanted = wanted;
        return live == NULL ? csl_typed_constant(self, node, csl_value_void())
                            : csl_analyse(self, live);
    }
    if (csl_child(node, 2) == NULL) {
        csl_complain(self->evaluator, node, "an if with a value needs an else");
        return NULL;
    }
    sides[0] = csl_analyse(self, node->children[1]);
    sides[1] = csl_analyse(self, node->children[2]);
    if (sides[0] == NULL || sides[1] == NULL || !unite(self, node, sides)) {
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_SELECT, node, sides[0]->type, 3);
    typed->children[0] = condition;
    typed->children[1] = sides[0];
    typed->children[2] = sides[1];
    return typed;
}

/* A switch whose arm is known, or one on the PE. */
static CslTyped *analyse_switch(CslAnalyser *self, const CslNode *node)
{
    const CslType *wanted = self->wanted;

    if (csl_is_known(self, node->children[0])) {
        const CslValue subject = csl_evaluate(self->evaluator, node->children[0]);
        const CslNode *arm =
            subject.type == NULL ? NULL : csl_find_arm(self->evaluator, node, subject);

        self->wanted = wanted;
        return arm == NULL ? NULL : csl_analyse(self, arm->children[0]);
    }
    return csl_analyse_value(self, node);
}

CslTyped *csl_analyse(CslAnalyser *self, const CslNode *node)
{
    if (csl_is_known(self, node)) {
        return csl_typed_constant(self, node, csl_evaluate(self->evaluator, node));
    }
    if (node->kind != CSL_IF && node->kind != CSL_SWITCH && node->kind != CSL_BLOCK) {
        self->wanted = NULL;
    }
    switch (node->kind) {
    case CSL_NAME:
        return analyse_name(self, node);
    case CSL_FIELD:
        return analyse_field(self, node);
    case CSL_DEREFERENCE:
        return analyse_dereference(self, node);
    case CSL_INDEX:
        return analyse_index(self, node);
    case CSL_UNARY:
        return analyse_unary(self, node);
    case CSL_BINARY:
        return analyse_binary(self, node);
    case CSL_AGGREGATE:
        return csl_analyse_aggregate(self, node);
    case CSL_IF:
        return csl_needs_statements(node) && !csl_is_known(self, node->children[0])
                   ? csl_analyse_value(self, node)
                   : analyse_select(self, node);
    case CSL_SWITCH:
        return analyse_switch(self, node);
    case CSL_BLOCK:
        return csl_analyse_value(self, node);
    case CSL_CALL:
        return csl_analyse_call(self, node);
    case CSL_BUILTIN:
        return csl_analyse_builtin(self, node);
    default:
        break;
    }
    csl_complain(self->evaluator, node, "this value is not known at comptime");
    return NULL;
}
