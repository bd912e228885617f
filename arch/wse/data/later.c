/* Looks for what depends on numbers, or on when they are there. */
#include "arch/wse/data/later.h"

#include "arch/wse/data/letter.h"
#include "arch/wse/kind.h"
#include "arch/wse/layout.h"

enum {
    NO_QUEUE = 0xff,
};

static const WseDsd *
dsd_of(const WseKind *kind, const WseInstruction *instruction, guint operand)
{
    return &kind->dsds[instruction->operands[operand]];
}

static bool suits_stream(const WseKind *kind, const WseInstruction *instruction)
{
    const WseDsd *to = dsd_of(kind, instruction, 0);

    if (instruction->output == NO_QUEUE) {
        return to->kind == WSE_MEMORY;
    }
    if (to->is_control) {
        return dsd_of(kind, instruction, 1)->kind == WSE_IMMEDIATE;
    }
    return instruction->input == NO_QUEUE && instruction->input2 == NO_QUEUE;
}

static bool suits_vector(const WseKind *kind, const WseInstruction *instruction)
{
    const bool has_stream =
        instruction->input != NO_QUEUE || instruction->output != NO_QUEUE;
    const WseDsd *to = dsd_of(kind, instruction, 0);

    return !instruction->is_dynamic && !instruction->is_endless &&
           !instruction->has_fifo && !instruction->has_index && to->zeroed == 0 &&
           (!has_stream || to->is_control || !wse_kind_is_single(kind, instruction)) &&
           suits_stream(kind, instruction);
}

static bool suits(const WseKind *kind, const WseInstruction *instruction)
{
    switch (instruction->code) {
    case WSE_VECTOR:
        return suits_vector(kind, instruction);
    case WSE_ASSIGN:
    case WSE_ADD:
    case WSE_JUMP_UNLESS:
    case WSE_ACTIVATE:
    case WSE_BLOCK:
    case WSE_UNBLOCK:
    case WSE_ROUTE:
    case WSE_TEARDOWN_EXIT:
    case WSE_ITERATION:
    case WSE_ZONE:
    case WSE_UNBLOCK_STREAM:
    case WSE_END:
    case WSE_JUMP:
    case WSE_JUMP_IF_ZERO:
    case WSE_JUMP_IF_NOT_ZERO:
    case WSE_INTEGER:
    case WSE_FLOAT:
    case WSE_INTEGER64:
    case WSE_CONVERT:
    case WSE_CALL:
    case WSE_CALL_LAST:
    case WSE_RETURN:
        return true;
    default:
        return false;
    }
}

static bool suits_task(const WseTask *task)
{
    return task->start == ARCH_WSE_NONE ||
           (task->argument == ARCH_WSE_NONE && task->part_count == 0);
}

static bool suits_kind(const WseKind *kind)
{
    const ArchWseProgram *program = kind->program;

    for (guint i = 0; i < WSE_TASKS; i++) {
        if (!suits_task(&program->tasks[i])) {
            return false;
        }
    }
    for (guint i = 0; i < program->instructions->len; i++) {
        if (!suits(kind, &kind->code[i])) {
            return false;
        }
    }
    return !program->needs_data;
}

bool wse_later_suits(const WseFabric *fabric)
{
    for (guint i = 0; i < fabric->kinds->len; i++) {
        if (!suits_kind(&g_array_index(fabric->kinds, WseKind, i))) {
            return false;
        }
    }
    return fabric->is_stream && fabric->layout->columns <= WSE_LETTER_LINES &&
           fabric->layout->rows <= WSE_LETTER_LINES;
}
