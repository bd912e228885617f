/* How programs of the vector unit are written down. */
#pragma once

#include "arch/tensix/compute/sfpu_program.h"

enum {
    R0,
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7
};

#define Z  SFPU_ZERO
#define P0 SFPU_P0
#define P1 SFPU_P1
#define P2 SFPU_P2

#define LOAD(to, operand)                                                              \
    {                                                                                  \
        .opcode = SFPU_LOAD, .d = (to), .a = (operand)                                 \
    }
#define STORE(from)                                                                    \
    {                                                                                  \
        .opcode = SFPU_STORE, .a = (from)                                              \
    }
#define STORE_BITS(from)                                                               \
    {                                                                                  \
        .opcode = SFPU_STORE_BITS, .a = (from)                                         \
    }
#define LOADI(to, bits)                                                                \
    {                                                                                  \
        .opcode = SFPU_LOADI, .d = (to), .imm = (bits)                                 \
    }
#define MAD(to, x, y, z)                                                               \
    {                                                                                  \
        .opcode = SFPU_MAD, .d = (to), .a = (x), .b = (y), .c = (z)                    \
    }
#define MUL(to, x, y) MAD(to, x, y, Z)
#define ADD(to, x, y) MAD(to, x, SFPU_ONE, y)
#define SUB(to, x, y) MAD(to, y, SFPU_MINUS_ONE, x)
#define ONE_OF(name, to, from)                                                         \
    {                                                                                  \
        .opcode = SFPU_##name, .d = (to), .a = (from)                                  \
    }
#define WITH(name, to, from, n)                                                        \
    {                                                                                  \
        .opcode = SFPU_##name, .d = (to), .a = (from), .imm = (uint32_t) (n)           \
    }
/* The greater to `x`, the lesser to `y`; those of them that are constants stay. */
#define GREATER(x, y) ONE_OF(MAX, y, x)
#define IF(name, x)                                                                    \
    {                                                                                  \
        .opcode = SFPU_IF_##name, .a = (x)                                             \
    }
#define END                                                                            \
    {                                                                                  \
        .opcode = SFPU_END                                                             \
    }

#define INFINITE  UINT32_C(0x7f800000)
#define NO_NUMBER UINT32_C(0x7fc00000)
