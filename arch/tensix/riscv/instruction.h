/* An instruction of RV32IM, decoded once and carried out many times. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef struct RiscvCpu RiscvCpu;
typedef struct RiscvInstruction RiscvInstruction;

/* Carries out an instruction, whose first cycle has passed. */
typedef void RiscvExecute(RiscvCpu *cpu, const RiscvInstruction *self);

typedef enum {
#define RISCV(name, ...) RISCV_##name,
#include "arch/tensix/riscv/operations.def"
    RISCV_ILLEGAL,
} RiscvOperation;

enum {
    RISCV_REGISTERS = 32,
    RISCV_NOWHERE = 32, /* takes what instructions write to x0 */
};

struct RiscvInstruction {
    RiscvExecute *execute;
    uint32_t uses; /* registers that it reads or writes, a bit each */
    int32_t value; /* immediate, sign extended; of a branch, from its own address on */
    uint32_t line; /* of the instruction cache: address >> 4, plus 1 */
    uint8_t rd;    /* RISCV_NOWHERE instead of x0 */
    uint8_t rs1;
    uint8_t rs2;
    uint8_t operation; /* RiscvOperation */
    bool begins_line;
};

/* Decodes `word`; what RV32IM does not have gets riscv_execute_illegal. */
RiscvInstruction riscv_decode(uint32_t word);

/* How an instruction is written; the caller frees it. For messages. */
char *riscv_disassemble(uint32_t word);

RiscvExecute riscv_execute_illegal;
RiscvExecute riscv_execute_multiply_add;
