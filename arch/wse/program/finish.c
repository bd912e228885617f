/* Finishes programs: checks the whole, and derives what the PEs need. */
#include <string.h>

#include "arch/wse/program/build.h"
#include "arch/wse/program/step.h"
#include "arch/wse_program.h"
#include "sim/narrow.h"

static bool check_closed(const ArchWseProgram *self, GError **error)
{
    return self->build->task == NULL || wse_refuse(self, error, "has no end");
}

static bool check_memory(const ArchWseProgram *self, GError **error)
{
    const uint64_t capacity =
        MIN(arch_params_uint(self->params, "memory.capacity_bytes"), WSE_ADDRESSES);
    const uint64_t code = arch_params_uint(self->params, "memory.code_reserved_bytes");
    const uint64_t bytes =
        self->memory_bytes + self->variables->len * (uint64_t) sizeof(int32_t);
    g_autofree char *map = NULL;

    if (bytes + MIN(code, capacity) <= capacity) {
        return true;
    }
    map = arch_wse_program_map(self);
    return wse_refuse(
        self, error,
        "%" G_GUINT64_FORMAT " bytes of data do not fit into the %" G_GUINT64_FORMAT
        " that %s leaves beside code, the map is\n%s",
        bytes, capacity - MIN(code, capacity), arch_params_name(self->params), map);
}

static bool check_target(const ArchWseProgram *self,
                         const char *who,
                         const char *what,
                         guint task,
                         GError **error)
{
    const bool is_input =
        self->is_by_queue ? task < WSE_INPUT_QUEUES && self->input_colors[task] != 0xff
                          : task < WSE_COLORS && self->color_inputs[task] != 0xff;

    return task == 0xff || self->tasks[task].start != ARCH_WSE_NONE ||
           (is_input && g_str_equal(what, "unblocks")) ||
           wse_refuse(self, error, "%s%s task %u, no task is bound to it", who, what,
                      task);
}

static bool check_signal(const ArchWseProgram *self,
                         const char *who,
                         const WseInstruction *instruction,
                         GError **error)
{
    if (instruction->code == WSE_ACTIVATE) {
        return check_target(self, who, "activates", instruction->task, error);
    }
    if (instruction->code == WSE_UNBLOCK) {
        return check_target(self, who, "unblocks", instruction->task, error);
    }
    return instruction->code != WSE_VECTOR ||
           (check_target(self, who, "activates", instruction->activated, error) &&
            check_target(self, who, "unblocks", instruction->unblocked, error));
}

/* Instructions of a task or function, up to its end. */
static bool check_signals(
    const ArchWseProgram *self, const char *who, guint start, guint end, GError **error)
{
    for (guint i = start; i < end; i++) {
        const WseInstruction *instruction =
            &g_array_index(self->instructions, WseInstruction, i);

        if (instruction->code == WSE_END) {
            return true;
        }
        if (!check_signal(self, who, instruction, error)) {
            return false;
        }
    }
    return true;
}

static bool
check_task(const ArchWseProgram *self, guint id, const WseTask *task, GError **error)
{
    g_autofree char *who = NULL;

    if (task->start == ARCH_WSE_NONE) {
        return true;
    }
    who = g_strdup_printf("task %u (%s): ", id, task->name);
    return check_signals(self, who, task->start, self->instructions->len, error);
}

static bool check_tasks(const ArchWseProgram *self, GError **error)
{
    for (guint i = 0; i < WSE_TASKS; i++) {
        if (((self->activated >> i & 1) != 0 &&
             !check_target(self, "", "activates", i, error)) ||
            !check_task(self, i, &self->tasks[i], error) ||
            !check_task(self, i, &self->control_tasks[i], error)) {
            return false;
        }
    }
    return true;
}

static bool check_functions(const ArchWseProgram *self, GError **error)
{
    for (guint i = 0; i < self->functions->len; i++) {
        const WseFunction *function = &g_array_index(self->functions, WseFunction, i);
        g_autofree char *who = g_strdup_printf("function %s: ", function->name);

        if (function->start != ARCH_WSE_NONE &&
            !check_signals(self, who, function->start, function->end, error)) {
            return false;
        }
    }
    return true;
}

/* The last input queue that no color has. */
static void take_free_queue(ArchWseProgram *self, guint color)
{
    for (guint i = wse_input_count(self); i-- > 0;) {
        if (self->input_colors[i] == 0xff && (self->kept_inputs >> i & 1) == 0) {
            self->input_colors[i] = sim_u8(color);
            self->color_inputs[color] = sim_u8(i);
            return;
        }
    }
}

