/* What `gridloom noc replay` leaves behind: JSON, a picture, a page of text. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/noc/replay_options.h"
#include "tools/gridloom/noc/replay_runs.h"

typedef struct {
    const NocReplayOptions *options;
    const NocChip *chip;
    const GPtrArray *files; /* of NocReplayRuns */
    double wall_seconds;
    uint64_t events; /* simulated */
} NocReplayResult;

/* Writes the files that the options ask for. */
bool noc_replay_result_write(const NocReplayResult *self, GError **error);

/* Prints it for people. */
void noc_replay_result_print(const NocReplayResult *self);
