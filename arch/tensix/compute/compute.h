/* The compute side of a core: three threads that go through one program, each in its
 * own time, and the units that they share.
 *
 * Times are worked out as soon as everything that they depend on is known, which may be
 * ahead of the engine; a thread blocks only where another one, or a data mover, has not
 * got so far. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/compute/costs.h"
#include "arch/tensix/compute/counters.h"
#include "arch/tensix/compute/program.h"
#include "arch/tensix/compute/registers.h"
#include "arch/tensix/compute/thread.h"
#include "arch/tensix/core.h"
#include "arch/tensix/lane_probe.h"
#include "arch/tensix/zones.h"

typedef enum {
    UNIT_UNPACKER,
    UNIT_FPU,
    UNIT_SFPU,
    UNIT_PACKER,
    UNITS,
} ComputeUnit;

enum {
    COMPUTE_TIMES = 8, /* a power of two, more than can be between two threads */
};

/* Times of the n-th of something, by n: the last few. */
typedef struct {
    uint64_t count;
    SimTime times[COMPUTE_TIMES];
} Times;

static inline void times_add(Times *self, SimTime when)
{
    self->times[self->count++ % COMPUTE_TIMES] = when;
}

static inline bool times_has(const Times *self, uint64_t n)
{
    return n < self->count;
}

static inline SimTime times_at(const Times *self, uint64_t n)
{
    return self->times[n % COMPUTE_TIMES];
}

/* What a watcher sees of the threads and units. */
typedef struct {
    LaneProbe threads[THREADS];
    LaneProbe units[UNITS];
} ComputeProbes;

struct Compute {
    ArchTensixCore *core;
    SimRegion *region;
    ArchComputeKernel kernel;
    char *name;
    ComputeCosts costs;
    Program program;
    Registers *registers; /* NULL: only time passes */
    Thread threads[THREADS];
    Lane units[UNITS];
    ComputeProbes *probes; /* NULL: nobody watches */
    SimTime unpack_idle;
    SimTime math_idle;
    SimTime sfpu_idle;
    SimTime pack_idle;
    /* What the threads tell one another, in order. */
    Times src_valid;    /* faces, or whole tiles, that are in Src */
    Times src_free;     /* and that math is through with */
    Times dst_free;     /* releases of a half by pack */
    Times dst_ready;    /* commits of a half by math */
    Times mails;        /* math has made way in Dst for the unpacker */
    Times dst_unpacked; /* and the unpacker has filled it */
    Times values;       /* that unpack has read for all */
    Times contexts;     /* configurations that unpack is through with */
    /* Counts in program order, of one thread each. */
    uint64_t contexts_begun;
    uint64_t src_begun;
    uint64_t src_used;
    uint64_t operands_in;
    uint64_t operands_used;
    uint64_t acquired;
    uint64_t waited;
    uint64_t mails_taken;
    uint64_t fills_taken;
    uint64_t values_seen[THREADS];
    double value; /* the last one read */
    int32_t shifts[CIRCULAR_BUFFERS];
    Zones zones[THREADS];
    ArchComputeStatus status;
    SimTime start;
    SimTime end;
    bool is_advancing;
    bool is_scheduled;
    bool is_over;
    ComputeCounters counters;
};

void compute_free(Compute *self); /* accepts NULL */

/* `index`: of the circular buffer of which more is seen. In the core's region. */
void compute_cb_changed(Compute *self, guint index);

/* Adds the lanes of its threads and units to `uses` (of ArchTensixUse). */
void compute_uses(const Compute *self, SimTime end, GArray *uses);

/* See zones_collect() of arch/tensix/zones.h. */
void compute_zones(const Compute *self, GHashTable *by_name);

/* What its threads wait for, a line each without a line break at the end; NULL when
 * none does. The caller frees it. */
char *compute_waits(const Compute *self);

/* Lets whoever watches see its lanes, once they have begun; a call that a thread takes
 * up; that all threads are through. */
void compute_probe_open(Compute *self);
void compute_probe_call(Compute *self, guint thread, const ArchComputeCall *call);
void compute_probe_end(Compute *self);

/* For the threads' own files: carry out one call, or as much of it as is known. True
 * when the thread is through with it. */
bool compute_unpack(Compute *self, Thread *thread, const ArchComputeCall *call);
bool compute_math(Compute *self, Thread *thread, const ArchComputeCall *call);
bool compute_pack(Compute *self, Thread *thread, const ArchComputeCall *call);

/* Waits at a circular buffer, by polling: for pages, or for space. */
bool compute_poll(Compute *self,
                  Thread *thread,
                  Lane *unit,
                  const ArchComputeCall *call);

/* A MOP is programmed: not before the last one is expanded. */
void compute_program_mop(const Compute *self, Thread *thread, guint instructions);

/* A call that copies 32-bit numbers goes past Src into Dst. */
bool compute_is_dst_copy(const Compute *self, const ArchComputeCall *call);
