/* Evaluates expressions that are types. */
#include "sim/narrow.h"
#include "workloads/csl/meaning/evaluator.h"

const CslType *csl_evaluate_type(CslEvaluator *self, const CslNode *node)
{
    const CslValue value = csl_evaluate(self, node);

    if (value.type == NULL) {
        return NULL;
    }
    if (value.type->kind != CSL_KIND_TYPE) {
        g_autofree char *text = csl_value_text(&value);

        csl_complain(self, node, "expected a type, found %s", text);
        return NULL;
    }
    return value.meant;
}

static const CslType *array_type(CslEvaluator *self, const CslNode *node)
{
    const uint32_t count = node->count - 1;
    const CslType *element = csl_evaluate_type(self, node->children[0]);
    g_autofree uint32_t *extents = g_new0(uint32_t, count);
    uint64_t total = 1;

    for (uint32_t i = 0; i < count; i++) {
        CslInteger extent = 0;

        if (!csl_evaluate_integer(self, node->children[i + 1], "an extent", &extent)) {
            return NULL;
        }
        if (extent < 0 || extent > (1 << 24)) {
            csl_complain(self, node->children[i + 1], "an extent is 0 to %d", 1 << 24);
            return NULL;
        }
        extents[i] = sim_u32((int64_t) extent);
        total *= MAX(extents[i], 1);
        if (total > (1U << 26)) {
            csl_complain(self, node, "an array of more than %u elements", 1U << 26);
            return NULL;
        }
    }
    if (element != NULL && element->kind == CSL_KIND_ARRAY) {
        csl_complain(self, node, "elements of an array are no arrays");
        csl_report_hint(self->program->to, "write [a, b]T for two dimensions");
        return NULL;
    }
    return element == NULL
               ? NULL
               : csl_type_array(self->program->types, element, extents, count);
}

static const CslType *function_type(CslEvaluator *self, const CslNode *node)
{
    const uint32_t count = node->count - 1;
    g_autofree const CslType **parts = g_new0(const CslType *, count + 1);
    const CslType pattern = {.kind = CSL_KIND_FUNCTION,
                             .is_task = node->token == CSL_TOKEN_TASK,
                             .element = csl_evaluate_type(self, node->children[0]),
                             .parts = parts,
                             .count = count};

    for (uint32_t i = 0; i < count; i++) {
        parts[i] = csl_evaluate_type(self, node->children[i + 1]);
        if (parts[i] == NULL) {
            return NULL;
        }
    }
    return pattern.element == NULL ? NULL
                                   : csl_type_function(self->program->types, &pattern);
}

static bool is_taken(const CslInteger *numbers, uint32_t count, CslInteger number)
{
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] == number) {
            return true;
        }
    }
    return false;
}

/* Numbers of members: those given, then the others from 0, skipping taken ones. */
static bool number_members(CslEvaluator *self, const CslNode *node, CslInteger *numbers)
{
    const uint32_t count = node->count - 1;
    CslInteger next = 0;

    for (uint32_t i = 0; i < count; i++) {
        const CslNode *given = csl_child(node->children[i + 1], 0);

        numbers[i] = -1;
        if (given != NULL &&
            !csl_evaluate_integer(self, given, "a member", &numbers[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (csl_child(node->children[i + 1], 0) == NULL) {
            while (is_taken(numbers, count, next)) {
                next++;
            }
            numbers[i] = next;
        }
    }
    return true;
}

static const CslType *enum_type(CslEvaluator *self, const CslNode *node)
{
    CslArena *arena = self->program->arena;
    const uint32_t count = node->count - 1;
    CslInteger *numbers = CSL_ARENA_ARRAY(arena, CslInteger, MAX(count, 1));
    const char **names = CSL_ARENA_ARRAY(arena, const char *, MAX(count, 1));
    const CslType pattern = {.kind = CSL_KIND_ENUM,
                             .declared = node,
                             .element = csl_evaluate_type(self, node->children[0]),
                             .count = count,
                             .names = names,
                             .numbers = numbers};

    for (uint32_t i = 0; i < count; i++) {
        names[i] = node->children[i + 1]->name;
    }
    if (count > UINT16_MAX) {
        csl_complain(self, node, "an enum of more than 65535 members");
        return NULL;
    }
    if (pattern.element == NULL || !number_members(self, node, numbers)) {
        return NULL;
    }
    if (!csl_type_is_integer(pattern.element)) {
        csl_complain(self, node, "expected an integer type for an enum, found %s",
                     pattern.element->name);
        return NULL;
    }
    return csl_type_declared(self->program->types, &pattern);
}

static const CslType *record_type(CslEvaluator *self, const CslNode *node)
{
    CslArena *arena = self->program->arena;
    const CslType **parts =
        CSL_ARENA_ARRAY(arena, const CslType *, MAX(node->count, 1));
    const char **names = CSL_ARENA_ARRAY(arena, const char *, MAX(node->count, 1));
    const CslType pattern = {.kind = CSL_KIND_RECORD,
                             .declared = node,
                             .count = node->count,
                             .parts = parts,
                             .names = names};

    for (uint32_t i = 0; i < node->count; i++) {
        names[i] = node->children[i]->name;
        parts[i] = csl_evaluate_type(self, node->children[i]->children[0]);
        if (parts[i] == NULL) {
            return NULL;
        }
    }
    return csl_type_declared(self->program->types, &pattern);
}

CslValue csl_evaluate_type_node(CslEvaluator *self, const CslNode *node)
{
    const CslType *type = NULL;

    if (node->kind == CSL_ARRAY_TYPE) {
        type = array_type(self, node);
    } else if (node->kind == CSL_FUNCTION_TYPE) {
        type = function_type(self, node);
    } else if (node->kind == CSL_ENUM) {
        type = enum_type(self, node);
    } else if (node->kind == CSL_STRUCT) {
        type = record_type(self, node);
    } else {
        const CslType *target = csl_evaluate_type(self, node->children[0]);

        type = target == NULL
                   ? NULL
                   : csl_type_pointer(self->program->types, target, node->flags);
    }
    return type == NULL ? csl_no_value() : csl_value_type(type);
}
