/* Analyses loops; inline ones become a block for each turn. */
#include "sim/narrow.h"
#include "workloads/csl/meaning/analyser.h"

/* Turns of an inline loop. */
#define TURNS_MOST 10000

static CslValue *slot_of(const CslAnalyser *self, const CslNode *node)
{
    return &self->evaluator->frame->slots[node->slot];
}

/* A label that no program has. */
static const char *new_label(CslAnalyser *self)
{
    g_autofree char *text = g_strdup_printf("%u", self->label_count++);

    return csl_name(self->evaluator->program, text);
}

/* Whether no turn follows this one. */
static bool ends_loop(const CslTyped *body, const CslInlineLoop *loop)
{
    if (body->kind == CSL_TYPED_BLOCK && body->count > 0 &&
        (body->name == NULL || body->name == loop->continue_label)) {
        return ends_loop(body->children[body->count - 1], loop);
    }
    return body->kind == CSL_TYPED_RETURN ||
           (body->kind == CSL_TYPED_BREAK && body->name != loop->continue_label);
}

/* Adds a turn; false after a report. */
static bool
add_turn(CslAnalyser *self, const CslNode *node, CslInlineLoop *loop, GPtrArray *turns)
{
    CslTyped *body;

    if (turns->len >= TURNS_MOST) {
        csl_complain(self->evaluator, node, "an inline loop of more than %d turns",
                     TURNS_MOST);
        return false;
    }
    loop->outer = self->loop;
    loop->continue_label = new_label(self);
    self->loop = loop;
    body = csl_analyse_statement(self, node->children[1]);
    self->loop = loop->outer;
    if (body == NULL) {
        return false;
    }
    if (body->kind != CSL_TYPED_BLOCK || body->name != NULL) {
        g_autoptr(GPtrArray) one = g_ptr_array_new();

        g_ptr_array_add(one, body);
        body = csl_typed_block(self, node, NULL, one);
    }
    body->name = loop->continue_label;
    loop->has_ended = ends_loop(body, loop);
    g_ptr_array_add(turns, body);
    return true;
}

/* inline while: the condition is comptime's, and so is what changes it. */
static CslTyped *unroll_while(CslAnalyser *self, const CslNode *node)
{
    g_autoptr(GPtrArray) turns = g_ptr_array_new();
    CslInlineLoop loop = {.break_label =
                              node->name != NULL ? node->name : new_label(self)};

    while (!loop.has_ended) {
        const CslValue more = csl_evaluate(self->evaluator, node->children[0]);

        if (more.type == NULL) {
            return NULL;
        }
        if (more.type->kind != CSL_KIND_BOOL) {
            csl_complain(self->evaluator, node->children[0],
                         "expected a bool as condition, found %s", more.type->name);
            return NULL;
        }
        if (more.integer == 0) {
            break;
        }
        if (!add_turn(self, node, &loop, turns)) {
            return NULL;
        }
        if (node->children[2] != NULL && !loop.has_ended) {
            CslTyped *step = csl_analyse_statement(self, node->children[2]);

            if (step == NULL) {
                return NULL;
            }
            g_ptr_array_add(turns, step);
        }
    }
    return csl_typed_block(self, node, loop.break_label, turns);
}

/* The loop's body, in which break and continue mean this loop. */
static CslTyped *analyse_body(CslAnalyser *self, const CslNode *node)
{
    CslInlineLoop *outer = self->loop;
    CslTyped *body;

    self->loop = NULL;
    body = csl_analyse_branch(self, node);
    self->loop = outer;
    return body;
}

/* A condition that needs statements before it is asked for in the body. */
static CslTyped *
ask_in_body(CslAnalyser *self, CslTyped *typed, CslTyped *condition, GPtrArray *before)
{
    const CslNode *node = condition->node;
    CslTyped *leave = csl_typed_new(self, CSL_TYPED_IF, node, CSL_T(VOID), 3);
    g_autoptr(GPtrArray) none = g_ptr_array_new();

    leave->children[0] = condition;
    leave->children[1] = csl_typed_block(self, node, NULL, none);
    leave->children[2] = csl_typed_new(self, CSL_TYPED_BREAK, node, CSL_T(VOID), 0);
    g_ptr_array_add(before, leave);
    g_ptr_array_add(before, typed->children[1]);
    typed->children[0] =
        csl_typed_constant(self, node, csl_value_integer(CSL_T(BOOL), 1));
    typed->children[1] = csl_typed_block(self, node, NULL, before);
    return typed;
}

