/* The options of `gridloom noc transfer`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/traffic/transfer.h"
#include "tools/gridloom/noc/map.h"

typedef enum {
    CMD_NOC_PATTERN_NONE,
    CMD_NOC_PATTERN_ONE_TO_ALL,
    CMD_NOC_PATTERN_ONE_FROM_ALL,
    CMD_NOC_PATTERN_ALL_TO_ALL,
    CMD_NOC_PATTERN_ALL_FROM_ALL,
} CmdNocTransferPattern;

typedef struct {
    ArchTransferConfig config; /* without tiles */
    const char *op;            /* as a word */
    bool is_to_itself;         /* the op loopback */
    CmdNocTransferPattern pattern;
    const char *pattern_name; /* NULL for none */
    char *chip;
    char **overrides;
    char *from; /* tiles are read when the chip is known */
    char *to;
    char *grid;
    guint api; /* version of tt-metal's API */
    CmdNocOutput output;
} CmdNocTransferOptions;

/* Takes CmdNocTransferOptions. */
int cmd_noc_transfer_run(gpointer data);

bool cmd_noc_transfer_is_multicast(const ArchTransferConfig *config);
bool cmd_noc_transfer_is_paged(const ArchTransferConfig *config);
