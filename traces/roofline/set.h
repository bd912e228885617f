/* What a roofline shows: runs, and machines beside them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/reading/run_file.h"
#include "traces/roofline/machine.h"

/* What rates are counted by. */
typedef enum {
    TRACE_ROOFLINE_SECOND,
    TRACE_ROOFLINE_WATT,
    TRACE_ROOFLINE_CYCLE,
} TraceRooflineScale;

enum {
    TRACE_ROOFLINE_ALL_LEVELS = -1,
};

typedef struct {
    GPtrArray *files; /* of TraceRun: those given, then those found in traces/gpu */
    GPtrArray *runs;  /* of TraceRooflineRun: of each file in its order, then those
                       * without a file, then machines without a run */
    GPtrArray *notes; /* of text: what a reader has to know */
    char *title;      /* of a figure; NULL: none */
    TraceRooflineScale scale;
    int level;         /* of bytes that are shown: a TraceRooflineLevel, or all */
    bool is_published; /* GPUs have the values that papers print */
    /* The machine of a name, with the values that papers print or without; NULL where
     * there is none. The caller frees it. The function may be NULL. */
    TraceMachine *(*find_machine)(const char *name, bool is_published);
} TraceRooflineSet;

void trace_roofline_set_init(TraceRooflineSet *self);
void trace_roofline_set_clear(TraceRooflineSet *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceRooflineSet, trace_roofline_set_clear)

/* Takes `file`. A run of a machine gets its roofs beside its own. Fails as
 * trace_roofline_run_read(). */
bool trace_roofline_set_add(TraceRooflineSet *self, TraceRun *file, GError **error);

/* Adds a machine, and those of `measured`, an array of TraceRun of which it takes some,
 * that are of it and have the workload of one of the first `given` runs: the same
 * problem where there is one, else any. */
void trace_roofline_set_add_machine(TraceRooflineSet *self,
                                    const TraceMachine *machine,
                                    GPtrArray *measured,
                                    guint given);

/* Shows rates per watt: those of runs by their own power, roofs by that of the board
 * where it is known, else by the run's. Runs whose power is not known are left out, and
 * a note says so; false where none is left. */
bool trace_roofline_set_per_watt(TraceRooflineSet *self);

/* Notes that measured and published results bring along (metrics.note), each once with
 * the letters of its runs. */
void trace_roofline_set_tell(TraceRooflineSet *self);

/* All; and those that are runs, which come first. */
guint trace_roofline_set_count(const TraceRooflineSet *self);
guint trace_roofline_set_run_count(const TraceRooflineSet *self);
const TraceRooflineRun *trace_roofline_set_run(const TraceRooflineSet *self,
                                               guint index);

/* Is the roof shown, by its level? */
bool trace_roofline_set_shows(const TraceRooflineSet *self,
                              const TraceRooflineRoof *roof);

/* Is it, and has the run a point below it? */
bool trace_roofline_set_has_point(const TraceRooflineSet *self,
                                  const TraceRooflineRun *run,
                                  const TraceRooflineRoof *roof);

/* "A", "B", ... "Z", "AA", ... of a run in the set; "" of a machine alone. The caller
 * frees it. */
char *trace_roofline_set_letter(const TraceRooflineSet *self, guint index);

/* "stencil25 on wse2, simulated", with the name of its file where another run has the
 * same; the caller frees it. */
char *trace_roofline_set_name(const TraceRooflineSet *self, guint index);

/* What tells it from other runs of the same workload on the same chip: "measured", or
 * "measured, h200-pcg-stored"; the caller frees it. */
char *trace_roofline_set_detail(const TraceRooflineSet *self, guint index);

/* Rates as they are shown, per watt where that was asked for: of what a run did, and of
 * its roofs. */
double trace_roofline_set_done(const TraceRooflineSet *self,
                               const TraceRooflineRun *run,
                               double rate);
double trace_roofline_set_roof(const TraceRooflineSet *self,
                               const TraceRooflineRun *run,
                               const TraceRooflineRoof *roof);

/* Such a rate in words, "1.785 PFLOP/s", "20 TB/s"; the caller frees it. */
char *trace_roofline_set_words(const TraceRooflineSet *self, double rate, bool is_peak);
