/* Decides which expressions of functions are known at comptime. */
#include "workloads/csl/meaning/analyser.h"
#include "workloads/csl/meaning/builtin.h"

static CslFrame *frame_of(const CslAnalyser *self)
{
    return self->evaluator->frame;
}

/* The global that `module.name` means, or NULL. */
static CslGlobal *find_member(CslAnalyser *self, const CslNode *node)
{
    const CslValue whole = csl_evaluate(self->evaluator, node->children[0]);

    return whole.type == CSL_T(MODULE) ? csl_module_find(whole.module, node->name)
                                       : NULL;
}

CslGlobal *csl_member_of(CslAnalyser *self, const CslNode *node)
{
    return csl_is_known(self, node->children[0]) ? find_member(self, node) : NULL;
}

static bool is_variable(const CslGlobal *global)
{
    return global->node->kind == CSL_VARIABLE && global->node->token == CSL_TOKEN_VAR;
}

static bool are_known(CslAnalyser *self, const CslNode *node, uint32_t from)
{
    for (uint32_t i = from; i < node->count; i++) {
        if (node->children[i] != NULL && !csl_is_known(self, node->children[i])) {
            return false;
        }
    }
    return true;
}

/* A global array, or a known pointer. Through a variable that is a pointer, the address
 * is the PE's. */
static bool is_array(CslAnalyser *self, const CslNode *node)
{
    CslGlobal *global = NULL;
    const CslType *type;

    if (node->kind == CSL_NAME && node->binding == CSL_GLOBAL) {
        global = csl_module_at(frame_of(self)->module, node->slot);
    } else if (node->kind == CSL_FIELD) {
        global = csl_member_of(self, node);
    }
    if (global == NULL) {
        return false;
    }
    type = csl_global_type(self->evaluator, global, csl_global_place(global));
    return type != NULL && !(is_variable(global) && type->kind == CSL_KIND_POINTER);
}

static bool is_address_known(CslAnalyser *self, const CslNode *node)
{
    if (node->kind == CSL_NAME) {
        return node->binding == CSL_GLOBAL ||
               (node->binding != CSL_UNBOUND && csl_is_known(self, node));
    }
    if (node->kind == CSL_FIELD) {
        return csl_member_of(self, node) != NULL;
    }
    if (node->kind == CSL_UNARY && node->token == CSL_TOKEN_AMPERSAND) {
        return is_address_known(self, node->children[0]);
    }
    if (node->kind == CSL_INDEX) {
        return are_known(self, node, 1) && is_array(self, node->children[0]);
    }
    return node->kind == CSL_DEREFERENCE && csl_is_known(self, node->children[0]);
}

static bool is_comptime_function(CslAnalyser *self, CslGlobal *function);

/* The global that a name, or a member of an imported module, means in a function of
 * `module`; or NULL. */
static CslGlobal *global_in(CslAnalyser *self, CslModule *module, const CslNode *node)
{
    CslGlobal *whole;
    CslValue value;

    if (node->kind == CSL_NAME) {
        return node->binding == CSL_GLOBAL ? csl_module_at(module, node->slot) : NULL;
    }
    whole = node->kind == CSL_FIELD ? global_in(self, module, node->children[0]) : NULL;
    if (whole == NULL || is_variable(whole)) {
        return NULL;
    }
    value = csl_global_value(self->evaluator, whole, csl_global_place(whole));
    return value.type == CSL_T(MODULE) ? csl_module_find(value.module, node->name)
                                       : NULL;
}

