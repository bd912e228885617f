/* Instructions of the vector unit on any number of lanes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/tensix/compute/sfpu_program.h"

/* a * b + c of each lane. */
void tensix_sfpu_multiply_adds(uint32_t *restrict to,
                               const uint32_t *a,
                               const uint32_t *b,
                               const uint32_t *c,
                               unsigned count);

/* What an instruction other than those makes of each lane of a and d. */
void tensix_sfpu_bits(uint32_t *restrict result,
                      const SfpuInstruction *at,
                      const uint32_t *a,
                      const uint32_t *d,
                      unsigned count);

/* In the order of signs and magnitudes, in which NaNs are outermost. */
bool tensix_sfpu_is_smaller(uint32_t a, uint32_t b);
