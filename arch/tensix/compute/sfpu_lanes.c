/* Lanes of the vector unit: what an instruction makes of each. */
#include "arch/tensix/compute/sfpu_lanes.h"

#include "arch/tensix/compute/lanes.h"
#include "arch/tensix/compute/sfpu_number.h"

typedef struct {
    const char *name;
    uint8_t slots;
    uint8_t operands;
} Opcode;

static const Opcode opcodes[SFPU_OPCODES] = {
#define SFPU_OPCODE(name, slots, operands) {#name, slots, operands},
#include "arch/tensix/compute/sfpu_opcodes.def"
};

const char *tensix_sfpu_opcode_name(guint opcode)
{
    return opcode < SFPU_OPCODES ? opcodes[opcode].name : NULL;
}

guint tensix_sfpu_operands(guint opcode)
{
    return opcodes[opcode].operands;
}

guint tensix_sfpu_slots(guint opcode, uint32_t imm)
{
    const bool has_two_halves = opcode == SFPU_LOADI && (imm & 0xffff) != 0;

    return opcodes[opcode].slots + (has_two_halves ? 1U : 0U);
}

bool tensix_sfpu_is_late(guint opcode)
{
    return opcode == SFPU_MAD || opcode == SFPU_LUT;
}

TENSIX_LANE uint32_t without_denormal(uint32_t bits)
{
    return (bits & TENSIX_INFINITY) == 0 ? 0 : bits;
}

TENSIX_LANE uint32_t multiply_add(uint32_t a, uint32_t b, uint32_t c)
{
    const double x = (double) tensix_number_to_float(without_denormal(a));
    const double y = (double) tensix_number_to_float(without_denormal(b));
    const double z = (double) tensix_number_to_float(without_denormal(c));
    const uint32_t sum = tensix_number_from_float((float) (x * y + z));
    const uint32_t same =
        (sum & TENSIX_MAGNITUDE) > TENSIX_INFINITY ? TENSIX_SFPU_NAN : sum;

    return without_denormal(same);
}

TENSIX_LANES
void tensix_sfpu_multiply_adds(uint32_t *restrict to,
                               const uint32_t *a,
                               const uint32_t *b,
                               const uint32_t *c,
                               unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        to[i] = multiply_add(a[i], b[i], c[i]);
    }
}

TENSIX_LANE uint32_t shifted(uint32_t bits, int32_t by)
{
    return by >= 0 ? bits << (by & 31) : bits >> ((0 - (uint32_t) by) & 31);
}

bool tensix_sfpu_is_smaller(uint32_t a, uint32_t b)
{
    const uint32_t x = (a & TENSIX_SIGN) != 0 ? ~a : a | TENSIX_SIGN;
    const uint32_t y = (b & TENSIX_SIGN) != 0 ? ~b : b | TENSIX_SIGN;

    return x < y;
}

TENSIX_LANE uint32_t number_of_integer(uint32_t bits)
{
    const float magnitude = (float) (bits & TENSIX_MAGNITUDE);

    return tensix_number_from_float(magnitude) | (bits & TENSIX_SIGN);
}

/* A NaN, too, becomes the greatest; ties go away from zero. */
TENSIX_LANE uint32_t to_unsigned(uint32_t bits, uint32_t most)
{
    const float magnitude = tensix_number_to_float(bits & TENSIX_MAGNITUDE);

    return magnitude < (float) most ? (uint32_t) ((double) magnitude + 0.5) : most;
}

TENSIX_LANE uint32_t to_signed(uint32_t bits, uint32_t most)
{
    const uint32_t magnitude = to_unsigned(bits, most);

    return magnitude == 0 ? 0 : magnitude | (bits & TENSIX_SIGN);
}

/* Ties go away from zero; infinities and NaNs are only cut. */
TENSIX_LANE uint32_t to_bf16(uint32_t bits)
{
    const uint32_t more = (bits & TENSIX_INFINITY) == TENSIX_INFINITY ? 0 : 0x8000;

    return (bits + more) & UINT32_C(0xffff0000);
}

TENSIX_LANE uint32_t leading_zeros(uint32_t bits)
{
    return bits == 0 ? 32 : (uint32_t) __builtin_clz(bits);
}

TENSIX_LANE uint32_t scaled(uint32_t bits, uint32_t power)
{
    const uint32_t exponent = bits >> TENSIX_MANTISSA_BITS & 0xff;
    const uint32_t other = (exponent + power) & 0xff;

    return exponent == TENSIX_EXPONENT_TOP
               ? bits
               : (bits & ~TENSIX_INFINITY) | other << TENSIX_MANTISSA_BITS;
}

/* `result` of each lane, of the same lane of a and d. */
#define LANEWISE(...)                                                                  \
    for (unsigned i = 0; i < count; i++) {                                             \
        result[i] = __VA_ARGS__;                                                       \
    }                                                                                  \
    break

