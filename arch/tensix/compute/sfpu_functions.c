/* Functions of the vector unit: their programs.
 *
 * The methods are our own, but for the short exponential, which follows the vendor's in
 * principle. Counts of slots come out of the lists below (sfpu_program.h): exp for BF16
 * has 25 a vector, 848 a tile with what its faces take, and 870 cycles with start and
 * end; 1205 if the code is unrolled beyond the instruction cache. On a card, compiled
 * code took about 1150, and code scheduled by hand less than 700. */
#include "arch/tensix/compute/sfpu_functions.h"

#include "arch/tensix/compute/sfpu_notation.h"

/* R1 = 2^(R0 - 127), for R0 up to P1: as a fixed-point number, R0 has the exponent
 * before the point and a fraction behind it, of whose power 1 + (1 - a) f + a f^2 with
 * a = 0.3398 is 0.27 % off at most. `y` and `x` are its coefficients for f * 2^23. */
#define POWER_OF_TWO(set_y, y, set_x, x)                                               \
    GREATER(R0, Z), GREATER(P1, R0), ONE_OF(EXEXP, R1, R0), ONE_OF(EXMAN, R2, R0),     \
        ONE_OF(SHIFT, R2, R1), ONE_OF(EXMAN_BITS, R3, R2), ONE_OF(CAST, R3, R3),       \
        ONE_OF(EXEXP_BIASED, R1, R2), set_y set_x MAD(R0, R3, y, x),                   \
        MAD(R0, R0, R3, SFPU_ONE), ONE_OF(SETEXP, R1, R0)
#define NOTHING
#define SHORT_EXP   POWER_OF_TWO(NOTHING, R5, NOTHING, R6)
#define SQUARE_OF_F UINT32_C(0x27adfa44)
#define PLAIN_F     UINT32_C(0x33a902de)
#define SHORT_EXP_CONSTANTS                                                            \
    {R4, UINT32_C(0x42fe0000)}, {R5, SQUARE_OF_F},                                     \
    {                                                                                  \
        R6, PLAIN_F                                                                    \
    }

/* `r` to nearest even with 16 bits less, by R2; P2 is the integer 0x7fff, `one` 1. */
#define ROUND(r, one)                                                                  \
    ONE_OF(MOV, R2, r), WITH(SHIFTI, R2, R2, -16), ONE_OF(AND, R2, one),               \
        ONE_OF(IADD, r, P2), ONE_OF(IADD, r, R2)

/* R0 between two bounds, by R1. */
#define BOUND(low, high)                                                               \
    LOADI(R1, low), GREATER(R0, R1), LOADI(R1, high), GREATER(R1, R0)
#define LOW  UINT32_C(0xc2ae0000)
#define HIGH UINT32_C(0x42ac0000)

/* R1 = exp(R0): k, the multiple of ln 2 that is nearest, is in the last bits of a sum
 * with 1.5 * 2^23; the power series up to the sixth power of the rest, which is 0.35 at
 * most; and k is added to the exponent. About 1 unit of the last place. */
#define REDUCE                                                                         \
    MAD(R1, R0, P0, R4), LOADI(R3, UINT32_C(0xbf310000)), SUB(R2, R1, R4),             \
        MAD(R0, R2, R3, R0), MAD(R0, R2, P1, R0)
#define SERIES                                                                         \
    LOADI(R2, UINT32_C(0x3f000000)), MAD(R3, R0, R7, R6), MAD(R3, R3, R0, R5),         \
        MAD(R3, R3, R0, P2), MAD(R3, R3, R0, R2), MAD(R3, R3, R0, SFPU_ONE),           \
        MAD(R3, R3, R0, SFPU_ONE), WITH(SHIFTI, R1, R1, 23), ONE_OF(IADD, R1, R3)
