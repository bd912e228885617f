/* Makes functions concrete, and analyses all that a class can reach. */
#include <string.h>

#include "workloads/csl/meaning/analyser.h"

/* Functions of one class, with all their variants. */
#define INSTANCES_MOST 5000

void csl_instance_free(CslInstance *self)
{
    if (self == NULL) {
        return;
    }
    g_array_free(self->locals, TRUE);
    g_free(self->arguments);
    g_free(self->types);
    g_free(self);
}

static bool is_same(const CslInstance *instance,
                    const CslGlobal *function,
                    const CslValue *arguments,
                    const CslType *const *types)
{
    if (instance->function != function) {
        return false;
    }
    for (uint32_t i = 0; i < instance->argument_count; i++) {
        if (instance->types[i] != types[i] ||
            !csl_value_equal(&instance->arguments[i], &arguments[i])) {
            return false;
        }
    }
    return true;
}

CslInstance *csl_instance_of(CslEvaluator *evaluator,
                             CslGlobal *function,
                             const CslValue *arguments,
                             const CslType *const *types)
{
    GPtrArray *instances = evaluator->pe->instances;
    const uint32_t count = function->node->count - 2;
    CslInstance *instance;

    for (guint i = 0; i < instances->len; i++) {
        if (is_same(instances->pdata[i], function, arguments, types)) {
            return instances->pdata[i];
        }
    }
    if (instances->len >= INSTANCES_MOST) {
        csl_report(evaluator->program->to, CSL_ERROR, csl_global_place(function),
                   "a PE with more than %d functions", INSTANCES_MOST);
        return NULL;
    }
    instance = g_new0(CslInstance, 1);
    instance->function = function;
    instance->argument_count = count;
    instance->arguments = g_new0(CslValue, count + 1);
    instance->types = g_new0(const CslType *, count + 1);
    instance->locals = g_array_new(FALSE, TRUE, sizeof(CslLocal));
    for (uint32_t i = 0; i < count; i++) {
        instance->arguments[i] = arguments[i];
        instance->types[i] = types[i];
    }
    g_ptr_array_add(instances, instance);
    return instance;
}

void csl_reach(CslEvaluator *evaluator, CslGlobal *function)
{
    const CslType *type =
        csl_global_type(evaluator, function, csl_global_place(function));
    g_autofree CslValue *none = NULL;

    if (type == NULL || type->kind != CSL_KIND_FUNCTION) {
        return;
    }
    none = g_new0(CslValue, type->count + 1);
    for (uint32_t i = 0; i < type->count; i++) {
        if (type->parts[i] == NULL) {
            csl_report(evaluator->program->to, CSL_ERROR, csl_global_place(function),
                       "'%s' is called from outside and needs types for its parameters",
                       csl_global_name(function));
            return;
        }
    }
    (void) csl_instance_of(evaluator, function, none, type->parts);
}

/* Opens the frame of an instance, with its arguments; false after a report. */
static bool open_instance(CslAnalyser *self, CslFrame *frame)
{
    CslEvaluator *evaluator = self->evaluator;
    const CslNode *node = self->instance->function->node;

    if (node->slot > CSL_STACK_VALUES - evaluator->stack_used) {
        return false;
    }
    frame->module = self->instance->function->module;
    frame->slots = evaluator->stack + evaluator->stack_used;
    memset(frame->slots, 0, node->slot * sizeof *frame->slots);
    evaluator->stack_used += node->slot;
    evaluator->frame = frame;
    self->slot_locals = g_new(uint32_t, node->slot + 1);
    memset(self->slot_locals, 0xff, (node->slot + 1) * sizeof *self->slot_locals);
    for (uint32_t i = 0; i < self->instance->argument_count; i++) {
        const CslNode *parameter = node->children[i + 2];

        if (self->instance->arguments[i].type != NULL) {
            frame->slots[parameter->slot] = self->instance->arguments[i];
        } else {
            csl_add_argument(self, parameter, self->instance->types[i]);
        }
    }
    return true;
}

static const CslType *type_of(CslEvaluator *evaluator, const CslNode *node)
{
    GPtrArray *outer = csl_begin_ahead(evaluator->analyser);
    const CslTyped *typed = csl_analyse(evaluator->analyser, node);

    (void) csl_end_ahead(evaluator->analyser, outer, NULL);
    return typed == NULL ? NULL : typed->type;
}

/* Whether a statement may be followed by what comes after it. Of a loop that has no
 * condition, nothing is known of what follows. */
static bool may_end(const CslTyped *typed)
{
    bool may = false;

    switch (+typed->kind) {
    case CSL_TYPED_RETURN:
    case CSL_TYPED_BREAK:
    case CSL_TYPED_CONTINUE:
        return false;
    case CSL_TYPED_BLOCK:
        return typed->name != NULL || typed->count == 0 ||
               may_end(typed->children[typed->count - 1]);
    case CSL_TYPED_WHILE:
        return typed->children[0]->kind != CSL_TYPED_CONSTANT;
    case CSL_TYPED_IF:
        may = typed->count == 2;
        for (uint32_t i = 1; i < typed->count; i++) {
            may |= may_end(typed->children[i]);
        }
        return may;
    case CSL_TYPED_SWITCH:
        for (uint32_t i = 1; i < typed->count; i++) {
            may |= may_end(typed->children[i]->children[0]);
        }
        return may;
    default:
        return true;
    }
}

