/* Programs of the vector unit: lists of its instructions, which compute the numbers and
 * whose count is their time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/compute/sfpu.h"

/* Of an instruction: registers that it reads, and whether it has a number in it. */
enum {
    READS_A = 1,
    READS_B = 2,
    READS_C = 4,
    READS_D = 8,
    READS_TABLE = 16,
    TAKES_IMM = 32,
};

typedef enum {
#define SFPU_OPCODE(name, ...) SFPU_##name,
#include "arch/tensix/compute/sfpu_opcodes.def"
    SFPU_OPCODES,
} SfpuOpcode;

/* Its name; NULL after the last. */
const char *tensix_sfpu_opcode_name(guint opcode);

/* Of TAKES_IMM and READS_A, ... */
guint tensix_sfpu_operands(guint opcode);

/* Slots of an instruction; those that wait for a multiply-add have one more. */
guint tensix_sfpu_slots(guint opcode, uint32_t imm);

/* Whether its result comes a slot late. */
bool tensix_sfpu_is_late(guint opcode);

/* R0 to R7 can be written. */
enum {
    SFPU_ZERO = 9, /* 8 is 0.8373 */
    SFPU_ONE = 10,
    SFPU_MINUS_ONE = 11,
    SFPU_P0 = 12, /* constants that a function's _init() sets */
    SFPU_P1,
    SFPU_P2,
    SFPU_LANE_NUMBERS, /* 0, 2, 4, ... */
    SFPU_REGISTERS,
};

typedef struct {
    uint8_t opcode;
    uint8_t d;
    uint8_t a;
    uint8_t b;
    uint8_t c;
    uint32_t imm;
} SfpuInstruction;

/* Set before the vectors of each face; P0 to P2 once. */
typedef struct {
    uint8_t d;
    uint32_t bits;
} SfpuConstant;

typedef struct {
    const SfpuInstruction *code; /* for a vector of 32 numbers */
    guint length;
    const SfpuConstant *constants;
    guint constant_count;
    guint scalar_count; /* arguments of the call, in R7 and R6 */
} SfpuProgram;

typedef struct {
    uint32_t *dst;
    const uint32_t *operands[3]; /* may be dst */
    uint32_t scalars[2];
} SfpuCall;

/* Computes a tile. Multiply-adds round once, to nearest even, without denormals and
 * -0: like SFPMAD but for its rare roundings of a product that a sum cancels. */
void tensix_sfpu_run(const SfpuProgram *self,
                     const SfpuCall *call,
                     TensixSfpuMode mode);

/* Slots of a vector, with a wait where a multiply-add's result is needed at once, and
 * the step to the next vector; and of a face, beside its vectors. */
guint tensix_sfpu_vector_slots(const SfpuProgram *self);
guint tensix_sfpu_face_slots(const SfpuProgram *self);
