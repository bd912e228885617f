/* References: the results of the chip's units on arrays of numbers, derived from the
 * published rules and sharing no code with the simulated units. */
#pragma once

#include <glib.h>

#include "workloads/buffer/number_format.h"

enum {
    REFERENCE_TILE = 1024, /* numbers of a tile */
};

/* Numbers are floats that the format can hold. BF16 goes through the FPU with a 16-bit
 * Dst: sums are aligned to 11 bits, ties away from 0, and rounded to 8, ties away;
 * products are made of parts, one after another, each rounded into Dst. FP32 goes
 * through the SFPU: single precision, to nearest even. Denormals are 0. */
typedef struct ReferenceUnits ReferenceUnits;

/* `fidelity` is the number of phases of a product on the FPU, 1..4. */
ReferenceUnits *reference_units_new(NumberFormat format, guint fidelity);
void reference_units_free(ReferenceUnits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ReferenceUnits, reference_units_free)

/* to[i] = a[i] op b[i]; `to` may be an operand. Exact for magnitudes from 2^-103 to
 * 2^113; beyond, results of the FPU may be off by a last place. */
void reference_units_add(
    const ReferenceUnits *self, float *to, const float *a, const float *b, gsize count);
void reference_units_subtract(
    const ReferenceUnits *self, float *to, const float *a, const float *b, gsize count);
/* The FPU takes `a` into SrcA and `b` into SrcB, which it does not split alike. */
void reference_units_multiply(
    const ReferenceUnits *self, float *to, const float *a, const float *b, gsize count);
/* to[i] = a[i] * factor */
void reference_units_scale(
    const ReferenceUnits *self, float *to, const float *a, float factor, gsize count);

/* All numbers of a tile. BF16, as the FPU pools them: 16 at a time, in groups of 8 that
 * are aligned to 11 bits, down the columns of 16 x 16 and then along the row that is
 * left, into a 16-bit Dst each time. FP32, as the SFPU adds them: 32 lanes, one vector
 * after another; then the upper half of the lanes to the lower, down to one. */
float reference_units_total(const ReferenceUnits *self, const float *tile);

/* a / b. BF16, as the SFPU makes it: the reciprocal, cut to BF16, times a, rounded to
 * nearest even. FP32, as a RISC-V makes it: rounded once. */
float reference_units_quotient(const ReferenceUnits *self, float a, float b);
