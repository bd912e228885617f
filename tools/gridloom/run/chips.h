/* The chips of a run: one for each host of the system that carries one. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/platform.h"
#include "sim/system.h"
#include "tools/gridloom/run/options.h"
#include "workloads/run.h"
#include "workloads/script.h"

typedef struct CmdRunChips CmdRunChips;

/* The chip that a script runs on where nobody names one. */
const char *cmd_run_chips_usual(const WlScript *script);

/* Chips by the names the user gave, else those of the system, else the script's usual
 * one. Makes the script theirs: its family, and the words the user gave it. All chips
 * are of one family, and get all numbers that the user changed. */
CmdRunChips *cmd_run_chips_new(const SimPlatform *platform,
                               const CmdRunOptions *options,
                               WlScript *script,
                               GError **error);
void cmd_run_chips_free(CmdRunChips *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdRunChips, cmd_run_chips_free)

guint cmd_run_chips_count(const CmdRunChips *self);
/* As wl_run() wants them; the first one is the script's. */
const WlChip *cmd_run_chips_list(const CmdRunChips *self);
ArchChip *cmd_run_chips_first(const CmdRunChips *self);

/* Gives each link of the system the numbers of the chip file; with NULL it only asks
 * whether there are some. */
bool cmd_run_chips_set_links(const CmdRunChips *self,
                             SimSystem *system,
                             GError **error);
