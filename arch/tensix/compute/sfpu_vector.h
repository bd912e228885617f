/* The vector unit as compiled kernels use it: an instruction at a time, on vectors of
 * 32 lanes that have names of their own instead of eight registers. */
#pragma once

#include <stdint.h>

#include "arch/tensix/compute/sfpu_program.h"

enum {
    SFPU_LANES = 32,
    SFPU_VECTORS = 256,  /* the registers, then those with names */
    SFPU_STACK_LIMIT = 8 /* of conditions, one in another */
};

typedef uint32_t SfpuVector[SFPU_LANES];

typedef struct {
    SfpuVector registers[SFPU_VECTORS];
    SfpuVector enabled; /* all bits set, or none */
    SfpuVector kept[SFPU_STACK_LIMIT];
    guint depth;
} SfpuVectors;

SfpuVectors *tensix_sfpu_vectors_new(void); /* free it with g_free() */

/* Carries out an instruction. Loads and stores have `row`: of Dst, where 16 numbers lie
 * beside each other; they take every other number of four rows, the odd ones if
 * `is_odd`.
 */
void tensix_sfpu_vectors_run(SfpuVectors *self,
                             const SfpuInstruction *at,
                             uint32_t *row,
                             bool is_odd,
                             TensixSfpuMode mode);
