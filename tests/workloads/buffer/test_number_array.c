/* Arrays go into formats and out of them as their numbers do one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/random.h"
#include "workloads/buffer/number_array.h"

enum {
    NUMBERS = 300,
    FIRST = 3, /* numbers before those that are written */
    ROUNDS = 200,
    BYTES = (NUMBERS + FIRST + 1) * 4,
};

static const NumberFormat formats[] = {NUMBER_BF16,  NUMBER_FP32,   NUMBER_FP16,
                                       NUMBER_INT32, NUMBER_UINT32, NUMBER_UINT16};

/* Any bits, or what lies near the ends of BF16 and halfway between two of its numbers.
 */
static double draw(uint64_t *random, bool is_any)
{
    static const double special[] = {
        0.0,      -0.0,       0x1p-126,   -0x1p-126, 0x1.fp-127,   0x1p-149,
        0x1p127,  0x1.ffp127, 0x1.fep127, INFINITY,  -INFINITY,    1e300,
        0x1.01p0, 0x1.03p0,   -0x1.01p0,  1.0,       0x1.010001p0, NAN,
    };
    const uint64_t bits = (uint64_t) sim_random_next(random);
    double value = 0;

    if (is_any && bits % 4 == 0) {
        return special[bits / 4 % G_N_ELEMENTS(special)];
    }
    if (is_any) {
        memcpy(&value, &bits, sizeof value);
        return isnan(value) ? NAN : value;
    }
    return ((double) (bits >> 11) * 0x1p-53 - 0.5) * 100;
}

static void writing_is_that_of_each_number(void **state G_GNUC_UNUSED)
{
    uint64_t random = 1;

    for (guint round = 0; round < ROUNDS; round++) {
        const NumberFormat format = formats[round % G_N_ELEMENTS(formats)];
        const gsize count = sim_random_below(&random, NUMBERS);
        double doubles[NUMBERS];
        float floats[NUMBERS];
        guint8 made[2][BYTES] = {{0}};
        guint8 expected[2][BYTES] = {{0}};

        for (gsize i = 0; i < count; i++) {
            doubles[i] = draw(&random, round / G_N_ELEMENTS(formats) % 2 == 0);
            floats[i] = (float) doubles[i];
            number_format_put(format, expected[0], FIRST + i, doubles[i]);
            number_format_put(format, expected[1], FIRST + i, (double) floats[i]);
        }
        number_array_put(format, made[0], FIRST, doubles, count);
        number_array_put_floats(format, made[1], FIRST, floats, count);

        assert_memory_equal(made, expected, sizeof made);
    }
}

/* The compiler may leave the cast out, which makes a NaN quiet. */
static float quieted(float value)
{
    return isnan(value) ? number_of_bits(number_bits(value) | 0x00400000) : value;
}

static void reading_is_that_of_each_number(void **state G_GNUC_UNUSED)
{
    uint64_t random = 2;

    for (guint round = 0; round < ROUNDS; round++) {
        const NumberFormat format = formats[round % G_N_ELEMENTS(formats)];
        const gsize count = sim_random_below(&random, NUMBERS);
        guint8 bytes[BYTES];
        double doubles[NUMBERS];
        float floats[NUMBERS];

        for (gsize i = 0; i < sizeof bytes; i++) {
            bytes[i] = (guint8) sim_random_next(&random);
        }
        number_array_get(format, doubles, bytes, FIRST, count);
        number_array_get_floats(format, floats, bytes, FIRST, count);

        for (gsize i = 0; i < count; i++) {
            const double expected = number_format_get(format, bytes, FIRST + i);
            const float single = quieted((float) expected);

            assert_memory_equal(&doubles[i], &expected, sizeof expected);
            assert_memory_equal(&floats[i], &single, sizeof single);
        }
    }
}

static void numbers_that_signal_become_quiet(void **state G_GNUC_UNUSED)
{
    static const uint32_t signalling[] = {0x7fa00000, 0xff800001, 0x7fc00005};
    static const uint32_t quiet[] = {0x7fe00000, 0xffc00001, 0x7fc00005};
    float floats[G_N_ELEMENTS(quiet)];

    number_array_get_floats(NUMBER_FP32, floats, (const guint8 *) signalling, 0,
                            G_N_ELEMENTS(quiet));
    assert_memory_equal(floats, quiet, sizeof quiet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing_is_that_of_each_number),
        cmocka_unit_test(reading_is_that_of_each_number),
        cmocka_unit_test(numbers_that_signal_become_quiet),
    };

    return cmocka_run_group_tests_name("workloads.number_array", tests, NULL, NULL);
}
