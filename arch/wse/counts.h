/* What a region counts while its PEs run. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse_layout.h"
#include "sim/time.h"

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

/* The first wavelet that was lost over the edge of the layout. */
typedef struct {
    bool has_any;
    guint x;
    guint y;
    guint color;
    ArchWseDirection to;
    SimTime cycle;
} WseLoss;

/* Cycles of an instruction, over PEs. */
typedef struct {
    uint64_t busy;
    uint64_t memory_idle;
} WseSpent;
