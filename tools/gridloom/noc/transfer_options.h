/* The options of `gridloom noc transfer`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/traffic/neighbours.h"
#include "arch/traffic/transfer.h"
#include "tools/gridloom/noc/map.h"

typedef enum {
    CMD_NOC_PATTERN_NONE,
    CMD_NOC_PATTERN_ONE_TO_ALL,
    CMD_NOC_PATTERN_ONE_FROM_ALL,
    CMD_NOC_PATTERN_ALL_TO_ALL,
    CMD_NOC_PATTERN_ALL_FROM_ALL,
    CMD_NOC_PATTERN_DRAM_NEIGHBOURS,
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
    guint order; /* of the cores of a grid: column by column, or row by row */
    guint kernels;
    bool is_copy;      /* the op page-copy */
    bool is_handshake; /* between receivers and sender of a multicast */
    uint64_t pages;    /* of a core, 0 for one in each bank */
    uint64_t first_page;
    uint64_t page_step; /* from core to core */
    uint64_t page_run;  /* in a bank before the next one */
    guint page_memory;  /* DRAM, or L1 */
    guint banks;
    guint neighbours;
    double issue_cycles; /* 0 for the chip's */
    double peer_cycles;
    guint api; /* version of tt-metal's API */
    CmdNocOutput output;
} CmdNocTransferOptions;

/* Takes CmdNocTransferOptions. */
int cmd_noc_transfer_run(gpointer data);

bool cmd_noc_transfer_is_multicast(const ArchTransferConfig *config);
bool cmd_noc_transfer_is_paged(const ArchTransferConfig *config);
/* Two tiles, one after the other. */
bool cmd_noc_transfer_has_phases(const ArchTransferConfig *config);
/* Who reads a bank, as a word. */
const char *cmd_noc_transfer_neighbours(const CmdNocTransferOptions *self);