#define LONG_EXP REDUCE, SERIES
#define LONG_EXP_CONSTANTS                                                             \
    {P0, UINT32_C(0x3fb8aa3b)}, {P1, UINT32_C(0xbae42ff0)},                            \
        {P2, UINT32_C(0x3e2aaaab)}, {R4, UINT32_C(0x4b400000)},                        \
        {R5, UINT32_C(0x3d2aaaab)}, {R6, UINT32_C(0x3c088889)},                        \
    {                                                                                  \
        R7, UINT32_C(0x3ab60b61)                                                       \
    }

/* R0 = 1 / R0 for a number from 2^-125 to 2^125: the difference of patterns is 12 %
 * off, and each of Newton's steps squares that. */
#define NEWTON MAD(R3, R2, R0, SFPU_ONE), MAD(R0, R0, R3, R0)
#define GUESS  UINT32_C(0x7ef311c7)
#define SHORT_RECIPROCAL(guess)                                                        \
    ONE_OF(NEG, R2, R0), ONE_OF(ISUB, R0, guess), NEWTON, NEWTON
#define LONG_RECIPROCAL                                                                \
    ONE_OF(NEG, R2, R0), LOADI(R3, GUESS), ONE_OF(ISUB, R0, R3), NEWTON, NEWTON, NEWTON

static const SfpuInstruction exp_16[] = {
    LOAD(R0, 0), MAD(R0, R0, P0, R4), SHORT_EXP, ROUND(R1, R7), STORE(R1),
};
static const SfpuConstant exp_16_constants[] = {
    SHORT_EXP_CONSTANTS,
    {P0, UINT32_C(0x3fb8aa3b)},
    {P1, UINT32_C(0x437f0000)},
    {P2, 0x7fff},
    {R7, 1},
};
/* Above 88.72 an infinity, below -87 zero. */
static const SfpuInstruction exp_32[] = {
    LOAD(R0, 0),
    BOUND(LOW, UINT32_C(0x42b170a4)),
    LONG_EXP,
    LOAD(R0, 0),
    LOADI(R2, UINT32_C(0xc2b17218)),
    ADD(R2, R0, R2),
    IF(GE0, R2),
    LOADI(R1, INFINITE),
    END,
    LOADI(R2, UINT32_C(0x42ae0000)),
    ADD(R2, R0, R2),
    IF(LT0, R2),
    ONE_OF(MOV, R1, Z),
    END,
    STORE(R1),
};
static const SfpuConstant exp_32_constants[] = {LONG_EXP_CONSTANTS};
/* The pattern of a BF16 is nearly 128 times its logarithm: at most 3 % off. */
static const SfpuInstruction exp_approximate[] = {
    LOAD(R0, 0), GREATER(R0, P2), MAD(R0, R0, P0, P1), WITH(SHIFTI, R0, R0, 16),
    STORE(R0),
};
static const SfpuConstant exp_approximate_constants[] = {
    {P0, UINT32_C(0x4338aa3b)}, {P1, UINT32_C(0x4b403f7a)}, {P2, LOW}};

static const SfpuInstruction exp2_16[] = {
    LOAD(R0, 0), ADD(R0, R0, R4), SHORT_EXP, ROUND(R1, R7), STORE(R1),
};
static const SfpuInstruction exp2_32[] = {
    LOAD(R0, 0),     BOUND(UINT32_C(0xc2fc0000), UINT32_C(0x42fe0000)),
    ADD(R1, R0, R4), LOADI(R3, UINT32_C(0x3f317218)),
    SUB(R2, R1, R4), SUB(R0, R0, R2),
    MUL(R0, R0, R3), SERIES,
    STORE(R1),
};

/* R1 = the exponent of R0 as a number, R0 = the rest, from 1 up to 2. */
#define SPLIT                                                                          \
    ONE_OF(EXEXP, R1, R0), WITH(SETEXPI, R0, R0, 127), IF(LT0, R1),                    \
        ONE_OF(ISUB, R1, Z), ONE_OF(NEG, R1, R1), END, ONE_OF(CAST, R1, R1)
