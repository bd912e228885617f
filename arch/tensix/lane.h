/* What a RISC-V or a unit did with its time: every cycle has one reason. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "sim/probe.h"
#include "sim/time.h"

typedef enum {
    LANE_BUSY,
    LANE_CIRCULAR_BUFFER, /* waits for pages, or for space */
    LANE_NOC,             /* waits for a barrier, or for a place in the command queue */
    LANE_DST,             /* waits for a half of Dst, or for what comes into it */
    LANE_SRC,             /* waits for SrcA and SrcB */
    LANE_SEMAPHORE,
    LANE_FABRIC, /* waits for a slot of a port, or until messages have left it */
    LANE_BANK_CONFLICT,
    LANE_UNIT,  /* waits for a unit to drain, or for a place in the instruction FIFO */
    LANE_ISSUE, /* a unit for which there is no instruction yet */
    LANE_UNATTRIBUTED, /* a declared cost that no public source explains */
    LANE_IDLE,         /* nothing runs on it, or not any more */
    LANE_REASONS,
} LaneReason;

typedef struct LaneProbe LaneProbe; /* arch/tensix/lane_probe.h */

/* Cycles up to `at` are accounted for. */
typedef struct {
    SimTime at;
    uint64_t cycles[LANE_REASONS];
    LaneProbe *probe; /* NULL: nobody watches it */
} Lane;

/* The lane's time from `begin` to `end` went to `reason`. */
void lane_probe_span(LaneProbe *self, SimTime begin, SimTime end, LaneReason reason);

/* The time up to `when` went to `reason`; nothing if it is accounted for already. */
static inline void lane_until(Lane *self, SimTime when, LaneReason reason)
{
    if (when > self->at) {
        self->cycles[reason] += when - self->at;
        if (SIM_PROBES && G_UNLIKELY(self->probe != NULL)) {
            lane_probe_span(self->probe, self->at, when, reason);
        }
        self->at = when;
    }
}

const char *lane_reason_name(LaneReason reason);

/* Adds to `uses` (of ArchTensixUse) what the lane did, by reason; it is idle from where
 * it is accounted for until `end`. */
void lane_report(const Lane *self, const char *name, SimTime end, GArray *uses);