/* Whether comptime can run a part of a function: it touches nothing of the PE. */
static bool is_comptime_body(CslAnalyser *self, CslModule *module, const CslNode *node)
{
    CslGlobal *global = global_in(self, module, node);
    const CslBuiltin *builtin = node->kind == CSL_BUILTIN ? csl_builtin_of(node) : NULL;

    if ((global != NULL && is_variable(global)) || node->kind == CSL_DEREFERENCE ||
        (builtin != NULL && (builtin->where != CSL_ANYWHERE || builtin->run == NULL))) {
        return false;
    }
    if (node->kind == CSL_CALL) {
        global = global_in(self, module, node->children[0]);
        if (global == NULL || global->node->kind != CSL_FUNCTION ||
            !is_comptime_function(self, global)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < node->count; i++) {
        if (node->children[i] != NULL &&
            !is_comptime_body(self, module, node->children[i])) {
            return false;
        }
    }
    return true;
}

/* A function that exists at comptime only, or is inline and touches nothing of the PE.
 */
static bool is_comptime_function(CslAnalyser *self, CslGlobal *function)
{
    const CslNode *node = function->node;
    const CslType *type =
        csl_global_type(self->evaluator, function, csl_global_place(function));

    if (type == NULL) {
        return true; /* evaluating it says what is wrong */
    }
    if (node->children[1] == NULL) {
        return false;
    }
    if ((node->flags & CSL_IS_INLINE) != 0 ||
        type->element->kind == CSL_KIND_DIRECTION) {
        if (function->body_state == CSL_UNTOUCHED) {
            function->body_state = CSL_IN_PROGRESS;
            function->body_state =
                type->element->kind != CSL_KIND_VOID &&
                        is_comptime_body(self, function->module, node->children[1])
                    ? CSL_KNOWN
                    : CSL_FAILED;
        }
        return function->body_state != CSL_FAILED; /* it may call itself */
    }
    return !type->is_generic && (csl_type_is_comptime_only(type->element) ||
                                 type->element->kind == CSL_KIND_ARRAY);
}

static bool is_call_known(CslAnalyser *self, const CslNode *node)
{
    CslValue callee;

    if (!are_known(self, node, 0)) {
        return false;
    }
    callee = csl_evaluate(self->evaluator, node->children[0]);
    return callee.type == NULL || callee.type->kind != CSL_KIND_FUNCTION ||
           is_comptime_function(self, callee.function);
}

static bool is_builtin_known(CslAnalyser *self, const CslNode *node)
{
    const CslBuiltin *builtin = csl_builtin_of(node);

    if (builtin == NULL) {
        return true; /* evaluating it says that there is none */
    }
    if (builtin->run == csl_builtin_type_of ||
        builtin->run == csl_builtin_is_comptime) {
        return true;
    }
    if (builtin->run == csl_builtin_set_dsd_base_addr) {
        return csl_is_known(self, node->children[0]) && node->count == 2 &&
               is_address_known(self, node->children[1]);
    }
    return builtin->where == CSL_ANYWHERE && builtin->run != NULL &&
           g_strcmp0(node->name, "@assert") != 0 && are_known(self, node, 0);
}

/* Whether an expression that is known is a pointer: what it points to is not. */
static bool is_pointer(CslAnalyser *self, const CslNode *node)
{
    const CslValue value = csl_evaluate(self->evaluator, node);

    return value.type != NULL && value.type->kind == CSL_KIND_POINTER;
}

bool csl_is_known(CslAnalyser *self, const CslNode *node)
{
    const CslGlobal *global;

    switch (node->kind) {
    case CSL_NAME:
        if (node->binding == CSL_GLOBAL) {
            return !is_variable(csl_module_at(frame_of(self)->module, node->slot));
        }
        return node->binding == CSL_UNBOUND ||
               frame_of(self)->slots[node->slot].type != NULL;
    case CSL_FIELD:
        if (!csl_is_known(self, node->children[0])) {
            return false;
        }
        global = find_member(self, node);
        return global == NULL || !is_variable(global);
    case CSL_UNARY:
        return node->token == CSL_TOKEN_AMPERSAND
                   ? is_address_known(self, node->children[0])
                   : csl_is_known(self, node->children[0]);
    case CSL_DEREFERENCE:
        return false;
    case CSL_INDEX:
        return are_known(self, node, 0) && !is_pointer(self, node->children[0]);
    case CSL_CALL:
        return is_call_known(self, node);
    case CSL_BUILTIN:
        return is_builtin_known(self, node);
    case CSL_COMPTIME:
    case CSL_ACCESS:
    case CSL_ENUM:
    case CSL_STRUCT:
        return true;
    case CSL_IF:
    case CSL_SWITCH:
    case CSL_BLOCK:
        return node->kind == CSL_BLOCK && node->count == 0;
    default:
        return are_known(self, node, 0);
    }
}
