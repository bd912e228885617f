/* Passes tuples with values of run time to functions: each member is an argument. */
#include "workloads/csl/meaning/analyser.h"

bool csl_is_tuple(const CslTyped *typed)
{
    return typed->kind == CSL_TYPED_STRUCT && typed->type == CSL_T(COMPTIME_STRUCT);
}

/* Types of programs' own structs have no element. */
static bool is_tuple_type(const CslType *type)
{
    return type->kind == CSL_KIND_RECORD && type->element == CSL_T(VOID);
}

/* A member as a PE can hold it; literals have no size of their own. */
static CslTyped *sized(CslAnalyser *self, CslTyped *member)
{
    const CslType *type = member->type;

    if (type->kind == CSL_KIND_COMPTIME_INT) {
        return csl_typed_coerce(self, member, CSL_T(I32));
    }
    if (type->kind == CSL_KIND_COMPTIME_FLOAT) {
        return csl_typed_coerce(self, member, CSL_T(F32));
    }
    if (csl_type_bytes(type) == 0) {
        csl_complain(self->evaluator, member->node,
                     "%s does not go with values of run time", type->name);
        return NULL;
    }
    return member;
}

const CslType *
csl_tuple_pass(CslAnalyser *self, const CslTyped *tuple, GPtrArray *passed)
{
    g_autofree const CslType **parts = g_new0(const CslType *, tuple->count + 1);
    const CslType pattern = {.kind = CSL_KIND_RECORD,
                             .element = CSL_T(VOID),
                             .count = tuple->count,
                             .parts = parts};

    if ((tuple->node->flags & CSL_IS_NAMED) != 0) {
        csl_complain(
            self->evaluator, tuple->node,
            "a struct with values of run time is passed without names, as .{ a }");
        return NULL;
    }
    for (uint32_t i = 0; i < tuple->count; i++) {
        CslTyped *member = sized(self, tuple->children[i]);

        if (member == NULL) {
            return NULL;
        }
        parts[i] = member->type;
        g_ptr_array_add(passed, member);
    }
    return csl_type_function(self->evaluator->program->types, &pattern);
}

void csl_add_argument(CslAnalyser *self, const CslNode *parameter, const CslType *type)
{
    const uint32_t first = self->instance->locals->len;

    if (!is_tuple_type(type)) {
        (void) csl_add_local(self, parameter, type);
        return;
    }
    for (uint32_t i = 0; i < type->count; i++) {
        (void) csl_add_local(self, parameter, type->parts[i]);
    }
    self->slot_locals[parameter->slot] = first;
}

/* The tuple that a parameter is, or NULL. */
static const CslType *tuple_of(const CslAnalyser *self, uint32_t slot)
{
    const CslNode *function = self->instance->function->node;

    for (uint32_t i = 0; i < self->instance->argument_count; i++) {
        if (function->children[i + 2]->slot == slot &&
            self->instance->arguments[i].type == NULL &&
            is_tuple_type(self->instance->types[i])) {
            return self->instance->types[i];
        }
    }
    return NULL;
}

/* What stands for a tuple's literal in the function that gets its members. */
static CslNode *literal(CslAnalyser *self, const CslNode *name, uint32_t count)
{
    CslArena *arena = self->evaluator->program->arena;
    CslNode *node = CSL_ARENA_ARRAY(arena, CslNode, 1);

    *node = *name;
    node->kind = CSL_AGGREGATE;
    node->flags = 0;
    node->count = count + 1;
    node->children = CSL_ARENA_ARRAY(arena, CslNode *, count + 1);
    for (uint32_t i = 1; i <= count; i++) {
        node->children[i] = node;
    }
    return node;
}

CslTyped *csl_analyse_local(CslAnalyser *self, const CslNode *node)
{
    const CslType *tuple = tuple_of(self, node->slot);
    const uint32_t first = self->slot_locals[node->slot];
    CslTyped *typed;

    if (tuple == NULL) {
        return csl_typed_local(self, node, first);
    }
    typed = csl_typed_new(self, CSL_TYPED_STRUCT, literal(self, node, tuple->count),
                          CSL_T(COMPTIME_STRUCT), tuple->count);
    for (uint32_t i = 0; i < tuple->count; i++) {
        typed->children[i] = csl_typed_local(self, node, first + i);
    }
    return typed;
}

CslTyped *csl_tuple_item(CslAnalyser *self, const CslNode *node, const CslTyped *tuple)
{
    const CslTyped *index = csl_analyse(self, node->children[1]);

    if (index == NULL) {
        return NULL;
    }
    if (index->kind != CSL_TYPED_CONSTANT || !csl_type_is_integer(index->type) ||
        index->value.integer < 0 || index->value.integer >= tuple->count) {
        csl_complain(self->evaluator, node->children[1],
                     "expected a number from 0 to %u that is known at comptime",
                     tuple->count - 1);
        return NULL;
    }
    return tuple->children[index->value.integer];
}