/* Of 0 minus infinity, of less no number. */
#define LOG_SPECIALS                                                                   \
    LOAD(R0, 0), IF(EQ0, R0), LOADI(R2, INFINITE | UINT32_C(0x80000000)), END,         \
        IF(LT0, R0), LOADI(R2, NO_NUMBER), END
/* ln(1 + t) is t times a polynomial: 6e-5 of it off for t from 0 to 1, ... */
static const SfpuInstruction log_16[] = {
    LOAD(R0, 0),
    SPLIT,
    ADD(R0, R0, SFPU_MINUS_ONE),
    MAD(R2, R0, R7, R6),
    MAD(R2, R2, R0, R5),
    MAD(R2, R2, R0, R4),
    MAD(R2, R2, R0, R3),
    MUL(R2, R2, R0),
    MAD(R2, R1, P0, R2),
    LOG_SPECIALS,
    STORE(R2),
};
static const SfpuConstant log_16_constants[] = {
    {P0, UINT32_C(0x3f317218)}, {R3, UINT32_C(0x3f7ffbdc)}, {R4, UINT32_C(0xbefe5b18)},
    {R5, UINT32_C(0x3e9c5d63)}, {R6, UINT32_C(0xbe1fc634)}, {R7, UINT32_C(0x3d268eb4)},
};
/* ... and 2e-7 from sqrt(1/2) to sqrt(2). */
static const SfpuInstruction log_32[] = {
    LOAD(R0, 0),
    ONE_OF(EXEXP, R1, R0),
    WITH(SETEXPI, R0, R0, 127),
    LOADI(R2, UINT32_C(0xbfb504f3)),
    ADD(R2, R0, R2),
    IF(GE0, R2),
    WITH(DIVP2, R0, R0, -1),
    WITH(IADDI, R1, R1, 1),
    END,
    IF(LT0, R1),
    ONE_OF(ISUB, R1, Z),
    ONE_OF(NEG, R1, R1),
    END,
    ONE_OF(CAST, R1, R1),
    ADD(R0, R0, SFPU_MINUS_ONE),
    LOADI(R2, UINT32_C(0xbdcaa823)),
    MAD(R2, R2, R0, P2),
    MAD(R2, R2, R0, P1),
    MAD(R2, R2, R0, R7),
    MAD(R2, R2, R0, R6),
    MAD(R2, R2, R0, R5),
    MAD(R2, R2, R0, R4),
    MAD(R2, R2, R0, R3),
    MUL(R2, R2, R0),
    MAD(R2, R1, P0, R2),
    LOG_SPECIALS,
    STORE(R2),
};
static const SfpuConstant log_32_constants[] = {
    {P0, UINT32_C(0x3f317218)}, {R3, UINT32_C(0x3f7fffff)}, {R4, UINT32_C(0xbf00003f)},
    {R5, UINT32_C(0x3eaaac56)}, {R6, UINT32_C(0xbe7fae7e)}, {R7, UINT32_C(0x3e4be9a6)},
    {P1, UINT32_C(0xbe30edc8)}, {P2, UINT32_C(0x3e2521fe)},
};

/* Half the pattern from a constant is 4 % off; y (1.5 - x/2 y y) twice or three times.
 * Of 0 infinity, of less no number. */
#define RSQRT_STEP                                                                     \
    MUL(R2, R1, R1), MUL(R2, R2, R0), MAD(R2, R2, R6, R5), MUL(R1, R1, R2)
#define RSQRT_BEGIN                                                                    \
    LOAD(R0, 0), ONE_OF(MOV, R1, R0), WITH(SHIFTI, R1, R1, -1), ONE_OF(ISUB, R1, R7),  \
        RSQRT_STEP, RSQRT_STEP
#define RSQRT_END                                                                      \
    IF(EQ0, R0), LOADI(R1, INFINITE), END, IF(LT0, R0), LOADI(R1, NO_NUMBER), END,     \
        STORE(R1)
