/* Replays recorded network commands: keeps when they were issued, predicts when their
 * data arrived. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/noc.h"
#include "arch/wormhole_noc.h"
#include "sim/engine.h"

typedef enum {
    ARCH_REPLAY_READ,
    ARCH_REPLAY_WRITE,
    ARCH_REPLAY_INLINE,    /* a write whose data is in its one flit */
    ARCH_REPLAY_MULTICAST, /* from `to` to `corner`, not to the sender */
    ARCH_REPLAY_ATOMIC,
    ARCH_REPLAY_BARRIER_START,
    ARCH_REPLAY_BARRIER_END,
    ARCH_REPLAY_BARRIER, /* one whose end is not recorded */
    ARCH_REPLAY_OTHER,   /* has a time, and nothing to do */
} ArchReplayKind;

/* What a barrier waits for: commands of its agent on its network, issued before it. */
typedef enum {
    ARCH_REPLAY_READS = 1 << 0,   /* data has arrived */
    ARCH_REPLAY_WRITES = 1 << 1,  /* acknowledged, multicasts and inline ones too */
    ARCH_REPLAY_ATOMICS = 1 << 2, /* answered */
    ARCH_REPLAY_FLUSH = 1 << 3,   /* writes have left the tile */
} ArchReplayWaits;

/* Times are cycles from the first event of the trace; events in order of time. */
typedef struct {
    ArchReplayKind kind;
    guint waits; /* barriers: of ArchReplayWaits */
    guint agent; /* the issuer; events of one agent follow each other */
    guint noc;
    ArchTile from;
    ArchTile to;
    ArchTile corner; /* of a multicast */
    uint64_t bytes;
    SimTime time;
} ArchReplayEvent;

typedef struct {
    const ArchReplayEvent *events; /* borrowed */
    gsize count;
    guint agent_count;
    /* If true, events after a barrier wait for its predicted end. If false, all events
     * are issued at their recorded times, however late a barrier is predicted. */
    bool is_closed_loop;
    ArchWormholeNocOptions options;
    SimMonitorFunc monitor; /* or NULL */
    gpointer monitor_data;
} ArchReplayConfig;

/* The end of a barrier, in cycles from the first event of the trace. */
typedef struct {
    guint agent;
    SimTime recorded;
    SimTime predicted;
} ArchReplayBarrier;

typedef struct {
    SimTime cycles;            /* from the first event to the last, predicted */
    GArray *barriers;          /* of ArchReplayBarrier, by agent, then time */
    double barrier_error_mean; /* |predicted - recorded| / recorded; 0 without any */
    uint64_t events;
    GArray *links[2];       /* of ArchWormholeLink, by network */
    ArchNocWindows windows; /* links of NoC 0, then those of NoC 1 */
} ArchReplayResult;

void arch_replay_result_clear(ArchReplayResult *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchReplayResult, arch_replay_result_clear)

/* Runs in an engine of its own. Fails with ARCH_ERROR_INVALID (a tile off the grid, a
 * multicast that nobody receives), SIM_ERROR_STOPPED when the monitor says so, or what
 * else the engine reports. */
bool arch_replay_run(const ArchReplayConfig *config,
                     const ArchParams *params,
                     ArchReplayResult *result,
                     GError **error);
