/* The arithmetic of the scalar machine, to the bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arch/number/nan.h"
#include "arch/wse/program/number.h"

typedef struct {
    WseNumberCode code;
    ArchWseType type;
    uint32_t a;
    uint32_t b;
    uint32_t result;
} Row;

static void test_integers_wrap_at_their_size(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {WSE_NUMBER_ADD, ARCH_WSE_I8, 127, 1, 0xffffff80},
        {WSE_NUMBER_ADD, ARCH_WSE_U8, 255, 1, 0},
        {WSE_NUMBER_ADD, ARCH_WSE_I16, 32767, 1, 0xffff8000},
        {WSE_NUMBER_SUB, ARCH_WSE_U16, 0, 1, 0xffff},
        {WSE_NUMBER_MUL, ARCH_WSE_U16, 0xffff, 0xffff, 1},
        {WSE_NUMBER_MUL, ARCH_WSE_I32, 0x10001, 0x10001, 0x20001},
        {WSE_NUMBER_DIV, ARCH_WSE_I16, (uint32_t) -7, 2, (uint32_t) -3},
        {WSE_NUMBER_REM, ARCH_WSE_I16, (uint32_t) -7, 2, (uint32_t) -1},
        {WSE_NUMBER_DIV, ARCH_WSE_I16, 0xffff8000, UINT32_MAX, 0xffff8000},
        {WSE_NUMBER_DIV, ARCH_WSE_I32, 0x80000000, UINT32_MAX, 0x80000000},
        {WSE_NUMBER_REM, ARCH_WSE_I32, 0x80000000, UINT32_MAX, 0},
        {WSE_NUMBER_DIV, ARCH_WSE_U32, 0xfffffffe, 2, 0x7fffffff},
        {WSE_NUMBER_SHR, ARCH_WSE_I16, 0xffff8000, 3, 0xfffff000},
        {WSE_NUMBER_SHR, ARCH_WSE_U16, 0x8000, 3, 0x1000},
        {WSE_NUMBER_SHR, ARCH_WSE_I16, 0xffff8000, 40, UINT32_MAX},
        {WSE_NUMBER_SHL, ARCH_WSE_U16, 1, 15, 0x8000},
        {WSE_NUMBER_SHL, ARCH_WSE_U16, 1, 16, 0},
        {WSE_NUMBER_SHR, ARCH_WSE_U32, 0x80000000, 32, 0},
        {WSE_NUMBER_NOT, ARCH_WSE_U16, 0x00ff, 0, 0xff00},
        {WSE_NUMBER_NEG, ARCH_WSE_I16, 5, 0, (uint32_t) -5},
        {WSE_NUMBER_LT, ARCH_WSE_I32, UINT32_MAX, 1, 1},
        {WSE_NUMBER_LT, ARCH_WSE_U32, UINT32_MAX, 1, 0},
        {WSE_NUMBER_GE, ARCH_WSE_U32, 1, 1, 1},
        {WSE_NUMBER_MAX, ARCH_WSE_I16, (uint32_t) -3, 2, 2},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];

        if (wse_number_integer(row->code, row->type, row->a, row->b) != row->result) {
            fail_msg("row %zu: %x", i,
                     wse_number_integer(row->code, row->type, row->a, row->b));
        }
    }
}

static void test_floats_round_after_every_operation(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        /* 2048 + 1 is no half: even is 2048; 2050 + 1 gives 2052 */
        {WSE_NUMBER_ADD, ARCH_WSE_F16, 0x6800, 0x3c00, 0x6800},
        {WSE_NUMBER_ADD, ARCH_WSE_F16, 0x6801, 0x3c00, 0x6802},
        {WSE_NUMBER_DIV, ARCH_WSE_F16, 0x3c00, 0x4200, 0x3555},
        {WSE_NUMBER_SQRT, ARCH_WSE_F16, 0x4000, 0, 0x3da8},
        {WSE_NUMBER_NEG, ARCH_WSE_F16, 0x3c00, 0, 0xbc00},
        {WSE_NUMBER_ABS, ARCH_WSE_F16, 0xbc00, 0, 0x3c00},
        {WSE_NUMBER_MUL, ARCH_WSE_F32, 0x3f800001, 0x3f800001, 0x3f800002},
        {WSE_NUMBER_DIV, ARCH_WSE_F32, 0x3f800000, 0x40400000, 0x3eaaaaab},
        {WSE_NUMBER_SQRT, ARCH_WSE_F32, 0x40000000, 0, 0x3fb504f3},
        {WSE_NUMBER_MIN, ARCH_WSE_F32, 0xbf800000, 0x3f800000, 0xbf800000},
        {WSE_NUMBER_LT, ARCH_WSE_F32, 0x7fc00000, 0x3f800000, 0},
        {WSE_NUMBER_NE, ARCH_WSE_F32, 0x7fc00000, 0x7fc00000, 1},
        {WSE_NUMBER_EQ, ARCH_WSE_F32, 0x80000000, 0, 1},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];

        if (wse_number_float(row->code, row->type, row->a, row->b) != row->result) {
            fail_msg("row %zu: %x", i,
                     wse_number_float(row->code, row->type, row->a, row->b));
        }
    }
}