static const SfpuInstruction rsqrt_16[] = {RSQRT_BEGIN, RSQRT_END};
static const SfpuInstruction rsqrt_32[] = {RSQRT_BEGIN, RSQRT_STEP, RSQRT_END};
static const SfpuConstant rsqrt_constants[] = {
    {R7, UINT32_C(0x5f375a86)}, {R6, UINT32_C(0xbf000000)}, {R5, UINT32_C(0x3fc00000)}};

/* R0 = 1 / (1 + exp(-R0)), by the short and the long way. */
#define SHORT_SIGMOID(scale, offset)                                                   \
    MAD(R0, R0, scale, offset), SHORT_EXP, ADD(R0, R1, SFPU_ONE), SHORT_RECIPROCAL(R7)
#define SHORT_SIGMOID_CONSTANTS                                                        \
    SHORT_EXP_CONSTANTS, {P1, UINT32_C(0x437c0000)},                                   \
    {                                                                                  \
        R7, GUESS                                                                      \
    }
#define LONG_SIGMOID BOUND(LOW, HIGH), LONG_EXP, ADD(R0, R1, SFPU_ONE), LONG_RECIPROCAL
static const SfpuInstruction sigmoid_16[] = {LOAD(R0, 0), SHORT_SIGMOID(P0, R4),
                                             STORE(R0)};
static const SfpuInstruction sigmoid_32[] = {LOAD(R0, 0), ONE_OF(NEG, R0, R0),
                                             LONG_SIGMOID, STORE(R0)};
static const SfpuInstruction silu_16[] = {LOAD(R0, 0), SHORT_SIGMOID(P0, R4),
                                          LOAD(R1, 0), MUL(R0, R0, R1), STORE(R0)};
static const SfpuInstruction silu_32[] = {LOAD(R0, 0),     ONE_OF(NEG, R0, R0),
                                          LONG_SIGMOID,    LOAD(R1, 0),
                                          MUL(R0, R0, R1), STORE(R0)};
static const SfpuConstant sigmoid_16_constants[] = {SHORT_SIGMOID_CONSTANTS,
                                                    {P0, UINT32_C(0xbfb8aa3b)}};
static const SfpuConstant sigmoid_32_constants[] = {LONG_EXP_CONSTANTS};

/* x times the sigmoid of 1.596 (x + 0.0447 x^3): 5e-4 off. */
static const SfpuInstruction gelu_16[] = {
    LOAD(R0, 0), MUL(R1, R0, R0), MAD(R1, R1, P2, P0), SHORT_SIGMOID(R1, R4),
    LOAD(R1, 0), MUL(R0, R0, R1), STORE(R0),
};
static const SfpuConstant gelu_16_constants[] = {
    SHORT_SIGMOID_CONSTANTS, {P0, UINT32_C(0xc0135761)}, {P2, UINT32_C(0xbdd2d3e8)}};
static const SfpuInstruction gelu_32[] = {
    LOAD(R0, 0),
    MUL(R1, R0, R0),
    LOADI(R2, UINT32_C(0xbd922279)),
    LOADI(R3, UINT32_C(0xbfcc422a)),
    MAD(R1, R1, R2, R3),
    MUL(R0, R0, R1),
    LONG_SIGMOID,
    LOAD(R1, 0),
    MUL(R0, R0, R1),
    STORE(R0),
};

