/* Rounding to the formats of chips: against the formats' own conversion. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "workloads/buffer/number_format.h"
#include "workloads/reference/rounding.h"

static double converted(NumberFormat format, double value)
{
    guint8 bytes[sizeof(float)];

    number_format_put(format, bytes, 0, value);
    return number_format_get(format, bytes, 0);
}

static void assert_same(double a, double b, double of)
{
    if (a != b || signbit(a) != signbit(b)) {
        fail_msg("%a: %a, %a", of, a, b);
    }
}

/* Magnitudes of all exponents, and halfway between numbers of each format. */
static void formats_round_as_they_are_stored(void **state G_GNUC_UNUSED)
{
    uint64_t random = 1;

    for (int exponent = -150; exponent <= 130; exponent++) {
        for (guint i = 0; i < 64; i++) {
            random = random * UINT64_C(6364136223846793005) + 1;
            /* Fractions of 12 bits: ties are among them. */
            const double value = ldexp(4096 + (double) (random >> 52), exponent - 12) *
                                 (i % 2 == 0 ? 1 : -1);

            assert_same(rounding_of(ROUNDING_HALF, value),
                        converted(NUMBER_FP16, value), value);
            assert_same(rounding_of(ROUNDING_UPPER, value),
                        converted(NUMBER_BF16, value), value);
            assert_same(rounding_of(ROUNDING_SINGLE, value),
                        converted(NUMBER_FP32, value), value);
            assert_same(rounding_of(ROUNDING_NONE, value), value, value);
        }
    }
}

static void what_is_no_number_stays(void **state G_GNUC_UNUSED)
{
    for (Rounding rounding = ROUNDING_SINGLE; rounding <= ROUNDING_NONE; rounding++) {
        assert_true(isnan(rounding_of(rounding, (double) NAN)));
        assert_same(rounding_of(rounding, -HUGE_VAL), -HUGE_VAL, -HUGE_VAL);
        assert_same(rounding_of(rounding, -0.0), -0.0, -0.0);
    }
    assert_same(rounding_half(65519), 65504, 65519);
    assert_same(rounding_half(65520), HUGE_VAL, 65520);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_round_as_they_are_stored),
        cmocka_unit_test(what_is_no_number_stays),
    };

    return cmocka_run_group_tests_name("workloads.rounding", tests, NULL, NULL);
}
