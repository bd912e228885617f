/* Machines of which a chip file has rates alone, GPUs and processors, as rooflines show
 * them. */
#pragma once

#include <stdbool.h>

#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"
#include "traces/roofline/roofline.h"

/* The numbers of a GPU or a processor, with `is_published` a GPU's as papers print
 * them; NULL where `name` is none. */
ArchParams *cmd_roofline_machine_load(const char *name, bool is_published);

/* Gives a run the roofs of the machine's file beside its own, how much of each its
 * `counters` say it used (NULL: nothing), and the power of the board where the file has
 * it. */
void cmd_roofline_machine_give(const ArchParams *params,
                               TraceRooflineRun *run,
                               JsonObject *counters);
