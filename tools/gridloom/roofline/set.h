/* What a roofline shows: runs, and GPUs and processors beside them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/reading/run_file.h"
#include "traces/roofline/roofline.h"

/* What rates are counted by. */
typedef enum {
    CMD_ROOFLINE_SECOND,
    CMD_ROOFLINE_WATT,
    CMD_ROOFLINE_CYCLE,
} CmdRooflineScale;

enum {
    CMD_ROOFLINE_ALL_LEVELS = -1,
};

typedef struct {
    GPtrArray *files; /* of TraceRun: those given, then those found in traces/gpu */
    GPtrArray *runs;  /* of TraceRooflineRun: of each file in its order, then those
                       * without a file, then machines without a run */
    GPtrArray *notes; /* of text: what a reader has to know */
    char *title;      /* of a figure; NULL: none */
    CmdRooflineScale scale;
    int level;         /* of bytes that are shown: a TraceRooflineLevel, or all */
    bool is_published; /* GPUs have the values that papers print */
} CmdRooflineSet;

void cmd_roofline_set_init(CmdRooflineSet *self);
void cmd_roofline_set_clear(CmdRooflineSet *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdRooflineSet, cmd_roofline_set_clear)

/* Takes `file`. A run of a GPU or a processor gets the roofs of its chip file beside
 * its own. Fails as trace_roofline_run_read(). */
bool cmd_roofline_set_add(CmdRooflineSet *self, TraceRun *file, GError **error);

/* The same of a path, or of a name in traces/gpu. Fails as trace_run_read(), too. */
bool cmd_roofline_set_read(CmdRooflineSet *self, const char *name, GError **error);

/* Adds the roofs of GPUs, names with commas between them, and those of their results in
 * traces/gpu that have the workload of a run in the set. Fails with G_OPTION_ERROR. */
bool cmd_roofline_set_add_gpus(CmdRooflineSet *self, const char *names, GError **error);

/* The same of GPUs and processors. */
bool cmd_roofline_set_add_beside(CmdRooflineSet *self,
                                 const char *names,
                                 GError **error);

/* Shows rates per watt: those of runs by their own power, roofs by that of the board
 * where it is known, else by the run's. Runs whose power is not known are left out, and
 * a note says so; fails with G_OPTION_ERROR where none is left. */
bool cmd_roofline_set_per_watt(CmdRooflineSet *self, GError **error);

/* Notes that measured and published results bring along (metrics.note), each once with
 * the letters of its runs. */
void cmd_roofline_set_tell(CmdRooflineSet *self);

/* All; and those that are runs, which come first. */
guint cmd_roofline_set_count(const CmdRooflineSet *self);
guint cmd_roofline_set_run_count(const CmdRooflineSet *self);
const TraceRooflineRun *cmd_roofline_set_run(const CmdRooflineSet *self, guint index);

/* Is the roof shown, by its level? */
bool cmd_roofline_set_shows(const CmdRooflineSet *self, const TraceRooflineRoof *roof);

/* Is it, and has the run a point below it? */
bool cmd_roofline_set_has_point(const CmdRooflineSet *self,
                                const TraceRooflineRun *run,
                                const TraceRooflineRoof *roof);

/* Are the values of two roofs of one name so close that they are one roof? */
bool cmd_roofline_set_is_same(double first, double second);

/* "A", "B", ... "Z", "AA", ... of a run in the set; "" of a machine alone. The caller
 * frees it. */
char *cmd_roofline_set_letter(const CmdRooflineSet *self, guint index);

/* "stencil25 on wse2, simulated", with the name of its file where another run has the
 * same; the caller frees it. */
char *cmd_roofline_set_name(const CmdRooflineSet *self, guint index);

/* What tells it from other runs of the same workload on the same chip: "measured", or
 * "measured, h200-pcg-stored"; the caller frees it. */
char *cmd_roofline_set_detail(const CmdRooflineSet *self, guint index);

/* Rates as they are shown, per watt where that was asked for: of what a run did, and of
 * its roofs. */
double cmd_roofline_set_done(const CmdRooflineSet *self,
                             const TraceRooflineRun *run,
                             double rate);
double cmd_roofline_set_roof(const CmdRooflineSet *self,
                             const TraceRooflineRun *run,
                             const TraceRooflineRoof *roof);

/* Such a rate in words, "1.785 PFLOP/s", "20 TB/s"; the caller frees it. */
char *cmd_roofline_set_words(const CmdRooflineSet *self, double rate, bool is_peak);
