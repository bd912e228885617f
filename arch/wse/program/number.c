/* Computes with the numbers of the scalar machine. */
#include "arch/wse/program/number.h"

#include <math.h>
#include <string.h>

#include "arch/number/half.h"
#include "arch/number/nan.h"

enum {
    RANDOM_BITS = 23,
    RANDOM_TAP = 18,
    RANDOM_STEPS = 128,
};

uint32_t wse_number_random(uint32_t state)
{
    const uint32_t mask = (1U << RANDOM_BITS) - 1;
    uint32_t bits = (state & mask) == 0 ? 1 : state & mask;

    /* Up to RANDOM_TAP steps at once do not need bits of each other. */
    for (guint left = RANDOM_STEPS; left > 0;) {
        const guint count = MIN(left, RANDOM_TAP);
        const uint32_t added =
            bits >> (RANDOM_BITS - count) ^ bits >> (RANDOM_TAP - count);

        bits = (bits << count | (added & ((1U << count) - 1))) & mask;
        left -= count;
    }
    return bits;
}

uint32_t wse_number_fit(ArchWseType type, uint32_t bits)
{
    switch ((int) type) {
    case ARCH_WSE_I8:
        return (uint32_t) (int8_t) bits;
    case ARCH_WSE_U8:
        return bits & UINT8_MAX;
    case ARCH_WSE_I16:
        return (uint32_t) (int16_t) bits;
    case ARCH_WSE_U16:
    case ARCH_WSE_F16:
        return bits & UINT16_MAX;
    default:
        return bits;
    }
}

/* Of all integers, in 64 bits, extended as their type says. */
static uint64_t shift(WseNumberCode code, ArchWseType type, uint64_t a, uint64_t b)
{
    const guint bits = 8 * arch_wse_type_bytes(type);

    if (code == WSE_NUMBER_SHL) {
        return b < bits ? a << b : 0;
    }
    if (wse_type_is_signed(type)) {
        return (uint64_t) ((int64_t) a >> MIN(b, 63));
    }
    return b < bits ? a >> b : 0;
}

/* Never overflows: of the least number, -1 gives itself. */
static uint64_t divide(WseNumberCode code, bool is_signed, uint64_t a, uint64_t b)
{
    if (b == 0) {
        return 0;
    }
    if (!is_signed) {
        return code == WSE_NUMBER_DIV ? a / b : a % b;
    }
    if (b == UINT64_MAX) {
        return code == WSE_NUMBER_DIV ? 0 - a : 0;
    }
    return code == WSE_NUMBER_DIV ? (uint64_t) ((int64_t) a / (int64_t) b)
                                  : (uint64_t) ((int64_t) a % (int64_t) b);
}

static bool compare(WseNumberCode code, bool is_less, bool is_equal)
{
    switch ((int) code) {
    case WSE_NUMBER_EQ:
        return is_equal;
    case WSE_NUMBER_NE:
        return !is_equal;
    case WSE_NUMBER_LT:
        return is_less;
    case WSE_NUMBER_LE:
        return is_less || is_equal;
    case WSE_NUMBER_GT:
        return !is_less && !is_equal;
    default:
        return !is_less;
    }
}

uint64_t wse_number_wide(WseNumberCode code, ArchWseType type, uint64_t a, uint64_t b)
{
    const bool is_signed = wse_type_is_signed(type);
    const bool is_less = is_signed ? (int64_t) a < (int64_t) b : a < b;

    switch ((int) code) {
    case WSE_NUMBER_MOV:
        return a;
    case WSE_NUMBER_ADD:
        return a + b;
    case WSE_NUMBER_SUB:
        return a - b;
    case WSE_NUMBER_MUL:
        return a * b;
    case WSE_NUMBER_DIV:
    case WSE_NUMBER_REM:
        return divide(code, is_signed, a, b);
    case WSE_NUMBER_AND:
        return a & b;
    case WSE_NUMBER_OR:
        return a | b;
    case WSE_NUMBER_XOR:
        return a ^ b;
    case WSE_NUMBER_SHL:
    case WSE_NUMBER_SHR:
        return shift(code, type, a, b);
    case WSE_NUMBER_NOT:
        return ~a;
    case WSE_NUMBER_NEG:
        return 0 - a;
    case WSE_NUMBER_ABS:
        return is_signed && (int64_t) a < 0 ? 0 - a : a;
    case WSE_NUMBER_MAX:
        return is_less ? b : a;
    case WSE_NUMBER_MIN:
        return is_less ? a : b;
    default:
        return compare(code, is_less, a == b);
    }
}

