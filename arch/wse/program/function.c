/* Builds labels, jumps and functions, and finds functions that call themselves. */
#include "arch/wse/program/build.h"
#include "arch/wse_machine.h"
#include "sim/narrow.h"

enum {
    END = 0, /* label of the place where the code ends */
};

bool arch_wse_program_label(ArchWseProgram *self, guint *label, GError **error)
{
    const WseLabel nowhere = ARCH_WSE_NONE;
    GArray *labels = self->build->labels;

    if (!wse_check_task_open(self, error)) {
        return false;
    }
    if (labels->len == END) {
        g_array_append_val(labels, nowhere);
    }
    *label = labels->len;
    g_array_append_val(labels, nowhere);
    return true;
}

static bool check_label(const ArchWseProgram *self, guint label, GError **error)
{
    return wse_check_task_open(self, error) &&
           (label < self->build->labels->len ||
            wse_refuse(self, error, "label %u, there are %u", label,
                       self->build->labels->len));
}

bool arch_wse_program_place(ArchWseProgram *self, guint label, GError **error)
{
    if (!check_label(self, label, error)) {
        return false;
    }
    WseLabel *place = &g_array_index(self->build->labels, WseLabel, label);

    if (*place != ARCH_WSE_NONE) {
        return wse_refuse(self, error, "label %u has a place already", label);
    }
    *place = self->instructions->len;
    return true;
}

/* The target is the label's number until the code is closed. */
static bool
emit_jump(ArchWseProgram *self, WseInstruction jump, guint label, GError **error)
{
    const guint number = self->instructions->len;

    jump.target = sim_u16(label);
    jump.cycles_taken = sim_u16(wse_param(self, "pe.branch_taken_cycles"));
    jump.cycles = jump.code == WSE_JUMP
                      ? jump.cycles_taken
                      : sim_u16(wse_param(self, "pe.branch_not_taken_cycles"));
    if (!wse_emit(self, &jump, error)) {
        return false;
    }
    g_array_append_val(self->build->jumps, number);
    return true;
}

bool arch_wse_program_jump(ArchWseProgram *self, guint label, GError **error)
{
    const WseInstruction jump = {.code = WSE_JUMP};

    return check_label(self, label, error) && emit_jump(self, jump, label, error);
}

bool arch_wse_program_jump_if(
    ArchWseProgram *self, guint variable, bool is_zero, guint label, GError **error)
{
    const WseInstruction jump = {
        .code = sim_u8(is_zero ? WSE_JUMP_IF_ZERO : WSE_JUMP_IF_NOT_ZERO),
        .variable = sim_u16(variable),
    };

    return check_label(self, label, error) &&
           wse_check_variable(self, variable, error) &&
           emit_jump(self, jump, label, error);
}

bool wse_close_body(ArchWseProgram *self, const WseInstruction *end, GError **error)
{
    struct WseBuild *build = self->build;

    if (build->blocks->len > 0) {
        return wse_refuse(self, error, "ends inside an if or while");
    }
    if (build->labels->len > 0) {
        g_array_index(build->labels, WseLabel, END) = self->instructions->len;
    }
    for (guint i = 0; i < build->jumps->len; i++) {
        WseInstruction *jump = &g_array_index(self->instructions, WseInstruction,
                                              g_array_index(build->jumps, guint, i));
        const WseLabel place = g_array_index(build->labels, WseLabel, jump->target);

        if (place == ARCH_WSE_NONE) {
            return wse_refuse(self, error, "a jump to label %u, which has no place",
                              jump->target);
        }
        jump->target = sim_u16(place);
    }
    if (!wse_emit(self, end, error)) {
        return false;
    }
    g_array_set_size(build->labels, 0);
    g_array_set_size(build->jumps, 0);
    build->task = NULL;
    build->function = 0;
    return true;
}

static bool check_function(const ArchWseProgram *self, guint function, GError **error)
{
    return function < self->functions->len ||
           wse_refuse(self, error, "function %u, there are %u", function,
                      self->functions->len);
}

bool arch_wse_program_function(ArchWseProgram *self,
                               const char *name,
                               guint *function,
                               GError **error)
{
    WseFunction entry = {.start = ARCH_WSE_NONE, .name = g_intern_string(name)};
    guint variable = 0;

    if (self->functions->len >= ARCH_WSE_NONE - 1) {
        return wse_refuse(self, error, "function %s: allowed are %d", name,
                          ARCH_WSE_NONE - 1);
    }
    if (!arch_wse_program_variable(self, NULL, 0, &variable, error)) {
        return false;
    }
    entry.variable = sim_u16(variable);
    *function = self->functions->len;
    g_array_append_val(self->functions, entry);
    return true;
}

