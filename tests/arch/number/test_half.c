/* Halves: every one of them there and back, and how numbers between them round. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/number/half.h"

/* By the definition of the format, not by bits of other formats. */
static double defined(uint16_t half)
{
    const int exponent = (half >> 10) & 0x1f;
    const double fraction = half & 0x3ff;
    const double size =
        exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);

    return (half & 0x8000) != 0 ? -size : size;
}

static void every_half_has_its_value_and_comes_back(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < 0x10000; i++) {
        const uint16_t half = (uint16_t) i;

        if ((half & 0x7c00) != 0x7c00) {
            const double value = arch_half_to_float(half);

            if (value != defined(half) || arch_half_from_double(value) != half) {
                fail_msg("%04x", i);
            }
        }
    }
}

static void infinities_and_nans_stay_what_they_are(void **state G_GNUC_UNUSED)
{
    assert_true(isinf(arch_half_to_float(0x7c00)));
    assert_true(arch_half_to_float(0xfc00) < 0);
    assert_true(isnan(arch_half_to_float(0x7c01)));
    assert_int_equal(arch_half_from_double(INFINITY), 0x7c00);
    assert_int_equal(arch_half_from_double(-INFINITY), 0xfc00);
    assert_int_equal(arch_half_from_double(NAN), 0x7e00);
    assert_int_equal(arch_half_from_double((double) -NAN), 0x7e00);
}

/* Between each two neighbours: just below the middle, at it, just above. */
static void
what_lies_between_rounds_to_the_nearest_and_ties_to_even(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < 0x7bff; i++) {
        const uint16_t low = (uint16_t) i;
        const uint16_t high = (uint16_t) (i + 1);
        const double middle = (defined(low) + defined(high)) / 2;

        if (arch_half_from_double(nextafter(middle, 0)) != low ||
            arch_half_from_double(nextafter(middle, INFINITY)) != high ||
            arch_half_from_double(middle) != ((i & 1) == 0 ? low : high) ||
            arch_half_from_double(-middle) != (0x8000 | ((i & 1) == 0 ? low : high))) {
            fail_msg("%04x", i);
        }
    }
}

static void
the_largest_rounds_to_infinity_from_its_middle_on(void **state G_GNUC_UNUSED)
{
    assert_int_equal(arch_half_from_double(nextafter(65520, 0)), 0x7bff);
    assert_int_equal(arch_half_from_double(65520), 0x7c00);
    assert_int_equal(arch_half_from_double(1e300), 0x7c00);
    assert_int_equal(arch_half_from_double(-0.0), 0x8000);
    assert_int_equal(arch_half_from_double(0x1p-25), 0);
    assert_int_equal(arch_half_from_double(0x1.8p-25), 1);
}

/* Around every half, and where floats end. */
static void
the_nearest_half_of_a_float_is_the_one_of_a_double(void **state G_GNUC_UNUSED)
{
    static const float ends[] = {0x1p-126F, 0x1p-149F, 0x1.fffffep127F, INFINITY};

    for (guint i = 0; i < 0x7c00; i++) {
        const float low = (float) defined((uint16_t) i);
        const float middle = (float) ((low + defined((uint16_t) (i + 1))) / 2);
        const float near[] = {low, nextafterf(low, INFINITY), nextafterf(middle, 0),
                              middle, nextafterf(middle, INFINITY)};

        for (guint n = 0; n < G_N_ELEMENTS(near); n++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                const float value = (float) sign * near[n];
                const float half = arch_half_nearest(value);
                const float by_bits = arch_half_to_float(arch_half_from_double(value));

                if (half != by_bits || signbit(half) != signbit(value)) {
                    fail_msg("%a", (double) value);
                }
            }
        }
    }
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        assert_true(arch_half_nearest(ends[i]) ==
                    arch_half_to_float(arch_half_from_double(ends[i])));
    }
    assert_true(isnan(arch_half_nearest(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_has_its_value_and_comes_back),
        cmocka_unit_test(infinities_and_nans_stay_what_they_are),
        cmocka_unit_test(what_lies_between_rounds_to_the_nearest_and_ties_to_even),
        cmocka_unit_test(the_largest_rounds_to_infinity_from_its_middle_on),
        cmocka_unit_test(the_nearest_half_of_a_float_is_the_one_of_a_double),
    };

    return cmocka_run_group_tests_name("arch.half", tests, NULL, NULL);
}
