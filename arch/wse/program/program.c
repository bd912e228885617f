/* Creates and frees programs, and reports their errors. */
#include <string.h>

#include "arch/error.h"
#include "arch/wse/program/build.h"
#include "arch/wse_program.h"
#include "sim/narrow.h"

static void clear_array(gpointer data)
{
    WseArray *array = data;

    g_free(array->name);
    g_free(array->values);
}

static SimRatio minus_one(SimRatio factor)
{
    return (SimRatio){.num = factor.num - factor.den, .den = factor.den};
}

static WseCollisions load_collisions(const ArchParams *params)
{
    const uint64_t period = arch_params_uint(params, "memory.operand_period_bytes");
    const uint64_t banks = arch_params_uint(params, "memory.bank_count") *
                           arch_params_uint(params, "memory.bank_word_bytes");

    return (WseCollisions){
        .period_bytes = sim_u32(period),
        .wide_period_bytes = sim_u32(MAX(period, MIN(2 * period, banks))),
        .reads_per_cycle = sim_u32(arch_params_uint(params, "memory.reads_per_cycle")),
        .narrow = minus_one(arch_params_ratio(params, "memory.conflict_factor")),
        .wide = arch_params_ratio(params, "memory.wide_conflict_cycles_per_step"),
        .reduction = arch_params_ratio(params, "dsd.reduction_cycles_per_element"),
        .unit = 1,
    };
}

static struct WseBuild *build_new(void)
{
    struct WseBuild *build = g_new0(struct WseBuild, 1);

    build->arrays = g_array_new(FALSE, FALSE, sizeof(WseArray));
    g_array_set_clear_func(build->arrays, clear_array);
    build->variable_names = g_ptr_array_new_with_free_func(g_free);
    build->blocks = g_array_new(FALSE, FALSE, sizeof(WseBlock));
    build->labels = g_array_new(FALSE, FALSE, sizeof(WseLabel));
    build->jumps = g_array_new(FALSE, FALSE, sizeof(guint));
    return build;
}

ArchWseProgram *arch_wse_program_new(const ArchParams *params, const char *name)
{
    ArchWseProgram *self = g_new0(ArchWseProgram, 1);

    self->params = params;
    self->name = g_strdup(name);
    self->random = ARCH_WSE_NONE;
    self->torn_down = ARCH_WSE_NONE;
    self->dsds = g_array_new(FALSE, FALSE, sizeof(WseDsd));
    self->instructions = g_array_new(FALSE, FALSE, sizeof(WseInstruction));
    self->places = g_array_new(FALSE, FALSE, sizeof(ArchPlace));
    self->variables = g_array_new(FALSE, FALSE, sizeof(int32_t));
    self->functions = g_array_new(FALSE, FALSE, sizeof(WseFunction));
    self->entries = g_array_new(FALSE, FALSE, sizeof(WseTask));
    self->zones = g_ptr_array_new();
    self->texts = g_ptr_array_new();
    self->phases = g_ptr_array_new();
    g_ptr_array_add(self->phases, (gpointer) g_intern_static_string(""));
    for (guint i = 0; i < WSE_TASKS; i++) {
        self->tasks[i].start = ARCH_WSE_NONE;
        self->control_tasks[i].start = ARCH_WSE_NONE;
    }
    memset(self->input_colors, 0xff, sizeof self->input_colors);
    memset(self->color_inputs, 0xff, sizeof self->color_inputs);
    self->collisions = load_collisions(params);
    self->microthreads =
        MIN(sim_u32(arch_params_uint(params, "pe.microthread_count")), WSE_THREADS);
    self->build = build_new();
    return self;
}

void arch_wse_program_free(ArchWseProgram *self)
{
    if (self != NULL) {
        g_array_unref(self->build->arrays);
        g_ptr_array_unref(self->build->variable_names);
        g_array_unref(self->build->blocks);
        g_array_unref(self->build->labels);
        g_array_unref(self->build->jumps);
        g_free(self->build);
        g_array_unref(self->dsds);
        g_array_unref(self->instructions);
        g_array_unref(self->places);
        g_array_unref(self->variables);
        g_array_unref(self->functions);
        g_array_unref(self->entries);
        g_ptr_array_unref(self->phases);
        g_ptr_array_unref(self->zones);
        g_ptr_array_unref(self->texts);
        g_free(self->image);
        g_free(self->steps);
        g_free(self->name);
        g_free(self);
    }
}

const char *arch_wse_program_name(const ArchWseProgram *self)
{
    return self->name;
}

void arch_wse_program_at(ArchWseProgram *self, ArchPlace place)
{
    /* Most instructions are of the file of the one before. */
    if (g_strcmp0(self->place.file, place.file) != 0) {
        self->place.file = g_intern_string(place.file);
    }
    self->place.line = place.line;
}

bool wse_refuse(const ArchWseProgram *self, GError **error, const char *format, ...)
{
    const struct WseBuild *build = self->build;
    g_autofree char *what = NULL;
    va_list arguments;

    va_start(arguments, format);
    what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (build->task == NULL) {
        (void) arch_refuse(error, "program %s: %s", self->name, what);
    } else if (build->function > 0) {
        (void) arch_refuse(error, "program %s: function %s: %s", self->name,
                           build->task->name, what);
    } else {
        (void) arch_refuse(error, "program %s: task %u (%s): %s", self->name,
                           build->task_id, build->task->name, what);
    }
    return false;
}

bool wse_check_open(const ArchWseProgram *self, GError **error)
{
    return !self->build->is_finished ||
           wse_refuse(self, error, "is finished, nothing can be added");
}

bool wse_check_task_open(const ArchWseProgram *self, GError **error)
{
    return wse_check_open(self, error) &&
           (self->build->task != NULL ||
            wse_refuse(self, error,
                       "code outside of a task, allowed is between its begin and end"));
}

guint wse_param(const ArchWseProgram *self, const char *key)
{
    return sim_u32(arch_params_uint(self->params, key));
}

static guint list_length(const ArchWseProgram *self, const char *key)
{
    gsize count = 0;

    (void) arch_params_list(self->params, key, &count);
    return sim_u32(count);
}

guint wse_color_count(const ArchWseProgram *self)
{
    return MIN(wse_param(self, "router.color_count"), WSE_COLORS);
}

guint wse_input_count(const ArchWseProgram *self)
{
    return MIN(list_length(self, "queues.input_wavelets"), WSE_INPUT_QUEUES);
}

guint wse_output_count(const ArchWseProgram *self)
{
    return MIN(list_length(self, "queues.output_wavelets"), WSE_OUTPUT_QUEUES);
}

guint wse_task_count(const ArchWseProgram *self, ArchWseTaskKind kind)
{
    switch (kind) {
    case ARCH_WSE_TASK_LOCAL:
        return MIN(wse_param(self, "task.id_count"), WSE_TASKS);
    case ARCH_WSE_TASK_DATA:
        return self->is_by_queue ? wse_input_count(self) : wse_color_count(self);
    case ARCH_WSE_TASK_CONTROL:
        return MIN(wse_param(self, "task.control_id_count"), WSE_TASKS);
    }
    g_assert_not_reached();
}

bool wse_check_index(const ArchWseProgram *self,
                     const char *what,
                     guint index,
                     guint count,
                     GError **error)
{
    return index < count ||
           wse_refuse(self, error, "%s = %u, %s has 0..%u", what, index,
                      arch_params_name(self->params), count - 1);
}