bool arch_wse_program_begin_function(ArchWseProgram *self,
                                     guint function,
                                     GError **error)
{
    struct WseBuild *build = self->build;

    if (!wse_check_open(self, error) || !check_function(self, function, error)) {
        return false;
    }
    WseFunction *entry = &g_array_index(self->functions, WseFunction, function);

    if (build->task != NULL || entry->start != ARCH_WSE_NONE) {
        return wse_refuse(self, error, "function %s %s", entry->name,
                          build->task != NULL ? "inside, it must end first"
                                              : "has its code already");
    }
    entry->start = sim_u16(self->instructions->len);
    build->body = (WseTask){.start = entry->start, .name = entry->name};
    build->task = &build->body;
    build->function = function + 1;
    return true;
}

bool arch_wse_program_entry(ArchWseProgram *self, guint function, GError **error)
{
    const WseInstruction end = {.code = WSE_END};
    WseInstruction call = {.code = WSE_CALL};
    struct WseBuild *build = self->build;

    if (!wse_check_open(self, error) || !check_function(self, function, error)) {
        return false;
    }
    build->body = (WseTask){
        .start = sim_u16(self->instructions->len),
        .name = g_array_index(self->functions, WseFunction, function).name,
    };
    if (build->task != NULL) {
        return wse_refuse(self, error, "function %s for the host inside",
                          build->body.name);
    }
    build->task = &build->body;
    call.value = sim_i32(function);
    if (!wse_emit(self, &call, error) || !wse_close_body(self, &end, error)) {
        return false;
    }
    g_array_append_val(self->entries, build->body);
    return true;
}

bool arch_wse_program_unblock_stream(ArchWseProgram *self, GError **error)
{
    const WseInstruction unblock = {.code = WSE_UNBLOCK_STREAM,
                                    .cycles =
                                        sim_u16(wse_param(self, "task.signal_cycles"))};

    return wse_emit(self, &unblock, error);
}

/* The function whose code is being added. */
static WseFunction *open_function(const ArchWseProgram *self)
{
    return &g_array_index(self->functions, WseFunction, self->build->function - 1);
}

static bool emit_return(ArchWseProgram *self, bool is_end, GError **error)
{
    const WseInstruction leave = {
        .code = WSE_RETURN,
        .cycles = sim_u16(wse_param(self, "pe.return_cycles")),
        .variable = open_function(self)->variable,
    };

    return is_end ? wse_close_body(self, &leave, error) : wse_emit(self, &leave, error);
}

bool arch_wse_program_end_function(ArchWseProgram *self, GError **error)
{
    if (!wse_check_open(self, error)) {
        return false;
    }
    if (self->build->function == 0) {
        return wse_refuse(self, error, "the end of a function, none is open");
    }
    WseFunction *function = open_function(self);

    if (!emit_return(self, true, error)) {
        return false;
    }
    function->end = sim_u16(self->instructions->len);
    return true;
}

bool arch_wse_program_return(ArchWseProgram *self, GError **error)
{
    const WseInstruction jump = {.code = WSE_JUMP};
    guint label = 0;

    if (!wse_check_task_open(self, error)) {
        return false;
    }
    if (self->build->function > 0) {
        return emit_return(self, false, error);
    }
    return (self->build->labels->len > END ||
            arch_wse_program_label(self, &label, error)) &&
           emit_jump(self, jump, END, error);
}

bool arch_wse_program_stop(ArchWseProgram *self, GError **error)
{
    const WseInstruction stop = {.code = WSE_STOP};

    return wse_emit(self, &stop, error);
}

static WseInstruction call_of(const ArchWseProgram *self, WseCode code)
{
    return (WseInstruction){.code = sim_u8(code),
                            .cycles = sim_u16(wse_param(self, "pe.call_cycles"))};
}

bool arch_wse_program_call(ArchWseProgram *self, guint function, GError **error)
{
    WseInstruction call = call_of(self, WSE_CALL);

    if (!check_function(self, function, error)) {
        return false;
    }
    call.value = sim_i32(function);
    return wse_emit(self, &call, error);
}

bool arch_wse_program_call_last(ArchWseProgram *self, guint function, GError **error)
{
    WseInstruction call = call_of(self, WSE_CALL_LAST);

    if (!check_function(self, function, error)) {
        return false;
    }
    if (self->build->function == 0) {
        return wse_refuse(self, error, "a last call outside of functions");
    }
    call.value = sim_i32(function);
    call.first = open_function(self)->variable;
    return wse_emit(self, &call, error);
}

