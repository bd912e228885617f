/* Finds what an expression stands for in memory: for & and for access expressions. */
#include "sim/narrow.h"
#include "workloads/csl/meaning/evaluator.h"

/* A global that has an address. */
static bool
locate_global(CslEvaluator *self, const CslNode *node, CslGlobal *global, CslSpot *to)
{
    to->global = global;
    to->offset = 0;
    to->type = csl_global_type(self, global, csl_here(self, node));
    to->is_const =
        global->node->kind == CSL_FUNCTION || global->node->token != CSL_TOKEN_VAR;
    return to->type != NULL;
}

/* What a pointer of comptime points to. */
static bool
follow(CslEvaluator *self, const CslNode *node, const CslValue *pointer, CslSpot *to)
{
    if (pointer->type == NULL) {
        return false;
    }
    if (pointer->type->kind != CSL_KIND_POINTER) {
        csl_complain(self, node, "expected a pointer, found %s", pointer->type->name);
        return false;
    }
    to->global = pointer->pointer->global;
    to->offset = pointer->pointer->offset;
    to->type = pointer->type->element;
    to->is_const = pointer->type->is_const;
    return true;
}

/* The global that a name or `module.name` means, or NULL. */
static CslGlobal *named_global(CslEvaluator *self, const CslNode *node)
{
    if (node->kind == CSL_NAME && node->binding == CSL_GLOBAL) {
        return csl_module_at(self->frame->module, node->slot);
    }
    if (node->kind == CSL_FIELD && node->children[0]->kind != CSL_AGGREGATE) {
        const CslValue whole = csl_evaluate(self, node->children[0]);

        if (whole.type == CSL_T(MODULE)) {
            return csl_module_find(whole.module, node->name);
        }
    }
    return NULL;
}

/* Whether an expression is a const or a param that holds a pointer: a[i] goes through
 * it. */
static bool
is_pointer_variable(CslEvaluator *self, const CslNode *node, CslGlobal *global)
{
    const CslType *type = csl_global_type(self, global, csl_here(self, node));

    return type != NULL && type->kind == CSL_KIND_POINTER &&
           global->node->token != CSL_TOKEN_VAR;
}

bool csl_flatten(CslEvaluator *self,
                 const CslNode *node,
                 const CslType *array,
                 CslInteger *flat)
{
    *flat = 0;
    if (array->kind != CSL_KIND_ARRAY || node->count - 1 != array->count) {
        csl_complain(self, node, "expected %u %s for %s, found %u", array->count,
                     array->count == 1 ? "index" : "indices", array->name,
                     node->count - 1);
        return false;
    }
    for (uint32_t i = 0; i < array->count; i++) {
        CslInteger index = 0;

        if (!csl_evaluate_integer(self, node->children[i + 1], "an index", &index)) {
            return false;
        }
        if (index > INT32_MAX || index < INT32_MIN) {
            csl_complain(self, node->children[i + 1], "an index out of all bounds");
            return false;
        }
        *flat = *flat * array->extents[i] + index;
    }
    return true;
}

static bool locate_element(CslEvaluator *self, const CslNode *node, CslSpot *to)
{
    CslInteger flat = 0;

    if (!csl_locate(self, node->children[0], to)) {
        return false;
    }
    if (to->type->kind == CSL_KIND_POINTER) {
        csl_complain(self, node, "the pointer's value is not known at comptime");
        return false;
    }
    if (to->type->kind != CSL_KIND_ARRAY) { /* through [*]T */
        if (node->count != 2 ||
            !csl_evaluate_integer(self, node->children[1], "an index", &flat)) {
            csl_complain(self, node, "expected one index for %s", to->type->name);
            return false;
        }
        to->offset += flat;
        return true;
    }
    if (!csl_flatten(self, node, to->type, &flat)) {
        return false;
    }
    to->offset += flat;
    to->type = to->type->element;
    return true;
}

