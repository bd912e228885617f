/* Builtins of a PE's comptime blocks: tasks, queues, routes, exports. */
#include "sim/narrow.h"
#include "workloads/csl/meaning/builtin.h"

/* Ids of a chip: which builtin makes them, of which type, how many there are. */
typedef struct {
    const char *name;
    const CslType *type;
    uint32_t most; /* WSE-2 */
    uint32_t most_wse3;
} IdRow;

static const IdRow id_rows[] = {
    {"@get_color", CSL_T(COLOR), 23, 23},
    {"@get_local_task_id", CSL_T(LOCAL_TASK_ID), 30, 30},
    {"@get_data_task_id", CSL_T(DATA_TASK_ID), 23, 7},
    {"@get_control_task_id", CSL_T(CONTROL_TASK_ID), 63, 63},
    {"@get_input_queue", CSL_T(INPUT_QUEUE), 7, 7},
    {"@get_output_queue", CSL_T(OUTPUT_QUEUE), 5, 7},
    {"@get_ut_id", CSL_T(UT_ID), 7, 7},
};

static bool is_wse3(const CslEvaluator *self)
{
    return g_strcmp0(self->program->options.arch, "wse3") == 0;
}

CslValue
csl_builtin_get_id(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    const IdRow *row = id_rows;
    const CslType *from = arguments[0].type;
    uint32_t number = 0;

    while (g_strcmp0(row->name, node->name) != 0) {
        row++;
    }
    if (row->type == CSL_T(DATA_TASK_ID)) {
        const CslType *expected = is_wse3(self) ? CSL_T(INPUT_QUEUE) : CSL_T(COLOR);

        if (from != expected && !csl_type_is_integer(from)) {
            csl_complain(self, node->children[0], "expected %s, found %s",
                         expected->name, from->name);
            return csl_no_value();
        }
    } else if (!csl_type_is_integer(from)) {
        csl_complain(self, node->children[0], "expected an integer, found %s",
                     from->name);
        return csl_no_value();
    }
    if (!csl_argument_integer(self, node->children[0], &arguments[0],
                              is_wse3(self) ? row->most_wse3 : row->most, &number)) {
        csl_report_hint(self->program->to, "%s has that many of type %s",
                        self->program->options.arch, row->type->name);
        return csl_no_value();
    }
    return csl_value_integer(row->type, number);
}

CslValue
csl_builtin_get_int(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    if (arguments[0].type->kind != CSL_KIND_ID) {
        csl_complain(self, node->children[0], "expected a color, id or queue, found %s",
                     arguments[0].type->name);
        return csl_no_value();
    }
    return csl_value_integer(CSL_T(U16), arguments[0].integer);
}

/* Whether a task may take what wakes it. */
static bool has_fitting_arguments(const CslType *id, const CslType *task)
{
    guint bits = 0;

    for (uint32_t i = 0; i < task->count; i++) {
        bits += task->parts[i] == NULL ? 64U : task->parts[i]->bits;
    }
    if (id == CSL_T(LOCAL_TASK_ID)) {
        return task->count == 0;
    }
    if (id == CSL_T(CONTROL_TASK_ID)) {
        return task->count == 0 || (task->count == 1 && bits == 16);
    }
    return task->count >= 1 && task->count <= 2 && bits <= 32;
}

static const CslType *id_of_builtin(const char *name)
{
    if (g_strcmp0(name, "@bind_local_task") == 0) {
        return CSL_T(LOCAL_TASK_ID);
    }
    return g_strcmp0(name, "@bind_data_task") == 0 ? CSL_T(DATA_TASK_ID)
                                                   : CSL_T(CONTROL_TASK_ID);
}

CslValue csl_builtin_bind_task(CslEvaluator *self,
                               const CslNode *node,
                               const CslValue *arguments)
{
    const CslType *kind = id_of_builtin(node->name);
    const CslType *type = arguments[0].type;
    GArray *tasks = self->pe->tasks;
    CslTaskBinding binding = {.kind = kind, .place = csl_here(self, node)};

    if (type->kind != CSL_KIND_FUNCTION || !type->is_task) {
        csl_complain(self, node->children[0], "expected a task, found %s", type->name);
        return csl_no_value();
    }
    if (arguments[1].type != kind) {
        csl_complain(self, node->children[1], "expected %s, found %s", kind->name,
                     arguments[1].type->name);
        return csl_no_value();
    }
    if (!has_fitting_arguments(kind, type)) {
        csl_complain(self, node->children[0], "'%s' cannot be bound to a %s",
                     csl_global_name(arguments[0].function), kind->name);
        csl_report_hint(self->program->to,
                        "local tasks take no arguments, control tasks "
                        "at most a u16, data tasks one or two of "
                        "together 32 bits");
        return csl_no_value();
    }
    binding.task = arguments[0].function;
    binding.id = sim_u32((int64_t) arguments[1].integer);
    for (guint i = 0; i < tasks->len; i++) {
        const CslTaskBinding *other = &g_array_index(tasks, CslTaskBinding, i);

        if (other->id == binding.id) {
            csl_complain(self, node, "task id %u is bound twice: to '%s' and to '%s'",
                         binding.id, csl_global_name(other->task),
                         csl_global_name(binding.task));
            csl_report(self->program->to, CSL_NOTE, other->place, "first here");
            return csl_no_value();
        }
    }
    g_array_append_val(tasks, binding);
    return csl_value_void();
}

