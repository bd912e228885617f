/* Functions of the vector unit: numbers against the host's library, and slots. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/tensix/compute/sfpu_functions.h"
#include "arch/tensix/number.h"
#include "tests/arch/tensix/rounds.h"

static guint32 a[ARCH_TILE_ELEMENTS];
static guint32 b[ARCH_TILE_ELEMENTS];
static guint32 c[ARCH_TILE_ELEMENTS];
static guint32 dst[ARCH_TILE_ELEMENTS];

typedef double (*Reference)(double x);

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static double silu(double x)
{
    return x * sigmoid(x);
}

static double gelu(double x)
{
    return 0.5 * x * erfc(-x * sqrt(0.5));
}

static double rsqrt(double x)
{
    return 1 / sqrt(x);
}

static double relu(double x)
{
    return x > 0 ? x : 0;
}

static double square(double x)
{
    return x * x;
}

static double negative(double x)
{
    return -x;
}

static double sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/* A function from `low` to `high`. Its error may be `relative` of the number and
 * `absolute` beside that; a vector takes `slots`. */
typedef struct {
    const char *name;
    Reference reference;
    double low;
    double high;
    double relative;
    double absolute;
    SfpuFunction function;
    TensixDst dst;
    guint slots;
    bool is_approximate;
} Row;

/* BF16 has 8 bits, of which a store that cuts loses up to 1 in 128. */
#define HALF 0.0079
static const Row rows[] = {
    {"exp, BF16", exp, -80, 80, 0.0067, 0, SFPU_EXP, TENSIX_DST_16, 25, false},
    {"exp, FP32", exp, -86, 88, 3e-7, 0, SFPU_EXP, TENSIX_DST_32, 45, false},
    {"exp, approximate", exp, -80, 80, 0.04, 0, SFPU_EXP, TENSIX_DST_32, 8, true},
    {"exp2, BF16", exp2, -120, 120, 0.0067, 0, SFPU_EXP2, TENSIX_DST_16, 25, false},
    {"exp2, FP32", exp2, -120, 120, 3e-7, 0, SFPU_EXP2, TENSIX_DST_32, 31, false},
    {"log, BF16", log, 1e-30, 1e3, HALF, 5e-5, SFPU_LOG, TENSIX_DST_16, 30, false},
    {"log, FP32", log, 1e-30, 1e3, 4e-7, 1e-7, SFPU_LOG, TENSIX_DST_32, 45, false},
    {"rsqrt, BF16", rsqrt, 1e-3, 1e3, HALF, 0, SFPU_RSQRT, TENSIX_DST_16, 27, false},
    {"rsqrt, FP32", rsqrt, 1e-3, 1e3, 4e-7, 0, SFPU_RSQRT, TENSIX_DST_32, 35, false},
    {"sigmoid, BF16", sigmoid, -9, 9, 0.011, 0, SFPU_SIGMOID, TENSIX_DST_16, 32, false},
    {"sigmoid, FP32", sigmoid, -80, 80, 5e-7, 0, SFPU_SIGMOID, TENSIX_DST_32, 49,
     false},
    {"sigmoid, lines", sigmoid, -9, 9, 0, 0.065, SFPU_SIGMOID, TENSIX_DST_32, 8, true},
    {"tanh, BF16", tanh, -9, 9, HALF, 0, SFPU_TANH, TENSIX_DST_16, 56, false},
    {"tanh, FP32", tanh, -9, 9, 4e-5, 0, SFPU_TANH, TENSIX_DST_32, 56, false},
    {"tanh, lines", tanh, -9, 9, 0, 0.065, SFPU_TANH, TENSIX_DST_32, 6, true},
    {"gelu, BF16", gelu, -4, 4, 0.02, 1e-3, SFPU_GELU, TENSIX_DST_16, 38, false},
    {"gelu, FP32", gelu, -4, 4, 0, 5e-4, SFPU_GELU, TENSIX_DST_32, 58, false},
    {"gelu, lines", gelu, -6, 6, 0, 0.08, SFPU_GELU, TENSIX_DST_32, 7, true},
    {"silu, BF16", silu, -9, 9, 0.011, 0, SFPU_SILU, TENSIX_DST_16, 34, false},
    {"silu, FP32", silu, -80, 80, 6e-7, 0, SFPU_SILU, TENSIX_DST_32, 51, false},
    {"relu", relu, -9, 9, 0, 0, SFPU_RELU, TENSIX_DST_16, 5, false},
    {"abs", fabs, -9, 9, 0, 0, SFPU_ABSOLUTE, TENSIX_DST_16, 4, false},
    {"sign", sign, -9, 9, 0, 0, SFPU_SIGN, TENSIX_DST_16, 8, false},
    {"negative", negative, -9, 9, 0, 0, SFPU_NEGATIVE, TENSIX_DST_16, 4, false},
    {"square", square, -9, 9, 1e-7, 0, SFPU_SQUARE, TENSIX_DST_32, 5, false},
    {"floor", floor, -9, 9, 0, 0, SFPU_FLOOR, TENSIX_DST_32, 19, false},
    {"ceil", ceil, -9, 9, 0, 0, SFPU_CEIL, TENSIX_DST_32, 19, false},
    {"floor, great", floor, -1e9, 1e9, 0, 0, SFPU_FLOOR, TENSIX_DST_32, 19, false},
};

