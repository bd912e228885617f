/* Replays recorded network commands: keeps when they were issued, predicts when their
 * data arrived. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/noc_windows.h"
#include "arch/params.h"
#include "arch/wormhole_noc.h"
#include "sim/engine.h"

typedef enum {
    ARCH_REPLAY_READ,
    ARCH_REPLAY_WRITE,
    ARCH_REPLAY_BARRIER_START,
    ARCH_REPLAY_BARRIER_END,
    ARCH_REPLAY_OTHER, /* has a time, and nothing to do */
} ArchReplayKind;

/* Times are cycles from the first event of the trace; events in order of time. */
typedef struct {
    ArchReplayKind kind;
    guint agent; /* who issued it: events of one agent follow each other */
    guint noc;
    ArchTile from;
    ArchTile to;
    uint64_t bytes;
    SimTime time;
} ArchReplayEvent;

typedef struct {
    const ArchReplayEvent *events; /* borrowed */
    gsize count;
    guint agent_count;
    bool is_closed_loop; /* what follows a barrier follows its predicted end */
    ArchWormholeNocOptions options;
    SimMonitorFunc monitor; /* or NULL */
    gpointer monitor_data;
} ArchReplayConfig;

typedef struct {
    SimTime cycles;            /* from the first event to the last, predicted */
    guint barrier_count;       /* ends of barriers */
    double barrier_error_mean; /* |predicted - recorded| / recorded */
    uint64_t events;
    GArray *links[2];       /* of ArchWormholeLink, by network */
    ArchNocWindows windows; /* links of NoC 0, then those of NoC 1 */
} ArchReplayResult;

void arch_replay_result_clear(ArchReplayResult *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchReplayResult, arch_replay_result_clear)

/* Runs in an engine of its own. Fails with ARCH_ERROR_INVALID (a tile off the grid),
 * SIM_ERROR_STOPPED when the monitor says so, or what else the engine reports. */
bool arch_replay_run(const ArchReplayConfig *config,
                     const ArchParams *params,
                     ArchReplayResult *result,
                     GError **error);
