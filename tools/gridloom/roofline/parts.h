/* Which part of a trace a roofline is about: options, and the points they give. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/option_table.h"
#include "traces/roofline/part.h"
#include "traces/roofline/set.h"

typedef struct {
    char *window; /* as typed */
    GArray *cores;
    TracePartQuery query;
    bool is_asked; /* any of the options was given */
} CmdRooflineParts;

/* --window, --cores and --by. */
extern const Option cmd_roofline_part_rows[];

/* Reads what no row converts; fails with G_OPTION_ERROR. */
bool cmd_roofline_parts_check(CmdRooflineParts *self,
                              const OptionTexts *texts,
                              GError **error);
void cmd_roofline_parts_clear(CmdRooflineParts *self);

/* Adds a run, which it takes: a trace as what its slices say, a result as it is. A
 * trace that does not say enough stands for its whole run, as its result has it, with a
 * note; if a part is asked for, that fails. */
bool cmd_roofline_parts_add(const CmdRooflineParts *self,
                            TraceRooflineSet *set,
                            TraceRun *file,
                            GError **error);

/* The result of a trace as its slices give it, with the path of its iterations if they
 * are known; NULL if the trace does not say enough. Keeps the timeline. The caller
 * frees it. */
JsonObject *cmd_roofline_parts_path(TraceRun *run);
