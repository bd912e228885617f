/* Rooflines: the rates that machines allow and the rates that runs reached. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

/* A machine's largest compute rate and data rate, in operations and bytes per unit of
 * time. Both are above 0. */
typedef struct {
    double peak;
    double bandwidth;
} TraceRoofline;

/* The rate that the machine allows at an intensity in operations per byte: min(peak,
 * intensity * bandwidth). */
double trace_roofline_attainable(const TraceRoofline *self, double intensity);

/* The intensity above which the peak is the limit. */
double trace_roofline_ridge(const TraceRoofline *self);

/* Where the numbers of a run come from. */
typedef enum {
    TRACE_ROOFLINE_SIMULATED,
    TRACE_ROOFLINE_MEASURED,
    TRACE_ROOFLINE_PUBLISHED,
    TRACE_ROOFLINE_BOUND, /* what roofs allow; nothing ran */
} TraceRooflineOrigin;

const char *trace_roofline_origin_name(TraceRooflineOrigin origin);

/* Levels of memory and network that bytes pass. A roof whose name matches none is
 * OTHER. */
typedef enum {
    TRACE_ROOFLINE_SRAM,     /* L1, SRAM, shared memory, and the ways out of them */
    TRACE_ROOFLINE_NOC,      /* links of a NoC or fabric */
    TRACE_ROOFLINE_RECEIVED, /* bytes that networks bring into cores */
    TRACE_ROOFLINE_L2,
    TRACE_ROOFLINE_DRAM,
    TRACE_ROOFLINE_OTHER,
} TraceRooflineLevel;

/* "sram", "noc", "received", "l2", "dram", "other". */
const char *trace_roofline_level_name(TraceRooflineLevel level);
TraceRooflineLevel trace_roofline_level_of(const char *roof);

/* FLOP or bytes per second. */
typedef struct {
    char *name;
    char *source;
    bool is_peak; /* of operations, not of bytes */
    double value;
    double achieved; /* by the run; NaN: not known */
} TraceRooflineRoof;

/* The share of the roof that the run reached, in percent; NaN if unknown. */
double trace_roofline_roof_percent(const TraceRooflineRoof *self);

/* A run, or a machine alone. */
typedef struct {
    char *workload;
    char *chip;
    TraceRooflineOrigin origin;
    double rate;    /* FLOP per second; 0: a machine without a run */
    double seconds; /* while programs ran */
    GArray *roofs;  /* of TraceRooflineRoof */
    bool is_quoted; /* the roofs, too, are published values */
    double watts;   /* during the run; 0: not known */
    double
        board_watts;  /* the chip's share of its board's power, at most; 0: not known */
    char *watts_from; /* where `watts` comes from, or why it is not known */
    char *key;        /* its key in results; NULL: none */
} TraceRooflineRun;

TraceRooflineRun *trace_roofline_run_new(const char *workload,
                                         const char *chip,
                                         TraceRooflineOrigin origin);
void trace_roofline_run_free(TraceRooflineRun *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceRooflineRun, trace_roofline_run_free)

/* Copies the texts of `roof`. A roof whose value is out of range is left out; an
 * achieved rate out of range counts as unknown. */
void trace_roofline_run_add(TraceRooflineRun *self, const TraceRooflineRoof *roof);

/* Borrowed. */
const TraceRooflineRoof *trace_roofline_run_roof(const TraceRooflineRun *self,
                                                 guint index);

/* Sets the power of the run's board, and of the run itself if that is unknown. */
void trace_roofline_run_set_board(TraceRooflineRun *self,
                                  double watts,
                                  const char *from);

/* Reads a result object: rate and roofs while programs ran, and watts from its energy
 * or from the numbers of its chip. Roofs in other units are left out. Fails with
 * TRACE_ERROR_READ, with `name` in the message, if the result has no counters, computed
 * nothing, or took no time. */
TraceRooflineRun *
trace_roofline_run_read(const char *name, JsonObject *result, GError **error);

/* The roof that the run came nearest to, by share of its value. NULL if none is known.
 * Borrowed. */
const TraceRooflineRoof *trace_roofline_run_bound(const TraceRooflineRun *self);

/* The rate at which the run would reach that roof; NaN if there is none. */
double trace_roofline_run_attainable(const TraceRooflineRun *self);

/* The largest peak of the units that the run used; if it used none, of all units. 0 if
 * there are no peaks. */
double trace_roofline_run_peak(const TraceRooflineRun *self);

/* Whether the roof counts bytes and the run moved some, so that it has a point
 * there. */
bool trace_roofline_run_uses(const TraceRooflineRun *self,
                             const TraceRooflineRoof *roof);

/* Operations per byte that pass a roof the run uses. */
double trace_roofline_run_intensity(const TraceRooflineRun *self,
                                    const TraceRooflineRoof *roof);
