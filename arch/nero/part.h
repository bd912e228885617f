/* A part of a PE over time: at any moment it does one thing or waits for one. */
#pragma once

#include <glib.h>

#include "sim/lane.h"
#include "sim/probe.h"

typedef enum {
    NERO_IDLE, /* before its first window and after its last one */
    NERO_BUSY,
    NERO_CONTROL,    /* for a window to be given to it */
    NERO_LINK,       /* for a window to come from the host, or to go there */
    NERO_MEMORY,     /* for bursts under way */
    NERO_BUFFER,     /* for space */
    NERO_INPUT,      /* for planes */
    NERO_RECURRENCE, /* for what the plane before leaves */
    NERO_DRAIN,      /* for its pipeline to be empty */
    NERO_STATES,
} NeroState;

/* "busy", "control", ... */
const char *nero_state_name(NeroState state);

typedef struct {
    SimRegion *region;
    SimLane lane;
    const char *name; /* of its slices */
    NeroState state;
    SimTime since;
    SimTime busy_until; /* of nero_part_pass() */
    uint64_t window;    /* current window */
    uint64_t cycles[NERO_STATES];
    /* What the current slice adds to counters. */
    const char *flops_counters; /* NULL: it computes nothing */
    uint64_t flops;
    uint64_t sram_bytes;
} NeroPart;

void nero_part_init(NeroPart *self, SimRegion *region, SimLane lane, const char *name);

/* Is in `state` from now on. */
void nero_part_enter(NeroPart *self, NeroState state);

/* Records that a burst of `window` has passed the part from `begin` to now. Before that
 * the part was busy with the previous burst and then in `wait`, unless another state
 * was set. */
void nero_part_pass(NeroPart *self, NeroState wait, SimTime begin, uint64_t window);

/* The slice of the present or the next busy time adds to counters: operations to those
 * called `counters`, a literal (see SimProbeArgument), and bytes to sram_bytes. */
void nero_part_count(NeroPart *self,
                     const char *counters,
                     uint64_t flops,
                     uint64_t sram_bytes);

/* Ends the record of the part. */
void nero_part_close(NeroPart *self);
