/* Evaluates expressions at comptime. */
#include <stdarg.h>
#include <string.h>

#include "arch/chipfile/spelling.h"
#include "sim/narrow.h"
#include "workloads/csl/meaning/evaluator.h"
#include "workloads/csl/meaning/memo.h"

#define STEPS_USUAL          UINT64_C(1000000000)
#define STEPS_BETWEEN_CHECKS 4096
#define ARENA_MOST           ((size_t) 3 << 30)

void csl_evaluator_init(CslEvaluator *self, CslProgram *program)
{
    *self = (CslEvaluator){.program = program};
    self->stack = g_new(CslValue, CSL_STACK_VALUES);
}

void csl_evaluator_clear(CslEvaluator *self)
{
    g_clear_pointer(&self->stack, g_free);
    g_clear_pointer(&self->memos, g_ptr_array_unref);
}

CslPlace csl_here(const CslEvaluator *self, const CslNode *node)
{
    return (CslPlace){self->frame->module->file->source, node->offset};
}

void csl_complain(CslEvaluator *self, const CslNode *node, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    csl_report(self->program->to, CSL_ERROR, csl_here(self, node), "%s", text);
}

static void complain_unknown(CslEvaluator *self, const CslNode *node)
{
    const CslTree *tree = self->frame->module->file->tree;
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    const char *nearest;

    csl_complain(self, node, "'%s' is not declared", node->name);
    if (g_strcmp0(node->name, "undefined") == 0) {
        csl_report_hint(self->program->to,
                        "a var may have no initial value: var x: f32;");
        return;
    }
    for (uint32_t i = 0; i < tree->global_count; i++) {
        g_ptr_array_add(words, (gpointer) tree->globals[i]->name);
    }
    for (guint i = 0; i < CSL_TYPE_INDEX_RANGE; i++) {
        g_ptr_array_add(words, (gpointer) csl_named_types[i].name);
    }
    g_ptr_array_add(words, NULL);
    nearest = arch_spelling_nearest((const char *const *) words->pdata, node->name);
    if (nearest != NULL &&
        arch_spelling_distance(node->name, nearest) <= MIN(2, strlen(node->name) / 2)) {
        csl_report_hint(self->program->to, "there is '%s'", nearest);
    }
}

static CslValue evaluate_name(CslEvaluator *self, const CslNode *node)
{
    CslModule *module = self->frame->module;
    const CslValue *found;
    CslValue *slot;

    switch (node->binding) {
    case CSL_LOCAL:
    case CSL_LOCAL_CONST:
        slot = &self->frame->slots[node->slot];
        if (slot->type != NULL && slot->type->kind == CSL_KIND_ARRAY) {
            slot->array->is_shared = true;
        }
        return *slot;
    case CSL_GLOBAL:
        if (csl_module_at(module, node->slot)->node->token == CSL_TOKEN_VAR) {
            csl_complain(self, node, "the value of '%s' is not known at comptime",
                         node->name);
            csl_report_hint(self->program->to,
                            "it is a var; a const or param is known");
            return csl_no_value();
        }
        return csl_global_value(self, csl_module_at(module, node->slot),
                                csl_here(self, node));
    default:
        break;
    }
    found = g_hash_table_lookup(self->program->predeclared, node->name);
    if (found == NULL) {
        complain_unknown(self, node);
        return csl_no_value();
    }
    return *found;
}

static CslValue
evaluate_member(CslEvaluator *self, const CslNode *node, CslModule *module)
{
    CslGlobal *global = csl_module_find(module, node->name);

    if (global == NULL) {
        csl_complain(self, node, "module '%s' has no '%s'", module->file->path,
                     node->name);
        return csl_no_value();
    }
    if (global->node->kind == CSL_VARIABLE && global->node->token == CSL_TOKEN_VAR) {
        csl_complain(self, node, "the value of '%s' is not known at comptime",
                     node->name);
        csl_report_hint(self->program->to, "it is a var; a const or param is known");
        return csl_no_value();
    }
    return csl_global_value(self, global, csl_here(self, node));
}