bool arch_wse_program_call_pointer(ArchWseProgram *self, guint variable, GError **error)
{
    WseInstruction call = call_of(self, WSE_CALL_POINTER);

    if (!wse_check_variable(self, variable, error)) {
        return false;
    }
    call.variable = sim_u16(variable);
    return wse_emit(self, &call, error);
}

bool arch_wse_program_teardown_handler(ArchWseProgram *self,
                                       guint function,
                                       guint color,
                                       GError **error)
{
    guint variable = 0;

    if (!wse_check_open(self, error) || !check_function(self, function, error) ||
        !wse_check_index(self, "color", color, wse_color_count(self), error)) {
        return false;
    }
    if (self->build->handlers[color] != 0) {
        return wse_refuse(self, error, "a second teardown handler of color %u", color);
    }
    if (self->torn_down == ARCH_WSE_NONE) {
        if (!arch_wse_program_variable(self, NULL, 0, &variable, error)) {
            return false;
        }
        self->torn_down = sim_u16(variable);
    }
    self->build->handlers[color] = sim_u16(function + 1);
    return true;
}

/* if (torn down & color) { torn down &= ~color; handler(); } */
static bool
emit_handler(ArchWseProgram *self, guint color, guint scratch, GError **error)
{
    const ArchWseOperand torn = {.is_variable = true, .value = self->torn_down};
    const ArchWseOperand look[] = {torn, {.value = sim_i32(1U << color)}};
    const ArchWseOperand forget[] = {torn, {.value = ~look[1].value}};
    guint label = 0;

    return arch_wse_program_label(self, &label, error) &&
           arch_wse_program_operate(self, "and", ARCH_WSE_U32, scratch, look, error) &&
           arch_wse_program_jump_if(self, scratch, true, label, error) &&
           arch_wse_program_operate(self, "and", ARCH_WSE_U32, self->torn_down, forget,
                                    error) &&
           arch_wse_program_call(self, self->build->handlers[color] - 1U, error) &&
           arch_wse_program_place(self, label, error);
}

bool wse_finish_handlers(ArchWseProgram *self, GError **error)
{
    guint scratch = 0;

    if (self->torn_down == ARCH_WSE_NONE) {
        return true;
    }
    if (!arch_wse_program_variable(self, NULL, 0, &scratch, error) ||
        !arch_wse_program_begin_task(self, ARCH_WSE_TASK_LOCAL, WSE_TEARDOWN_TASK,
                                     "teardown", ARCH_WSE_NONE, error)) {
        return false;
    }
    for (guint color = 0; color < WSE_COLORS; color++) {
        if (self->build->handlers[color] != 0 &&
            !emit_handler(self, color, scratch, error)) {
            return false;
        }
    }
    return arch_wse_program_end_task(self, error);
}

/* Which functions are under way along a chain of calls, and which are done. */
typedef enum {
    NEW,
    OPEN,
    DONE,
} Mark;

static bool
follow(const ArchWseProgram *self, guint function, uint8_t *marks, GError **error)
{
    const WseFunction *entry = &g_array_index(self->functions, WseFunction, function);

    if (marks[function] == OPEN) {
        return wse_refuse(self, error,
                          "function %s calls itself, directly or by others; its "
                          "variables exist once",
                          entry->name);
    }
    if (marks[function] == DONE || entry->start == ARCH_WSE_NONE) {
        return true;
    }
    marks[function] = OPEN;
    for (guint i = entry->start; i < entry->end; i++) {
        const WseInstruction *call =
            &g_array_index(self->instructions, WseInstruction, i);

        if (call->code == WSE_CALL &&
            !follow(self, sim_u32(call->value), marks, error)) {
            return false;
        }
    }
    marks[function] = DONE;
    return true;
}

bool wse_finish_functions(ArchWseProgram *self, GError **error)
{
    g_autofree uint8_t *marks = g_malloc0(self->functions->len + 1);

    for (guint i = 0; i < self->functions->len; i++) {
        if (!follow(self, i, marks, error)) {
            return false;
        }
    }
    for (guint i = 0; i < self->instructions->len; i++) {
        WseInstruction *call = &g_array_index(self->instructions, WseInstruction, i);

        if (call->code != WSE_CALL && call->code != WSE_CALL_LAST) {
            continue;
        }
        const WseFunction *function =
            &g_array_index(self->functions, WseFunction, call->value);

        if (function->start == ARCH_WSE_NONE) {
            return wse_refuse(self, error, "function %s is called and has no code",
                              function->name);
        }
        call->target = function->start;
        call->variable = function->variable;
    }
    return true;
}