/* 1 - 2 / (1 + exp(2 |x|)) with the sign of x, and x itself below 2^-8. */
static const SfpuInstruction tanh_any[] = {
    LOAD(R0, 0),
    ONE_OF(ABS, R0, R0),
    ADD(R0, R0, R0),
    LOADI(R1, UINT32_C(0x41a00000)),
    GREATER(R1, R0),
    LONG_EXP,
    ADD(R0, R1, SFPU_ONE),
    LONG_RECIPROCAL,
    LOADI(R2, UINT32_C(0xc0000000)),
    MAD(R1, R0, R2, SFPU_ONE),
    LOAD(R0, 0),
    ONE_OF(EXEXP, R3, R0),
    WITH(IADDI, R3, R3, 8),
    ONE_OF(MOV, R2, R0),
    ONE_OF(SETSGN, R0, R1),
    IF(LT0, R3),
    ONE_OF(MOV, R0, R2),
    END,
    STORE(R0),
};

/* Approximate ones: straight lines between 0, 1 and 2, and beyond; 0.06 off. */
#define LINES                                                                          \
    LOAD(R3, 0),                                                                       \
    {                                                                                  \
        .opcode = SFPU_LUT, .d = R7                                                    \
    }
static const SfpuInstruction sigmoid_lines[] = {LINES, ONE_OF(SETSGN, R3, R7),
                                                ADD(R3, R3, P0), STORE(R3)};
static const SfpuConstant sigmoid_lines_constants[] = {{R0, UINT32_C(0x3e6ca57a)},
                                                       {R1, UINT32_C(0x3e194af5)},
                                                       {R2, 0},
                                                       {R4, 0},
                                                       {R5, UINT32_C(0x3da6b50b)},
                                                       {R6, UINT32_C(0x3ee17c1c)},
                                                       {P0, UINT32_C(0x3f000000)}};
static const SfpuInstruction tanh_lines[] = {LINES, ONE_OF(SETSGN, R3, R7), STORE(R3)};
static const SfpuConstant tanh_lines_constants[] = {
    {R0, UINT32_C(0x3f4ccccd)}, {R1, UINT32_C(0x3e4f41f2)}, {R2, 0},
    {R4, UINT32_C(0x00000000)}, {R5, UINT32_C(0x3f0f27bb)}, {R6, UINT32_C(0x3f7b645a)}};
static const SfpuInstruction gelu_lines[] = {LINES, MAD(R3, R3, P0, R7), STORE(R3)};
static const SfpuConstant gelu_lines_constants[] = {
    {R0, UINT32_C(0x3eaebee0)}, {R1, UINT32_C(0x3f1cfaad)},
    {R2, UINT32_C(0x3f000000)}, {R4, 0},
    {R5, UINT32_C(0xbe8b367a)}, {R6, 0},
    {P0, UINT32_C(0x3f000000)}};

static const SfpuInstruction relu[] = {LOAD(R0, 0), GREATER(R0, Z), STORE(R0)};
static const SfpuInstruction absolute[] = {LOAD(R0, 0), ONE_OF(ABS, R0, R0), STORE(R0)};
static const SfpuInstruction negative[] = {LOAD(R0, 0), ONE_OF(NEG, R0, R0), STORE(R0)};
static const SfpuInstruction square[] = {LOAD(R0, 0), MUL(R0, R0, R0), STORE(R0)};
static const SfpuInstruction sign[] = {
    LOAD(R0, 0), ONE_OF(ABS, R1, R0), ONE_OF(SETSGN, R0, SFPU_ONE),
    IF(EQ0, R1), ONE_OF(MOV, R0, Z),  END,
    STORE(R0),
};
static const SfpuInstruction fill[] = {STORE(R7)};
static const SfpuInstruction unary_max[] = {LOAD(R0, 0), ONE_OF(MOV, R1, R7),
                                            GREATER(R0, R1), STORE(R0)};
static const SfpuInstruction unary_min[] = {LOAD(R0, 0), ONE_OF(MOV, R1, R7),
                                            GREATER(R1, R0), STORE(R0)};
static const SfpuInstruction clamp[] = {
    LOAD(R0, 0),         ONE_OF(MOV, R1, R7), GREATER(R0, R1),
    ONE_OF(MOV, R1, R6), GREATER(R1, R0),     STORE(R0),
};
static const SfpuInstruction rsub_unary[] = {LOAD(R0, 0), SUB(R0, R7, R0), STORE(R0)};

