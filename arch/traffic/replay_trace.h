/* A recorded trace as the commands that a chip's network can replay. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/traffic/replay.h"
#include "arch/traffic/tiles.h"

typedef struct {
    GArray *events; /* of ArchReplayEvent */
    guint agent_count;
    SimTime recorded_cycles; /* to the kernels' end */
    /* While events are added. */
    const ArchParams *params; /* borrowed, as the tiles */
    const ArchTiles *tiles;
    uint64_t packet_bytes; /* at most */
    GHashTable *agents;    /* processor and core -> number + 1 */
} ArchReplayTrace;

void arch_replay_trace_init(ArchReplayTrace *self,
                            const ArchParams *params,
                            const ArchTiles *tiles);
void arch_replay_trace_clear(ArchReplayTrace *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchReplayTrace, arch_replay_trace_clear)

/* Adds an event of a processor of its core `from`, whose number it is; finds the agent,
 * and splits what is longer than a packet as software does. Words have a length of
 * their own, whatever `bytes` says. Fails with ARCH_ERROR_INVALID: a tile off the grid,
 * or without memory to read or write. */
bool arch_replay_trace_add(ArchReplayTrace *self,
                           ArchReplayEvent event,
                           guint processor,
                           GError **error);

/* No more events: the trace lasts until `last`. */
void arch_replay_trace_end(ArchReplayTrace *self, SimTime last);

uint64_t arch_replay_trace_bytes(const ArchReplayTrace *self);
