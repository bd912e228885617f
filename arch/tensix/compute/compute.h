/* The compute side of a core: three threads that run one program, each in its own time,
 * and the units that they share.
 *
 * TensixTimes are worked out as soon as everything that they depend on is known, which
 * may be ahead of the engine; a thread blocks only where another one, or a data mover,
 * has not got so far. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/compute/costs.h"
#include "arch/tensix/compute/counters.h"
#include "arch/tensix/compute/operation.h"
#include "arch/tensix/compute/packer.h"
#include "arch/tensix/compute/probe.h"
#include "arch/tensix/compute/program.h"
#include "arch/tensix/compute/registers.h"
#include "arch/tensix/compute/steps.h"
#include "arch/tensix/compute/thread.h"
#include "arch/tensix/compute/works.h"
#include "arch/tensix/core.h"
#include "arch/tensix/zones.h"

typedef enum {
    UNIT_UNPACKER,
    UNIT_FPU,
    UNIT_SFPU,
    UNIT_PACKER,
    UNITS,
} TensixComputeUnit;

struct TensixCompute {
    ArchTensixCore *core;
    SimRegion *region;
    ArchComputeKernel kernel;
    char *name;
    TensixComputeCosts costs;
    TensixProgram program; /* of all threads */
    TensixProgram *own;    /* of one thread each; NULL: they share `program` */
    TensixWorks *works;    /* on its data; NULL: only time passes */
    guint8 rows[4 * ARCH_TILE_ELEMENTS]; /* a tile between rows of several and L1 */
    TensixPacker packer;                 /* as the pack thread has set it */
    TensixThread threads[THREADS];
    TensixLane units[UNITS];
    TensixComputeProbes *probes; /* NULL: nobody watches */
    SimTime unpack_idle;
    SimTime unpack_begin; /* of the present call, for who looks for races */
    SimTime math_idle;
    SimTime sfpu_idle;
    guint8 late_vector; /* which a multiply-add has not finished; 0: none */
    SimTime pack_idle;
    /* Times that the threads pass to one another, in order. */
    TensixTimes src_valid;    /* faces, or whole tiles, that are in Src */
    TensixTimes src_free;     /* faces or tiles that math has finished with */
    TensixTimes dst_free;     /* releases of a half by pack */
    TensixTimes dst_ready;    /* commits of a half by math */
    TensixTimes mails;        /* math has made way in Dst for the unpacker */
    TensixTimes dst_unpacked; /* the unpacker has filled that place in Dst */
    TensixTimes values;       /* values that unpack has read for all threads */
    TensixTimes contexts;     /* configurations that unpack has finished with */
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
    double read[TENSIX_TIMES]; /* the last values, by number */
    int32_t shifts[CIRCULAR_BUFFERS];
    TensixZones zones[THREADS];
    ArchComputeStatus status[THREADS];
    SimTime start;
    SimTime end;
    bool is_advancing;
    bool is_scheduled;
    bool is_over;
    TensixComputeCounters counters;
};

void tensix_compute_free(TensixCompute *self); /* accepts NULL */

/* Tells the threads that circular buffer `index` has changed. Call it in the core's
 * region. */
void tensix_compute_cb_changed(TensixCompute *self, guint index);

/* Adds the lanes of its threads and units to `uses` (of ArchTensixUse). */
void tensix_compute_uses(const TensixCompute *self, SimTime end, GArray *uses);

/* See tensix_zones_collect() of arch/tensix/zones.h. */
void tensix_compute_zones(const TensixCompute *self, GHashTable *by_name);

/* See ArchFamily. */
uint64_t tensix_compute_progress(const TensixCompute *self, SimTime now);

/* What its threads wait for, one line each, without a final line break; NULL if none
 * waits. The caller frees it. */
char *tensix_compute_waits(const TensixCompute *self);

/* Waits at a circular buffer, by polling: for pages, or for space. */
bool tensix_compute_poll(TensixCompute *self,
                         TensixThread *thread,
                         TensixLane *unit,
                         const ArchComputeCall *call);

/* Tells who looks for races of a tile in L1 that a unit has read or written; the thread
 * is at its call. */
void tensix_compute_note_tile(const TensixCompute *self,
                              const TensixThread *thread,
                              const CircularBuffer *buffer,
                              uint64_t address,
                              SimTime begin,
                              SimTime end);

/* Whether a call copies 32-bit numbers into Dst directly, without Src. */
bool tensix_compute_is_dst_copy(const TensixCompute *self, const ArchComputeCall *call);
