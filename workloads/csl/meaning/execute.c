/* Runs statements at comptime. */
#include "sim/narrow.h"
#include "workloads/csl/meaning/evaluator.h"

static CslFlow declare(CslEvaluator *self, const CslNode *node)
{
    const CslNode *type_node = csl_child(node, 0);
    const CslNode *value_node = csl_child(node, 1);
    const CslType *type = NULL;
    CslValue value = {0};

    if (type_node != NULL) {
        type = csl_evaluate_type(self, type_node);
        if (type == NULL) {
            return CSL_FLOW_FAILED;
        }
    }
    if (value_node != NULL) {
        value = csl_evaluate(self, value_node);
        if (type != NULL) {
            value = csl_coerce(self, value_node, value, type);
        }
    } else if (type != NULL && node->token == CSL_TOKEN_VAR) {
        value = csl_zero(self->program, type);
    } else {
        csl_complain(self, node, "'%s' needs a value", node->name);
    }
    self->frame->slots[node->slot] = value;
    return value.type == NULL ? CSL_FLOW_FAILED : CSL_FLOW_NEXT;
}

/* The array behind a slot, which may be changed. */
static CslArray *own_array(CslEvaluator *self, CslValue *slot)
{
    if (slot->array->is_shared) {
        slot->array = csl_array_copy(self->program->values, slot->array);
    }
    return slot->array;
}

static CslValue
changed(CslEvaluator *self, const CslNode *node, CslValue before, const CslType *type)
{
    CslValue value = csl_evaluate(self, node->children[1]);

    if (node->token != CSL_TOKEN_ASSIGN) {
        value = csl_operate(self, node, node->token, before, value);
    }
    return csl_coerce(self, node->children[1], value, type);
}

static CslFlow assign_element(CslEvaluator *self, const CslNode *node, CslValue *slot)
{
    const CslNode *target = node->children[0];
    CslInteger flat = 0;
    CslValue value;

    if (slot->type->kind != CSL_KIND_ARRAY) {
        csl_complain(self, target, "%s has no elements to assign to", slot->type->name);
        return CSL_FLOW_FAILED;
    }
    if (!csl_flatten(self, target, slot->type, &flat)) {
        return CSL_FLOW_FAILED;
    }
    if (flat < 0 || flat >= (CslInteger) slot->array->count) {
        csl_complain(self, target, "the index is outside of %s", slot->type->name);
        return CSL_FLOW_FAILED;
    }
    value = changed(self, node, csl_array_get(slot->array, (uint64_t) flat),
                    slot->type->element);
    if (value.type == NULL) {
        return CSL_FLOW_FAILED;
    }
    csl_array_set(self->program->values, own_array(self, slot), (uint64_t) flat, value);
    return CSL_FLOW_NEXT;
}

static CslFlow assign_field(CslEvaluator *self, const CslNode *node, CslValue *slot)
{
    const CslNode *target = node->children[0];
    const CslType *type = slot->type;
    g_autofree CslField *fields = NULL;
    uint32_t found = 0;

    if (type->kind != CSL_KIND_RECORD && type->kind != CSL_KIND_STRUCT) {
        csl_complain(self, target, "%s has no fields", type->name);
        return CSL_FLOW_FAILED;
    }
    fields = g_new0(CslField, slot->members->count + 1);
    for (uint32_t i = 0; i < slot->members->count; i++) {
        fields[i] = *csl_struct_at(slot->members, i);
        if (fields[i].name == target->name) {
            found = i + 1;
        }
    }
    if (found == 0) {
        csl_complain(self, target, "the struct has no field '%s'", target->name);
        return CSL_FLOW_FAILED;
    }
    fields[found - 1].value =
        changed(self, node, fields[found - 1].value, fields[found - 1].value.type);
    if (fields[found - 1].value.type == NULL) {
        return CSL_FLOW_FAILED;
    }
    slot->members =
        csl_struct_new(self->program->values, fields, slot->members->count, false);
    return CSL_FLOW_NEXT;
}

