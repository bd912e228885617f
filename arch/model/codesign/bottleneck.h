/* What holds a design of a GPU back: where its time goes, which of its resources are
 * used up and which have slack, and what more of one would gain. After 2.3.4 and 8.1 of
 * the thesis "Analytical Cost Metrics: Days of Future Past". */
#pragma once

#include <glib.h>

#include "arch/model/codesign/codesign.h"

/* Parts of the time of all codes and sizes; they add up to 1. */
typedef struct {
    double useful;   /* (8.3): all vector units compute points of the problem */
    double covering; /* points of tiles outside the problem; negative if tiles leave
                      * points out, as the printed form does */
    double lanes;    /* vector units without a point at the ends of rows */
    double rounds;   /* multiprocessors without a tile at the ends of wavefronts */
    double memory;   /* waiting for it */
    double barriers;
    double launches;
} GpuTimeShares;

typedef enum {
    GPU_LIMIT_SHARED,     /* M_SM: k M_tile; more is the next size */
    GPU_LIMIT_BLOCK,      /* memory that a tile may take: M_tile; twice, at most M_SM */
    GPU_LIMIT_RESIDENT,   /* MTB_SM: k; twice */
    GPU_LIMIT_LANES,      /* n_V: points of a pass; 32 more */
    GPU_LIMIT_PROCESSORS, /* n_SM: tiles of a round; two more */
    GPU_LIMIT_BANDWIDTH,  /* of the memory: time it moves data; twice */
    GPU_LIMITS,
} GpuLimitKind;

typedef struct {
    double allowed; /* bytes, a number, or bytes per second */
    double use;     /* used fraction over all codes and sizes, weighted by time; 0..1 */
    double relaxed; /* the amount after one step; `allowed` if there is no larger one */
    double gain;    /* relative gain in rate, whatever the step costs */
} GpuLimit;

typedef struct {
    GpuTimeShares shares;
    GpuLimit limits[GPU_LIMITS];
} GpuBottleneck;

/* "shared_memory" and so on, in JSON; and for people. */
const char *gpu_limit_name(GpuLimitKind kind);
const char *gpu_limit_title(GpuLimitKind kind);

/* Bytes in kB, bandwidth in GB/s, all else as it is; the caller frees it. */
char *gpu_limit_text(GpuLimitKind kind, double value);

/* Over all codes with their weights. The design must have tiles for all of them. */
void gpu_bottleneck(const GpuCodesign *codesign, guint design, GpuBottleneck *self);
