/* What the user asked of `gridloom noc replay`. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/noc/output.h"

typedef struct {
    char **traces; /* at least one */
    guint trace_count;
    char *chip;
    char **overrides;
    bool has_l1_conflicts;
    CmdNocOutput output;
} CmdNocReplayOptions;

/* Takes CmdNocReplayOptions. */
int cmd_noc_replay_run(gpointer data);
