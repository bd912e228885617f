/* Declares the queues and tasks of programs. */
#include "arch/wse/program/build.h"
#include "arch/wse_program.h"
#include "sim/narrow.h"

bool wse_share_input(ArchWseProgram *self, guint queue, guint color, GError **error)
{
    if (!wse_check_open(self, error) ||
        !wse_check_index(self, "color", color, wse_color_count(self), error) ||
        !wse_check_index(self, "input queue", queue, wse_input_count(self), error)) {
        return false;
    }
    if (self->color_inputs[color] != 0xff && self->color_inputs[color] != queue) {
        return wse_refuse(self, error,
                          "color %u to input queue %u, it goes to queue %u already",
                          color, queue, self->color_inputs[color]);
    }
    if (self->input_colors[queue] == 0xff) {
        self->input_colors[queue] = sim_u8(color);
    } else if (self->input_colors[queue] != color) {
        self->shared_inputs |= sim_u8(1u << queue);
    }
    self->color_inputs[color] = sim_u8(queue);
    return true;
}

bool wse_keep_input(ArchWseProgram *self, guint queue, GError **error)
{
    if (!wse_check_open(self, error) ||
        !wse_check_index(self, "input queue", queue, wse_input_count(self), error)) {
        return false;
    }
    self->kept_inputs |= sim_u8(1u << queue);
    return true;
}

bool arch_wse_program_input_queue(ArchWseProgram *self,
                                  guint queue,
                                  guint color,
                                  GError **error)
{
    if (queue < wse_input_count(self) && self->input_colors[queue] != 0xff &&
        self->input_colors[queue] != color) {
        return wse_refuse(self, error,
                          "input queue %u for color %u, it has color %u already", queue,
                          color, self->input_colors[queue]);
    }
    return wse_share_input(self, queue, color, error);
}

void arch_wse_program_name_by_queue(ArchWseProgram *self)
{
    self->is_by_queue = true;
}

static bool check_begin(const ArchWseProgram *self,
                        const WseTask *task,
                        guint id,
                        const char *name,
                        GError **error)
{
    if (self->build->task != NULL) {
        return wse_refuse(self, error, "task %u (%s) inside, it must end first", id,
                          name);
    }
    return task->start == ARCH_WSE_NONE ||
           wse_refuse(self, error, "task %u for %s, it is %s already", id, name,
                      task->name);
}

static bool find_argument(const ArchWseProgram *self,
                          ArchWseTaskKind kind,
                          guint argument,
                          uint16_t *address,
                          GError **error)
{
    const WseArray *array = NULL;

    *address = ARCH_WSE_NONE;
    if (argument == ARCH_WSE_NONE) {
        return true;
    }
    if (kind != ARCH_WSE_TASK_DATA) {
        return wse_refuse(self, error, "an argument, data tasks alone have one");
    }
    array = wse_find_array(self, argument, error);
    if (array == NULL) {
        return false;
    }
    if (array->count * arch_wse_type_bytes(array->type) < 4) {
        return wse_refuse(self, error,
                          "argument in array %s, allowed are those of at least 4 bytes",
                          array->name);
    }
    *address = sim_u16(array->address);
    return true;
}

bool arch_wse_program_begin_task(ArchWseProgram *self,
                                 ArchWseTaskKind kind,
                                 guint id,
                                 const char *name,
                                 guint argument,
                                 GError **error)
{
    WseTask *tasks = kind == ARCH_WSE_TASK_CONTROL ? self->control_tasks : self->tasks;
    uint16_t address = ARCH_WSE_NONE;

    if (!wse_check_open(self, error) ||
        !wse_check_index(self, "task", id, wse_task_count(self, kind), error) ||
        !check_begin(self, &tasks[id], id, name, error) ||
        !find_argument(self, kind, argument, &address, error)) {
        return false;
    }
    tasks[id] = (WseTask){
        .start = sim_u16(self->instructions->len),
        .kind = sim_u8(kind),
        .argument = address,
        .name = g_intern_string(name),
    };
    self->build->task = &tasks[id];
    self->build->task_id = id;
    return true;
}

static bool check_parts(const ArchWseProgram *self,
                        const ArchWseType *types,
                        guint count,
                        GError **error)
{
    const WseTask *task = self->build->task;
    const guint bytes = arch_wse_type_bytes(types[0]);
    const bool is_word = count == 1 && bytes == 4 && task->kind == ARCH_WSE_TASK_DATA;
    const bool is_half = count == 1 && bytes == 2;
    const bool is_pair = count == 2 && task->kind == ARCH_WSE_TASK_DATA && bytes == 2 &&
                         arch_wse_type_bytes(types[1]) == 2;

    if (self->build->function > 0 || task->kind == ARCH_WSE_TASK_LOCAL) {
        return wse_refuse(self, error, "an argument, data and control tasks have some");
    }
    return is_word || is_half || is_pair ||
           wse_refuse(
               self, error,
               "%u arguments, the first of %s; allowed are one of 32 bits, one or "
               "two of 16, and of control tasks one of 16",
               count, arch_wse_type_name(types[0]));
}

bool arch_wse_program_arguments(ArchWseProgram *self,
                                const ArchWseType *types,
                                guint count,
                                guint variable,
                                GError **error)
{
    if (!wse_check_task_open(self, error) ||
        !wse_check_variable(self, variable + count - 1, error) ||
        !check_parts(self, types, count, error)) {
        return false;
    }
    WseTask *task = self->build->task->kind == ARCH_WSE_TASK_CONTROL
                        ? &self->control_tasks[self->build->task_id]
                        : &self->tasks[self->build->task_id];

    task->variable = sim_u16(variable);
    task->part_count = sim_u8(count);
    for (guint i = 0; i < count; i++) {
        task->types[i] = sim_u8(types[i]);
    }
    return true;
}

bool arch_wse_program_end_task(ArchWseProgram *self, GError **error)
{
    const WseInstruction end = {.code = WSE_END};

    return wse_check_task_open(self, error) &&
           (self->build->function == 0 ||
            wse_refuse(self, error, "the end of a task in it")) &&
           wse_close_body(self, &end, error);
}

/* Inside of a task an instruction; outside, `bit` is what the PE starts with. */
static bool change_task(
    ArchWseProgram *self, WseCode code, guint task, uint64_t *bit, GError **error)
{
    const WseInstruction instruction = {
        .code = sim_u8(code),
        .task = sim_u8(task),
        .cycles = sim_u16(wse_param(self, "task.signal_cycles"))};

    if (!wse_check_open(self, error) ||
        !wse_check_index(self, "task", task, wse_task_count(self, ARCH_WSE_TASK_LOCAL),
                         error)) {
        return false;
    }
    if (self->build->task != NULL) {
        return wse_emit(self, &instruction, error);
    }
    *bit = UINT64_C(1) << task;
    return true;
}

bool arch_wse_program_activate(ArchWseProgram *self, guint task, GError **error)
{
    uint64_t bit = 0;

    if (!change_task(self, WSE_ACTIVATE, task, &bit, error)) {
        return false;
    }
    self->activated |= bit;
    return true;
}

bool arch_wse_program_block(ArchWseProgram *self, guint task, GError **error)
{
    uint64_t bit = 0;

    if (!change_task(self, WSE_BLOCK, task, &bit, error)) {
        return false;
    }
    self->blocked |= bit;
    return true;
}

bool arch_wse_program_unblock(ArchWseProgram *self, guint task, GError **error)
{
    uint64_t bit = 0;

    if (!change_task(self, WSE_UNBLOCK, task, &bit, error)) {
        return false;
    }
    self->blocked &= ~bit;
    return true;
}