/* A function with a result returns one on every way. */
static void check_result(CslEvaluator *evaluator, const CslInstance *instance)
{
    if (instance->body != NULL && instance->result != CSL_T(VOID) &&
        may_end(instance->body)) {
        csl_report(evaluator->program->to, CSL_ERROR,
                   csl_global_place(instance->function),
                   "'%s' may end without a value of type %s",
                   csl_global_name(instance->function), instance->result->name);
    }
}

static void analyse_instance(CslEvaluator *evaluator, CslInstance *instance)
{
    const CslNode *node = instance->function->node;
    CslAnalyser analyser = {.evaluator = evaluator, .instance = instance};
    CslFrame *outer = evaluator->frame;
    CslFrame frame;

    instance->is_analysed = true;
    if (csl_global_type(evaluator, instance->function,
                        csl_global_place(instance->function)) == NULL ||
        !open_instance(&analyser, &frame)) {
        return;
    }
    evaluator->analyser = &analyser;
    evaluator->type_of = type_of;
    instance->result = csl_evaluate_type(evaluator, node->children[0]);
    if (instance->result != NULL && node->children[1] != NULL) {
        instance->body = csl_analyse_statement(&analyser, node->children[1]);
        check_result(evaluator, instance);
    }
    evaluator->type_of = NULL;
    evaluator->analyser = NULL;
    g_free(analyser.slot_locals);
    g_free(analyser.slot_structs);
    g_free(analyser.slot_depths);
    evaluator->frame = outer;
    evaluator->stack_used -= node->slot;
}

/* Whether an argument goes to the function at comptime. */
static bool is_passed_at_comptime(const CslNode *parameter, const CslTyped *argument)
{
    return argument->kind == CSL_TYPED_CONSTANT &&
           ((parameter->flags & CSL_IS_COMPTIME) != 0 ||
            csl_type_is_comptime_only(argument->type) ||
            argument->type->kind == CSL_KIND_DIRECTION ||
            argument->type->kind == CSL_KIND_DSR ||
            argument->type->kind == CSL_KIND_FIFO ||
            argument->type->kind == CSL_KIND_VOID);
}

/* The type of a parameter; NULL for anytype, or after a report. Types may depend on the
 * arguments before. */
static const CslType *parameter_type(CslAnalyser *self,
                                     CslGlobal *function,
                                     uint32_t i,
                                     const CslValue *known,
                                     const CslType *const *types)
{
    const CslNode *node = csl_child(function->node->children[i + 2], 0);
    CslInstance draft = {.function = function,
                         .argument_count = i,
                         .arguments = (CslValue *) known,
                         .types = (const CslType **) types,
                         .locals = NULL};
    CslAnalyser inner = {.evaluator = self->evaluator, .instance = &draft};
    CslEvaluator *evaluator = self->evaluator;
    CslAnalyser *outer_analyser = evaluator->analyser;
    CslFrame *outer = evaluator->frame;
    const CslType *type = function->type->parts[i];
    CslFrame frame;

    if (type != NULL || node == NULL) {
        return type;
    }
    draft.locals = g_array_new(FALSE, TRUE, sizeof(CslLocal));
    if (open_instance(&inner, &frame)) {
        evaluator->analyser = &inner;
        type = csl_evaluate_type(evaluator, node);
        evaluator->analyser = outer_analyser;
        evaluator->frame = outer;
        evaluator->stack_used -= function->node->slot;
        g_free(inner.slot_locals);
    }
    g_array_free(draft.locals, TRUE);
    return type;
}

/* The type of the result of an instance, which may depend on arguments. */
static const CslType *result_of(CslAnalyser *self, CslInstance *instance)
{
    CslEvaluator *evaluator = self->evaluator;
    CslAnalyser inner = {.evaluator = evaluator, .instance = instance};
    CslAnalyser *outer_analyser = evaluator->analyser;
    CslFrame *outer = evaluator->frame;
    CslFrame frame;

    if (!instance->function->type->is_generic) {
        return instance->function->type->element;
    }
    if (instance->is_resolving) {
        csl_report(evaluator->program->to, CSL_ERROR,
                   csl_global_place(instance->function),
                   "the type of the result of '%s' needs itself",
                   csl_global_name(instance->function));
        return NULL;
    }
    if (instance->result == NULL && open_instance(&inner, &frame)) {
        instance->is_resolving = true;
        evaluator->analyser = &inner;
        instance->result =
            csl_evaluate_type(evaluator, instance->function->node->children[0]);
        evaluator->analyser = outer_analyser;
        evaluator->frame = outer;
        evaluator->stack_used -= instance->function->node->slot;
        g_free(inner.slot_locals);
        g_array_set_size(instance->locals, 0);
        instance->is_resolving = false;
    }
    return instance->result;
}