uint32_t
wse_number_integer(WseNumberCode code, ArchWseType type, uint32_t a, uint32_t b)
{
    const bool is_signed = wse_type_is_signed(type);
    const uint64_t left = is_signed ? (uint64_t) (int32_t) a : a;
    const uint64_t right = is_signed ? (uint64_t) (int32_t) b : b;

    return wse_number_fit(type, (uint32_t) wse_number_wide(code, type, left, right));
}

float wse_number_to_float(ArchWseType type, uint32_t bits)
{
    float value = 0;

    if (type == ARCH_WSE_F16) {
        return arch_half_to_float((uint16_t) bits);
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A result of one operation on halves has its exact value, or rounds the same in
 * double: see arch_half_nearest(). */
static uint32_t bits_of(ArchWseType type, double value)
{
    const float rounded = arch_nan_same((float) value);
    uint32_t bits = 0;

    if (type == ARCH_WSE_F16) {
        return arch_half_from_double(arch_nan_plain(value));
    }
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

uint32_t wse_number_float(WseNumberCode code, ArchWseType type, uint32_t a, uint32_t b)
{
    const uint32_t sign = type == ARCH_WSE_F16 ? 0x8000U : 0x80000000U;
    const float x = wse_number_to_float(type, a);
    const float y = wse_number_to_float(type, b);

    switch ((int) code) {
    case WSE_NUMBER_MOV:
        return a;
    case WSE_NUMBER_ADD:
        return bits_of(type, x + y);
    case WSE_NUMBER_SUB:
        return bits_of(type, x - y);
    case WSE_NUMBER_MUL:
        return bits_of(type, x * y);
    case WSE_NUMBER_DIV:
        return bits_of(type, x / y);
    case WSE_NUMBER_SQRT:
        return bits_of(type, sqrtf(x));
    case WSE_NUMBER_NEG:
        return a ^ sign;
    case WSE_NUMBER_ABS:
        return a & ~sign;
    case WSE_NUMBER_MAX:
        return x > y ? a : b;
    case WSE_NUMBER_MIN:
        return x < y ? a : b;
    case WSE_NUMBER_NE:
        return x != y;
    case WSE_NUMBER_GT:
        return x > y;
    case WSE_NUMBER_GE:
        return x >= y;
    case WSE_NUMBER_LT:
        return x < y;
    case WSE_NUMBER_LE:
        return x <= y;
    default:
        return x == y;
    }
}

static double real_of(ArchWseType from, uint64_t bits)
{
    if (wse_type_is_float(from)) {
        return wse_number_to_float(from, (uint32_t) bits);
    }
    return wse_type_is_signed(from) ? (double) (int64_t) bits : (double) bits;
}

/* The least and the greatest integer of a type. */
static uint64_t whole_of(ArchWseType to, double value)
{
    const guint bits = 8 * arch_wse_type_bytes(to) - wse_type_is_signed(to);
    const double most = ldexp(1, (int) bits);

    if (isnan(value)) {
        return 0;
    }
    if (value >= most) {
        return UINT64_MAX >> (64 - bits);
    }
    if (wse_type_is_signed(to)) {
        return (uint64_t) (int64_t) MAX(value, -most);
    }
    return value <= 0 ? 0 : (uint64_t) value;
}

uint64_t wse_number_convert(ArchWseType from, ArchWseType to, uint64_t bits)
{
    uint64_t number = bits;

    if (wse_type_is_float(to)) {
        return bits_of(to, real_of(from, bits));
    }
    if (wse_type_is_float(from)) {
        number = whole_of(to, real_of(from, bits));
    }
    return wse_type_is_wide(to) ? number : wse_number_fit(to, (uint32_t) number);
}
