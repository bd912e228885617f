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
    double limit_seconds; /* 0: none */
} CmdNocReplayOptions;

void cmd_noc_replay_options_clear(CmdNocReplayOptions *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdNocReplayOptions, cmd_noc_replay_options_clear)

/* Fails with G_OPTION_ERROR. */
bool cmd_noc_replay_options_parse(CmdNocReplayOptions *self,
                                  int argc,
                                  char **argv,
                                  GError **error);
