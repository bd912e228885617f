/* Published rooflines beside ours. traces/figures/NAME.ini lists the runs, the values
 * taken from them, and the printed values. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/roofline/set.h"

/* Callbacks that load what a figure's file names. Each returns NULL on failure. */
typedef struct {
    /* Does what `gridloom run` does with the words of one line. */
    TraceRun *(*run)(const char *line, GError **error);
    /* Reads a result by its name in traces/gpu. */
    TraceRun *(*read)(const char *name, GError **error);
    /* The roofs of `cores` cores of a chip, per cycle or per second. */
    TraceMachine *(*find_machine)(const char *chip,
                                  bool is_published,
                                  double cores,
                                  bool is_per_cycle,
                                  GError **error);
} TraceFigureSources;

/* Fills an empty set. `words` names results for the figure's runs, in order; if it is
 * NULL, the runs are made. Fails with TRACE_ERROR_READ or as the callbacks do. */
bool trace_figure_read(TraceRooflineSet *set,
                       const char *path,
                       char **words,
                       const TraceFigureSources *sources,
                       GError **error);
