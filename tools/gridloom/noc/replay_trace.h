/* A recorded trace as the commands that a chip's network can replay. */
#pragma once

#include <glib.h>

#include "arch/traffic/replay.h"
#include "sim/time.h"
#include "tools/gridloom/noc/chip.h"

/* A type of event that is not replayed. */
typedef struct {
    char *name;
    gsize count;
} CmdNocReplaySkipped;

typedef struct {
    char *path;
    char *name;      /* the path's last part, valid UTF-8 */
    GArray *events;  /* of ArchReplayEvent */
    GArray *unknown; /* of CmdNocReplaySkipped: types that no profiler writes */
    GArray *ignored; /* likewise: types that the model cannot replay */
    guint agent_count;
    gsize unsorted_count;
    SimTime recorded_cycles;
} CmdNocReplayTrace;

/* Fails with TRACE_ERROR_READ: no trace, or one of another chip. */
CmdNocReplayTrace *
cmd_noc_replay_trace_load(const char *path, const CmdNocChip *chip, GError **error);
void cmd_noc_replay_trace_free(CmdNocReplayTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdNocReplayTrace, cmd_noc_replay_trace_free)