static CslFlow assign(CslEvaluator *self, const CslNode *node)
{
    const CslNode *target = node->children[0];
    const CslNode *root = target;
    CslValue *slot;

    if (target->kind == CSL_NAME && g_strcmp0(target->name, "_") == 0) {
        return csl_evaluate(self, node->children[1]).type == NULL ? CSL_FLOW_FAILED
                                                                  : CSL_FLOW_NEXT;
    }
    if (target->kind == CSL_INDEX || target->kind == CSL_FIELD) {
        root = target->children[0];
    }
    if (root->kind == CSL_NAME && root->binding == CSL_LOCAL_CONST) {
        csl_complain(self, target, "'%s' is const", root->name);
        return CSL_FLOW_FAILED;
    }
    if (root->kind != CSL_NAME || root->binding != CSL_LOCAL) {
        csl_complain(self, target, "at comptime only local variables are assigned to");
        return CSL_FLOW_FAILED;
    }
    slot = &self->frame->slots[root->slot];
    if (slot->type == NULL) {
        return CSL_FLOW_FAILED;
    }
    if (target->kind == CSL_INDEX) {
        return assign_element(self, node, slot);
    }
    if (target->kind == CSL_FIELD) {
        return assign_field(self, node, slot);
    }
    *slot = changed(self, node, *slot, slot->type);
    return slot->type == NULL ? CSL_FLOW_FAILED : CSL_FLOW_NEXT;
}

/* Whether a loop goes on after its body ended so; else *flow is how the loop ends. */
static bool loops_on(CslEvaluator *self, const CslNode *node, CslFlow *flow)
{
    if (*flow == CSL_FLOW_NEXT || *flow == CSL_FLOW_CONTINUE) {
        return true;
    }
    if (*flow == CSL_FLOW_BREAK && (self->label == NULL || self->label == node->name)) {
        self->label = NULL;
        *flow = CSL_FLOW_NEXT;
    }
    return false;
}

/* 1 or 0, or -1 after a report. */
static int decide(CslEvaluator *self, const CslNode *node)
{
    const CslValue value = csl_evaluate(self, node);

    if (value.type == NULL) {
        return -1;
    }
    if (value.type->kind != CSL_KIND_BOOL) {
        csl_complain(self, node, "expected a bool as condition, found %s",
                     value.type->name);
        if (csl_type_is_integer(value.type)) {
            csl_report_hint(self->program->to, "compare it: ... != 0");
        }
        return -1;
    }
    return value.integer != 0;
}

static CslFlow run_while(CslEvaluator *self, const CslNode *node)
{
    for (;;) {
        const int is_true = decide(self, node->children[0]);
        CslFlow flow;

        if (is_true <= 0) {
            return is_true < 0 ? CSL_FLOW_FAILED : CSL_FLOW_NEXT;
        }
        flow = csl_execute(self, node->children[1]);
        if (!loops_on(self, node, &flow)) {
            return flow;
        }
        if (node->children[2] != NULL &&
            csl_execute(self, node->children[2]) == CSL_FLOW_FAILED) {
            return CSL_FLOW_FAILED;
        }
    }
}

static void capture(CslEvaluator *self, const CslNode *name, CslValue value)
{
    if (name != NULL) {
        self->frame->slots[name->slot] = value;
    }
}

static CslFlow run_range(CslEvaluator *self, const CslNode *node, const CslRange *range)
{
    CslInteger index = 0;

    for (CslInteger i = range->start;
         range->step > 0 ? i < range->stop : i > range->stop; i += range->step) {
        CslFlow flow;

        capture(self, node->children[2], csl_value_integer(range->type, i));
        capture(self, node->children[3], csl_value_integer(CSL_T(U16), index));
        flow = csl_execute(self, node->children[1]);
        if (!loops_on(self, node, &flow)) {
            return flow;
        }
        index++;
    }
    return CSL_FLOW_NEXT;
}

static CslFlow run_for(CslEvaluator *self, const CslNode *node)
{
    const CslValue all = csl_evaluate(self, node->children[0]);
    const bool is_tuple = all.type != NULL && all.type->kind == CSL_KIND_STRUCT;
    uint64_t count = 0;

    if (all.type == NULL) {
        return CSL_FLOW_FAILED;
    }
    if (all.type->kind == CSL_KIND_RANGE) {
        return run_range(self, node, all.range);
    }
    if (all.type->kind != CSL_KIND_ARRAY && !is_tuple) {
        csl_complain(self, node->children[0],
                     "'for' takes @range(...) or an array, not %s", all.type->name);
        return CSL_FLOW_FAILED;
    }
    count = is_tuple ? all.members->count : all.array->count;
    for (uint64_t i = 0; i < count; i++) {
        CslFlow flow;

        capture(self, node->children[2],
                is_tuple ? csl_struct_at(all.members, sim_u32(i))->value
                         : csl_array_get(all.array, i));
        capture(self, node->children[3], csl_value_integer(CSL_T(U16), (CslInteger) i));
        flow = csl_execute(self, node->children[1]);
        if (!loops_on(self, node, &flow)) {
            return flow;
        }
    }
    return CSL_FLOW_NEXT;
}

