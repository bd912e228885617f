/* 16-bit floating-point numbers of IEEE 754, with subnormals. */
#pragma once

#include <stdint.h>

float wse_half_to_float(uint16_t half);

/* To the nearest, ties to even; beyond 65519 infinite. A NaN becomes a quiet one. Sums
 * and products of halves are exact in double, so that they are rounded once here. */
uint16_t wse_half_from_double(double value);
