/* Decodes RV32IM, by the table of operations.def. */
#include "arch/tensix/riscv/instruction.h"
#include "sim/narrow.h"

typedef enum {
    FORM_R,
    FORM_I,
    FORM_SHIFT,
    FORM_S,
    FORM_B,
    FORM_U,
    FORM_J,
    FORM_VECTOR,
    FORM_MAD,
    FORM_NONE,
} Form;

typedef struct {
    const char *name;
    RiscvExecute *execute;
    Form form;
    uint8_t opcode;
    uint8_t funct3;
    uint8_t funct7;
} Operation;

#define RISCV(name, ...) RiscvExecute riscv_execute_##name;
#include "arch/tensix/riscv/operations.def"

static const Operation operations[] = {
#define RISCV(name, ...) {#name, riscv_execute_##name, __VA_ARGS__},
#include "arch/tensix/riscv/operations.def"
};

enum {
    EBREAK = 0x00100073,
};

/* Bits `low` to `low + count - 1` of a word. */
static uint32_t bits(uint32_t word, guint low, guint count)
{
    return word >> low & ((1u << count) - 1);
}

/* The same bits with the last one as sign. */
static int32_t signed_bits(uint32_t word, guint low, guint count)
{
    return (int32_t) (word << (32 - low - count)) >> (32 - count);
}

static int32_t value_of(Form form, uint32_t word)
{
    const int32_t top = (int32_t) word < 0 ? -1 : 0;

    switch (form) {
    case FORM_I:
        return signed_bits(word, 20, 12);
    case FORM_SHIFT:
        return (int32_t) bits(word, 20, 5);
    case FORM_S:
        return signed_bits(word, 25, 7) * 32 + (int32_t) bits(word, 7, 5);
    case FORM_B:
        return top * 4096 + (int32_t) (bits(word, 7, 1) << 11 | bits(word, 25, 6) << 5 |
                                       bits(word, 8, 4) << 1);
    case FORM_U:
        return (int32_t) (word & 0xfffff000u);
    case FORM_J:
        return top * 1048576 + (int32_t) (bits(word, 12, 8) << 12 |
                                          bits(word, 20, 1) << 11 |
                                          bits(word, 21, 10) << 1);
    case FORM_VECTOR: /* its opcode, and whether it is a part of the one before */
        return (int32_t) (bits(word, 25, 7) | bits(word, 12, 3) << 8);
    case FORM_MAD: /* the third register */
        return (int32_t) bits(word, 27, 5);
    case FORM_R:
    case FORM_NONE:
        break;
    }
    return 0;
}

static bool is_of(const Operation *operation, uint32_t word)
{
    const bool has_funct3 = operation->form != FORM_U && operation->form != FORM_J &&
                            operation->form != FORM_VECTOR;
    const bool has_funct7 = operation->form == FORM_R || operation->form == FORM_SHIFT;

    return bits(word, 0, 7) == operation->opcode &&
           (!has_funct3 || bits(word, 12, 3) == operation->funct3) &&
           (!has_funct7 || bits(word, 25, 7) == operation->funct7) && word != EBREAK;
}

static const Operation *find(uint32_t word)
{
    for (guint i = 0; i < G_N_ELEMENTS(operations); i++) {
        if (is_of(&operations[i], word)) {
            return &operations[i];
        }
    }
    return NULL;
}

RiscvInstruction riscv_decode(uint32_t word)
{
    static const struct {
        bool has_rd;
        bool has_rs1;
        bool has_rs2;
    } operands[] = {
        [FORM_R] = {true, true, true},      [FORM_I] = {true, true, false},
        [FORM_SHIFT] = {true, true, false}, [FORM_S] = {false, true, true},
        [FORM_B] = {false, true, true},     [FORM_U] = {true, false, false},
        [FORM_J] = {true, false, false},    [FORM_VECTOR] = {true, true, true},
        [FORM_MAD] = {true, true, true},    [FORM_NONE] = {false, false, false},
    };
    const Operation *operation = find(word);
    RiscvInstruction self = {.execute = riscv_execute_illegal,
                             .operation = RISCV_ILLEGAL,
                             .rd = RISCV_NOWHERE};

    if (operation == NULL) {
        return self;
    }
    self.execute = operation->execute;
    self.operation = sim_u8((uint64_t) (operation - operations));
    self.value = value_of(operation->form, word);
    if (operands[operation->form].has_rd && bits(word, 7, 5) != 0) {
        self.rd = sim_u8(bits(word, 7, 5));
        self.uses |= 1u << self.rd;
    }
    if (operands[operation->form].has_rs1) {
        self.rs1 = sim_u8(bits(word, 15, 5));
        self.uses |= 1u << self.rs1;
    }
    if (operands[operation->form].has_rs2) {
        self.rs2 = sim_u8(bits(word, 20, 5));
        self.uses |= 1u << self.rs2;
    }
    if (operation->form == FORM_MAD) {
        self.uses |= 1u << self.value;
    }
    return self;
}

char *riscv_disassemble(uint32_t word)
{
    const Operation *operation = find(word);
    const guint rd = bits(word, 7, 5);
    const guint rs1 = bits(word, 15, 5);
    const guint rs2 = bits(word, 20, 5);

    if (operation == NULL) {
        return g_strdup_printf(".word 0x%08x", word);
    }
    const int value = value_of(operation->form, word);

    switch (operation->form) {
    case FORM_R:
    case FORM_VECTOR:
    case FORM_MAD:
        return g_strdup_printf("%s x%u, x%u, x%u", operation->name, rd, rs1, rs2);
    case FORM_I:
    case FORM_SHIFT:
        return g_strdup_printf("%s x%u, x%u, %d", operation->name, rd, rs1, value);
    case FORM_S:
        return g_strdup_printf("%s x%u, %d(x%u)", operation->name, rs2, value, rs1);
    case FORM_B:
        return g_strdup_printf("%s x%u, x%u, %+d", operation->name, rs1, rs2, value);
    case FORM_U:
        return g_strdup_printf("%s x%u, 0x%x", operation->name, rd,
                               (uint32_t) value >> 12);
    case FORM_J:
        return g_strdup_printf("%s x%u, %+d", operation->name, rd, value);
    case FORM_NONE:
        break;
    }
    return g_strdup(operation->name);
}