static CslValue
evaluate_enum_member(CslEvaluator *self, const CslNode *node, const CslType *type)
{
    for (uint32_t i = 0; i < type->count; i++) {
        if (type->names[i] == node->name) {
            return csl_value_integer(type, type->numbers[i]);
        }
    }
    csl_complain(self, node, "%s has no member '%s'", type->name, node->name);
    return csl_no_value();
}

static CslValue evaluate_field(CslEvaluator *self, const CslNode *node)
{
    const CslValue whole = csl_evaluate(self, node->children[0]);
    const CslValue *found = NULL;

    if (whole.type == NULL) {
        return whole;
    }
    if (whole.type->kind == CSL_KIND_MODULE) {
        return evaluate_member(self, node, whole.module);
    }
    if (whole.type->kind == CSL_KIND_TYPE && whole.meant->kind == CSL_KIND_ENUM) {
        return evaluate_enum_member(self, node, whole.meant);
    }
    if (whole.type->kind == CSL_KIND_STRUCT || whole.type->kind == CSL_KIND_RECORD) {
        found = csl_struct_find(whole.members, node->name);
        if (found != NULL) {
            return *found;
        }
        csl_complain(self, node, "the struct has no field '%s'", node->name);
        return csl_no_value();
    }
    csl_complain(self, node, "%s has no fields", whole.type->name);
    return csl_no_value();
}

static CslValue
evaluate_tuple_item(CslEvaluator *self, const CslNode *node, const CslStruct *tuple)
{
    CslInteger index = 0;

    if (node->count != 2 ||
        !csl_evaluate_integer(self, node->children[1], "an index", &index)) {
        return csl_no_value();
    }
    if (index < 0 || index >= tuple->count) {
        csl_complain(self, node, "a tuple of %u items has no such item", tuple->count);
        return csl_no_value();
    }
    return csl_struct_at(tuple, sim_u32((int64_t) index))->value;
}

static CslValue evaluate_index(CslEvaluator *self, const CslNode *node)
{
    const CslNode *of = node->children[0];
    CslInteger flat = 0;
    CslValue whole;

    /* A local is looked at where it is, so that it stays unshared. */
    if (of->kind == CSL_NAME &&
        (of->binding == CSL_LOCAL || of->binding == CSL_LOCAL_CONST)) {
        whole = self->frame->slots[of->slot];
    } else {
        whole = csl_evaluate(self, of);
    }
    if (whole.type == NULL) {
        return whole;
    }
    if (whole.type->kind == CSL_KIND_STRUCT) {
        return evaluate_tuple_item(self, node, whole.members);
    }
    if (whole.type->kind != CSL_KIND_ARRAY) {
        csl_complain(self, node, "%s cannot be indexed at comptime", whole.type->name);
        return csl_no_value();
    }
    if (!csl_flatten(self, node, whole.type, &flat)) {
        return csl_no_value();
    }
    if (flat < 0 || flat >= (CslInteger) whole.array->count) {
        csl_complain(self, node, "the index is outside of %s", whole.type->name);
        return csl_no_value();
    }
    return csl_array_get(whole.array, (uint64_t) flat);
}

static CslValue evaluate_dereference(CslEvaluator *self, const CslNode *node)
{
    CslSpot spot;
    CslValue value;

    if (!csl_locate(self, node, &spot)) {
        return csl_no_value();
    }
    if (!spot.is_const || spot.global == NULL ||
        spot.global->node->token == CSL_TOKEN_VAR) {
        csl_complain(self, node, "what the pointer points to is not known at comptime");
        return csl_no_value();
    }
    value = csl_global_value(self, spot.global, csl_here(self, node));
    if (value.type != NULL && value.type->kind == CSL_KIND_ARRAY &&
        spot.type->kind != CSL_KIND_ARRAY && spot.offset >= 0 &&
        spot.offset < (CslInteger) value.array->count) {
        return csl_array_get(value.array, (uint64_t) spot.offset);
    }
    return value;
}

