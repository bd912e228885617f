/* A suite of published figures: each row says how a simulation gives the same quantity,
 * and the tolerance. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef enum {
    TRACE_REFERENCE_CALIBRATED, /* parameters of the model were fitted to it */
    TRACE_REFERENCE_PREDICTED,
    TRACE_REFERENCE_CONTEXT, /* shown beside, not simulated */
} TraceReferenceKind;

/* What to run for a row. */
typedef struct {
    const char *run;      /* words of `gridloom run`, or a whole command line, whose
                             first word is gridloom; "" for none */
    const char *base_run; /* "" for none */
    const char *extent;   /* how much of the case that is, "on a 25x29 slice"; "" where
                             it is all of it */
} TraceReferenceRuns;

/* How the value of the run and that of the base run make the simulated one. */
typedef enum {
    TRACE_REFERENCE_VALUE,      /* no base run: run * scale */
    TRACE_REFERENCE_RATIO,      /* run / base * scale */
    TRACE_REFERENCE_GAIN,       /* by how many percent the run's time is the better one:
                                   100 * (base / run - 1) */
    TRACE_REFERENCE_MEAN_ERROR, /* no run: the mean of the errors' sizes, in percent,
                                   of the judged rows of this group and quantity */
    TRACE_REFERENCE_MEDIAN_ERROR, /* likewise their median */
} TraceReferenceCombine;

typedef struct {
    const char *source; /* paper, and table or figure in it */
    const char *name;   /* the case */
    const char *quantity;
    const char *unit;
    double published; /* not a number where the row is skipped and none is known */
    const char *word; /* published instead of a number, where the unit is "class"; NULL
                         elsewhere */
    bool is_judged;   /* has a tolerance */
    bool is_relative; /* tolerance and error are percent of the published value, else
                         they are in its unit */
    double tolerance;
    TraceReferenceKind kind;
    bool is_long; /* not part of a quick validation */
    TraceReferenceRuns runs;
    TraceReferenceRuns full_runs; /* of the whole case; `runs` where a row has none */
    const char *field; /* a formula of members of the result, "metrics.a/seconds"; of a
                          word the path of a member, "metrics.a"; "" as `run` */
    double scale;
    TraceReferenceCombine combine;
    const char *note;
    const char *group; /* whose mean counts it; the source where a suite has none */
    const char *skip;  /* why it is not run and not judged; "" where it is */
} TraceReferenceRow;

typedef struct TraceReference TraceReference;

/* Reads a suite, which is CSV with one column for each member above (`case` for the
 * name, `pace` = quick or long; `published` has a row's word); it may lack `extent`,
 * the three whose names begin with `full_`, `group` and `skip`. `name` is for messages.
 * Fails with TRACE_ERROR_READ, with the line in the message. */
TraceReference *
trace_reference_parse(const char *name, const char *text, gsize length, GError **error);
void trace_reference_free(TraceReference *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceReference, trace_reference_free)

guint trace_reference_row_count(const TraceReference *self);
const TraceReferenceRow *trace_reference_row(const TraceReference *self, guint row);

const char *trace_reference_kind_name(TraceReferenceKind kind);

/* Is it made of the errors of others? */
bool trace_reference_is_mean(const TraceReferenceRow *row);

/* The mean or the median of the sizes of errors, which it may sort. Not a number where
 * there are none. */
double
trace_reference_mean(const TraceReferenceRow *mean, double *errors, gsize error_count);

/* Is `member` one of the rows whose mean error `mean` is? */
bool trace_reference_is_member(const TraceReferenceRow *mean,
                               const TraceReferenceRow *member);

/* The simulated quantity; for a mean error `value` is that mean. `base` counts only
 * where there is a base run. Not a number where it has none (a division by 0). */
double
trace_reference_simulated(const TraceReferenceRow *row, double value, double base);

/* How far off it is, with its sign: percent, or in the unit of the row. */
double trace_reference_error(const TraceReferenceRow *row, double simulated);

/* Is the error within the tolerance? One that is no number is not. */
bool trace_reference_is_within(const TraceReferenceRow *row, double error);