CslTyped *csl_analyse_while(CslAnalyser *self, const CslNode *node)
{
    const bool has_step = node->children[2] != NULL;
    g_autoptr(GPtrArray) before = g_ptr_array_new();
    GPtrArray *outer;
    CslTyped *condition;
    CslTyped *typed;

    if ((node->flags & CSL_IS_INLINE) != 0) {
        return unroll_while(self, node);
    }
    typed = csl_typed_new(self, CSL_TYPED_WHILE, node, CSL_T(VOID), has_step ? 3 : 2);
    typed->name = node->name;
    outer = csl_begin_ahead(self);
    condition = csl_analyse_as(self, node->children[0], CSL_T(BOOL));
    csl_take_ahead(self, before);
    (void) csl_end_ahead(self, outer, NULL);
    typed->children[0] = condition;
    typed->children[1] = analyse_body(self, node->children[1]);
    if (has_step) {
        typed->children[2] = csl_analyse_branch(self, node->children[2]);
    }
    if (condition == NULL || typed->children[1] == NULL ||
        (has_step && typed->children[2] == NULL)) {
        return NULL;
    }
    return before->len == 0 ? typed : ask_in_body(self, typed, condition, before);
}

/* Turns of an inline for; -1 after a report. */
static CslInteger
count_turns(CslAnalyser *self, const CslNode *node, const CslValue *all)
{
    const CslRange *range = all->range;

    switch (+all->type->kind) {
    case CSL_KIND_RANGE:
        return (range->stop - range->start + range->step - (range->step > 0 ? 1 : -1)) /
               range->step;
    case CSL_KIND_ARRAY:
        return (CslInteger) all->array->count;
    case CSL_KIND_STRUCT:
        return all->members->count;
    default:
        csl_complain(self->evaluator, node,
                     "'for' takes @range(...) or an array, not %s", all->type->name);
        return -1;
    }
}

static CslValue turn_value(const CslValue *all, CslInteger i)
{
    if (all->type->kind == CSL_KIND_RANGE) {
        return csl_value_integer(all->range->type,
                                 all->range->start + i * all->range->step);
    }
    return all->type->kind == CSL_KIND_ARRAY
               ? csl_array_get(all->array, (uint64_t) i)
               : csl_struct_at(all->members, sim_u32((int64_t) i))->value;
}

/* inline for over a range, an array or a tuple that comptime knows. */
static CslTyped *unroll_for(CslAnalyser *self, const CslNode *node)
{
    const CslValue all = csl_evaluate(self->evaluator, node->children[0]);
    g_autoptr(GPtrArray) turns = g_ptr_array_new();
    CslInlineLoop loop = {.break_label =
                              node->name != NULL ? node->name : new_label(self)};
    CslInteger count;

    if (all.type == NULL) {
        return NULL;
    }
    count = count_turns(self, node->children[0], &all);
    for (CslInteger i = 0; i < count && !loop.has_ended; i++) {
        *slot_of(self, node->children[2]) = turn_value(&all, i);
        if (node->children[3] != NULL) {
            *slot_of(self, node->children[3]) = csl_value_integer(CSL_T(U16), i);
        }
        if (!add_turn(self, node, &loop, turns)) {
            return NULL;
        }
    }
    return count < 0 ? NULL : csl_typed_block(self, node, loop.break_label, turns);
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

CslTyped *csl_analyse_for(CslAnalyser *self, const CslNode *node)
{
    const CslType *type;
    CslTyped *typed;
    CslTyped *all;

    if ((node->flags & CSL_IS_INLINE) != 0 && csl_is_known(self, node->children[0])) {
        return unroll_for(self, node);
    }
    all = csl_analyse_place(self, node->children[0]);
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
    typed->children[1] = analyse_body(self, node->children[1]);
    return typed->children[1] == NULL ? NULL : typed;
}
