/* Evaluates the globals of modules, each when somebody first asks for it. */
#include "sim/narrow.h"
#include "workloads/csl/meaning/evaluator.h"

const char *csl_global_name(const CslGlobal *self)
{
    return self->node->name;
}

CslPlace csl_global_place(const CslGlobal *self)
{
    return (CslPlace){self->module->file->source, self->node->offset};
}

CslGlobal *csl_module_find(CslModule *self, const char *name)
{
    const guint found =
        GPOINTER_TO_UINT(g_hash_table_lookup(self->file->tree->global_slots, name));

    return found == 0 ? NULL : csl_module_at(self, found - 1);
}

CslGlobal *csl_module_at(CslModule *self, uint32_t slot)
{
    CslGlobal *global = &self->globals[slot];

    if ((global->node->flags & CSL_IS_EXTERN) == 0 || self->pe == NULL) {
        return global;
    }
    for (guint i = 0; i < self->pe->modules->len; i++) {
        CslModule *other = self->pe->modules->pdata[i];
        const guint found = GPOINTER_TO_UINT(
            g_hash_table_lookup(other->file->tree->global_slots, global->node->name));

        if (found != 0 && other != self &&
            (other->globals[found - 1].node->flags & CSL_IS_EXPORT) != 0 &&
            other->globals[found - 1].node->kind == global->node->kind) {
            return &other->globals[found - 1];
        }
    }
    return global;
}

/* Evaluates in `frame`, the global's own, until leave(). Compilers cannot see that it
 * does not outlive a caller's stack, so callers allocate it. */
static bool enter(CslEvaluator *self, const CslGlobal *global, CslFrame *frame)
{
    const uint32_t slots = global->node->slot;

    if (slots > CSL_STACK_VALUES - self->stack_used) {
        csl_report(self->program->to, CSL_ERROR, csl_global_place(global),
                   "too many local variables");
        return false;
    }
    *frame =
        (CslFrame){.module = global->module, .slots = self->stack + self->stack_used};
    self->stack_used += slots;
    self->frame = frame;
    return true;
}

static void leave(CslEvaluator *self, const CslGlobal *global, CslFrame *outer)
{
    self->frame = outer;
    self->stack_used -= global->node->slot;
}

static bool uses_locals(const CslNode *node)
{
    if (node == NULL) {
        return false;
    }
    if (node->kind == CSL_NAME && node->binding != CSL_GLOBAL &&
        node->binding != CSL_UNBOUND) {
        return true;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        if (uses_locals(node->children[i])) {
            return true;
        }
    }
    return false;
}

/* The type of a function; of generic ones only what does not depend on arguments. */
static const CslType *function_type(CslEvaluator *self, const CslGlobal *global)
{
    const CslNode *node = global->node;
    const uint32_t count = node->count - 2;
    g_autofree const CslType **parts = g_new0(const CslType *, count + 1);
    CslType pattern = {.kind = CSL_KIND_FUNCTION,
                       .is_task = node->token == CSL_TOKEN_TASK,
                       .parts = parts,
                       .count = count,
                       .element = CSL_T(VOID)};

    for (uint32_t i = 0; i < count; i++) {
        const CslNode *type = csl_child(node->children[i + 2], 0);

        if (type == NULL || uses_locals(type)) {
            continue;
        }
        parts[i] = csl_evaluate_type(self, type);
        if (parts[i] == NULL) {
            return NULL;
        }
    }
    if (uses_locals(node->children[0])) {
        pattern.is_generic = true;
    } else {
        pattern.element = csl_evaluate_type(self, node->children[0]);
    }
    return pattern.element == NULL ? NULL
                                   : csl_type_function(self->program->types, &pattern);
}

/* Notes that the class depends on this param of its root file. */
static void note_read(const CslGlobal *global)
{
    const CslModule *module = global->module;
    CslPeClass *pe = module->pe;
    uint32_t slot;

    if (pe == NULL || pe->root != module) {
        return;
    }
    slot = sim_u32(global - module->globals);
    g_array_append_val(pe->reads, slot);
}

/* The value that a param was given, or that it has by default. */
static CslValue param_value(CslEvaluator *self, CslGlobal *global)
{
    const CslNode *node = global->node;
    const CslStruct *bindings = global->module->bindings;
    const CslValue *bound =
        bindings == NULL ? NULL : csl_struct_find(bindings, node->name);

    note_read(global);
    if (bound != NULL) {
        return *bound;
    }
    if (csl_child(node, 1) != NULL) {
        return csl_evaluate(self, node->children[1]);
    }
    csl_complain(self, node, "param '%s' has no value", node->name);
    csl_report_hint(self->program->to,
                    "give it one: --params %s:..., @set_tile_code or @import_module",
                    node->name);
    return csl_no_value();
}

static bool read_alignment(CslEvaluator *self, CslGlobal *global)
{
    const CslNode *node = csl_child(global->node, 2);
    CslInteger bytes = 0;

    if (node == NULL) {
        return true;
    }
    if (!csl_evaluate_integer(self, node, "an alignment", &bytes)) {
        return false;
    }
    if (bytes < 1 || bytes > 1024 || (bytes & (bytes - 1)) != 0) {
        csl_complain(self, node, "an alignment is a power of two from 1 to 1024");
        return false;
    }
    global->align_bytes = sim_u32((int64_t) bytes);
    return true;
}

