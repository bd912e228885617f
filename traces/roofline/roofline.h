/* Rooflines: the rates that machines allow, and the rates that runs reached. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

/* A machine that computes at most at `peak` and moves data at most at `bandwidth`, in
 * operations and bytes per unit of time, both above 0. */
typedef struct {
    double peak;
    double bandwidth;
} TraceRoofline;

/* The rate that the machine allows at this intensity, operations per byte:
 * min(peak, intensity * bandwidth). */
double trace_roofline_attainable(const TraceRoofline *self, double intensity);

/* The intensity from which on the peak is the limit. */
double trace_roofline_ridge(const TraceRoofline *self);

/* Where the numbers of a run come from. */
typedef enum {
    TRACE_ROOFLINE_SIMULATED,
    TRACE_ROOFLINE_MEASURED,
    TRACE_ROOFLINE_PUBLISHED,
} TraceRooflineOrigin;

const char *trace_roofline_origin_name(TraceRooflineOrigin origin);

/* Places through which bytes go; a roof whose name says none of them is of none. */
typedef enum {
    TRACE_ROOFLINE_SRAM,     /* L1, SRAM, shared memory, and the ways out of them */
    TRACE_ROOFLINE_NOC,      /* links of a NoC or fabric */
    TRACE_ROOFLINE_RECEIVED, /* what networks bring into cores */
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

/* How much of it the run got; NaN where that is not known. */
double trace_roofline_roof_percent(const TraceRooflineRoof *self);

/* A run, or a machine alone. */
typedef struct {
    char *workload;
    char *chip;
    TraceRooflineOrigin origin;
    double rate;        /* FLOP per second; 0: only a machine */
    double seconds;     /* in which programs ran */
    GArray *roofs;      /* of TraceRooflineRoof */
    bool is_quoted;     /* the roofs, too, are what was published */
    double watts;       /* while it ran; 0: not known */
    double board_watts; /* of the chip's share of its board, at most; 0: not known */
    char *watts_from;   /* how that is known, or why not */
    char *key;          /* a word for it in results; NULL: none */
} TraceRooflineRun;

TraceRooflineRun *trace_roofline_run_new(const char *workload,
                                         const char *chip,
                                         TraceRooflineOrigin origin);
void trace_roofline_run_free(TraceRooflineRun *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceRooflineRun, trace_roofline_run_free)

/* Texts of `roof` are copied. One whose value is out of any range is left out, and what
 * was achieved of one is then not known. */
void trace_roofline_run_add(TraceRooflineRun *self, const TraceRooflineRoof *roof);

/* Borrowed. */
const TraceRooflineRoof *trace_roofline_run_roof(const TraceRooflineRun *self,
                                                 guint index);

/* The power of its board, and of the run where nothing else is known of that. */
void trace_roofline_run_set_board(TraceRooflineRun *self,
                                  double watts,
                                  const char *from);

/* Of a result object: rate and roofs while programs ran, watts by its energy or by the
 * numbers of its chip. Roofs in other units are left out. Fails with TRACE_ERROR_READ,
 * `name` in the message, where it has no counters, has computed nothing, or took no
 * time. */
TraceRooflineRun *
trace_roofline_run_read(const char *name, JsonObject *result, GError **error);

/* The roof that the run came nearest to: what it needs of it is most of what there is.
 * NULL where none is known. Borrowed. */
const TraceRooflineRoof *trace_roofline_run_bound(const TraceRooflineRun *self);

/* The rate at which the run would reach that roof; NaN where there is none. */
double trace_roofline_run_attainable(const TraceRooflineRun *self);

/* The largest peak of the units that the run used, of all units where it used none;
 * 0 without any. */
double trace_roofline_run_peak(const TraceRooflineRun *self);

/* Whether a roof is of bytes that the run moved: it has a point there. */
bool trace_roofline_run_uses(const TraceRooflineRun *self,
                             const TraceRooflineRoof *roof);

/* Operations per byte of a roof that it uses. */
double trace_roofline_run_intensity(const TraceRooflineRun *self,
                                    const TraceRooflineRoof *roof);
