/* The contents of a roofline picture: runs, and machines beside them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/reading/run_file.h"
#include "traces/roofline/machine.h"

/* The denominator of rates. */
typedef enum {
    TRACE_ROOFLINE_SECOND,
    TRACE_ROOFLINE_WATT,
    TRACE_ROOFLINE_CYCLE,
} TraceRooflineScale;

enum {
    TRACE_ROOFLINE_ALL_LEVELS = -1,
};

typedef struct {
    GPtrArray *files; /* of TraceRun: the given ones, then those found in traces/gpu */
    GPtrArray *runs; /* of TraceRooflineRun: one per file, in order, then runs without a
                        file, then machines without a run */
    GPtrArray *notes;    /* of text: remarks for the reader */
    GPtrArray *warnings; /* of text: notes that pictures show, too */
    char *title;         /* of a figure; NULL: none */
    TraceRooflineScale scale;
    int level;          /* the level of bytes to show: a TraceRooflineLevel, or all */
    bool is_published;  /* GPUs get the values printed in papers */
    bool is_every_roof; /* pictures show all roofs, not only those that matter */
    /* Finds a machine by name; NULL if there is none. `is_published` asks for the
     * values printed in papers. The caller frees the machine. The function may be
     * NULL. */
    TraceMachine *(*find_machine)(const char *name, bool is_published);
} TraceRooflineSet;

void trace_roofline_set_init(TraceRooflineSet *self);
void trace_roofline_set_clear(TraceRooflineSet *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceRooflineSet, trace_roofline_set_clear)

/* Takes `file`. A run on a known machine gets that machine's roofs beside its own.
 * Fails as trace_roofline_run_read(). */
bool trace_roofline_set_add(TraceRooflineSet *self, TraceRun *file, GError **error);

/* Adds a machine and, for each of the first `given` runs, those of `measured`, an array
 * of TraceRun, that were of its workload on this machine: in the same size and format
 * if there are any, else in the same size, else in the same format, else all. For a
 * problem that was not measured in the same size and format, what the machine's roofs
 * allow is added as a run whose origin is TRACE_ROOFLINE_BOUND, where the bytes and
 * operations of the problem are known from other results; a note says from which. */
void trace_roofline_set_add_machine(TraceRooflineSet *self,
                                    const TraceMachine *machine,
                                    const GPtrArray *measured,
                                    guint given);

/* Shows rates per watt: runs by their own power, roofs by the board's power if known,
 * else by the run's. Runs whose power is not known are left out, with a note. Returns
 * false if none is left. */
bool trace_roofline_set_per_watt(TraceRooflineSet *self);

/* Adds the notes of measured and published results (metrics.note), each once, with the
 * letters of its runs. */
void trace_roofline_set_tell(TraceRooflineSet *self);

/* The number of all entries, and of runs, which come first. */
guint trace_roofline_set_count(const TraceRooflineSet *self);
guint trace_roofline_set_run_count(const TraceRooflineSet *self);
const TraceRooflineRun *trace_roofline_set_run(const TraceRooflineSet *self,
                                               guint index);

/* Is the level of this roof shown? */
bool trace_roofline_set_shows(const TraceRooflineSet *self,
                              const TraceRooflineRoof *roof);

/* Is it one of the two roofs that matter for the run: the fullest memory, or the
 * fullest unit? Where nothing is known of their use, these are DRAM and the lowest peak
 * above the run's rate. All roofs of a figure matter, and all with `is_every_roof`. */
bool trace_roofline_set_matters(const TraceRooflineSet *self,
                                const TraceRooflineRun *run,
                                const TraceRooflineRoof *roof);

/* Adds a warning for each workload whose runs differ in size, and in format:
 * "pcg: runs of different sizes stand side by side: A 64x64x64; B, C 512x112x64". */
void trace_roofline_set_warn_sizes(TraceRooflineSet *self);

/* Is it shown, and does the run have a point below it? */
bool trace_roofline_set_has_point(const TraceRooflineSet *self,
                                  const TraceRooflineRun *run,
                                  const TraceRooflineRoof *roof);

/* The letter of a run: "A", "B", ... "Z", "AA", ...; "" for a machine without a run.
 * The caller frees it. */
char *trace_roofline_set_letter(const TraceRooflineSet *self, guint index);

/* "stencil25 on wse2, simulated", followed by its file name if another run has the same
 * title. The caller frees it. */
char *trace_roofline_set_name(const TraceRooflineSet *self, guint index);

/* A phrase that distinguishes runs of one workload on one chip: "measured", or
 * "measured, h200-pcg-stored". The caller frees it. */
char *trace_roofline_set_detail(const TraceRooflineSet *self, guint index);

/* The rate of a run and the value of a roof on the scale shown, such as per watt. */
double trace_roofline_set_done(const TraceRooflineSet *self,
                               const TraceRooflineRun *run,
                               double rate);
double trace_roofline_set_roof(const TraceRooflineSet *self,
                               const TraceRooflineRun *run,
                               const TraceRooflineRoof *roof);

/* Such a rate with its unit, "1.785 PFLOP/s", "20 TB/s". The caller frees it. */
char *trace_roofline_set_words(const TraceRooflineSet *self, double rate, bool is_peak);
