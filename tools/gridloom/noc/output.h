/* Where the result of a network experiment goes: JSON, a picture, a page of text. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/picture/heatmap.h"

/* File names as given, "-" is standard output; NULL for none. */
typedef struct {
    char *json;
    char *heatmap;
    gboolean is_quiet;
} NocOutput;

void noc_output_clear(NocOutput *self);

/* Can both be written? Asked before a long run. Fails with TRACE_ERROR_WRITE. */
bool noc_output_check(const NocOutput *self, GError **error);

/* Draws `map` and writes `json`, which may be NULL where no JSON is asked for. */
bool noc_output_write(const NocOutput *self,
                      const TraceHeatmap *map,
                      const char *json,
                      GError **error);

/* A page of text may go to standard output: nobody asked for silence, and no file goes
 * there. */
bool noc_output_has_text(const NocOutput *self);
