/* Rounding to the formats in which chips compute, to nearest, ties to even. A result of
 * one operation in double precision, rounded so, is the result of that operation in the
 * format: doubles have more than twice as many bits. */
#pragma once

typedef enum {
    ROUNDING_SINGLE,
    ROUNDING_HALF,  /* IEEE half precision */
    ROUNDING_UPPER, /* the upper half of single precision, BF16 */
    ROUNDING_NONE,
} Rounding;

double rounding_half(double value);
double rounding_upper(double value);

static inline double rounding_of(Rounding self, double value)
{
    switch (self) {
    case ROUNDING_SINGLE:
        return (double) (float) value;
    case ROUNDING_HALF:
        return rounding_half(value);
    case ROUNDING_UPPER:
        return rounding_upper(value);
    case ROUNDING_NONE:
        break;
    }
    return value;
}