static bool check_data_tasks(ArchWseProgram *self, GError **error)
{
    if (self->is_by_queue) {
        return true; /* one of a queue without a color never runs */
    }
    for (guint i = 0; i < wse_color_count(self); i++) {
        const WseTask *task = &self->tasks[i];

        if (task->start != ARCH_WSE_NONE && task->kind == ARCH_WSE_TASK_DATA &&
            self->color_inputs[i] == 0xff) {
            take_free_queue(self, i);
        }

        if (task->start != ARCH_WSE_NONE && task->kind == ARCH_WSE_TASK_DATA &&
            self->color_inputs[i] == 0xff) {
            return wse_refuse(
                self, error,
                "data task %u (%s): color %u has no input queue, none is free", i,
                task->name, i);
        }
        if (task->start != ARCH_WSE_NONE && task->kind == ARCH_WSE_TASK_DATA &&
            self->shared_inputs >> self->color_inputs[i] & 1) {
            return wse_refuse(self, error,
                              "data task %u (%s): input queue %u of color %u has other "
                              "colors too, data tasks need one of their own",
                              i, task->name, self->color_inputs[i], i);
        }
    }
    return true;
}

static uint64_t common_multiple(uint64_t a, uint64_t b)
{
    uint64_t x = a;
    uint64_t y = b;

    while (y != 0) {
        const uint64_t rest = x % y;

        x = y;
        y = rest;
    }
    g_assert(x > 0);
    return a / x * b;
}

/* So that what every operation stalls is a whole number of parts. */
static bool choose_unit(ArchWseProgram *self, GError **error)
{
    WseCollisions *rules = &self->collisions;
    uint64_t rates = 1;
    const uint64_t unit = common_multiple(rules->narrow.den, rules->wide.den);

    for (guint i = 0; i < self->instructions->len; i++) {
        const WseInstruction *instruction =
            &g_array_index(self->instructions, WseInstruction, i);

        if (instruction->code == WSE_VECTOR) {
            rates = common_multiple(rates, instruction->elements_per_step);
            rates = instruction->is_dynamic ? common_multiple(rates, 2) : rates;
            g_assert(rates > 0);
        }
    }
    if (unit > UINT32_MAX / rates) {
        return wse_refuse(self, error,
                          "conflict factors of %s have too many digits together",
                          arch_params_name(self->params));
    }
    rules->unit = sim_u32(unit * rates);
    return true;
}

static void mark_alone(ArchWseProgram *self)
{
    uint32_t threads[WSE_PHASES] = {0};
    WseInstruction *instructions = (WseInstruction *) self->instructions->data;

    for (guint i = 0; i < self->instructions->len; i++) {
        if (instructions[i].is_async) {
            threads[instructions[i].phase] |= 1U << instructions[i].thread;
        }
    }
    for (guint i = 0; i < self->instructions->len; i++) {
        const uint32_t own =
            instructions[i].is_async ? 1U << instructions[i].thread : 0;

        instructions[i].is_alone = (threads[instructions[i].phase] & ~own) == 0;
    }
}

static void fill_image(ArchWseProgram *self)
{
    const GArray *arrays = self->build->arrays;

    self->image = g_malloc0(MAX(self->memory_bytes, 1));
    for (guint i = 0; i < arrays->len; i++) {
        const WseArray *array = &g_array_index(arrays, WseArray, i);

        if (array->values != NULL) {
            memcpy(self->image + array->address, array->values,
                   (gsize) array->count * arch_wse_type_bytes(array->type));
        }
    }
}

static bool has_loads(const ArchWseProgram *self)
{
    for (guint i = 0; i < self->instructions->len; i++) {
        const guint code = g_array_index(self->instructions, WseInstruction, i).code;

        if (code == WSE_LOAD || code == WSE_STORE) {
            return true;
        }
    }
    return false;
}

bool arch_wse_program_finish(ArchWseProgram *self, GError **error)
{
    if (self->build->is_finished) {
        return true;
    }
    if (!check_closed(self, error) || !wse_finish_handlers(self, error) ||
        !check_memory(self, error) || !check_tasks(self, error) ||
        !check_functions(self, error) || !check_data_tasks(self, error) ||
        !choose_unit(self, error) || !wse_finish_functions(self, error)) {
        return false;
    }
    self->needs_data = self->needs_data || wse_depends_on_data(self);
    self->has_loads = has_loads(self);
    mark_alone(self);
    wse_mark_private(self);
    fill_image(self);
    self->steps =
        wse_steps_new((const WseInstruction *) (gconstpointer) self->instructions->data,
                      self->instructions->len);
    self->build->is_finished = true;
    return true;
}