/* The nearest integer R1, from the last bit of a sum with 2^23 or -2^23, then one less
 * or more where it is on the wrong side; numbers from 2^23 on are integers. */
#define NEAREST                                                                        \
    LOAD(R0, 0), ONE_OF(MOV, R3, R0), ONE_OF(SETSGN, R3, R7), ADD(R1, R0, R3),         \
        SUB(R1, R1, R3)
#define KEEP_INTEGERS                                                                  \
    ONE_OF(EXEXP, R2, R0), WITH(IADDI, R2, R2, -23), IF(GE0, R2), ONE_OF(MOV, R1, R0), \
        END, STORE(R1)
static const SfpuInstruction floor_any[] = {
    NEAREST, SUB(R2, R0, R1), IF(LT0, R2), ADD(R1, R1, SFPU_MINUS_ONE),
    END,     KEEP_INTEGERS,
};
static const SfpuInstruction ceil_any[] = {
    NEAREST, SUB(R2, R1, R0), IF(LT0, R2), ADD(R1, R1, SFPU_ONE), END, KEEP_INTEGERS,
};
static const SfpuConstant nearest_constants[] = {{R7, UINT32_C(0x4b000000)}};

/* a times 1 / |b|, with the sign of b; an infinity where b is 0, no number if a is too.
 */
#define DIVIDE                                                                         \
    ONE_OF(SETSGN, R1, R0), LOAD(R0, 0), MUL(R0, R0, R1), LOAD(R2, 1),                 \
        ONE_OF(ABS, R3, R2), IF(EQ0, R3), LOADI(R3, INFINITE), ONE_OF(SETSGN, R2, R3), \
        LOAD(R0, 0), MUL(R0, R0, R2), END
static const SfpuInstruction div_16[] = {
    LOAD(R1, 1), ONE_OF(ABS, R0, R1), SHORT_RECIPROCAL(R7),
    DIVIDE,      ROUND(R0, R6),       STORE(R0),
};
static const SfpuInstruction div_32[] = {
    LOAD(R1, 1), ONE_OF(ABS, R0, R1), LONG_RECIPROCAL, DIVIDE, STORE(R0),
};
static const SfpuConstant div_constants[] = {{R7, GUESS}, {R6, 1}, {P2, 0x7fff}};

/* a^b = 2^(b log2 a), for a > 0. */
static const SfpuInstruction power[] = {
    LOAD(R0, 0),
    SPLIT,
    ADD(R0, R0, SFPU_MINUS_ONE),
    MAD(R2, R0, P0, R7),
    MAD(R2, R2, R0, R6),
    MAD(R2, R2, R0, R5),
    MAD(R2, R2, R0, R4),
    MAD(R2, R2, R0, R1),
    LOAD(R0, 1),
    LOADI(R1, UINT32_C(0x42fe0000)),
    MAD(R0, R0, R2, R1),
#define SET_Y LOADI(R0, SQUARE_OF_F),
#define SET_X LOADI(R2, PLAIN_F),
    POWER_OF_TWO(SET_Y, R0, SET_X, R2),
    STORE(R1),
};
static const SfpuConstant power_constants[] = {
    {R4, UINT32_C(0x3fb8a73f)}, {R5, UINT32_C(0xbf377a9d)}, {R6, UINT32_C(0x3ee19632)},
    {R7, UINT32_C(0xbe668168)}, {P0, UINT32_C(0x3d704aa6)}, {P1, UINT32_C(0x437f0000)},
};

static const SfpuInstruction rsub[] = {LOAD(R0, 0), LOAD(R1, 1), SUB(R0, R1, R0),
                                       STORE(R0)};
static const SfpuInstruction binary_max[] = {LOAD(R0, 0), LOAD(R1, 1), GREATER(R0, R1),
                                             STORE(R0)};
