/* Calls functions at comptime, and runs the blocks of files. */
#include <string.h>

#include "workloads/csl/meaning/evaluator.h"

/* A frame with that many empty slots; false if there is no room. */
static bool
open_frame(CslEvaluator *self, CslModule *module, uint32_t slots, CslFrame *frame)
{
    if (slots > CSL_STACK_VALUES - self->stack_used) {
        return false;
    }
    frame->module = module;
    frame->slots = self->stack + self->stack_used;
    memset(frame->slots, 0, slots * sizeof *frame->slots);
    self->stack_used += slots;
    return true;
}

bool csl_run_block(CslEvaluator *self, CslModule *module, const CslNode *node)
{
    CslFrame *outer = self->frame;
    CslFrame frame;
    CslFlow flow;

    if (!open_frame(self, module, node->slot, &frame)) {
        csl_report(self->program->to, CSL_ERROR,
                   (CslPlace){module->file->source, node->offset},
                   "too many local variables");
        return false;
    }
    self->frame = &frame;
    flow = csl_execute(self, node->children[0]);
    if (flow != CSL_FLOW_NEXT && flow != CSL_FLOW_FAILED) {
        csl_complain(self, node, "the block is left by return, break or continue");
    }
    self->frame = outer;
    self->stack_used -= node->slot;
    return flow == CSL_FLOW_NEXT;
}

/* Puts arguments into the slots of parameters, as values of their types. The frame is
 * the function's; errors are the caller's. */
static bool pass(CslEvaluator *self,
                 const CslNode *call,
                 const CslGlobal *function,
                 CslFrame *caller,
                 const CslValue *arguments)
{
    const CslNode *node = function->node;
    CslFrame *callee = self->frame;

    for (uint32_t i = 0; i + 2 < node->count; i++) {
        const CslNode *parameter = node->children[i + 2];
        const CslNode *type_node = csl_child(parameter, 0);
        const CslType *type = function->type->parts[i];
        CslValue value = arguments[i];

        if (type == NULL && type_node != NULL) {
            type = csl_evaluate_type(self, type_node);
            if (type == NULL) {
                return false;
            }
        }
        if (type != NULL && value.type != type) {
            self->frame = caller;
            value = csl_coerce(
                self, csl_child(call, i + 1) != NULL ? call->children[i + 1] : call,
                value, type);
            self->frame = callee;
        }
        if (value.type == NULL) {
            return false;
        }
        callee->slots[parameter->slot] = value;
    }
    return true;
}

/* The result of a body that has run. */
static CslValue finish(CslEvaluator *self, const CslGlobal *function, CslFlow flow)
{
    const CslNode *node = function->node;
    const CslType *type = function->type->element;
    const CslValue result = self->result; /* a type may be a call, too */

    if (flow == CSL_FLOW_FAILED) {
        return csl_no_value();
    }
    if (function->type->is_generic) {
        type = csl_evaluate_type(self, node->children[0]);
    }
    if (flow == CSL_FLOW_NEXT) {
        if (type != CSL_T(VOID)) {
            csl_complain(self, node, "'%s' ends without a value of type %s", node->name,
                         type == NULL ? "?" : type->name);
            return csl_no_value();
        }
        return csl_value_void();
    }
    return result.type == type ? result
                               : csl_coerce(self, node->children[0], result, type);
}

CslValue csl_call_function(CslEvaluator *self,
                           const CslNode *node,
                           CslGlobal *function,
                           CslValue *arguments,
                           uint32_t count)
{
    const CslNode *declared = function->node;
    CslFrame *caller = self->frame;
    CslValue value = {0};
    CslFrame frame;

    if (declared->token == CSL_TOKEN_TASK || declared->children[1] == NULL) {
        csl_complain(self, node,
                     declared->token == CSL_TOKEN_TASK ? "'%s' is a task"
                                                       : "'%s' has no body here",
                     declared->name);
        csl_report_hint(self->program->to, "tasks are activated, functions called");
        return value;
    }
    if (count + 2 != declared->count) {
        csl_complain(self, node, "'%s' takes %u %s, found %u", declared->name,
                     declared->count - 2,
                     declared->count == 3 ? "argument" : "arguments", count);
        return value;
    }
    if (!open_frame(self, function->module, declared->slot, &frame)) {
        csl_complain(self, node, "comptime calls nest too deep");
        return value;
    }
    self->frame = &frame;
    self->depth += CSL_CALL_DEPTH;
    if (pass(self, node, function, caller, arguments)) {
        value = finish(self, function, csl_execute(self, declared->children[1]));
    }
    self->depth -= CSL_CALL_DEPTH;
    self->frame = caller;
    self->stack_used -= declared->slot;
    return value;
}

CslValue csl_call(CslEvaluator *self, const CslNode *node)
{
    const uint32_t count = node->count - 1;
    CslValue callee = csl_evaluate(self, node->children[0]);
    CslValue few[8];
    g_autofree CslValue *many =
        count > G_N_ELEMENTS(few) ? g_new0(CslValue, count) : NULL;
    CslValue *arguments = many != NULL ? many : few;

    if (callee.type == NULL) {
        return callee;
    }
    if (callee.type->kind == CSL_KIND_POINTER && callee.pointer->global != NULL &&
        callee.type->element->kind == CSL_KIND_FUNCTION) {
        callee = csl_global_value(self, callee.pointer->global, csl_here(self, node));
    }
    if (callee.type == NULL || callee.type->kind != CSL_KIND_FUNCTION) {
        csl_complain(self, node, "expected a function to call, found %s",
                     callee.type == NULL ? "nothing" : callee.type->name);
        return csl_no_value();
    }
    for (uint32_t i = 0; i < count; i++) {
        arguments[i] = csl_evaluate(self, node->children[i + 1]);
        if (arguments[i].type == NULL) {
            return csl_no_value();
        }
    }
    return csl_call_function(self, node, callee.function, arguments, count);
}
