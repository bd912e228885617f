/* NaNs differ in their bits between machines; these functions make results equal. */
#pragma once

#include <math.h>

/* `value`, or the quiet positive NaN for any NaN. Infinity minus infinity is a negative
 * NaN on x86-64 and a positive one on aarch64, and of two NaNs they keep different
 * ones. */
static inline float arch_nan_same(float value)
{
    return isnan(value) ? NAN : value;
}

/* The same for printing, which would show the sign of a NaN. */
static inline double arch_nan_plain(double value)
{
    return isnan(value) ? (double) NAN : value;
}