static const SfpuInstruction binary_min[] = {LOAD(R0, 0), LOAD(R1, 1), GREATER(R1, R0),
                                             STORE(R0)};
static const SfpuInstruction add_int[] = {LOAD(R0, 0), LOAD(R1, 1),
                                          ONE_OF(IADD, R0, R1), STORE_BITS(R0)};
static const SfpuInstruction sub_int[] = {LOAD(R0, 0), LOAD(R1, 1),
                                          ONE_OF(ISUB, R1, R0), STORE_BITS(R1)};
static const SfpuInstruction mask[] = {LOAD(R0, 0),        LOAD(R1, 1), IF(EQ0, R1),
                                       ONE_OF(MOV, R0, Z), END,         STORE(R0)};
static const SfpuInstruction where[] = {
    LOAD(R0, 0),         LOAD(R1, 1), LOAD(R2, 2), IF(EQ0, R0),
    ONE_OF(MOV, R1, R2), END,         STORE(R1),
};

/* Integers in Dst have two's complements; casts take sign and magnitude. */
static const SfpuInstruction from_uint16[] = {LOAD(R0, 0), ONE_OF(CAST, R0, R0),
                                              STORE(R0)};
static const SfpuInstruction from_int32[] = {
    LOAD(R0, 0),          ONE_OF(MOV, R1, R0), IF(LT0, R0),
    ONE_OF(ISUB, R1, Z),  ONE_OF(NEG, R1, R1), END,
    ONE_OF(CAST, R1, R1), STORE(R1),
};
static const SfpuInstruction into_uint16[] = {
    LOAD(R0, 0), GREATER(R0, Z), ONE_OF(TO_UINT16, R0, R0), STORE_BITS(R0)};
/* Cut towards zero. */
static const SfpuInstruction into_int32[] = {
    LOAD(R0, 0),
    ONE_OF(EXEXP, R1, R0),
    ONE_OF(EXMAN, R2, R0),
    WITH(IADDI, R3, R1, -23),
    ONE_OF(SHIFT, R2, R3),
    IF(LT0, R1),
    ONE_OF(MOV, R2, Z),
    END,
    IF(LT0, R0),
    ONE_OF(ISUB, R2, Z),
    END,
    STORE_BITS(R2),
};

static const SfpuInstruction copy[] = {LOAD(R0, 0), STORE(R0)};
static const SfpuInstruction into_bf16[] = {LOAD(R0, 0), ROUND(R0, R6),
                                            ONE_OF(AND, R0, P0), STORE(R0)};
static const SfpuConstant into_bf16_constants[] = {
    {R6, 1}, {P0, UINT32_C(0xffff0000)}, {P2, 0x7fff}};

#define CODE(list) .code = (list), .length = G_N_ELEMENTS(list)
#define PLAIN(list)                                                                    \
    {                                                                                  \
        CODE(list)                                                                     \
    }
#define SET(list, set)                                                                 \
    {                                                                                  \
        CODE(list), (set), G_N_ELEMENTS(set), 0                                        \
    }
#define SCALARS(list, count)                                                           \
    {                                                                                  \
        CODE(list), NULL, 0, count                                                     \
    }

/* For a Dst of 16 and of 32 bits, and approximate; one that is missing is as the one
 * before. */
