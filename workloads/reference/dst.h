/* References: products of BF16 numbers that the FPU adds up in a Dst of 32 bits, worked
 * out from the published rules and sharing no code with the simulated units. */
#pragma once

#include <glib.h>

/* dst[i] += a[i] * b, `a` being in SrcA and `b` in SrcB, both BF16. A phase multiplies
 * parts of the significands: 5 and 3 bits of `a`, 7 and 1 of `b`; the upper ones, then
 * the lower of `a`, of `b`, of both. What a phase adds is aligned to the greater
 * exponent, ties towards plus infinity, and Dst too, ties away from 0; the sum is
 * rounded to 24 bits, ties away from 0; what is denormal is 0. */
void reference_dst_add_products(
    float *dst, const float *a, float b, guint fidelity, gsize count);

/* What the packer makes of a number: BF16, ties away from 0. */
float reference_dst_to_bf16(float dst);
