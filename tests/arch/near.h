/* Numbers that are not exact: how far they may be from what was worked by hand. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Fails unless they are at most `bound` apart; NaN is not. */
static inline void
assert_near(const char *what, double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound)) {
        fail_msg("%s: %.15g instead of %.15g", what, value, expected);
    }
}
