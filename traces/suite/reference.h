/* A suite of published figures. Each row says how to simulate the same quantity, and
 * how far off it may be. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef enum {
    TRACE_REFERENCE_CALIBRATED, /* parameters of the model were fitted to it */
    TRACE_REFERENCE_PREDICTED,
    TRACE_REFERENCE_READ_BACK, /* an input: chip files have it from the source */
    TRACE_REFERENCE_DERIVED,   /* arithmetic on the source's own numbers, by us */
    TRACE_REFERENCE_CONTEXT,   /* shown for context, not simulated */
} TraceReferenceKind;

/* What to run for a row. */
typedef struct {
    const char *run; /* words of `gridloom run`, or a whole command line that begins
                        with gridloom; "" for none */
    const char *base_run; /* "" for none */
    const char *extent;   /* the part of the case that is run, "on a 25x29 slice"; "" if
                             it is all */
} TraceReferenceRuns;

/* How the simulated value is made from those of the run and the base run. */
typedef enum {
    TRACE_REFERENCE_VALUE, /* no base run: run * scale */
    TRACE_REFERENCE_RATIO, /* run / base * scale */
    TRACE_REFERENCE_GAIN,  /* percent by which the run is faster than the base: 100 *
                              (base / run - 1) */
    TRACE_REFERENCE_MEAN_ERROR,   /* no run: the mean absolute error, in percent, of the
                                     judged rows of this group and quantity */
    TRACE_REFERENCE_MEDIAN_ERROR, /* likewise the median */
} TraceReferenceCombine;

typedef struct {
    const char *source; /* the paper, and the table or figure in it */
    const char *name;   /* the case */
    const char *quantity;
    const char *unit;
    double published; /* NaN if the row is skipped and no value is known */
    const char *word; /* the published word, if the unit is "class"; else NULL */
    bool is_judged;   /* has a tolerance */
    bool is_relative; /* tolerance and error are percent of the published value;
                         otherwise they are in its unit */
    double tolerance;
    TraceReferenceKind kind;
    bool is_long; /* not part of a quick validation */
    TraceReferenceRuns runs;
    TraceReferenceRuns full_runs; /* for the whole case; equal to `runs` if not given */
    const char *field; /* a formula over members of the result, "metrics.a/seconds"; for
                          a word, the path of a member, "metrics.a"; "" without a run */
    double scale;
    TraceReferenceCombine combine;
    const char *note;
    const char *group; /* rows averaged together; the source if a suite has none */
    const char *skip;  /* why the row is neither run nor judged; "" if it is */
} TraceReferenceRow;

typedef struct TraceReference TraceReference;

/* Reads a suite: CSV with one column for each member above. `case` is the name, `pace`
 * is quick or long, and `published` may hold a word. The columns `extent`, `group`,
 * `skip` and the three that begin with `full_` are optional. `name` is for messages.
 * Fails with TRACE_ERROR_READ and a message with the line. */
TraceReference *
trace_reference_parse(const char *name, const char *text, gsize length, GError **error);
void trace_reference_free(TraceReference *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceReference, trace_reference_free)

guint trace_reference_row_count(const TraceReference *self);
const TraceReferenceRow *trace_reference_row(const TraceReference *self, guint row);

const char *trace_reference_kind_name(TraceReferenceKind kind);

/* Does the row summarise the errors of other rows? */
bool trace_reference_is_mean(const TraceReferenceRow *row);

/* The mean or the median absolute error; may sort `errors`. NaN if there are none. */
double
trace_reference_mean(const TraceReferenceRow *mean, double *errors, gsize error_count);

/* Is `member` one of the rows that `mean` summarises? */
bool trace_reference_is_member(const TraceReferenceRow *mean,
                               const TraceReferenceRow *member);

/* The simulated quantity. For a mean error, `value` is that mean. `base` is used only
 * with a base run. NaN if there is no value (a division by 0). */
double
trace_reference_simulated(const TraceReferenceRow *row, double value, double base);

/* The signed error: in percent, or in the unit of the row. */
double trace_reference_error(const TraceReferenceRow *row, double simulated);

/* Is the error within the tolerance? NaN is not. */
bool trace_reference_is_within(const TraceReferenceRow *row, double error);