bool csl_locate(CslEvaluator *self, const CslNode *node, CslSpot *to)
{
    CslGlobal *global;

    if (node->kind == CSL_INDEX) {
        return locate_element(self, node, to);
    }
    if (node->kind == CSL_DEREFERENCE ||
        (node->kind == CSL_UNARY && node->token == CSL_TOKEN_AMPERSAND)) {
        const CslValue pointer =
            csl_evaluate(self, node->kind == CSL_UNARY ? node : node->children[0]);

        return follow(self, node, &pointer, to);
    }
    global = named_global(self, node);
    if (global == NULL) {
        if (node->kind == CSL_NAME && node->binding != CSL_UNBOUND) {
            const CslValue *value = &self->frame->slots[node->slot];

            if (value->type != NULL && value->type->kind == CSL_KIND_POINTER) {
                return follow(self, node, value, to);
            }
        }
        csl_complain(self, node,
                     "expected a global variable, an element or a function");
        csl_report_hint(self->program->to, "at comptime only these have an address");
        return false;
    }
    if (is_pointer_variable(self, node, global)) {
        const CslValue pointer = csl_global_value(self, global, csl_here(self, node));

        return follow(self, node, &pointer, to);
    }
    return locate_global(self, node, global, to);
}

/* Element of the target when variable `one` is `count` and all others are 0. */
static bool probe(CslEvaluator *self,
                  const CslNode *node,
                  uint32_t one,
                  CslInteger count,
                  CslSpot *to)
{
    for (uint32_t i = 2; i < node->count; i++) {
        self->frame->slots[node->children[i]->slot] =
            csl_value_integer(CSL_T(I16), i - 2 == one ? count : 0);
    }
    return csl_locate(self, node->children[0], to);
}

/* Offset and strides of an access expression, by evaluating it at a few points. */
static bool measure(CslEvaluator *self, const CslNode *node, CslAccess *access)
{
    CslSpot spot = {0};
    CslInteger origin;

    if (!probe(self, node, CSL_RANK_MOST, 0, &spot)) {
        return false;
    }
    origin = spot.offset;
    access->base = csl_pointer_new(self->program->values, spot.global, 0);
    access->element = spot.type;
    access->offset = origin;
    for (uint32_t i = 0; i < access->rank; i++) {
        const CslInteger far = MIN(access->extents[i], 3);

        if (!probe(self, node, i, 1, &spot)) {
            return false;
        }
        access->strides[i] = spot.offset - origin;
        if (!probe(self, node, i, far, &spot)) {
            return false;
        }
        if (spot.offset - origin != far * access->strides[i]) {
            csl_complain(self, node->children[0],
                         "'%s' is not multiplied by a constant in this index",
                         node->children[i + 2]->name);
            csl_report_hint(self->program->to,
                            "indices are sums of constants times access variables");
            return false;
        }
    }
    return true;
}

CslValue csl_evaluate_access(CslEvaluator *self, const CslNode *node)
{
    CslAccess *access = CSL_ARENA_ARRAY(self->program->arena, CslAccess, 1);
    const CslNode *extents = node->children[1];

    access->rank = node->count - 2;
    if (access->rank > CSL_RANK_MOST || extents->count != access->rank) {
        csl_complain(
            self, node,
            "expected one extent for each of 1 to %d variables, found %u for %u",
            CSL_RANK_MOST, extents->count, access->rank);
        return csl_no_value();
    }
    for (uint32_t i = 0; i < access->rank; i++) {
        if (!csl_evaluate_integer(self, extents->children[i], "an extent",
                                  &access->extents[i])) {
            return csl_no_value();
        }
        if (access->extents[i] < 0 || access->extents[i] > UINT16_MAX) {
            csl_complain(self, extents->children[i], "an extent is 0 to 65535");
            return csl_no_value();
        }
    }
    if (node->children[0]->kind != CSL_INDEX) {
        csl_complain(self, node->children[0], "expected an element: a[i]");
        return csl_no_value();
    }
    return measure(self, node, access)
               ? (CslValue){.type = CSL_T(ACCESS), .access = access}
               : csl_no_value();
}
