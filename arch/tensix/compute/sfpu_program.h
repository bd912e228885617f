/* Programs of the vector unit: lists of its instructions, which compute the numbers and
 * whose count is their time. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/tensix/compute/sfpu.h"

/* Named after tt-isa-documentation, TensixCoprocessor/SFP*.md; d, a, b and c are
 * registers. Each takes a slot, where nothing else is said. */
typedef enum {
    SFPU_LOAD,         /* d = operand a of Dst */
    SFPU_STORE,        /* the result = a, cut to BF16 for a Dst of 16 bits */
    SFPU_STORE_BITS,   /* the result = a, as it is */
    SFPU_LOADI,        /* d = imm; two slots if its lower half is not 0 */
    SFPU_MAD,          /* d = a * b + c, one slot later than others */
    SFPU_LUT,          /* d = R[i] * |R3| + R[4 + i], i = 0 below 1, 1 below 2, 2 */
    SFPU_MOV,          /* d = a */
    SFPU_NEG,          /* d = a with the other sign */
    SFPU_ABS,          /* d = a without its sign */
    SFPU_SETSGN,       /* d = a with the sign of d */
    SFPU_SETEXP,       /* d = a with the integer d as its exponent's bits */
    SFPU_SETEXPI,      /* d = a with imm as its exponent's bits */
    SFPU_DIVP2,        /* d = a with imm added to its exponent, but infinities */
    SFPU_EXEXP,        /* d = exponent of a, an integer */
    SFPU_EXEXP_BIASED, /* likewise, its bits */
    SFPU_EXMAN,        /* d = mantissa of a with the leading 1, an integer */
    SFPU_EXMAN_BITS,   /* likewise, its bits */
    SFPU_SHIFT,        /* d = d shifted left by a, or right by -a */
    SFPU_SHIFTI,       /* likewise, by imm */
    SFPU_IADD,         /* d = a + d, integers */
    SFPU_IADDI,        /* d = a + imm */
    SFPU_ISUB,         /* d = a - d */
    SFPU_AND,          /* d = a & d */
    SFPU_CAST,         /* d = a, an integer of sign and magnitude, as a number */
    SFPU_TO_UINT16,    /* d = |a| to the nearest integer, 65535 at most */
    SFPU_MAX,          /* a = max(a, d) and d = min; two slots, as SFPSWAP */
    SFPU_IF_LT0,       /* from here on only lanes whose a, an integer, is below 0 */
    SFPU_IF_GE0,
    SFPU_IF_EQ0,
    SFPU_END, /* all lanes again */
    SFPU_OPCODES,
} SfpuOpcode;

/* R0 to R7 can be written. */
enum {
    SFPU_ZERO = 9,
    SFPU_ONE = 10,
    SFPU_MINUS_ONE = 11,
    SFPU_P0 = 12, /* constants that a function's _init() sets */
    SFPU_P1,
    SFPU_P2,
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
