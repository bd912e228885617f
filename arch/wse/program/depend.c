/* Finds out whether what a program does depends on the numbers in its memory. */
#include "arch/wse/program/build.h"
#include "arch/wse/program/number.h"
#include "sim/narrow.h"

/* Registers that may hold what was read from memory, whatever the way to it. */
typedef struct {
    const ArchWseProgram *program;
    uint8_t *is_data;
    bool has_changed;
} Depend;

static bool is_data(const Depend *self, guint variable, ArchWseType type)
{
    return self->is_data[variable] != 0 ||
           (wse_type_is_wide(type) && self->is_data[variable + 1] != 0);
}

static void mark(Depend *self, guint variable, ArchWseType type)
{
    if (!is_data(self, variable, type)) {
        self->is_data[variable] = 1;
        self->has_changed = true;
    }
    if (wse_type_is_wide(type)) {
        self->is_data[variable + 1] = 1;
    }
}

static bool uses_data(const Depend *self, const WseInstruction *at, ArchWseType type)
{
    return (at->is_first_variable && is_data(self, sim_u32(at->first), type)) ||
           (at->is_variable && is_data(self, sim_u32(at->value), type));
}

static void spread(Depend *self, const WseInstruction *at)
{
    const ArchWseType type = (ArchWseType) at->relation;

    switch (at->code) {
    case WSE_ASSIGN:
    case WSE_ADD:
        if (at->is_variable && self->is_data[at->value]) {
            mark(self, at->variable, ARCH_WSE_I32);
        }
        break;
    case WSE_INTEGER:
    case WSE_FLOAT:
    case WSE_INTEGER64:
        if (uses_data(self, at, type)) {
            mark(self, at->variable, type);
        }
        break;
    case WSE_CONVERT:
        if (uses_data(self, at, (ArchWseType) at->scalar)) {
            mark(self, at->variable, type);
        }
        break;
    case WSE_LOAD:
        mark(self, at->variable, type);
        break;
    case WSE_DSD_SET:
        if (uses_data(self, at, ARCH_WSE_U16)) {
            mark(self, at->variable, ARCH_WSE_U64);
        }
        break;
    default:
        break;
    }
}

/* Where an operation works, how long and on whom, depends on a number. */
static bool is_led(const Depend *self, const WseInstruction *at)
{
    for (guint i = 0; i < at->operand_count; i++) {
        const WseDsd *dsd =
            &g_array_index(self->program->dsds, WseDsd, at->operands[i]);

        if ((dsd->kind == WSE_VALUE && is_data(self, dsd->variable, ARCH_WSE_U64)) ||
            (dsd->kind == WSE_POINTER && self->is_data[dsd->variable] != 0)) {
            return true;
        }
    }
    return (at->is_activated_in_register && self->is_data[at->signal[0]] != 0) ||
           (at->is_unblocked_in_register && self->is_data[at->signal[1]] != 0);
}

/* What the PE does next, or for how long, depends on a number. */
static bool decides(const Depend *self, const WseInstruction *at)
{
    switch (at->code) {
    case WSE_JUMP_UNLESS:
        return self->is_data[at->variable] != 0 ||
               (at->is_variable && self->is_data[at->value] != 0);
    case WSE_VECTOR:
        return at->is_dynamic && is_led(self, at);
    case WSE_ACTIVATE:
    case WSE_BLOCK:
    case WSE_UNBLOCK:
    case WSE_SET_CONFIG:
        return uses_data(self, at, ARCH_WSE_U16);
    case WSE_JUMP_IF_ZERO:
    case WSE_JUMP_IF_NOT_ZERO:
    case WSE_CALL_POINTER:
        return self->is_data[at->variable] != 0;
    default:
        return false;
    }
}

bool wse_depends_on_data(const ArchWseProgram *self)
{
    const WseInstruction *code =
        (const WseInstruction *) (gconstpointer) self->instructions->data;
    g_autofree uint8_t *data = g_malloc0(self->variables->len + 1);
    Depend depend = {.program = self, .is_data = data, .has_changed = true};

    for (guint i = 0; i < WSE_TASKS;
         i++) { /* control wavelets are known without data */
        const WseTask *task = &self->tasks[i];

        for (guint k = 0; k < task->part_count; k++) {
            data[task->variable + k] = 1;
        }
    }
    while (depend.has_changed) {
        depend.has_changed = false;
        for (guint i = 0; i < self->instructions->len; i++) {
            spread(&depend, &code[i]);
        }
    }
    for (guint i = 0; i < self->instructions->len; i++) {
        if (decides(&depend, &code[i])) {
            return true;
        }
    }
    return false;
}
