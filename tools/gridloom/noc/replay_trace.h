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
} NocReplaySkipped;

typedef struct {
    char *path;
    char *name;      /* the path's last part, valid UTF-8 */
    GArray *events;  /* of ArchReplayEvent */
    GArray *unknown; /* of NocReplaySkipped: types that no profiler writes */
    GArray *ignored; /* likewise: types that the model cannot replay */
    guint agent_count;
    gsize unsorted_count;
    SimTime recorded_cycles;
} NocReplayTrace;

/* Fails with TRACE_ERROR_READ: no trace, or one of another chip. */
NocReplayTrace *
noc_replay_trace_load(const char *path, const NocChip *chip, GError **error);
void noc_replay_trace_free(NocReplayTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NocReplayTrace, noc_replay_trace_free)
