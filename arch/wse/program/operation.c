/* Lists the vector operations, and computes one element of each. */
#include "arch/wse/program/operation.h"

#include <math.h>
#include <string.h>

#include "arch/number/half.h"
#include "arch/number/nan.h"

static float single(uint32_t bits)
{
    float value = 0;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t single_bits(float value)
{
    uint32_t bits = 0;

    value = arch_nan_same(value);
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double half(uint32_t bits)
{
    return arch_half_to_float((uint16_t) bits);
}

static uint32_t mov(const uint32_t *s)
{
    return s[0];
}

static uint32_t fadds(const uint32_t *s)
{
    return single_bits(single(s[0]) + single(s[1]));
}

static uint32_t fsubs(const uint32_t *s)
{
    return single_bits(single(s[0]) - single(s[1]));
}

static uint32_t fmuls(const uint32_t *s)
{
    return single_bits(single(s[0]) * single(s[1]));
}

static uint32_t fmacs(const uint32_t *s)
{
    return single_bits(fmaf(single(s[1]), single(s[2]), single(s[0])));
}

static uint32_t fmaxs(const uint32_t *s)
{
    return single(s[0]) > single(s[1]) ? s[0] : s[1];
}

static uint32_t fnegs(const uint32_t *s)
{
    return s[0] ^ 0x80000000U;
}

static uint32_t fabss(const uint32_t *s)
{
    return s[0] & 0x7fffffffU;
}

static uint32_t faddh(const uint32_t *s)
{
    return arch_half_from_double(half(s[0]) + half(s[1]));
}

static uint32_t fsubh(const uint32_t *s)
{
    return arch_half_from_double(half(s[0]) - half(s[1]));
}

static uint32_t fmulh(const uint32_t *s)
{
    return arch_half_from_double(half(s[0]) * half(s[1]));
}

/* The product is exact, and the sum where it is near the middle of two halves. */
static uint32_t fmach(const uint32_t *s)
{
    return arch_half_from_double(half(s[0]) + half(s[1]) * half(s[2]));
}

static uint32_t fmaxh(const uint32_t *s)
{
    return half(s[0]) > half(s[1]) ? s[0] : s[1];
}

static uint32_t fnegh(const uint32_t *s)
{
    return s[0] ^ 0x8000U;
}

static uint32_t fabsh(const uint32_t *s)
{
    return s[0] & 0x7fffU;
}

static uint32_t faddhs(const uint32_t *s)
{
    return single_bits(single(s[0]) + (float) half(s[1]));
}

static uint32_t fmachs(const uint32_t *s)
{
    return single_bits(fmaf((float) half(s[1]), (float) half(s[2]), single(s[0])));
}

static uint32_t fh2s(const uint32_t *s)
{
    return single_bits((float) half(s[0]));
}

static uint32_t fs2h(const uint32_t *s)
{
    return arch_half_from_double(single(s[0]));
}

static uint32_t add16(const uint32_t *s)
{
    return (s[0] + s[1]) & 0xffffU;
}

static uint32_t sub16(const uint32_t *s)
{
    return (s[0] - s[1]) & 0xffffU;
}

static uint32_t and16(const uint32_t *s)
{
    return s[0] & s[1];
}

static uint32_t or16(const uint32_t *s)
{
    return s[0] | s[1];
}

static uint32_t xor16(const uint32_t *s)
{
    return s[0] ^ s[1];
}

/* Shifts by 16 and more leave nothing, or the sign. */
static uint32_t sll16(const uint32_t *s)
{
    return s[1] > 15 ? 0 : (s[0] << s[1]) & 0xffffU;
}

static uint32_t slr16(const uint32_t *s)
{
    return s[1] > 15 ? 0 : s[0] >> s[1];
}

static uint32_t sar16(const uint32_t *s)
{
    const uint32_t sign = (s[0] & 0x8000U) != 0 ? 0xffff0000U : 0;

    return ((s[0] | sign) >> MIN(s[1], 16)) & 0xffffU;
}

static uint32_t popcnt(const uint32_t *s)
{
    return (uint32_t) __builtin_popcount(s[0]);
}

/* Of 0 they are 16. */
static uint32_t clz(const uint32_t *s)
{
    return s[0] == 0 ? 16 : (uint32_t) __builtin_clz(s[0]) - 16;
}

static uint32_t ctz(const uint32_t *s)
{
    return s[0] == 0 ? 16 : (uint32_t) __builtin_ctz(s[0]);
}

/* Times 2 to the power of a signed number: exact, or rounded once. */
static uint32_t fscales(const uint32_t *s)
{
    return single_bits(ldexpf(single(s[0]), (int16_t) s[1]));
}

static uint32_t fscaleh(const uint32_t *s)
{
    return arch_half_from_double(ldexp(half(s[0]), (int16_t) s[1]));
}

#define F32 ARCH_WSE_F32
#define F16 ARCH_WSE_F16
#define U16 ARCH_WSE_U16
#define U32 ARCH_WSE_U32

/* clang-format off */
static const WseOperation operations[] = {
    {"fmovs", 1, F32, {F32}, false, 0, "dsd.f32_mov_elements_per_cycle", mov, wse_row_mov, NULL},
    {"fadds", 2, F32, {F32, F32}, false, 1, "dsd.f32_add_elements_per_cycle", fadds, wse_row_add, NULL},
    {"fsubs", 2, F32, {F32, F32}, false, 1, "dsd.f32_add_elements_per_cycle", fsubs, wse_row_sub, NULL},
    {"fmuls", 2, F32, {F32, F32}, false, 1, "dsd.f32_mul_elements_per_cycle", fmuls, wse_row_mul, wse_row_mul_by},
    {"fmacs", 3, F32, {F32, F32, F32}, false, 2, "dsd.f32_fmac_elements_per_cycle", fmacs, wse_row_mac, wse_row_mac_by},
    {"fmaxs", 2, F32, {F32, F32}, false, 1, "dsd.f32_max_elements_per_cycle", fmaxs, wse_row_max, NULL},
    {"fnegs", 1, F32, {F32}, false, 0, "dsd.f32_mov_elements_per_cycle", fnegs, wse_row_neg, NULL},
    {"fabss", 1, F32, {F32}, false, 0, "dsd.f32_mov_elements_per_cycle", fabss, wse_row_abs, NULL},
    {"fmovh", 1, F16, {F16}, false, 0, "dsd.f16_elements_per_cycle", mov, NULL, NULL},
    {"faddh", 2, F16, {F16, F16}, false, 1, "dsd.f16_elements_per_cycle", faddh, NULL, NULL},
    {"fsubh", 2, F16, {F16, F16}, false, 1, "dsd.f16_elements_per_cycle", fsubh, NULL, NULL},
    {"fmulh", 2, F16, {F16, F16}, false, 1, "dsd.f16_elements_per_cycle", fmulh, NULL, NULL},
    {"fmach", 3, F16, {F16, F16, F16}, false, 2, "dsd.f16_elements_per_cycle", fmach, NULL, NULL},
    {"fmaxh", 2, F16, {F16, F16}, false, 1, "dsd.f16_max_elements_per_cycle", fmaxh, NULL, NULL},
    {"fnegh", 1, F16, {F16}, false, 0, "dsd.f16_elements_per_cycle", fnegh, NULL, NULL},
    {"fabsh", 1, F16, {F16}, false, 0, "dsd.f16_elements_per_cycle", fabsh, NULL, NULL},
    {"faddhs", 2, F32, {F32, F16}, false, 1, "dsd.mixed_fmac_elements_per_cycle", faddhs, NULL, NULL},
    {"fmachs", 3, F32, {F32, F16, F16}, false, 2, "dsd.mixed_fmac_elements_per_cycle", fmachs, NULL, NULL},
    {"fh2s", 1, F32, {F16}, false, 0, "dsd.convert_elements_per_cycle", fh2s, NULL, NULL},
    {"fs2h", 1, F16, {F32}, false, 0, "dsd.convert_elements_per_cycle", fs2h, NULL, NULL},
    {"mov32", 1, U32, {U32}, true, 0, "dsd.f32_mov_elements_per_cycle", mov, wse_row_mov, NULL},
    {"mov16", 1, U16, {U16}, true, 0, "dsd.i16_elements_per_cycle", mov, NULL, NULL},
    {"add16", 2, U16, {U16, U16}, false, 0, "dsd.i16_elements_per_cycle", add16, NULL, NULL},
    {"sub16", 2, U16, {U16, U16}, false, 0, "dsd.i16_elements_per_cycle", sub16, NULL, NULL},
    {"and16", 2, U16, {U16, U16}, false, 0, "dsd.i16_elements_per_cycle", and16, NULL, NULL},
    {"or16", 2, U16, {U16, U16}, false, 0, "dsd.i16_elements_per_cycle", or16, NULL, NULL},
    {"xor16", 2, U16, {U16, U16}, false, 0, "dsd.i16_elements_per_cycle", xor16, NULL, NULL},
    {"sll16", 2, U16, {U16, U16}, false, 0, "dsd.i16_shift_elements_per_cycle", sll16, NULL, NULL},
    {"slr16", 2, U16, {U16, U16}, false, 0, "dsd.i16_shift_elements_per_cycle", slr16, NULL, NULL},
    {"sar16", 2, U16, {U16, U16}, false, 0, "dsd.i16_shift_elements_per_cycle", sar16, NULL, NULL},
    {"clz", 1, U16, {U16}, false, 0, "dsd.i16_shift_elements_per_cycle", clz, NULL, NULL},
    {"ctz", 1, U16, {U16}, false, 0, "dsd.i16_shift_elements_per_cycle", ctz, NULL, NULL},
    {"popcnt", 1, U16, {U16}, false, 0, "dsd.i16_shift_elements_per_cycle", popcnt, NULL, NULL},
    {"fscales", 2, F32, {F32, U16}, false, 1, "dsd.f32_mul_elements_per_cycle", fscales, NULL, NULL},
    {"fscaleh", 2, F16, {F16, U16}, false, 1, "dsd.convert_elements_per_cycle", fscaleh, NULL, NULL},
};
/* clang-format on */

/* Their names are in the vendor's documents, how they carry, normalise or convert is
 * not. */
static const char *const unknown[] = {
    "addc16", "fh2xp16", "fnormh", "fnorms", "fs2xp16", "xp162fh", "xp162fs", NULL,
};

guint wse_operation_count(void)
{
    return G_N_ELEMENTS(operations);
}

const WseOperation *wse_operation_at(guint index)
{
    g_assert(index < G_N_ELEMENTS(operations));
    return &operations[index];
}

bool wse_operation_find(const char *name, guint *index)
{
    for (guint i = 0; i < G_N_ELEMENTS(operations); i++) {
        if (g_str_equal(operations[i].name, name)) {
            *index = i;
            return true;
        }
    }
    return false;
}

bool wse_operation_is_unknown(const char *name)
{
    return g_strv_contains(unknown, name);
}

WseArithmetic wse_operation_arithmetic(const WseOperation *self)
{
    if (self->destination == ARCH_WSE_F16) {
        return WSE_ARITHMETIC_F16;
    }
    return self->sources[self->source_count - 1] == ARCH_WSE_F16 ? WSE_ARITHMETIC_MIXED
                                                                 : WSE_ARITHMETIC_F32;
}

char *wse_operation_names(void)
{
    GString *names = g_string_new(operations[0].name);

    for (guint i = 1; i < G_N_ELEMENTS(operations); i++) {
        g_string_append_printf(names, ", %s", operations[i].name);
    }
    return g_string_free(names, FALSE);
}
