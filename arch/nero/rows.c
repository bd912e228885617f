/* Implements each operator once for each format. */
#include "arch/nero/rows.h"

#include "arch/number/half.h"

typedef void (*Row)(const float *const operands[3], float *to, gsize count);

static inline float keep(float value)
{
    return value;
}

#define BINARY(name, sign, rounded)                                                    \
    static void name(const float *const operands[3], float *to, gsize count)           \
    {                                                                                  \
        const float *restrict a = operands[0];                                         \
        const float *restrict b = operands[1];                                         \
        float *restrict out = to;                                                      \
                                                                                       \
        for (gsize i = 0; i < count; i++) {                                            \
            out[i] = rounded(a[i] sign b[i]);                                          \
        }                                                                              \
    }

BINARY(add_single, +, keep)
BINARY(sub_single, -, keep)
BINARY(mul_single, *, keep)
BINARY(div_single, /, keep)
BINARY(add_half, +, arch_half_nearest)
BINARY(sub_half, -, arch_half_nearest)
BINARY(mul_half, *, arch_half_nearest)
BINARY(div_half, /, arch_half_nearest)

/* The last two round nothing. */
static void negate(const float *const operands[3], float *to, gsize count)
{
    const float *restrict a = operands[0];
    float *restrict out = to;

    for (gsize i = 0; i < count; i++) {
        out[i] = -a[i];
    }
}

static void select_by_sign(const float *const operands[3], float *to, gsize count)
{
    const float *restrict a = operands[0];
    const float *restrict b = operands[1];
    const float *restrict c = operands[2];
    float *restrict out = to;

    for (gsize i = 0; i < count; i++) {
        const float positive = b[i];
        const float otherwise = c[i];

        out[i] = a[i] > 0 ? positive : otherwise;
    }
}

static const Row rows[][ARCH_NERO_OPERATORS] = {
    [ARCH_NERO_FP32] = {add_single, sub_single, mul_single, div_single, negate,
                        select_by_sign},
    [ARCH_NERO_FP16] = {add_half, sub_half, mul_half, div_half, negate, select_by_sign},
};

void nero_rows_apply(ArchNeroOperator operation,
                     ArchNeroFormat format,
                     const float *const operands[3],
                     float *to,
                     gsize count)
{
    rows[format][operation](operands, to, count);
}

float nero_rows_number(ArchNeroFormat format, double number)
{
    return format == ARCH_NERO_FP32 ? (float) number
                                    : arch_half_to_float(arch_half_from_double(number));
}