CslValue
csl_builtin_act(CslEvaluator *self, const CslNode *node, const CslValue *arguments)
{
    const CslType *type = arguments[0].type;
    CslAction action = {.id = arguments[0], .place = csl_here(self, node)};
    const bool is_task = type->kind == CSL_KIND_FUNCTION && type->is_task;

    if (g_strcmp0(node->name, "@activate") != 0) {
        action.kind = g_strcmp0(node->name, "@block") == 0 ? CSL_ACTION_BLOCK
                                                           : CSL_ACTION_UNBLOCK;
    } else if (type != CSL_T(LOCAL_TASK_ID) && !is_task) {
        csl_complain(self, node->children[0], "@activate takes a local_task_id, not %s",
                     type->name);
        return csl_no_value();
    }
    if (type->kind != CSL_KIND_ID && !is_task) {
        csl_complain(self, node->children[0], "expected a task id or a color, found %s",
                     type->name);
        return csl_no_value();
    }
    g_array_append_val(self->pe->actions, action);
    return csl_value_void();
}

CslValue csl_builtin_initialize_queue(CslEvaluator *self,
                                      const CslNode *node,
                                      const CslValue *arguments)
{
    GArray *queues = self->pe->queues;
    const CslType *type = arguments[0].type;
    CslQueueBinding binding = {.is_input = type == CSL_T(INPUT_QUEUE),
                               .color = -1,
                               .place = csl_here(self, node)};
    const CslValue *color = NULL;

    if (type != CSL_T(INPUT_QUEUE) && type != CSL_T(OUTPUT_QUEUE)) {
        csl_complain(self, node->children[0], "expected a queue, found %s", type->name);
        return csl_no_value();
    }
    binding.queue = sim_u32((int64_t) arguments[0].integer);
    if (node->count == 2) {
        if (arguments[1].type->kind != CSL_KIND_STRUCT) {
            csl_complain(self, node->children[1],
                         "expected .{ .color = ... }, found %s",
                         arguments[1].type->name);
            return csl_no_value();
        }
        binding.fields = arguments[1].members;
        color = csl_struct_find(binding.fields, csl_name(self->program, "color"));
    }
    if (color != NULL) {
        if (color->type != CSL_T(COLOR)) {
            csl_complain(self, node->children[1], "expected a color, found %s",
                         color->type->name);
            return csl_no_value();
        }
        binding.color = sim_i32((int64_t) color->integer);
    }
    for (guint i = 0; i < queues->len; i++) {
        const CslQueueBinding *other = &g_array_index(queues, CslQueueBinding, i);

        if (other->is_input == binding.is_input && other->queue == binding.queue) {
            csl_complain(self, node, "%s %u is initialized twice", type->name,
                         binding.queue);
            csl_report(self->program->to, CSL_NOTE, other->place, "first here");
            return csl_no_value();
        }
        if (other->is_input && binding.is_input && color != NULL &&
            other->color == binding.color) {
            csl_complain(self, node, "color %d goes to input_queue %u already",
                         binding.color, other->queue);
            csl_report(self->program->to, CSL_NOTE, other->place, "here");
            return csl_no_value();
        }
    }
    g_array_append_val(queues, binding);
    return csl_value_void();
}

CslValue csl_builtin_set_local_color_config(CslEvaluator *self,
                                            const CslNode *node,
                                            const CslValue *arguments)
{
    GArray *colors = self->pe->colors;
    const CslValue color =
        csl_coerce(self, node->children[0], arguments[0], CSL_T(COLOR));
    const CslValue given =
        csl_coerce(self, node->children[1], arguments[1], CSL_T(COMPTIME_STRUCT));
    CslLocalColor local = {.place = csl_here(self, node)};

    if (color.type == NULL || given.type == NULL ||
        !csl_color_config_read(self, node->children[1], given.members, &local.config)) {
        return csl_no_value();
    }
    local.color = sim_u32((int64_t) color.integer);
    for (guint i = 0; i < colors->len; i++) {
        if (g_array_index(colors, CslLocalColor, i).color == local.color) {
            csl_complain(self, node, "color %u is configured twice", local.color);
            csl_report(self->program->to, CSL_NOTE,
                       g_array_index(colors, CslLocalColor, i).place, "first here");
            return csl_no_value();
        }
    }
    g_array_append_val(colors, local);
    return csl_value_void();
}

