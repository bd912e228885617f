/* The packers' settings, and what they do to a tile of Dst on its way to L1. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/tensix/number.h"
#include "arch/tensix_compute.h"

/* Which numbers become zero; tt-isa-documentation, Packers/ReLU.md. */
typedef enum {
    TENSIX_RELU_NONE,
    TENSIX_RELU_ZERO,          /* those not above 0 */
    TENSIX_RELU_MIN_THRESHOLD, /* those not above the threshold */
    TENSIX_RELU_MAX_THRESHOLD, /* those not above 0; the threshold bounds the others */
    TENSIX_RELUS,
} TensixRelu;

typedef struct {
    bool accumulates; /* adds to the numbers in L1 */
    TensixRelu relu;
    uint32_t threshold; /* an FP32 pattern */
} TensixPacker;

/* What an argument of pack_relu_config() says: the rule below, a BF16 above. */
static inline TensixRelu tensix_packer_relu(int32_t config)
{
    return (TensixRelu) ((uint32_t) config & 3);
}

static inline uint32_t tensix_packer_threshold(int32_t config)
{
    return (uint32_t) config & UINT32_C(0xffff0000);
}

/* Whether a packer can add to numbers of this format in L1. */
static inline bool tensix_packer_adds(ArchFormat format)
{
    return format == ARCH_FORMAT_BF16 || format == ARCH_FORMAT_FP32;
}

/* Whether numbers of BF16 go to L1 as they are. */
static inline bool tensix_packer_keeps(const TensixPacker *self)
{
    return !self->accumulates && self->relu == TENSIX_RELU_NONE;
}

/* Dst -> L1. Sums in L1 are rounded once to nearest, ties to even, without denormals:
 * the public documents do not say how. */
void tensix_packer_write(const TensixPacker *self,
                         uint8_t *l1,
                         ArchFormat format,
                         const uint32_t *dst,
                         TensixArithmetic arithmetic);