static const CslType *declared_type(CslEvaluator *self, CslGlobal *global)
{
    const CslNode *node = global->node;
    const CslType *type;
    CslFrame *outer = self->frame;
    g_autofree CslFrame *frame = g_new(CslFrame, 1);

    if (!enter(self, global, frame)) {
        return NULL;
    }
    type = node->kind == CSL_FUNCTION ? function_type(self, global)
                                      : csl_evaluate_type(self, node->children[0]);
    leave(self, global, outer);
    return type;
}

const CslType *csl_global_type(CslEvaluator *self, CslGlobal *global, CslPlace asked)
{
    if (global->type_state == CSL_KNOWN) {
        return global->type;
    }
    if (global->type_state == CSL_FAILED) {
        return NULL;
    }
    if (global->node->kind == CSL_VARIABLE && csl_child(global->node, 0) == NULL) {
        return csl_global_value(self, global, asked).type;
    }
    if (global->type_state == CSL_IN_PROGRESS) {
        csl_report(self->program->to, CSL_ERROR, asked, "the type of '%s' needs itself",
                   csl_global_name(global));
        return NULL;
    }
    global->type_state = CSL_IN_PROGRESS;
    global->type = declared_type(self, global);
    global->type_state = global->type == NULL ? CSL_FAILED : CSL_KNOWN;
    return global->type;
}

static CslValue initial_value(CslEvaluator *self, CslGlobal *global)
{
    const CslNode *node = global->node;
    const CslNode *given = csl_child(node, 1);
    const CslType *type = NULL;
    CslValue value;

    if (csl_child(node, 0) != NULL) {
        type = csl_global_type(self, global, csl_global_place(global));
        if (type == NULL) {
            return csl_no_value();
        }
    }
    if (node->token == CSL_TOKEN_PARAM) {
        value = param_value(self, global);
    } else if (given != NULL) {
        value = csl_evaluate(self, given);
    } else if (type != NULL) {
        value = csl_zero(self->program, type);
    } else {
        csl_complain(self, node, "'%s' needs a type or a value", node->name);
        return csl_no_value();
    }
    if (type != NULL && value.type != type) {
        value = csl_coerce(self, given != NULL ? given : node, value, type);
    }
    if (value.type != NULL && node->token == CSL_TOKEN_VAR &&
        csl_type_is_comptime_only(value.type)) {
        csl_complain(self, node, "a var cannot be of type %s", value.type->name);
        csl_report_hint(self->program->to,
                        "give it a type, as u16 or f32; or make it a "
                        "const");
        return csl_no_value();
    }
    return read_alignment(self, global) ? value : csl_no_value();
}

static CslValue compute(CslEvaluator *self, CslGlobal *global)
{
    CslValue value = {0};
    CslFrame *outer = self->frame;
    g_autofree CslFrame *frame = g_new(CslFrame, 1);

    if (global->node->kind == CSL_FUNCTION) {
        return (CslValue){.type =
                              csl_global_type(self, global, csl_global_place(global)),
                          .function = global};
    }
    if (enter(self, global, frame)) {
        value = initial_value(self, global);
        leave(self, global, outer);
    }
    return value;
}

CslValue csl_global_value(CslEvaluator *self, CslGlobal *global, CslPlace asked)
{
    if (global->state == CSL_KNOWN) {
        return global->value;
    }
    if (global->state == CSL_IN_PROGRESS) {
        csl_report(self->program->to, CSL_ERROR, asked,
                   "the value of '%s' needs itself", csl_global_name(global));
        csl_report(self->program->to, CSL_NOTE, csl_global_place(global),
                   "it is declared here");
    }
    if (global->state != CSL_UNTOUCHED) {
        return csl_no_value();
    }
    global->state = CSL_IN_PROGRESS;
    global->value = compute(self, global);
    global->state = global->value.type == NULL ? CSL_FAILED : CSL_KNOWN;
    if (global->state == CSL_KNOWN && global->value.type->kind == CSL_KIND_ARRAY) {
        global->value.array->is_shared = true;
    }
    if (global->type_state == CSL_UNTOUCHED) {
        global->type = global->value.type;
        global->type_state = global->state;
    }
    return global->value;
}

/* Imports that nobody has asked for count, too: their comptime blocks run. */
static bool touch_imports(CslEvaluator *self, CslModule *module)
{
    const CslTree *tree = module->file->tree;
    bool is_well = true;

    for (uint32_t i = 0; i < tree->global_count; i++) {
        const CslNode *value = csl_child(tree->globals[i], 1);

        if (tree->globals[i]->kind == CSL_VARIABLE && value != NULL &&
            value->kind == CSL_BUILTIN &&
            g_strcmp0(value->name, "@import_module") == 0) {
            CslGlobal *global = &module->globals[i];

            is_well &=
                csl_global_value(self, global, csl_global_place(global)).type != NULL;
        }
    }
    return is_well;
}

bool csl_module_run(CslEvaluator *self, CslModule *module)
{
    const CslNode *file = module->file->tree->file;
    bool is_well = true;

    if (module->has_run) {
        return true;
    }
    module->has_run = true;
    is_well = touch_imports(self, module);
    for (uint32_t i = 0; i < file->count; i++) {
        const CslNode *node = file->children[i];

        if (node->kind == CSL_COMPTIME_BLOCK) {
            is_well &= csl_run_block(self, module, node);
        }
    }
    return is_well;
}
