/* NaNs: which bits one has differs between machines, so that results get the same one.
 */
#pragma once

#include <math.h>

/* `value`, or the quiet NaN without a sign for any NaN. Of infinity minus infinity
 * x86-64 makes a negative one, aarch64 a positive one; and of two NaNs they keep
 * another. */
static inline float arch_nan_same(float value)
{
    return isnan(value) ? NAN : value;
}

/* The same for one that is printed: its sign would be. */
static inline double arch_nan_plain(double value)
{
    return isnan(value) ? (double) NAN : value;
}
