/* Analyses aggregates with values that PEs compute: structs, tuples, arrays. */
#include "workloads/csl/meaning/analyser.h"

static const CslNode *item_at(const CslTyped *typed, uint32_t i)
{
    return typed->node->children[i + 1];
}

const char *csl_typed_item_name(const CslTyped *typed, uint32_t i)
{
    return typed->node->kind == CSL_AGGREGATE && item_at(typed, i)->kind == CSL_ITEM
               ? item_at(typed, i)->name
               : NULL;
}

/* The type of the member that an item is for; NULL after a report. */
static const CslType *
member_type(CslAnalyser *self, const CslTyped *typed, uint32_t i, const CslType *record)
{
    const char *name = csl_typed_item_name(typed, i);

    for (uint32_t j = 0; name != NULL && j < record->count; j++) {
        if (record->names[j] == name) {
            return record->parts[j];
        }
    }
    csl_complain(self->evaluator, item_at(typed, i), "the struct has no field '%s'",
                 name == NULL ? "without name" : name);
    return NULL;
}

CslTyped *csl_typed_record(CslAnalyser *self, CslTyped *typed, const CslType *record)
{
    for (uint32_t i = 0; i < typed->count; i++) {
        const CslType *type = member_type(self, typed, i, record);

        typed->children[i] =
            type == NULL ? NULL : csl_typed_coerce(self, typed->children[i], type);
        if (typed->children[i] == NULL) {
            return NULL;
        }
    }
    if (typed->count != record->count) {
        csl_complain(self->evaluator, typed->node,
                     "expected %u fields for the struct, found %u", record->count,
                     typed->count);
        return NULL;
    }
    typed->type = record;
    return typed;
}

CslTyped *csl_analyse_aggregate(CslAnalyser *self, const CslNode *node)
{
    const CslType *type = CSL_T(COMPTIME_STRUCT);
    CslTyped *typed;

    if (node->children[0] != NULL) {
        type = csl_evaluate_type(self->evaluator, node->children[0]);
        if (type == NULL) {
            return NULL;
        }
    }
    if (type->kind == CSL_KIND_ARRAY &&
        csl_type_element_count(type) != node->count - 1) {
        csl_complain(self->evaluator, node,
                     "expected %" G_GUINT64_FORMAT " elements for %s, found %u",
                     csl_type_element_count(type), type->name, node->count - 1);
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_STRUCT, node, type, node->count - 1);
    for (uint32_t i = 0; i < typed->count; i++) {
        const CslNode *item = item_at(typed, i);

        item = item->kind == CSL_ITEM ? item->children[0] : item;
        typed->children[i] = csl_analyse_as(
            self, item, type->kind == CSL_KIND_ARRAY ? type->element : NULL);
        if (typed->children[i] == NULL) {
            return NULL;
        }
    }
    return type->kind == CSL_KIND_RECORD ? csl_typed_record(self, typed, type) : typed;
}

CslTyped *csl_typed_item(const CslTyped *typed, const char *name)
{
    for (uint32_t i = 0; typed->kind == CSL_TYPED_STRUCT && i < typed->count; i++) {
        if (csl_typed_item_name(typed, i) == name) {
            return typed->children[i];
        }
    }
    return NULL;
}

/* Holds all items in locals, those of structs in the struct, too. */
static void keep_items(CslAnalyser *self, CslTyped *typed)
{
    for (uint32_t i = 0; i < typed->count; i++) {
        CslTyped *item = typed->children[i];

        if (csl_is_tuple(item)) {
            keep_items(self, item);
        } else if (item->kind != CSL_TYPED_CONSTANT) {
            typed->children[i] = csl_typed_kept(self, item);
        }
    }
}

void csl_keep_struct(CslAnalyser *self, const CslNode *node, CslTyped *typed)
{
    keep_items(self, typed);
    self->evaluator->frame->slots[node->slot] = csl_no_value();
    self->slot_locals[node->slot] = CSL_NO_LOCAL;
    if (self->slot_structs == NULL) {
        self->slot_structs =
            g_new0(CslTyped *, self->instance->function->node->slot + 1);
    }
    self->slot_structs[node->slot] = typed;
}
