/* What a region counts while its PEs run. */
#pragma once

#include <stdint.h>

/* Ends of an iteration. */
typedef struct {
    uint64_t count;
    uint64_t sum;
    uint32_t first;
    uint32_t last;
} WseEnds;

/* What a dynamic operation has moved; of others the instruction says it. */
typedef struct {
    uint64_t half_words; /* of 16 bits, in memory */
    uint64_t ramp_words;
} WseMoved;
