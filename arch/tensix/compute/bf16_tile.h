/* Tiles of BF16 with 16 bits a number, as in L1: what the matrix unit usually does to
 * them on the way to a 16-bit Dst, with the bits of fpu.h and in less of the host's
 * memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/tensix/compute/fpu.h"

/* Into a Dst of zeros. False, and no use, if a result may be in doubt, as near both
 * ends of exponents: fpu.h knows it. What is true has neither denormals, infinities,
 * NaNs nor -0, so that packing does not change it. */
typedef bool TensixBf16Two(uint16_t *dst,
                           const uint16_t *a,
                           const uint16_t *b,
                           TensixFidelity fidelity);
TensixBf16Two tensix_bf16_add;
TensixBf16Two tensix_bf16_subtract;
TensixBf16Two tensix_bf16_multiply;
bool tensix_bf16_copy(uint16_t *dst, const uint16_t *a);

/* As the patterns of fpu.h. */
void tensix_bf16_widen(uint32_t *to, const uint16_t *from);

/* A tile in L1, to be read there; NULL if the host cannot. */
const uint16_t *tensix_bf16_at(const uint8_t *l1);

/* From and to L1, which is little-endian and need not be aligned. */
void tensix_bf16_load(uint16_t *to, const uint8_t *l1);
void tensix_bf16_store(uint8_t *l1, const uint16_t *from);
