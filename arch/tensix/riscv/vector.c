/* Vector instructions: from names in registers to calls of the compute threads. */
#include "arch/tensix/riscv/vector.h"

#include <string.h>

#include "arch/error.h"
#include "arch/tensix/compute/sfpu_vector.h"
#include "arch/tensix_riscv.h"
#include "sim/narrow.h"

/* Names of vectors are numbers that kernels hardly compute otherwise; those of the
 * registers are their plain numbers. */
#define NAME_TAG  UINT32_C(0x5fec0000)
#define NAME_MASK UINT32_C(0xffffff00)

enum {
    MATH_THREAD = 1,
    VECTOR_ROWS = 2, /* of Dst, from a vector to the next */
    TILE_ROWS = 64,
    FACE_ROWS = 16,
};

G_STATIC_ASSERT((int) RISCV_VECTOR_NAMES == (int) SFPU_VECTORS);

const char *arch_riscv_vector_name(guint number)
{
    return tensix_sfpu_opcode_name(number);
}

static void note(RiscvVectors *self, uint32_t word)
{
    if ((word & NAME_MASK) == NAME_TAG) {
        self->is_used[word & G_MAXUINT8] = true;
    }
}

/* Keeps the names that the RISC-V still has. */
static void forget_others(RiscvVectors *self, const RiscvCpu *cpu)
{
    memset(self->is_used, 0, sizeof self->is_used);
    for (guint i = 0; i < RISCV_REGISTERS; i++) {
        note(self, cpu->x[i]);
    }
    for (uint32_t at = 0; at + 4 <= cpu->numbers->local_bytes; at += 4) {
        uint32_t word = 0;

        memcpy(&word, cpu->local + at, sizeof word);
        note(self, word);
    }
}

static bool find_free(RiscvVectors *self)
{
    for (guint i = MAX(self->next, SFPU_REGISTERS); i < RISCV_VECTOR_NAMES; i++) {
        if (!self->is_used[i]) {
            self->is_used[i] = true;
            self->next = i;
            return true;
        }
    }
    return false;
}

/* A name that nobody has, in `name`. */
static bool make_name(RiscvVectors *self, const RiscvCpu *cpu, guint8 *name)
{
    if (!find_free(self)) {
        forget_others(self, cpu);
        self->next = 0;
        if (!find_free(self)) {
            return false;
        }
    }
    *name = sim_u8(self->next);
    return true;
}

static bool take_vector(uint32_t word, guint8 *number, GError **error)
{
    *number = sim_u8(word & G_MAXUINT8);
    return word < SFPU_REGISTERS || (word & NAME_MASK) == NAME_TAG ||
           arch_refuse(error, "0x%x is not a vector", word);
}

/* Operands from registers, in the order of SfpuOperand. */
static bool take_operands(const RiscvCpu *cpu,
                          const RiscvInstruction *at,
                          ArchComputeCall *call,
                          GError **error)
{
    const guint operands = tensix_sfpu_operands(call->mode);
    const uint32_t words[] = {cpu->x[at->rs1], cpu->x[at->rs2],
                              cpu->x[at->value % RISCV_REGISTERS]};
    guint next = 0;

    if (((operands & READS_A) != 0 &&
         !take_vector(words[next++], &call->cb_a, error)) ||
        ((operands & (READS_B | READS_D)) != 0 &&
         !take_vector(words[next++], &call->cb_b, error)) ||
        ((operands & READS_C) != 0 &&
         !take_vector(words[next++], &call->dst_c, error))) {
        return false;
    }
    if ((operands & TAKES_IMM) != 0) {
        call->bits = words[next];
    }
    return true;
}

/* Where dst_reg[] is, and the row of a load or store. */
static void follow_dst(RiscvVectors *self, ArchComputeCall *call)
{
    const uint32_t number = call->bits;
    const uint32_t row = self->tile_row + self->step_row + number * VECTOR_ROWS;

    switch (call->mode) {
    case SFPU_BEGIN:
        self->tile_row = number * TILE_ROWS;
        self->step_row = 0;
        break;
    case SFPU_FACE:
        self->tile_row += FACE_ROWS;
        self->step_row = 0;
        break;
    case SFPU_STEP:
        self->step_row += number * VECTOR_ROWS;
        break;
    case SFPU_LOAD:
    case SFPU_STORE:
    case SFPU_STORE_BITS:
        call->tile_a = sim_u16(MIN(row, G_MAXUINT16));
        break;
    default:
        break;
    }
}

static guint8 opcode_of(const RiscvInstruction *at)
{
    return at->execute == riscv_execute_multiply_add ? SFPU_MAD
                                                     : sim_u8(at->value & G_MAXUINT8);
}

bool riscv_vector_call(RiscvVectors *self,
                       RiscvCpu *cpu,
                       ArchTensixCore *core,
                       guint thread,
                       GError **error)
{
    const RiscvInstruction *at = cpu->next - 1;
    ArchComputeCall call = {.op = ARCH_COMPUTE_VECTOR, .mode = opcode_of(at)};

    if (thread != MATH_THREAD || call.mode >= SFPU_OPCODES) {
        return arch_refuse(error, thread != MATH_THREAD
                                      ? "vectors are for the math thread: MATH((...))"
                                      : "the vector unit has no such instruction");
    }
    if (!take_operands(cpu, at, &call, error)) {
        return false;
    }
    if (call.mode == SFPU_CONFIG && call.bits >= SFPU_REGISTERS) {
        return arch_refuse(error, "the vector unit has no register %u", call.bits);
    }
    follow_dst(self, &call);
    if (at->rd != RISCV_NOWHERE && !make_name(self, cpu, &call.dst_b)) {
        return arch_refuse(error, "the kernel keeps more than %d vectors",
                           RISCV_VECTOR_NAMES - SFPU_REGISTERS);
    }
    if (!arch_compute_call_on(core, thread, &call, error)) {
        return false;
    }
    cpu->x[at->rd] = NAME_TAG | call.dst_b;
    return true;
}
