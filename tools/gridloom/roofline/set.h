/* Builds a roofline from the runs and machines that users name, and writes it as text,
 * CSV and JSON. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/option_table.h"
#include "tools/gridloom/roofline/parts.h"
#include "traces/roofline/set.h"

/* The words of --memory, and the level of TraceRooflineSet that the given one means. */
extern const char *const cmd_roofline_memories[];
int cmd_roofline_options_level(const OptionTexts *texts);

/* Like trace_roofline_set_init(), with the machines of which only roofs are known. */
void cmd_roofline_set_init(TraceRooflineSet *self);

/* Adds a run by its path, or by its name in traces/gpu. Fails as trace_run_read() and
 * cmd_roofline_parts_add(). */
bool cmd_roofline_set_read(TraceRooflineSet *self,
                           const char *name,
                           const CmdRooflineParts *parts,
                           const TraceWatch *watch,
                           GError **error);

/* Warns of runs of one workload whose sizes differ: on standard error, in the notes and
 * in pictures. */
void cmd_roofline_set_warn(TraceRooflineSet *self);

/* Adds machines by their names, separated by commas, and their results in traces/gpu
 * of the problems of runs in the set, see trace_roofline_set_add_machine(). With
 * `is_gpu` the names are those of --gpu, else of --beside, which may be processors.
 * Fails with G_OPTION_ERROR. */
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

/* Prints the bound of each run, its bytes through each memory, and the notes. */
void cmd_roofline_text_print(const TraceRooflineSet *set);

/* The path of each run's iterations, where it is known: lines for people, and a row of
 * the table below for each step and memory. */
void cmd_roofline_path_print(const TraceRooflineSet *set);
void cmd_roofline_path_add_csv(const TraceRooflineSet *set, GString *csv);

/* One row for each run and memory; the caller frees it. */
char *cmd_roofline_text_to_csv(const TraceRooflineSet *set);

/* For pages and other programs; the caller frees it:
 *   unit: of rates and roofs; all_roofs: whether pictures show all of them;
 *   machines[]: run (its number in the page, null for a GPU alone), letter, key (of a
 *     figure), workload, chip, origin, detail (origin, and the file if others are
 * alike), rate, is_quoted (its roofs are published ones), attainable, bound, bound_kind
 *     (compute or memory), percent, limit (what limits the run), watts, watts_from,
 * part and path (see trace_part_runs(); of a trace), and roofs[]: name, source, level,
 * is_peak, matters (it is drawn without --all-roofs), value, achieved, intensity and
 * percent. Unknown values are null. */
JsonObject *cmd_roofline_text_to_json(const TraceRooflineSet *set);

/* Adds each machine of a figure by its key: rate, peak, attainable, bound, bound_kind,
 * percent, and roofs by name (lower case, other characters as _): value, intensity,
 * attainable. */
void cmd_roofline_text_add_figure(const TraceRooflineSet *set, JsonObject *metrics);
