/* What a watcher sees of compute: calls on the threads and on the units they drive, and
 * who ended their waits. */
#pragma once

#include <glib.h>

#include "arch/place.h"
#include "arch/tensix/circular_buffer.h"
#include "arch/tensix/compute/operation.h"
#include "arch/tensix/compute/thread.h"
#include "arch/tensix/lane_probe.h"

typedef struct TensixCompute TensixCompute;

enum {
    PROBE_THREADS = 3,
    PROBE_UNITS = 4,
};

/* Series of events whose doers are kept for who waits for them. */
typedef enum {
    PROBE_DST_READY,
    PROBE_DST_FREE,
    PROBE_DOERS,
} TensixProbeSeries;

typedef struct {
    TensixLaneProbe threads[PROBE_THREADS];
    TensixLaneProbe units[PROBE_UNITS];
    TensixCause doers[PROBE_DOERS][TENSIX_TIMES];
    ArchPlace places[PROBE_THREADS]; /* of the calls they are in, on units, too */
    SimProbeDetail details[PROBE_THREADS];
} TensixComputeProbes;

/* Show the watcher its lanes, once they have begun; a call that a thread begins; and
 * the end of all threads. */
void tensix_compute_probe_open(TensixCompute *self);
void tensix_compute_probe_call(TensixCompute *self,
                               guint thread,
                               const ArchComputeCall *call);
void tensix_compute_probe_end(TensixCompute *self);

/* Who did event `n` of a series, and who waits for it may ask. Not known if nobody
 * watches. */
void tensix_compute_probe_does(TensixCompute *self,
                               TensixProbeSeries series,
                               uint64_t n,
                               TensixCause doer);
TensixCause tensix_compute_probe_doer(const TensixCompute *self,
                                      TensixProbeSeries series,
                                      uint64_t n);

/* Likewise who made the move of a circular buffer that it waited for: that of pages, or
 * of space. */
TensixCause tensix_compute_probe_move(const TensixCompute *self,
                                      const CircularBuffer *buffer,
                                      bool is_filled);