static CslFlow run_if(CslEvaluator *self, const CslNode *node)
{
    const int is_true = decide(self, node->children[0]);
    const CslNode *branch = NULL;

    if (is_true < 0) {
        return CSL_FLOW_FAILED;
    }
    branch = is_true ? node->children[1] : csl_child(node, 2);
    if (branch == NULL) {
        self->result = csl_value_void();
        return CSL_FLOW_NEXT;
    }
    return csl_execute(self, branch);
}

/* The arm for the value, the else arm, or NULL. False after a report. */
static bool
find_arm(CslEvaluator *self, const CslNode *node, CslValue subject, const CslNode **arm)
{
    const CslNode *otherwise = NULL;

    *arm = NULL;
    for (uint32_t i = 1; i < node->count; i++) {
        const CslNode *one = node->children[i];

        if (one->count == 1) {
            otherwise = one;
        }
        for (uint32_t j = 1; j < one->count; j++) {
            const CslValue pattern =
                csl_coerce(self, one->children[j], csl_evaluate(self, one->children[j]),
                           subject.type);

            if (pattern.type == NULL) {
                return false;
            }
            if (csl_value_equal(&pattern, &subject)) {
                *arm = one;
                return true;
            }
        }
    }
    *arm = otherwise;
    return true;
}

const CslNode *csl_find_arm(CslEvaluator *self, const CslNode *node, CslValue subject)
{
    const CslNode *arm = NULL;

    if (find_arm(self, node, subject, &arm) && arm == NULL) {
        g_autofree char *text = csl_value_text(&subject);

        csl_complain(self, node, "no arm of the switch is for %s", text);
        csl_report_hint(self->program->to, "add 'else => ...'");
    }
    return arm;
}

static CslFlow run_switch(CslEvaluator *self, const CslNode *node)
{
    const CslValue subject = csl_evaluate(self, node->children[0]);
    const CslNode *arm =
        subject.type == NULL ? NULL : csl_find_arm(self, node, subject);

    return arm == NULL ? CSL_FLOW_FAILED : csl_execute(self, arm->children[0]);
}

static CslFlow run_block(CslEvaluator *self, const CslNode *node)
{
    for (uint32_t i = 0; i < node->count; i++) {
        const CslFlow flow = csl_execute(self, node->children[i]);

        if (flow == CSL_FLOW_BREAK && node->name != NULL && self->label == node->name) {
            self->label = NULL;
            return CSL_FLOW_NEXT;
        }
        if (flow != CSL_FLOW_NEXT) {
            return flow;
        }
    }
    self->result = csl_value_void();
    return CSL_FLOW_NEXT;
}

static CslFlow leave(CslEvaluator *self, const CslNode *node, CslFlow flow)
{
    const CslNode *value = csl_child(node, 0);

    self->label = flow == CSL_FLOW_BREAK ? node->name : NULL;
    self->result = value == NULL ? csl_value_void() : csl_evaluate(self, value);
    return self->result.type == NULL ? CSL_FLOW_FAILED : flow;
}

CslFlow csl_execute(CslEvaluator *self, const CslNode *node)
{
    switch (node->kind) {
    case CSL_VARIABLE:
        return declare(self, node);
    case CSL_ASSIGN:
        return assign(self, node);
    case CSL_BLOCK:
        return run_block(self, node);
    case CSL_COMPTIME_BLOCK:
        return run_block(self, node->children[0]);
    case CSL_FOR:
        return run_for(self, node);
    case CSL_WHILE:
        return run_while(self, node);
    case CSL_IF:
        return run_if(self, node);
    case CSL_SWITCH:
        return run_switch(self, node);
    case CSL_RETURN:
        return leave(self, node, CSL_FLOW_RETURN);
    case CSL_BREAK:
        return leave(self, node, CSL_FLOW_BREAK);
    case CSL_CONTINUE:
        return CSL_FLOW_CONTINUE;
    default:
        self->result = csl_evaluate(self, node);
        return self->result.type == NULL ? CSL_FLOW_FAILED : CSL_FLOW_NEXT;
    }
}
