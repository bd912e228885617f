/* Computes rows in loops that the compiler vectorises. */
#include <math.h>
#include <string.h>

#include "arch/number/nan.h"
#include "arch/wse/program/operation.h"

/* The program picks the version for its processor when it starts; without a fused
 * instruction fmaf() is a call. Results do not differ. Clang does without: its versions
 * of functions clash when files are optimised together. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__clang__) &&             \
    !defined(GRIDLOOM_SANITIZE)
#define WSE_ROW __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define WSE_ROW
#endif

/* A destination is the source itself or apart from it: no element needs another. */
#ifdef __clang__
#define WSE_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define WSE_APART _Pragma("GCC ivdep")
#endif

typedef float RowFloat __attribute__((aligned(1), may_alias));
typedef uint32_t RowWord __attribute__((aligned(1), may_alias));

void wse_row_mov(uint8_t *destination, const uint8_t *const *sources, uint32_t count)
{
    memmove(destination, sources[0], count * sizeof(float));
}

WSE_ROW void
wse_row_add(uint8_t *destination, const uint8_t *const *sources, uint32_t count)
{
    RowFloat *to = (void *) destination;
    const RowFloat *a = (const void *) sources[0];
    const RowFloat *b = (const void *) sources[1];

    WSE_APART
    for (uint32_t i = 0; i < count; i++) {
        to[i] = arch_nan_same(a[i] + b[i]);
    }
}

WSE_ROW void
wse_row_sub(uint8_t *destination, const uint8_t *const *sources, uint32_t count)
{
    RowFloat *to = (void *) destination;
    const RowFloat *a = (const void *) sources[0];
    const RowFloat *b = (const void *) sources[1];

    WSE_APART
    for (uint32_t i = 0; i < count; i++) {
        to[i] = arch_nan_same(a[i] - b[i]);
    }
}

WSE_ROW void
wse_row_mul(uint8_t *destination, const uint8_t *const *sources, uint32_t count)
{
    RowFloat *to = (void *) destination;
    const RowFloat *a = (const void *) sources[0];
    const RowFloat *b = (const void *) sources[1];

    WSE_APART
    for (uint32_t i = 0; i < count; i++) {
        to[i] = arch_nan_same(a[i] * b[i]);
    }
}

WSE_ROW void
wse_row_mac(uint8_t *destination, const uint8_t *const *sources, uint32_t count)
{
    RowFloat *to = (void *) destination;
    const RowFloat *a = (const void *) sources[0];
    const RowFloat *b = (const void *) sources[1];
    const RowFloat *c = (const void *) sources[2];

    WSE_APART
    for (uint32_t i = 0; i < count; i++) {
        to[i] = arch_nan_same(fmaf(b[i], c[i], a[i]));
    }
}

WSE_ROW void
wse_row_max(uint8_t *destination, const uint8_t *const *sources, uint32_t count)
{
    RowFloat *to = (void *) destination;
    const RowFloat *a = (const void *) sources[0];
    const RowFloat *b = (const void *) sources[1];

    WSE_APART
    for (uint32_t i = 0; i < count; i++) {
        to[i] = a[i] > b[i] ? a[i] : b[i];
    }
}

WSE_ROW void
wse_row_neg(uint8_t *destination, const uint8_t *const *sources, uint32_t count)
{
    RowWord *to = (void *) destination;
    const RowWord *a = (const void *) sources[0];

    WSE_APART
    for (uint32_t i = 0; i < count; i++) {
        to[i] = a[i] ^ 0x80000000U;
    }
}

WSE_ROW void
wse_row_abs(uint8_t *destination, const uint8_t *const *sources, uint32_t count)
{
    RowWord *to = (void *) destination;
    const RowWord *a = (const void *) sources[0];

    WSE_APART
    for (uint32_t i = 0; i < count; i++) {
        to[i] = a[i] & 0x7fffffffU;
    }
}

WSE_ROW void wse_row_mul_by(uint8_t *destination,
                            const uint8_t *const *sources,
                            float number,
                            uint32_t count)
{
    RowFloat *to = (void *) destination;
    const RowFloat *a = (const void *) sources[0];

    WSE_APART
    for (uint32_t i = 0; i < count; i++) {
        to[i] = arch_nan_same(a[i] * number);
    }
}

WSE_ROW void wse_row_mac_by(uint8_t *destination,
                            const uint8_t *const *sources,
                            float number,
                            uint32_t count)
{
    RowFloat *to = (void *) destination;
    const RowFloat *a = (const void *) sources[0];
    const RowFloat *b = (const void *) sources[1];

    WSE_APART
    for (uint32_t i = 0; i < count; i++) {
        to[i] = arch_nan_same(fmaf(b[i], number, a[i]));
    }
}

/* What is no number at one step is none in the end. */
WSE_ROW void
wse_row_add_product(uint8_t *row, const uint8_t *source, float number, uint32_t count)
{
    RowFloat *to = (void *) row;
    const RowFloat *a = (const void *) source;

    WSE_APART
    for (uint32_t i = 0; i < count; i++) {
        to[i] = arch_nan_same(to[i] + a[i] * number);
    }
}

WSE_ROW void wse_row_add_products(uint8_t *row,
                                  const uint8_t *const *sources,
                                  const float *numbers,
                                  uint32_t count)
{
    RowFloat *to = (void *) row;
    const RowFloat *a = (const void *) sources[0];
    const RowFloat *b = (const void *) sources[1];
    const RowFloat *c = (const void *) sources[2];
    const RowFloat *d = (const void *) sources[3];
    const float by_a = numbers[0];
    const float by_b = numbers[1];
    const float by_c = numbers[2];
    const float by_d = numbers[3];

    WSE_APART
    for (uint32_t i = 0; i < count; i++) {
        const float two = to[i] + a[i] * by_a + b[i] * by_b;

        to[i] = arch_nan_same(two + c[i] * by_c + d[i] * by_d);
    }
}
