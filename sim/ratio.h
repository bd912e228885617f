/* Exact fractional costs: 1.40 cycles an instruction without a floating-point clock. */
#pragma once

#include <stdint.h>

/* num / den in lowest terms; den is positive. */
typedef struct {
    uint64_t num;
    uint64_t den;
} SimRatio;

/* Whole cycles of `amount` units at `rate` cycles a unit. The fraction left over is
 * kept in `remainder` (initially 0, one per unit of hardware), so that sums are exact.
 */
static inline uint64_t
sim_ratio_charge(SimRatio rate, uint64_t amount, uint64_t *remainder)
{
    uint64_t total = amount * rate.num + *remainder;

    *remainder = total % rate.den;
    return total / rate.den;
}