static CslTyped *
call_function(CslAnalyser *self, const CslNode *node, CslGlobal *function)
{
    const uint32_t count = node->count - 1;
    g_autofree CslValue *known = g_new0(CslValue, count + 1);
    g_autofree const CslType **types = g_new0(const CslType *, count + 1);
    g_autoptr(GPtrArray) passed = g_ptr_array_new();
    CslInstance *instance;
    CslTyped *typed;

    if (function->node->count != count + 2) {
        csl_complain(self->evaluator, node, "'%s' takes %u %s, found %u",
                     csl_global_name(function), function->node->count - 2,
                     function->node->count == 3 ? "argument" : "arguments", count);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        CslTyped *argument = csl_analyse(self, node->children[i + 1]);
        const CslType *type =
            argument == NULL ? NULL : parameter_type(self, function, i, known, types);

        argument = csl_typed_coerce(self, argument, type);
        if (argument == NULL) {
            return NULL;
        }
        types[i] = csl_is_tuple(argument) ? csl_tuple_pass(self, argument, passed)
                                          : argument->type;
        if (types[i] == NULL) {
            return NULL;
        }
        if (csl_is_tuple(argument)) {
            continue;
        }
        if (is_passed_at_comptime(function->node->children[i + 2], argument)) {
            known[i] = argument->value;
        } else {
            g_ptr_array_add(passed, argument);
        }
    }
    instance = csl_instance_of(self->evaluator, function, known, types);
    if (instance == NULL) {
        return NULL;
    }
    typed = csl_typed_new(self, CSL_TYPED_CALL, node, result_of(self, instance),
                          passed->len);
    typed->instance = instance;
    for (guint i = 0; i < passed->len; i++) {
        typed->children[i] = passed->pdata[i];
    }
    return typed->type == NULL ? NULL : typed;
}

static CslTyped *call_pointer(CslAnalyser *self, const CslNode *node, CslTyped *callee)
{
    const CslType *type = callee->type->element;
    CslTyped *typed;

    if (type->count != node->count - 1) {
        csl_complain(self->evaluator, node, "expected %u arguments for %s, found %u",
                     type->count, type->name, node->count - 1);
        return NULL;
    }
    typed =
        csl_typed_new(self, CSL_TYPED_CALL_POINTER, node, type->element, node->count);
    typed->children[0] = callee;
    for (uint32_t i = 1; i < node->count; i++) {
        typed->children[i] =
            csl_analyse_as(self, node->children[i], type->parts[i - 1]);
        if (typed->children[i] == NULL) {
            return NULL;
        }
    }
    return typed;
}

/* The function that a callee is: f, f.*, or a pointer to it. NULL if PEs choose it. */
static CslGlobal *known_function(const CslTyped *callee)
{
    if (callee->kind != CSL_TYPED_CONSTANT) {
        return NULL;
    }
    if (callee->type->kind == CSL_KIND_FUNCTION) {
        return callee->value.function;
    }
    return callee->type->kind == CSL_KIND_POINTER &&
                   callee->type->element->kind == CSL_KIND_FUNCTION
               ? callee->value.pointer->global
               : NULL;
}

CslTyped *csl_analyse_call(CslAnalyser *self, const CslNode *node)
{
    const CslNode *of = node->children[0];
    CslTyped *callee =
        csl_analyse(self, of->kind == CSL_DEREFERENCE ? of->children[0] : of);
    CslGlobal *function = callee == NULL ? NULL : known_function(callee);

    if (callee == NULL) {
        return NULL;
    }
    if (function != NULL && csl_global_type(self->evaluator, function,
                                            csl_global_place(function)) == NULL) {
        return NULL;
    }
    if (function != NULL) {
        if (function->type->is_task) {
            csl_complain(self->evaluator, node, "'%s' is a task",
                         csl_global_name(function));
            csl_report_hint(self->evaluator->program->to,
                            "tasks are activated, functions called");
            return NULL;
        }
        return call_function(self, node, function);
    }
    if (callee->type->kind == CSL_KIND_POINTER &&
        callee->type->element->kind == CSL_KIND_FUNCTION) {
        return call_pointer(self, node, callee);
    }
    csl_complain(self->evaluator, node, "expected a function to call, found %s",
                 callee->type->name);
    return NULL;
}

void csl_analyse_class(CslEvaluator *evaluator, CslPeClass *pe)
{
    for (guint i = 0; i < pe->tasks->len; i++) {
        csl_reach(evaluator, g_array_index(pe->tasks, CslTaskBinding, i).task);
    }
    for (guint i = 0; i < pe->teardowns->len; i++) {
        csl_reach(evaluator, g_array_index(pe->teardowns, CslTeardown, i).handler);
    }
    for (guint i = 0; i < pe->exports->len; i++) {
        CslGlobal *global = g_array_index(pe->exports, CslExport, i).global;

        if (global->node->kind == CSL_FUNCTION) {
            csl_reach(evaluator, global);
        }
    }
    for (guint i = 0; i < pe->instances->len; i++) {
        CslInstance *instance = pe->instances->pdata[i];

        if (!instance->is_analysed &&
            !csl_diagnostics_is_full(evaluator->program->to)) {
            analyse_instance(evaluator, instance);
        }
    }
}