static void run_with(const SfpuProgram *program, TensixDst kind, float x, float y)
{
    const SfpuCall call = {
        .dst = dst,
        .operands = {a, b, c},
        .scalars = {tensix_number_from_float(x), tensix_number_from_float(y)}};

    tensix_sfpu_run(program, &call, (TensixSfpuMode){.dst = kind});
}

/* Numbers from low to high; if low is above 0, by powers. */
static void fill_range(const Row *row)
{
    for (guint i = 0; i < ARCH_TILE_ELEMENTS; i++) {
        const double at = i / (double) (ARCH_TILE_ELEMENTS - 1);
        const double number = row->low > 0 ? row->low * pow(row->high / row->low, at)
                                           : row->low + (row->high - row->low) * at;

        a[i] = tensix_number_from_float((float) number);
        a[i] &= row->dst == TENSIX_DST_16 ? 0xffff0000U : UINT32_MAX;
    }
}

static void check_row(const Row *row)
{
    double worst = 0;
    double most = 0;

    for (guint i = 0; i < ARCH_TILE_ELEMENTS; i++) {
        const double x = (double) tensix_number_to_float(a[i]);
        const double expected = row->reference(x);
        const double got = (double) tensix_number_to_float(dst[i]);
        const double error = fabs(got - expected);

        worst = fmax(worst, expected == 0 ? 0 : error / fabs(expected));
        most = fmax(most, error);
        if (!(error <= row->relative * fabs(expected) + row->absolute)) {
            fail_msg("%s of %g: %g, not %g", row->name, x, got, expected);
        }
    }
    print_message("%-18s error %.2g, relative %.2g\n", row->name, most, worst);
}

static void functions_are_near_those_of_the_host(void **state)
{
    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];
        const SfpuProgram *program =
            tensix_sfpu_function(row->function, row->dst, row->is_approximate);

        fill_range(row);
        run_with(program, row->dst, 0, 0);
        check_row(row);
        assert_int_equal(tensix_sfpu_vector_slots(program), row->slots);
    }
}

/* One number, of up to three operands and two scalars. */
typedef struct {
    SfpuFunction function;
    float operands[3];
    float scalars[2];
    float result;
} Case;

static void check_cases(const Case *cases, gsize count, TensixDst kind)
{
    for (gsize i = 0; i < count; i++) {
        const Case *one = &cases[i];

        a[7] = tensix_number_from_float(one->operands[0]);
        b[7] = tensix_number_from_float(one->operands[1]);
        c[7] = tensix_number_from_float(one->operands[2]);
        run_with(tensix_sfpu_function(one->function, kind, false), kind,
                 one->scalars[0], one->scalars[1]);
        const float got = tensix_number_to_float(dst[7]);

        /* Next to nothing is as good as nothing. */
        const bool is_near = got == one->result || fabsf(got - one->result) < 1e-20F;

        if (!is_near && !(isnan(got) && isnan(one->result))) {
            fail_msg("case %zu: %a, not %a", i, (double) got, (double) one->result);
        }
    }
}

static void numbers_without_a_finite_result_come_out_as_such(void **state)
{
    static const Case cases[] = {
        {SFPU_EXP, {100}, {0}, HUGE_VALF},
        {SFPU_EXP, {-100}, {0}, 0},
        {SFPU_EXP, {0}, {0}, 1},
        {SFPU_LOG, {0}, {0}, -HUGE_VALF},
        {SFPU_LOG, {-1}, {0}, NAN},
        {SFPU_LOG, {1}, {0}, 0},
        {SFPU_RSQRT, {0}, {0}, HUGE_VALF},
        {SFPU_RSQRT, {-4}, {0}, NAN},
        {SFPU_SIGMOID, {-1e30F}, {0}, 0},
        {SFPU_SIGMOID, {1e30F}, {0}, 1},
        {SFPU_TANH, {-50}, {0}, -1},
        {SFPU_TANH, {0x1p-20F}, {0}, 0x1p-20F},
        {SFPU_DIV, {3, 0}, {0}, HUGE_VALF},
        {SFPU_DIV, {-3, 0}, {0}, -HUGE_VALF},
        {SFPU_DIV, {0, 0}, {0}, NAN},
        {SFPU_DIV, {0, 5}, {0}, 0},
        {SFPU_GELU, {-1e9F}, {0}, 0},
        {SFPU_EXP2, {10}, {0}, 1024},
    };

    (void) state;
    check_cases(cases, G_N_ELEMENTS(cases), TENSIX_DST_32);
}

