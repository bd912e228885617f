/* Matrix products in the host's floats, where these come out as the chip's. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/tensix/compute/fpu.h"

/* Adds the product b a to Dst, all phases of it, as tensix_fpu_matmul(). Returns false,
 * and does nothing, if a number is too near to either end of exponents. */
bool tensix_fpu_matmul_floats(uint32_t *dst,
                              const uint32_t *a,
                              const uint32_t *b,
                              TensixDst kind,
                              TensixFidelity fidelity);
