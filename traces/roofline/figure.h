/* Published rooflines beside ours: traces/figures/NAME.ini says which runs, what of
 * them, and what was printed. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/roofline/set.h"

/* Where a figure gets what its file only names. Each is NULL where it fails. */
typedef struct {
    /* Does what `gridloom run` does with the words of a line. */
    TraceRun *(*run)(const char *line, GError **error);
    /* Reads a result by its name in traces/gpu. */
    TraceRun *(*read)(const char *name, GError **error);
    /* The roofs of so many cores of a chip by its file, by cycle or by second. */
    TraceMachine *(*find_machine)(const char *chip,
                                  bool is_published,
                                  double cores,
                                  bool is_per_cycle,
                                  GError **error);
} TraceFigureSources;

/* Fills an empty set. `words` are results for the figure's runs, in their order; where
 * it is NULL, they are run. Fails with TRACE_ERROR_READ or as the sources do. */
bool trace_figure_read(TraceRooflineSet *set,
                       const char *path,
                       char **words,
                       const TraceFigureSources *sources,
                       GError **error);