static void selections_are_exact(void **state)
{
    static const Case cases[] = {
        {SFPU_FILL, {9}, {2.5F}, 2.5F},    {SFPU_UNARY_MAX, {1}, {2}, 2},
        {SFPU_UNARY_MAX, {-1}, {-2}, -1},  {SFPU_UNARY_MIN, {1}, {2}, 1},
        {SFPU_UNARY_MIN, {-1}, {-2}, -2},  {SFPU_CLAMP, {-9}, {-2, 3}, -2},
        {SFPU_CLAMP, {9}, {-2, 3}, 3},     {SFPU_CLAMP, {1}, {-2, 3}, 1},
        {SFPU_RSUB_UNARY, {1}, {5}, 4},    {SFPU_RSUB, {1, 5}, {0}, 4},
        {SFPU_BINARY_MAX, {1, 5}, {0}, 5}, {SFPU_BINARY_MAX, {-1, -5}, {0}, -1},
        {SFPU_BINARY_MIN, {1, 5}, {0}, 1}, {SFPU_BINARY_MIN, {-1, -5}, {0}, -5},
        {SFPU_MASK, {3, 0}, {0}, 0},       {SFPU_MASK, {3, 1}, {0}, 3},
        {SFPU_WHERE, {0, 3, 4}, {0}, 4},   {SFPU_WHERE, {1, 3, 4}, {0}, 3},
        {SFPU_DIV, {6, -1.5F}, {0}, -4},
    };

    (void) state;
    check_cases(cases, G_N_ELEMENTS(cases), TENSIX_DST_16);
    check_cases(cases, G_N_ELEMENTS(cases) - 1, TENSIX_DST_32);
}

static void quotients_and_powers_are_near(void **state)
{
    double worst[3] = {0};

    (void) state;
    for (guint i = 0; i < ARCH_TILE_ELEMENTS; i++) {
        a[i] = tensix_number_from_float(0.01F * (float) (i + 1));
        b[i] = tensix_number_from_float(0.7F - 0.003F * (float) i);
    }
    for (guint k = 0; k < 3; k++) {
        static const SfpuFunction functions[] = {SFPU_DIV, SFPU_DIV, SFPU_POWER};
        const TensixDst kind = k == 0 ? TENSIX_DST_16 : TENSIX_DST_32;

        run_with(tensix_sfpu_function(functions[k], kind, false), kind, 0, 0);
        for (guint i = 0; i < ARCH_TILE_ELEMENTS; i++) {
            const double x = (double) tensix_number_to_float(a[i]);
            const double y = (double) tensix_number_to_float(b[i]);
            const double expected = k < 2 ? x / y : pow(x, y);
            const double got = (double) tensix_number_to_float(dst[i]);

            worst[k] = fmax(worst[k], fabs(got / expected - 1));
        }
    }
    print_message("div, BF16 %.2g; div, FP32 %.2g; power %.2g\n", worst[0], worst[1],
                  worst[2]);
    assert_true(worst[0] < 0.0042 && worst[1] < 3e-7 && worst[2] < 0.004);
}

static guint32 cast(ArchFormat from, ArchFormat to, guint32 bits)
{
    a[9] = bits;
    run_with(tensix_sfpu_function(tensix_sfpu_cast(from, to), TENSIX_DST_32, false),
             TENSIX_DST_32, 0, 0);
    return dst[9];
}

static guint32 bits_of(float number)
{
    return tensix_number_from_float(number);
}

