/* Slices of a PE that are not over yet, and the waits of its operations. */
#pragma once

#include <stdint.h>

#include "arch/wse/ce/visit.h"
#include "sim/lane.h"

enum {
    WSE_SWITCHES = 4, /* colors that have a lane for positions of their switch */
};

/* A slice that may continue: adjacent equal slices are joined. */
typedef struct {
    const char *name;
    uint32_t begin;
    uint32_t end;
    uint32_t color; /* of the ramp */
} WseSpan;

/* How an operation, or a task that a wavelet begins, waited. */
typedef struct {
    uint64_t origin;  /* of the data that it waited for last: a lane, and above all else
                       * when they were sent, as in a flow; 0: none */
    uint32_t fed;     /* when they came */
    uint32_t data;    /* cycles that it waited for data */
    uint32_t credits; /* and for space in its output queue */
} WseWait;

/* The open slices of a PE that is watched in full. */
typedef struct {
    WseSpan issue;
    WseSpan ramp;
    WseWait waits[WSE_MAIN + 1]; /* of operations under way */
    WseWait task;                /* of the task that has been chosen */
    uint32_t switch_since[WSE_SWITCHES];
} WseSpans;

/* Hands the open slice to the watcher. */
void wse_span_end(WseRegion *region, SimLane lane, WseSpan *self);

/* Appends the slice `added`, and joins it with an adjacent one of the same name and
 * color. It must not begin before the last has ended. */
void wse_span_add(WseRegion *region, SimLane lane, WseSpan *self, const WseSpan *added);
