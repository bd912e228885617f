/* A profiler trace in the form in which a chip's network replays it. */
#pragma once

#include <glib.h>

#include "arch/traffic/replay_runs.h"
#include "tools/gridloom/noc/chip.h"

/* A type of event that is not replayed. */
typedef struct {
    char *name;
    gsize count;
} CmdNocReplaySkipped;

typedef struct {
    char *path;
    char *name; /* the path's last part, valid UTF-8 */
    ArchReplayTrace trace;
    uint64_t bytes;  /* moved by its events */
    GArray *unknown; /* of CmdNocReplaySkipped: types that no profiler writes */
    GArray *ignored; /* likewise: types that the model cannot replay */
    guint64 unsorted_count;
    ArchReplayRuns runs; /* set by the replay */
} CmdNocReplayTrace;

/* Fails with TRACE_ERROR_READ, or with ARCH_ERROR_INVALID if the trace is from another
 * chip. */
CmdNocReplayTrace *
cmd_noc_replay_trace_load(const char *path, const CmdNocChip *chip, GError **error);
void cmd_noc_replay_trace_free(CmdNocReplayTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdNocReplayTrace, cmd_noc_replay_trace_free)
