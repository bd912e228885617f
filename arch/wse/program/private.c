/* Finds code that a CE may run ahead of the fabric. */
#include "arch/wse/program/build.h"

/* A vector operation from memory to memory that starts nothing beside the main thread
 * and always stays inside its arrays. */
static bool is_private_vector(const ArchWseProgram *self,
                              const WseInstruction *instruction)
{
    for (guint i = 0; i < instruction->operand_count; i++) {
        const WseDsd *dsd =
            &g_array_index(self->dsds, WseDsd, instruction->operands[i]);

        if (dsd->variable != ARCH_WSE_NONE) {
            return false;
        }
    }
    return !instruction->has_fabric && !instruction->is_async &&
           !instruction->is_dynamic && !instruction->has_index;
}

/* Whether the one at `at` is, as far as is known of those that may follow it. */
static bool is_private(const ArchWseProgram *self, const WseInstruction *code, guint at)
{
    const WseInstruction *instruction = &code[at];

    g_assert(at + 1 < self->instructions->len || instruction->code == WSE_END ||
             instruction->code >= WSE_MACHINE);
    switch (instruction->code) {
    case WSE_VECTOR:
        return is_private_vector(self, instruction);
    case WSE_END:
        return true;
    case WSE_JUMP:
        return code[instruction->target].is_private;
    case WSE_JUMP_UNLESS:
    case WSE_JUMP_UNLESS_SCALAR:
        return code[at + 1].is_private && code[instruction->target].is_private;
    case WSE_ACTIVATE:
    case WSE_BLOCK:
    case WSE_UNBLOCK:
        return !instruction->is_variable && code[at + 1].is_private;
    case WSE_ASSIGN:
    case WSE_ADD:
    case WSE_SCALAR:
    case WSE_ITERATION:
    case WSE_ZONE:
        return code[at + 1].is_private;
    default:
        return false;
    }
}

void wse_mark_private(ArchWseProgram *self)
{
    WseInstruction *code = (WseInstruction *) (gpointer) self->instructions->data;
    const guint count = self->instructions->len;
    bool has_changed = true;

    for (guint i = 0; i < count; i++) {
        code[i].is_private = true;
    }
    while (has_changed) { /* jumps go back, too */
        has_changed = false;
        for (guint i = count; i-- > 0;) {
            if (code[i].is_private && !is_private(self, code, i)) {
                code[i].is_private = false;
                has_changed = true;
            }
        }
    }
}