/* [n]T{...}, T{...} */
static CslValue evaluate_typed(CslEvaluator *self,
                               const CslNode *node,
                               CslField *fields,
                               uint32_t count)
{
    CslProgram *program = self->program;
    const CslType *type = csl_evaluate_type(self, node->children[0]);
    CslValue value = {.type = type};

    if (type == NULL) {
        return value;
    }
    if (type->kind == CSL_KIND_RECORD) {
        value = (CslValue){.type = CSL_T(COMPTIME_STRUCT),
                           .members =
                               csl_struct_new(program->values, fields, count, false)};
        return csl_coerce(self, node, value, type);
    }
    if (type->kind != CSL_KIND_ARRAY || (node->flags & CSL_IS_NAMED) != 0) {
        csl_complain(self, node, "%s is no array or struct type", type->name);
        return csl_no_value();
    }
    if (csl_type_element_count(type) != count) {
        csl_complain(self, node,
                     "expected %" G_GUINT64_FORMAT " elements for %s, found %u",
                     csl_type_element_count(type), type->name, count);
        return csl_no_value();
    }
    value.array =
        csl_array_new(program->values, count, csl_zero(program, type->element));
    for (uint32_t i = 0; i < count; i++) {
        const CslValue item =
            csl_coerce(self, node->children[i + 1], fields[i].value, type->element);

        if (item.type == NULL) {
            return csl_no_value();
        }
        csl_array_set(program->values, value.array, i, item);
    }
    return value;
}

static CslValue evaluate_aggregate(CslEvaluator *self, const CslNode *node)
{
    const uint32_t count = node->count - 1;
    CslField few[16];
    g_autofree CslField *many =
        count > G_N_ELEMENTS(few) ? g_new0(CslField, count) : NULL;
    CslField *fields = many != NULL ? many : few;

    for (uint32_t i = 0; i < count; i++) {
        const CslNode *item = node->children[i + 1];
        const bool is_named = item->kind == CSL_ITEM;

        fields[i].name = is_named ? item->name : NULL;
        fields[i].value = csl_evaluate(self, is_named ? item->children[0] : item);
        if (fields[i].value.type == NULL) {
            return csl_no_value();
        }
        for (uint32_t j = 0; is_named && j < i; j++) {
            if (fields[j].name == item->name) {
                csl_complain(self, item, "field '%s' is given twice", item->name);
                return csl_no_value();
            }
        }
    }
    if (node->children[0] != NULL) {
        return evaluate_typed(self, node, fields, count);
    }
    return (CslValue){.type = CSL_T(COMPTIME_STRUCT),
                      .members = csl_struct_new(self->program->values, fields, count,
                                                (node->flags & CSL_IS_NAMED) == 0)};
}

static CslValue evaluate_logic(CslEvaluator *self, const CslNode *node)
{
    const bool is_and = node->token == CSL_TOKEN_AND;
    CslValue value = csl_evaluate(self, node->children[0]);

    for (uint32_t i = 0; i < 2; i++) {
        if (value.type != NULL && value.type->kind != CSL_KIND_BOOL) {
            csl_complain(self, node, "'%s' takes bools, not %s",
                         csl_token_spelling(node->token), value.type->name);
            return csl_no_value();
        }
        if (i == 1 || value.type == NULL || (value.integer != 0) != is_and) {
            break; /* decided: the right side is not looked at */
        }
        value = csl_evaluate(self, node->children[1]);
    }
    return value;
}

static CslValue evaluate_binary(CslEvaluator *self, const CslNode *node)
{
    CslValue a;
    CslValue b;

    if (node->token == CSL_TOKEN_AND || node->token == CSL_TOKEN_OR) {
        return evaluate_logic(self, node);
    }
    a = csl_evaluate(self, node->children[0]);
    b = csl_evaluate(self, node->children[1]);
    return csl_operate(self, node, node->token, a, b);
}

/* if, switch and blocks as values: what break gives, or void. */
static CslValue evaluate_statement(CslEvaluator *self, const CslNode *node)
{
    const CslFlow flow = csl_execute(self, node);

    if (flow == CSL_FLOW_NEXT) {
        return self->result;
    }
    if (flow != CSL_FLOW_FAILED) {
        csl_complain(self, node, "the expression is left before it has a value");
    }
    return csl_no_value();
}

