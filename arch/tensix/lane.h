/* How a RISC-V or a unit spent its time: every cycle has one reason. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/probe.h"
#include "sim/time.h"

typedef enum {
    TENSIX_LANE_BUSY,
    TENSIX_LANE_CIRCULAR_BUFFER, /* waits for pages, or for space */
    TENSIX_LANE_NOC, /* waits for a barrier, or for a place in the command queue */
    TENSIX_LANE_DST, /* waits for a half of Dst, or for data in it */
    TENSIX_LANE_SRC, /* waits for SrcA and SrcB */
    TENSIX_LANE_SEMAPHORE,
    TENSIX_LANE_FABRIC, /* waits for a slot of a port, or until messages have left it */
    TENSIX_LANE_BANK_CONFLICT,
    TENSIX_LANE_UNIT,  /* waits for a unit to drain, or for a place in the instruction
                          FIFO */
    TENSIX_LANE_ISSUE, /* a unit for which there is no instruction yet */
    TENSIX_LANE_UNATTRIBUTED, /* a declared cost that no public source explains */
    TENSIX_LANE_IDLE,         /* nothing runs on it, or not any more */
    TENSIX_LANE_REASONS,
} TensixLaneReason;

typedef struct TensixLaneProbe TensixLaneProbe; /* arch/tensix/lane_probe.h */

/* Who ends a wait: what it did, it did at `at`. All 0: not known. */
typedef struct {
    SimTime at;
    guint32 by;   /* the lane, and 1; 0: not known */
    guint32 bank; /* of DRAM that was asked, and 1; 0: none */
} TensixCause;

/* Cycles up to `at` are accounted for. */
typedef struct {
    SimTime at;
    uint64_t cycles[TENSIX_LANE_REASONS];
    TensixLaneProbe *probe; /* NULL: nobody watches it */
} TensixLane;

/* The lane's time from `begin` to `end` went to `reason`. */
void tensix_lane_probe_span(TensixLaneProbe *self,
                            SimTime begin,
                            SimTime end,
                            TensixLaneReason reason);

/* The last span, a wait, was ended by `cause`. */
void tensix_lane_probe_blame(TensixLaneProbe *self, TensixCause cause);

/* Accounts the time up to `when` to `reason`; does nothing if it is accounted for
 * already. */
static inline void
tensix_lane_until(TensixLane *self, SimTime when, TensixLaneReason reason)
{
    if (when > self->at) {
        self->cycles[reason] += when - self->at;
        if (SIM_PROBES && G_UNLIKELY(self->probe != NULL)) {
            tensix_lane_probe_span(self->probe, self->at, when, reason);
        }
        self->at = when;
    }
}

/* The same for a wait, with what ended it. */
static inline void tensix_lane_wait(TensixLane *self,
                                    SimTime when,
                                    TensixLaneReason reason,
                                    TensixCause cause)
{
    if (when > self->at) {
        tensix_lane_until(self, when, reason);
        if (SIM_PROBES && G_UNLIKELY(self->probe != NULL)) {
            tensix_lane_probe_blame(self->probe, cause);
        }
    }
}

TensixCause tensix_lane_probe_cause(const TensixLaneProbe *self, SimTime at);

/* What the lane did at `at`, as the cause of a wait; not known if nobody watches. */
static inline TensixCause tensix_lane_cause(const TensixLane *self, SimTime at)
{
    return SIM_PROBES && G_UNLIKELY(self->probe != NULL)
               ? tensix_lane_probe_cause(self->probe, at)
               : (TensixCause){0};
}

const char *tensix_lane_reason_name(TensixLaneReason reason);

/* Adds the lane's cycles by reason to `uses` (of ArchTensixUse). Cycles not yet
 * accounted for, up to `end`, count as idle. */
void tensix_lane_report(const TensixLane *self,
                        const char *name,
                        SimTime end,
                        GArray *uses);
