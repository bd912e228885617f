/* One compute thread: a RISC-V that pushes instructions into a FIFO, and the stream of
 * them that the coprocessor carries out in order. Both keep their own time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/lane.h"
#include "sim/ratio.h"
#include "sim/time.h"

enum {
    TENSIX_THREAD_BLOCKS = 64, /* more than any FIFO has entries */
};

/* Instructions of one call, and when the stream has taken the last of them. */
typedef struct {
    SimTime leave;
    guint entries;
} TensixThreadBlock;

typedef struct {
    const char *name;
    TensixLane lane;        /* of the RISC-V */
    const TensixLane *unit; /* the first that its stream drives */
    SimTime risc;           /* time that the RISC-V has reached */
    SimTime stream;         /* time that the stream has reached */
    SimTime mop;            /* when the last MOP is expanded */
    SimRatio fetch;
    uint64_t remainder;
    guint fifo_entries;
    TensixThreadBlock blocks[TENSIX_THREAD_BLOCKS];
    guint first_block;
    guint block_count;
    guint entries;                 /* in the FIFO */
    struct TensixProgram *program; /* that it runs, alone or with the others */
    /* Its position there, and within a call that it could not finish. */
    uint64_t position;
    guint step;
} TensixThread;

void tensix_thread_start(TensixThread *self, SimTime when);

/* The RISC-V executes so many instructions. */
static inline void tensix_thread_spend(TensixThread *self, guint instructions)
{
    self->risc += sim_ratio_charge(self->fetch, instructions, &self->remainder);
    tensix_lane_until(&self->lane, self->risc, TENSIX_LANE_BUSY);
}

/* The RISC-V stands still until `when`. */
static inline void
tensix_thread_wait(TensixThread *self, SimTime when, TensixLaneReason reason)
{
    if (when > self->risc) {
        tensix_lane_until(&self->lane, when, reason);
        self->risc = when;
    }
}

/* The same, until somebody else has done something at `at`. */
static inline void tensix_thread_wait_for(TensixThread *self,
                                          SimTime when,
                                          TensixLaneReason reason,
                                          const TensixLane *other,
                                          SimTime at)
{
    if (when > self->risc) {
        const TensixCause cause = tensix_lane_cause(other, at);

        tensix_lane_wait(&self->lane, when, reason, cause);
        self->risc = when;
    }
}

/* A unit has no instruction before `when`: it waits for the RISC-V, unless that was
 * ahead of it. */
static inline void
tensix_thread_issue(const TensixThread *self, TensixLane *unit, SimTime when)
{
    if (when > unit->at) {
        const TensixCause cause =
            self->risc > unit->at
                ? tensix_lane_cause(&self->lane, MIN(self->risc, when))
                : (TensixCause){0};

        tensix_lane_wait(unit, when, TENSIX_LANE_ISSUE, cause);
    }
}

/* What the stream does when the RISC-V has reached it and a unit is idle, from `idle`
 * on, is done by the later of the two. */
static inline TensixCause
tensix_thread_doer(const TensixThread *self, const TensixLane *unit, SimTime idle)
{
    return self->risc >= MAX(self->stream, idle)
               ? tensix_lane_cause(&self->lane, self->risc)
               : tensix_lane_cause(unit, MAX(self->stream, idle));
}

/* Makes room in the FIFO for the instructions of a call, and waits if there is none. */
void tensix_thread_make_place(TensixThread *self, guint entries);

/* Records that the stream has finished a call whose instructions took `entries` places.
 */
void tensix_thread_pushed(TensixThread *self, guint entries);

/* Advances the stream to the instructions that the RISC-V has just pushed. */
static inline SimTime tensix_thread_reach(TensixThread *self)
{
    if (self->risc > self->stream) {
        self->stream = self->risc;
    }
    return self->stream;
}

enum {
    TENSIX_TIMES = 16, /* a power of two, more than can be between two threads */
};

/* The times of the last few of a series of events, by number. */
typedef struct {
    uint64_t count;
    SimTime times[TENSIX_TIMES];
} TensixTimes;

static inline void tensix_times_add(TensixTimes *self, SimTime when)
{
    self->times[self->count++ % TENSIX_TIMES] = when;
}

static inline bool tensix_times_has(const TensixTimes *self, uint64_t n)
{
    return n < self->count;
}

static inline SimTime tensix_times_at(const TensixTimes *self, uint64_t n)
{
    return self->times[n % TENSIX_TIMES];
}
