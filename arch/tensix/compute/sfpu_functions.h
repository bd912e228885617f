/* Functions of the vector unit, as programs of our own. */
#pragma once

#include <stdbool.h>

#include "arch/number/tile_format.h"
#include "arch/tensix/compute/sfpu_program.h"

/* Each is right to some digits, which tests/arch/tensix/test_sfpu_functions.c holds
 * them to. Infinities and NaNs come out where a comment in the .c says so. */
typedef enum {
    SFPU_EXP,
    SFPU_EXP2,
    SFPU_LOG,
    SFPU_RSQRT,
    SFPU_SIGMOID,
    SFPU_TANH,
    SFPU_GELU,
    SFPU_SILU,
    SFPU_RELU,
    SFPU_ABSOLUTE,
    SFPU_SIGN,
    SFPU_NEGATIVE,
    SFPU_SQUARE,
    SFPU_FLOOR,
    SFPU_CEIL,
    SFPU_FILL,
    SFPU_UNARY_MAX,
    SFPU_UNARY_MIN,
    SFPU_CLAMP,
    SFPU_RSUB_UNARY,
    SFPU_DIV,
    SFPU_RSUB,
    SFPU_POWER,
    SFPU_BINARY_MAX,
    SFPU_BINARY_MIN,
    SFPU_ADD_INT,
    SFPU_SUB_INT,
    SFPU_MASK,
    SFPU_WHERE,
    SFPU_COPY,
    SFPU_INTO_BF16,
    SFPU_FROM_UINT16,
    SFPU_FROM_INT32,
    SFPU_INTO_UINT16,
    SFPU_INTO_INT32,
    SFPU_FUNCTIONS,
} SfpuFunction;

/* The program for Dst of 16 or 32 bits, or the approximate one where there is one. */
const SfpuProgram *
tensix_sfpu_function(SfpuFunction function, TensixDst dst, bool is_approximate);

/* What makes numbers of `to` of those of `from` in Dst; SFPU_FUNCTIONS: nothing does.
 * Integers of 32 bits count as signed. */
SfpuFunction tensix_sfpu_cast(ArchFormat from, ArchFormat to);