/* Conversions and conditions. */
TENSIX_LANES
static void convert(uint32_t *restrict result,
                    unsigned opcode,
                    const uint32_t *a,
                    const uint32_t *d,
                    unsigned count)
{
    switch (opcode) {
    case SFPU_IABS:
        LANEWISE((a[i] ^ -(a[i] >> 31)) + (a[i] >> 31));
    case SFPU_SETMAN:
        LANEWISE((a[i] & ~TENSIX_MANTISSA) | (d[i] & TENSIX_MANTISSA));
    case SFPU_LZ:
        LANEWISE(leading_zeros(a[i]));
    case SFPU_CAST:
        LANEWISE(number_of_integer(a[i]));
    case SFPU_TO_BF16:
        LANEWISE(to_bf16(a[i]));
    case SFPU_TO_UINT16:
        LANEWISE(to_unsigned(a[i], G_MAXUINT16));
    case SFPU_TO_INT16:
        LANEWISE(to_signed(a[i], G_MAXINT16));
    case SFPU_TO_UINT8:
        LANEWISE(to_unsigned(a[i], G_MAXUINT8));
    case SFPU_TO_INT8:
        LANEWISE(to_signed(a[i], G_MAXINT8));
    case SFPU_MAX_OF:
        LANEWISE(tensix_sfpu_is_smaller(a[i], d[i]) ? d[i] : a[i]);
    case SFPU_MIN_OF:
        LANEWISE(tensix_sfpu_is_smaller(a[i], d[i]) ? a[i] : d[i]);
    case SFPU_IF_LT0:
        LANEWISE(-(a[i] >> 31));
    case SFPU_IF_GE0:
        LANEWISE((a[i] >> 31) - 1);
    case SFPU_IF_EQ0:
        LANEWISE(-(uint32_t) (a[i] == 0));
    case SFPU_IF_NE0:
        LANEWISE(-(uint32_t) (a[i] != 0));
    case SFPU_IF_GT0:
        LANEWISE(-(uint32_t) ((int32_t) a[i] > 0));
    case SFPU_IF_LE0:
        LANEWISE(-(uint32_t) ((int32_t) a[i] <= 0));
    default:
        break;
    }
}

TENSIX_LANES
void tensix_sfpu_bits(uint32_t *restrict result,
                      const SfpuInstruction *at,
                      const uint32_t *a,
                      const uint32_t *d,
                      unsigned count)
{
    const uint32_t imm = at->imm;

    switch (at->opcode) {
    case SFPU_LOADI:
        LANEWISE(imm);
    case SFPU_MOV:
        LANEWISE(a[i]);
    case SFPU_NEG:
        LANEWISE(a[i] ^ TENSIX_SIGN);
    case SFPU_ABS:
        LANEWISE(a[i] & TENSIX_MAGNITUDE);
    case SFPU_SETSGN:
        LANEWISE((a[i] & TENSIX_MAGNITUDE) | (d[i] & TENSIX_SIGN));
    case SFPU_SETEXP:
        LANEWISE((a[i] & ~TENSIX_INFINITY) | (d[i] & 0xff) << TENSIX_MANTISSA_BITS);
    case SFPU_SETEXPI:
        LANEWISE((a[i] & ~TENSIX_INFINITY) | imm << TENSIX_MANTISSA_BITS);
    case SFPU_DIVP2:
        LANEWISE(scaled(a[i], imm));
    case SFPU_EXEXP:
        LANEWISE((a[i] >> TENSIX_MANTISSA_BITS & 0xff) - TENSIX_EXPONENT_BIAS);
    case SFPU_EXEXP_BIASED:
        LANEWISE(a[i] >> TENSIX_MANTISSA_BITS & 0xff);
    case SFPU_EXMAN:
        LANEWISE((a[i] & TENSIX_MANTISSA) | TENSIX_LEADING);
    case SFPU_EXMAN_BITS:
        LANEWISE(a[i] & TENSIX_MANTISSA);
    case SFPU_SHIFT:
        LANEWISE(shifted(d[i], (int32_t) a[i]));
    case SFPU_SHIFTI:
        LANEWISE(shifted(d[i], (int32_t) imm));
    case SFPU_IADD:
        LANEWISE(a[i] + d[i]);
    case SFPU_IADDI:
        LANEWISE(a[i] + imm);
    case SFPU_ISUB:
        LANEWISE(a[i] - d[i]);
    case SFPU_AND:
        LANEWISE(a[i] & d[i]);
    case SFPU_OR:
        LANEWISE(a[i] | d[i]);
    case SFPU_XOR:
        LANEWISE(a[i] ^ d[i]);
    case SFPU_NOT:
        LANEWISE(~a[i]);
    default:
        convert(result, at->opcode, a, d, count);
        break;
    }
}
