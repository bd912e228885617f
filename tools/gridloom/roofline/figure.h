/* Published rooflines beside ours: traces/figures/NAME.ini says which runs, what of
 * them, and what was printed. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/roofline/set.h"

/* Fills an empty set. `words` are results for the figure's runs, in their order; where
 * it is NULL, they are run. Fails with G_FILE_ERROR or G_OPTION_ERROR, or as
 * trace_roofline_set_read(). */
bool cmd_roofline_figure_read(TraceRooflineSet *set,
                              const char *name,
                              char **words,
                              GError **error);

/* Each machine by its key: rate, peak, bound, bound_kind, attainable, percent, and in
 * roofs each by its name (small letters, _ for others): value, intensity, attainable.
 */
void cmd_roofline_figure_add_json(const TraceRooflineSet *set, JsonObject *metrics);