static CslValue evaluate_entered(CslEvaluator *self, const CslNode *node)
{
    switch ((CslNodeKind) node->kind) {
    case CSL_INTEGER:
        return csl_value_integer(CSL_T(COMPTIME_INT), *node->integer);
    case CSL_REAL:
        return csl_value_real(CSL_T(COMPTIME_FLOAT), node->real);
    case CSL_STRING:
        return (CslValue){.type = CSL_T(COMPTIME_STRING), .text = node->text};
    case CSL_BOOL:
        return csl_value_integer(CSL_T(BOOL), node->token == CSL_TOKEN_TRUE);
    case CSL_NAME:
        return evaluate_name(self, node);
    case CSL_BINARY:
        return evaluate_binary(self, node);
    case CSL_UNARY:
        return csl_operate_unary(self, node);
    case CSL_FIELD:
        return evaluate_field(self, node);
    case CSL_DEREFERENCE:
        return evaluate_dereference(self, node);
    case CSL_INDEX:
        return evaluate_index(self, node);
    case CSL_CALL:
        return node->slot != 0 && self->is_layout ? csl_recall(self, node, csl_call)
                                                  : csl_call(self, node);
    case CSL_BUILTIN:
        return csl_evaluate_builtin(self, node);
    case CSL_AGGREGATE:
        return node->slot != 0 && self->is_layout
                   ? csl_recall(self, node, evaluate_aggregate)
                   : evaluate_aggregate(self, node);
    case CSL_COMPTIME:
        return csl_evaluate(self, node->children[0]);
    case CSL_ACCESS:
        return csl_evaluate_access(self, node);
    case CSL_IF:
    case CSL_SWITCH:
    case CSL_BLOCK:
        return evaluate_statement(self, node);
    case CSL_ARRAY_TYPE:
    case CSL_POINTER_TYPE:
    case CSL_FUNCTION_TYPE:
    case CSL_ENUM:
    case CSL_STRUCT:
        return csl_evaluate_type_node(self, node);
    case CSL_FILE:
    case CSL_VARIABLE:
    case CSL_FUNCTION:
    case CSL_PARAMETER:
    case CSL_COMPTIME_BLOCK:
    case CSL_LAYOUT:
    case CSL_FOR:
    case CSL_WHILE:
    case CSL_ARM:
    case CSL_RETURN:
    case CSL_BREAK:
    case CSL_CONTINUE:
    case CSL_ASSIGN:
    case CSL_ITEM:
    case CSL_LIST:
    case CSL_ENUM_MEMBER:
    case CSL_STRUCT_MEMBER:
    case CSL_NODE_COUNT:
        break;
    }
    csl_complain(self, node, "expected an expression");
    return csl_no_value();
}

/* False, with a report, if evaluation takes too long, too much, or too deep. Sets when
 * to ask again. */
static bool may_go_on(CslEvaluator *self, const CslNode *node)
{
    const uint64_t given = self->program->options.step_limit;
    const uint64_t limit = given == 0 ? STEPS_USUAL : given;

    if (self->depth > CSL_DEPTH_MOST) {
        csl_complain(self, node, "comptime calls nest too deep");
        csl_report_hint(self->program->to, "does a function call itself for ever?");
        return false;
    }
    if (self->step_count >= limit) {
        csl_complain(self, node, "comptime takes more than %" G_GUINT64_FORMAT " steps",
                     limit);
        csl_report_hint(self->program->to, "does a loop end?");
        return false;
    }
    if (csl_arena_bytes(self->program->arena) > ARENA_MOST) {
        csl_complain(self, node, "comptime values take more than 3 GiB");
        return false;
    }
    self->step_check = MIN(limit, self->step_count + STEPS_BETWEEN_CHECKS);
    return true;
}

CslValue csl_evaluate(CslEvaluator *self, const CslNode *node)
{
    CslValue value = {0};

    if (G_UNLIKELY(self->step_count >= self->step_check ||
                   self->depth > CSL_DEPTH_MOST) &&
        !may_go_on(self, node)) {
        return value;
    }
    self->step_count++;
    self->depth++;
    value = evaluate_entered(self, node);
    self->depth--;
    return value;
}

bool csl_evaluate_integer(CslEvaluator *self,
                          const CslNode *node,
                          const char *what,
                          CslInteger *to)
{
    const CslValue value = csl_evaluate(self, node);

    if (value.type == NULL) {
        return false;
    }
    if (!csl_type_is_integer(value.type)) {
        csl_complain(self, node, "expected an integer for %s, found %s", what,
                     value.type->name);
        return false;
    }
    *to = value.integer;
    return true;
}