static const SfpuProgram programs[SFPU_FUNCTIONS][3] = {
    [SFPU_EXP] = {SET(exp_16, exp_16_constants), SET(exp_32, exp_32_constants),
                  SET(exp_approximate, exp_approximate_constants)},
    [SFPU_EXP2] = {SET(exp2_16, exp_16_constants), SET(exp2_32, exp_32_constants)},
    [SFPU_LOG] = {SET(log_16, log_16_constants), SET(log_32, log_32_constants)},
    [SFPU_RSQRT] = {SET(rsqrt_16, rsqrt_constants), SET(rsqrt_32, rsqrt_constants)},
    [SFPU_SIGMOID] = {SET(sigmoid_16, sigmoid_16_constants),
                      SET(sigmoid_32, sigmoid_32_constants),
                      SET(sigmoid_lines, sigmoid_lines_constants)},
    [SFPU_TANH] = {SET(tanh_any, exp_32_constants), SET(tanh_any, exp_32_constants),
                   SET(tanh_lines, tanh_lines_constants)},
    [SFPU_GELU] = {SET(gelu_16, gelu_16_constants), SET(gelu_32, exp_32_constants),
                   SET(gelu_lines, gelu_lines_constants)},
    [SFPU_SILU] = {SET(silu_16, sigmoid_16_constants),
                   SET(silu_32, sigmoid_32_constants)},
    [SFPU_RELU] = {PLAIN(relu)},
    [SFPU_ABSOLUTE] = {PLAIN(absolute)},
    [SFPU_SIGN] = {PLAIN(sign)},
    [SFPU_NEGATIVE] = {PLAIN(negative)},
    [SFPU_SQUARE] = {PLAIN(square)},
    [SFPU_FLOOR] = {SET(floor_any, nearest_constants)},
    [SFPU_CEIL] = {SET(ceil_any, nearest_constants)},
    [SFPU_FILL] = {SCALARS(fill, 1)},
    [SFPU_UNARY_MAX] = {SCALARS(unary_max, 1)},
    [SFPU_UNARY_MIN] = {SCALARS(unary_min, 1)},
    [SFPU_CLAMP] = {SCALARS(clamp, 2)},
    [SFPU_RSUB_UNARY] = {SCALARS(rsub_unary, 1)},
    [SFPU_DIV] = {SET(div_16, div_constants), SET(div_32, div_constants)},
    [SFPU_RSUB] = {PLAIN(rsub)},
    [SFPU_POWER] = {SET(power, power_constants)},
    [SFPU_BINARY_MAX] = {PLAIN(binary_max)},
    [SFPU_BINARY_MIN] = {PLAIN(binary_min)},
    [SFPU_ADD_INT] = {PLAIN(add_int)},
    [SFPU_SUB_INT] = {PLAIN(sub_int)},
    [SFPU_MASK] = {PLAIN(mask)},
    [SFPU_WHERE] = {PLAIN(where)},
    [SFPU_COPY] = {PLAIN(copy)},
    [SFPU_INTO_BF16] = {PLAIN(copy), SET(into_bf16, into_bf16_constants)},
    [SFPU_FROM_UINT16] = {PLAIN(from_uint16)},
    [SFPU_FROM_INT32] = {PLAIN(from_int32)},
    [SFPU_INTO_UINT16] = {PLAIN(into_uint16)},
    [SFPU_INTO_INT32] = {PLAIN(into_int32)},
};

SfpuFunction tensix_sfpu_cast(ArchFormat from, ArchFormat to)
{
    const bool is_wide = arch_format_is_wide(from);

    if (arch_format_is_integer(from) && arch_format_is_integer(to)) {
        return from == to ? SFPU_COPY : SFPU_FUNCTIONS;
    }
    if (arch_format_is_integer(from)) {
        return is_wide ? SFPU_FROM_INT32 : SFPU_FROM_UINT16;
    }
    if (arch_format_is_integer(to)) {
        return arch_format_is_wide(to) ? SFPU_INTO_INT32 : SFPU_INTO_UINT16;
    }
    return arch_format_is_wide(to) ? SFPU_COPY : SFPU_INTO_BF16;
}

const SfpuProgram *
tensix_sfpu_function(SfpuFunction function, TensixDst dst, bool is_approximate)
{
    const SfpuProgram *const of = programs[function];

    if (is_approximate && of[2].length > 0) {
        return &of[2];
    }
    return dst == TENSIX_DST_32 && of[1].length > 0 ? &of[1] : &of[0];
}