static void test_conversions_cut_and_saturate(void **state G_GNUC_UNUSED)
{
    static const struct {
        ArchWseType from;
        ArchWseType to;
        uint64_t bits;
        uint64_t result;
    } rows[] = {
        {ARCH_WSE_F32, ARCH_WSE_I16, 0xc0200000, (uint32_t) -2}, /* -2.5 */
        {ARCH_WSE_F32, ARCH_WSE_U16, 0xc0200000, 0},
        {ARCH_WSE_F32, ARCH_WSE_I16, 0x47c35000, 32767}, /* 100000 */
        {ARCH_WSE_F32, ARCH_WSE_U32, 0x7fc00000, 0},
        {ARCH_WSE_F32, ARCH_WSE_I64, 0xdf000000, UINT64_C(0x8000000000000000)},
        {ARCH_WSE_I16, ARCH_WSE_F32, UINT64_MAX, 0xbf800000},
        {ARCH_WSE_U32, ARCH_WSE_F32, UINT32_MAX, 0x4f800000},
        {ARCH_WSE_F32, ARCH_WSE_F16, 0x3eaaaaab, 0x3555},
        {ARCH_WSE_F16, ARCH_WSE_F32, 0x3555, 0x3eaaa000},
        {ARCH_WSE_U32, ARCH_WSE_I16, 0x18000, 0xffff8000},
        {ARCH_WSE_I16, ARCH_WSE_I64, UINT64_MAX, UINT64_MAX},
        {ARCH_WSE_I16, ARCH_WSE_U8, UINT64_MAX, 255},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_int_equal(wse_number_convert(rows[i].from, rows[i].to, rows[i].bits),
                         rows[i].result);
    }
}

/* One step after the other: x^23 + x^18 + 1. */
static uint32_t step_by_step(uint32_t state)
{
    for (guint i = 0; i < 128; i++) {
        state = (state << 1 | ((state >> 22 ^ state >> 17) & 1)) & 0x7fffff;
    }
    return state;
}

static void test_random_bits_are_those_of_the_shift_register(void **state G_GNUC_UNUSED)
{
    uint32_t bits = 0xdeadbeef & 0x7fffff;

    assert_int_equal(wse_number_random(0xdeadbeef), step_by_step(bits));
    for (guint i = 0; i < 1000; i++) {
        assert_int_equal(wse_number_random(bits), step_by_step(bits));
        bits = step_by_step(bits);
    }
    assert_int_equal(wse_number_random(0), step_by_step(1));
}

/* Steps of the machine against the arithmetic that they stand for. */
#define WSE_STEP_OF(type) (1U << (type))

static float single(uint32_t bits)
{
    float value = 0;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    const float same = arch_nan_same(value);
    uint32_t bits = 0;

    memcpy(&bits, &same, sizeof bits);
    return bits;
}

#define WSE_STEP(name, number, types, expression)                                      \
    static uint32_t step_##name(uint32_t a, uint32_t b)                                \
    {                                                                                  \
        (void) b;                                                                      \
        return (uint32_t) (expression);                                                \
    }
#include "arch/wse/program/step.def"
#undef WSE_STEP

static const struct {
    const char *name;
    WseNumberCode number;
    uint32_t types;
    uint32_t (*step)(uint32_t a, uint32_t b);
} steps[] = {
#define WSE_STEP(name, number, types, expression)                                      \
    {#name, WSE_NUMBER_##number, types, step_##name},
#include "arch/wse/program/step.def"
#undef WSE_STEP
};

static void assert_step(gsize row, ArchWseType type, uint32_t a, uint32_t b)
{
    const WseNumberCode code = steps[row].number;
    const uint32_t wanted = wse_type_is_float(type)
                                ? wse_number_float(code, type, a, b)
                                : wse_number_integer(code, type, a, b);

    if (steps[row].step(a, b) != wanted) {
        fail_msg("%s of %s: %08x %08x gives %08x, not %08x", steps[row].name,
                 arch_wse_type_name(type), a, b, steps[row].step(a, b), wanted);
    }
}

static void test_steps_are_the_same_arithmetic(void **state G_GNUC_UNUSED)
{
    static const uint32_t edges[] = {0,          1,          15,         16,
                                     31,         32,         0x7fff,     0x8000,
                                     0xffff,     0x10000,    0x7fffffff, 0x80000000,
                                     0xffff8000, 0xffffffff, 0x7f800000, 0xff800000,
                                     0x7fc00001, 0x3f800000, 0xbf800001, 0x12345678};
    const guint count = G_N_ELEMENTS(edges);

    for (gsize row = 0; row < G_N_ELEMENTS(steps); row++) {
        for (guint i = 0; i < count * count * ARCH_WSE_TYPES; i++) {
            const guint type = i % ARCH_WSE_TYPES;

            if ((steps[row].types >> type & 1) != 0) {
                assert_step(row, (ArchWseType) type, edges[i / ARCH_WSE_TYPES % count],
                            edges[i / ARCH_WSE_TYPES / count]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers_wrap_at_their_size),
        cmocka_unit_test(test_floats_round_after_every_operation),
        cmocka_unit_test(test_conversions_cut_and_saturate),
        cmocka_unit_test(test_random_bits_are_those_of_the_shift_register),
        cmocka_unit_test(test_steps_are_the_same_arithmetic),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
