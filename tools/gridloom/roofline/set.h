/* Runs and machines of a roofline, as users name them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/roofline/set.h"

/* As trace_roofline_set_init(), with the machines of which chip files know roofs alone.
 */
void cmd_roofline_set_init(TraceRooflineSet *self);

/* Adds a run by its path, or by its name in traces/gpu. Fails as trace_run_read() and
 * trace_roofline_set_add(). */
bool cmd_roofline_set_read(TraceRooflineSet *self, const char *name, GError **error);

/* Adds machines, names with commas between them, and those of their results in
 * traces/gpu that have the workload of a run in the set. With `is_gpu` they are those
 * of --gpu, else of --beside, which may be processors. Fails with G_OPTION_ERROR. */
bool cmd_roofline_set_add_machines(TraceRooflineSet *self,
                                   const char *names,
                                   bool is_gpu,
                                   GError **error);

/* Fills an empty set with a figure of traces/figures, or of a file; see
 * trace_figure_read(). */
bool cmd_roofline_set_read_figure(TraceRooflineSet *self,
                                  const char *name,
                                  char **words,
                                  GError **error);