CslValue csl_builtin_set_teardown_handler(CslEvaluator *self,
                                          const CslNode *node,
                                          const CslValue *arguments)
{
    CslTeardown teardown = {.place = csl_here(self, node)};
    const CslValue color =
        csl_coerce(self, node->children[1], arguments[1], CSL_T(COLOR));

    if (arguments[0].type->kind != CSL_KIND_FUNCTION) {
        csl_complain(self, node->children[0], "expected a function, found %s",
                     arguments[0].type->name);
        return csl_no_value();
    }
    if (color.type == NULL) {
        return color;
    }
    teardown.handler = arguments[0].function;
    teardown.color = sim_u32((int64_t) color.integer);
    g_array_append_val(self->pe->teardowns, teardown);
    return csl_value_void();
}

/* The type that the host sees a symbol as. */
static bool is_as_named(const CslExportName *name, const CslGlobal *global)
{
    const CslType *type = global->type;

    if (type->kind == CSL_KIND_FUNCTION) {
        CslValue value = {.type = type};

        return csl_convert(NULL, &value, name->type);
    }
    return type->kind == name->type->kind &&
           (type->kind != CSL_KIND_POINTER || (type->element == name->type->element &&
                                               type->is_many == name->type->is_many));
}

/* A pointer that the layout lets the host change is a var. */
static bool check_mutable(CslEvaluator *self,
                          const CslNode *node,
                          const CslExportName *name,
                          const CslGlobal *global)
{
    if (global->node->kind == CSL_FUNCTION ||
        name->is_mutable == (global->node->token == CSL_TOKEN_VAR)) {
        return true;
    }
    csl_complain(self, node, "'%s' is exported as %s, and is a %s", name->name,
                 name->is_mutable ? "mutable" : "immutable",
                 name->is_mutable ? "const" : "var");
    csl_report_hint(self->program->to, "declare it '%s', or say %s in @export_name",
                    name->is_mutable ? "var" : "const",
                    name->is_mutable ? "false" : "true");
    csl_report(self->program->to, CSL_NOTE, name->place, "its @export_name");
    return false;
}

static bool
matches_name(CslEvaluator *self, const CslNode *node, const CslExport *symbol)
{
    const GArray *names = self->program->layout->names;

    for (guint i = 0; i < names->len; i++) {
        const CslExportName *name = &g_array_index(names, CslExportName, i);

        if (name->name != symbol->name) {
            continue;
        }
        if (is_as_named(name, symbol->global)) {
            return check_mutable(self, node, name, symbol->global);
        }
        csl_complain(self, node, "'%s' is exported as %s, and is %s", name->name,
                     name->type->name, symbol->global->type->name);
        csl_report(self->program->to, CSL_NOTE, name->place, "its @export_name");
        return false;
    }
    if (names->len > 0) {
        csl_complain(self, node, "no @export_name of the layout has '%s'",
                     symbol->name);
        return false;
    }
    return true;
}

CslValue csl_builtin_export_symbol(CslEvaluator *self,
                                   const CslNode *node,
                                   const CslValue *arguments)
{
    const CslNode *of = node->children[0];
    CslExport symbol = {.place = csl_here(self, node)};
    CslValue whole;

    if (of->kind == CSL_NAME && of->binding == CSL_GLOBAL) {
        symbol.global = csl_module_at(self->frame->module, of->slot);
    } else if (of->kind == CSL_FIELD) {
        whole = csl_evaluate(self, of->children[0]);
        symbol.global = whole.type == CSL_T(MODULE)
                            ? csl_module_find(whole.module, of->name)
                            : NULL;
    }
    if (symbol.global == NULL) {
        csl_complain(self, of, "expected a global variable or a function");
        return csl_no_value();
    }
    symbol.name = csl_global_name(symbol.global);
    if (node->count == 2) {
        const char *text = csl_argument_text(self, node->children[1], &arguments[1]);

        if (text == NULL) {
            return csl_no_value();
        }
        symbol.name = csl_name(self->program, text);
    }
    if (csl_global_value(self, symbol.global, csl_here(self, of)).type == NULL ||
        !matches_name(self, node, &symbol)) {
        return csl_no_value();
    }
    g_array_append_val(self->pe->exports, symbol);
    return csl_value_void();
}

CslValue csl_builtin_note_effect(CslEvaluator *self,
                                 const CslNode *node,
                                 const CslValue *arguments)
{
    CslField fields[4] = {{0}};
    CslEffect effect = {.name = node->name, .place = csl_here(self, node)};

    for (uint32_t i = 0; i < node->count; i++) {
        fields[i].value = arguments[i];
    }
    effect.arguments = csl_struct_new(self->program->values, fields, node->count, true);
    g_array_append_val(self->pe->effects, effect);
    return csl_value_void();
}
