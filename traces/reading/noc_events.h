/* Traces of NoC events, as tt-metal's profiler records them on silicon. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"

enum {
    TRACE_NOC_GRID_SIDE = 64, /* coordinates are 0..63 */
    TRACE_NOC_BYTES_MAXIMUM = 16
                              << 20,   /* of one event; an L1 holds less than two MiB */
    TRACE_NOC_FILE_MAXIMUM = 64 << 20, /* bytes */
    TRACE_NOC_PROFILER_CYCLES = 20,    /* between the last event and the kernel's end */
};

/* The profiler's names; a zone is a part of a kernel with a begin and an end. */
typedef enum {
    TRACE_NOC_ZONE_BEGIN,
    TRACE_NOC_ZONE_END,
    TRACE_NOC_READ,
    TRACE_NOC_READ_SET_STATE,
    TRACE_NOC_READ_SET_TRID,
    TRACE_NOC_READ_WITH_STATE,
    TRACE_NOC_READ_WITH_STATE_AND_TRID,
    TRACE_NOC_READ_BARRIER_START,
    TRACE_NOC_READ_BARRIER_END,
    TRACE_NOC_READ_BARRIER_WITH_TRID,
    TRACE_NOC_READ_DRAM_SHARDED_SET_STATE,
    TRACE_NOC_READ_DRAM_SHARDED_WITH_STATE,
    TRACE_NOC_WRITE,
    TRACE_NOC_WRITE_SET_TRID,
    TRACE_NOC_WRITE_WITH_TRID,
    TRACE_NOC_WRITE_INLINE,
    TRACE_NOC_WRITE_MULTICAST,
    TRACE_NOC_WRITE_SET_STATE,
    TRACE_NOC_WRITE_WITH_STATE,
    TRACE_NOC_WRITE_WITH_TRID_SET_STATE,
    TRACE_NOC_WRITE_WITH_TRID_WITH_STATE,
    TRACE_NOC_WRITE_BARRIER_START,
    TRACE_NOC_WRITE_BARRIER_END,
    TRACE_NOC_WRITE_BARRIER_WITH_TRID,
    TRACE_NOC_WRITE_FLUSH,
    TRACE_NOC_WRITE_FLUSH_WITH_TRID,
    TRACE_NOC_FULL_BARRIER,
    TRACE_NOC_ATOMIC_BARRIER,
    TRACE_NOC_SEMAPHORE_INC,
    TRACE_NOC_SEMAPHORE_WAIT,
    TRACE_NOC_SEMAPHORE_SET,
    TRACE_NOC_KIND_COUNT,
} TraceNocKind;

/* What a kind puts on the network. */
typedef enum {
    TRACE_NOC_MOVES_NOTHING, /* zones, barriers, waits, registers set */
    TRACE_NOC_MOVES_READ,    /* from target to source */
    TRACE_NOC_MOVES_WRITE,   /* from source to target */
    TRACE_NOC_MOVES_INLINE,  /* likewise; the command carries the data */
    TRACE_NOC_MOVES_MULTICAST,
    TRACE_NOC_MOVES_ATOMIC,
} TraceNocMove;

typedef enum {
    TRACE_NOC_BRISC,
    TRACE_NOC_NCRISC,
    TRACE_NOC_ERISC,
    TRACE_NOC_NO_PROCESSOR, /* zones only: none named, or one that moves no data */
} TraceNocProcessor;

typedef struct {
    SimTime time; /* since the first event of any kind; taken before the command */
    TraceNocKind kind;
    TraceNocMove move;
    TraceNocProcessor processor;
    guint noc;      /* 0 or 1 */
    gint vc;        /* -1: not recorded */
    guint source_x; /* who issued it */
    guint source_y;
    bool has_target; /* always true if something moves */
    guint target_x;  /* for a multicast, the first corner as recorded */
    guint target_y;
    guint target_end_x; /* for a multicast, the last corner; else target_x */
    guint target_end_y;
    uint32_t bytes;   /* 0 if the profiler does not record it */
    const char *zone; /* the zone's name; NULL for other kinds */
    gsize place;      /* in the file, from 1 */
} TraceNocEvent;

/* An event type that is not in the list above, such as a fabric event. */
typedef struct {
    const char *name;
    gsize count;
} TraceNocUnknown;

typedef struct TraceNocEvents TraceNocEvents;

/* Reads a trace. Kinds that use a state (READ_WITH_STATE) take target and bytes from
 * the latest event that set it on the same processor and NoC. Fails with
 * TRACE_ERROR_READ and a line that gives file, place, field, value and what was
 * expected. */
TraceNocEvents *trace_noc_events_load(const char *path, GError **error);

/* Likewise from memory; `name` stands for the file in messages. */
TraceNocEvents *trace_noc_events_parse(const char *name,
                                       const char *text,
                                       gsize length,
                                       GError **error);
void trace_noc_events_free(TraceNocEvents *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceNocEvents, trace_noc_events_free)

/* Zones and events sorted by time, in file order at equal times; valid as long as
 * `self`. */
gsize trace_noc_events_count(const TraceNocEvents *self);
const TraceNocEvent *trace_noc_events_at(const TraceNocEvents *self, gsize index);

/* Unknown types, sorted by name. They are not among the events, but their times
 * count. */
gsize trace_noc_events_unknown_count(const TraceNocEvents *self);
const TraceNocUnknown *trace_noc_events_unknown(const TraceNocEvents *self,
                                                gsize index);

/* The number of elements that are earlier than the one before them. The profiler writes
 * core after core, so most files have some. */
gsize trace_noc_events_unsorted_count(const TraceNocEvents *self);

/* The last time; the first time stamp is time 0. */
SimTime trace_noc_events_last_time(const TraceNocEvents *self);

/* How long the silicon took: the last time minus the profiler's own cycles. */
SimTime trace_noc_events_recorded_cycles(const TraceNocEvents *self);

/* The name as the profiler spells it. */
const char *trace_noc_kind_name(TraceNocKind kind);
