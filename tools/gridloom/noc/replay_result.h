/* What `gridloom noc replay` leaves behind: JSON, a picture, a page of text. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/noc/replay_options.h"
#include "tools/gridloom/noc/replay_trace.h"

typedef struct {
    const CmdNocReplayOptions *options;
    const CmdNocChip *chip;
    const GPtrArray *files; /* of CmdNocReplayTrace, replayed */
    double wall_seconds;
    uint64_t events; /* simulated */
} CmdNocReplayResult;

/* Writes the files that the options ask for. */
bool cmd_noc_replay_result_write(const CmdNocReplayResult *self, GError **error);

/* Prints it for people. */
void cmd_noc_replay_result_print(const CmdNocReplayResult *self);
