/* A roofline in words and numbers: a page of text, CSV, JSON. */
#pragma once

#include <json-glib/json-glib.h>

#include "tools/gridloom/roofline/set.h"

/* Prints what bounds each run, what it moved through each memory, and the notes. */
void cmd_roofline_text_print(const TraceRooflineSet *set);

/* One row for each run and memory; the caller frees it. */
char *cmd_roofline_text_to_csv(const TraceRooflineSet *set);

/* For pages and other programs:
 *   unit, per: what rates and roofs are counted in;
 *   machines[]: run (its number in the page, null for a GPU alone), letter, key (of a
 * figure), workload, chip, origin, detail (that, and the file where others are alike),
 * rate, is_quoted (its roofs are published ones), attainable, bound, bound_kind
 * (compute or memory), percent, watts, watts_from, and roofs[]: name, source, level,
 * is_peak, value, achieved, intensity and percent, null where nothing is known. The
 * caller frees it. */
JsonObject *cmd_roofline_text_to_json(const TraceRooflineSet *set);

/* Each machine of a figure by its key: rate, peak, attainable, bound, bound_kind,
 * percent, and in roofs each by its name (small letters, _ for others): value,
 * intensity, attainable. */
void cmd_roofline_text_add_figure(const TraceRooflineSet *set, JsonObject *metrics);