static void casts_convert(void **state)
{
    (void) state;
    assert_int_equal(cast(ARCH_FORMAT_INT32, ARCH_FORMAT_FP32, (guint32) -5),
                     bits_of(-5));
    assert_int_equal(cast(ARCH_FORMAT_INT32, ARCH_FORMAT_FP32, 1000000), bits_of(1e6F));
    assert_int_equal(cast(ARCH_FORMAT_UINT16, ARCH_FORMAT_FP32, 65535), bits_of(65535));
    assert_int_equal(cast(ARCH_FORMAT_FP32, ARCH_FORMAT_INT32, bits_of(-7.9F)),
                     (guint32) -7);
    assert_int_equal(cast(ARCH_FORMAT_FP32, ARCH_FORMAT_INT32, bits_of(0.9F)), 0);
    assert_int_equal(cast(ARCH_FORMAT_FP32, ARCH_FORMAT_INT32, bits_of(1e9F)),
                     1000000000);
    assert_int_equal(cast(ARCH_FORMAT_FP32, ARCH_FORMAT_UINT16, bits_of(2.5F)), 3);
    assert_int_equal(cast(ARCH_FORMAT_FP32, ARCH_FORMAT_UINT16, bits_of(-3)), 0);
    assert_int_equal(cast(ARCH_FORMAT_FP32, ARCH_FORMAT_UINT16, bits_of(1e6F)), 65535);
    /* 1 + 3 * 2^-8 is a tie, and even is up. */
    assert_int_equal(cast(ARCH_FORMAT_FP32, ARCH_FORMAT_BF16, 0x3f818000), 0x3f820000);
    assert_int_equal(cast(ARCH_FORMAT_BF16, ARCH_FORMAT_FP32, 0x3f818000), 0x3f818000);
    assert_int_equal(tensix_sfpu_cast(ARCH_FORMAT_INT32, ARCH_FORMAT_UINT16),
                     SFPU_FUNCTIONS);
    run_with(tensix_sfpu_function(SFPU_ADD_INT, TENSIX_DST_32, false), TENSIX_DST_32, 0,
             0);
    assert_int_equal(dst[9], a[9] + b[9]);
    run_with(tensix_sfpu_function(SFPU_SUB_INT, TENSIX_DST_32, false), TENSIX_DST_32, 0,
             0);
    assert_int_equal(dst[9], a[9] - b[9]);
}

/* Copies a tile and applies `count` times a function. */
static void apply(GArray *calls, guint op, guint count)
{
    call_wait(calls, KERNEL_IN, 1);
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_COPY, .cb_a = KERNEL_IN);
    for (guint i = 0; i < count; i++) {
        KERNEL_CALL(calls, .op = (uint8_t) op);
    }
    call_plain(calls, ARCH_COMPUTE_COMMIT);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_CB_RESERVE, .cb_a = KERNEL_OUT, .count = 1);
    call_plain(calls, ARCH_COMPUTE_WAIT);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_PACK, .cb_a = KERNEL_OUT);
    call_plain(calls, ARCH_COMPUTE_RELEASE);
    call_pop(calls, KERNEL_IN, 1);
    call_push(calls, KERNEL_OUT);
}

static guint applied;
static guint times;

static void round_apply(GArray *calls, guint round)
{
    (void) round;
    apply(calls, applied, times);
}

/* 32 vectors; for each of four faces 5 slots and the constants, of which those with
 * more than 16 bits take two; 22 for start and end. */
static void tiles_take_the_slots_of_their_programs(void **state)
{
    static const struct {
        guint op;
        ArchFormat format;
        guint cycles;
    } cases[] = {
        {ARCH_COMPUTE_SFPU_RELU, ARCH_FORMAT_BF16, 32 * 5 + 4 * 5 + 22},
        {ARCH_COMPUTE_SFPU_ABS, ARCH_FORMAT_BF16, 32 * 4 + 4 * 5 + 22},
        {ARCH_COMPUTE_SFPU_FILL, ARCH_FORMAT_BF16, 32 * 2 + 4 * (5 + 2) + 22},
        {ARCH_COMPUTE_SFPU_EXP, ARCH_FORMAT_BF16, 32 * 25 + 4 * (5 + 7) + 22},
        {ARCH_COMPUTE_SFPU_EXP, ARCH_FORMAT_FP32, 32 * 45 + 4 * (5 + 7) + 22},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const KernelTest test = {
            .round = round_apply, .rounds = 1, .format = cases[i].format};

        applied = cases[i].op;
        times = 1;
        g_auto(KernelResult) once = kernel_run(&test);

        times = 2;
        g_auto(KernelResult) twice = kernel_run(&test);

        assert_null(once.refusal);
        assert_int_equal(twice.cycles - once.cycles, cases[i].cycles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_near_those_of_the_host),
        cmocka_unit_test(numbers_without_a_finite_result_come_out_as_such),
        cmocka_unit_test(selections_are_exact),
        cmocka_unit_test(quotients_and_powers_are_near),
        cmocka_unit_test(casts_convert),
        cmocka_unit_test(tiles_take_the_slots_of_their_programs),
    };

    return cmocka_run_group_tests_name("arch.tensix_sfpu_functions", tests, NULL, NULL);
}
