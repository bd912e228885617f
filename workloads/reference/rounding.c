/* Rounds a double to some of its 52 bits of fraction. */
#include "workloads/reference/rounding.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Below the normal numbers steps are of one size. */
typedef struct {
    double least_normal;
    double least;
    double largest;
    uint64_t dropped; /* bits of a double's fraction */
} Format;

static const Format half = {
    .least_normal = 0x1p-14,
    .least = 0x1p-24,
    .largest = 65504,
    .dropped = 42,
};

static const Format upper = {
    .least_normal = 0x1p-126,
    .least = 0x1p-133,
    .largest = 0x1.fep127,
    .dropped = 45,
};

static double round_to(const Format *format, double value)
{
    const uint64_t dropped = format->dropped;
    uint64_t bits = 0;
    double rounded = 0;

    if (fabs(value) < format->least_normal) {
        return rint(value / format->least) * format->least;
    }
    if (isnan(value)) {
        return value;
    }
    memcpy(&bits, &value, sizeof bits);
    bits += (UINT64_C(1) << (dropped - 1)) - 1 + ((bits >> dropped) & 1);
    bits = bits >> dropped << dropped;
    memcpy(&rounded, &bits, sizeof rounded);
    return fabs(rounded) <= format->largest ? rounded : copysign(HUGE_VAL, value);
}

double rounding_half(double value)
{
    return round_to(&half, value);
}

double rounding_upper(double value)
{
    return round_to(&upper, value);
}
