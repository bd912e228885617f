/* Where the result of a network experiment goes (JSON, a picture, a page of text), and
 * how long it may take. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/option_table.h"
#include "traces/picture/heatmap.h"

/* File names as given, "-" is standard output; NULL for none. */
typedef struct {
    char *json;
    char *heatmap;
    double limit_seconds; /* 0: none */
    bool is_quiet;
} CmdNocOutput;

/* --json, --heatmap, --limit-seconds and -q, of a CmdNocOutput. */
extern const Option cmd_noc_output_rows[];

/* Can both be written? Asked before a long run. Fails with TRACE_ERROR_WRITE. */
bool cmd_noc_output_check(const CmdNocOutput *self, GError **error);

/* Draws `map` and writes `json`, which may be NULL where no JSON is asked for. */
bool cmd_noc_output_write(const CmdNocOutput *self,
                          const TraceHeatmap *map,
                          const char *json,
                          GError **error);

/* A page of text may go to standard output: nobody asked for silence, and no file goes
 * there. */
bool cmd_noc_output_has_text(const CmdNocOutput *self);
