/* Suites of published figures, compared with the results of runs. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/suite/reference.h"

/* A suite: rows of published figures, written by hand or made from measurements. */
typedef struct {
    char *name;
    TraceReference *rows;
    bool is_measured; /* made from files */
    bool lacks_data;  /* made from files, but there are none: all rows are skipped */
    GPtrArray *left;  /* of char: files, or parts of them, that no rule covers */
} TraceSuite;

/* Reads the suite at `path`. `data` is a folder with CSV and JSON measurements in
 * subfolders, or NULL. Fails if a file or folder is missing, the suite or a file that
 * it has rules for is malformed, or the folder holds nothing for it. */
TraceSuite *
trace_suite_load(const char *name, const char *path, const char *data, GError **error);
void trace_suite_free(TraceSuite *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceSuite, trace_suite_free)

typedef enum {
    TRACE_VALIDATION_PASS,
    TRACE_VALIDATION_FAIL,
    TRACE_VALIDATION_SKIPPED, /* not judged, or not run */
} TraceValidationStatus;

const char *trace_validation_status_name(TraceValidationStatus status);

/* One row of a suite, compared. */
typedef struct {
    const TraceSuite *suite;
    const TraceReferenceRow *row; /* owned by the suite, as is `runs` */
    const TraceReferenceRuns *runs;
    TraceValidationStatus status;
    bool is_simulated;
    double simulated;
    char *word; /* the simulated word, if a word is published; there is then no number
                   and no error */
    double error;
    char *why; /* why it failed or was left out; NULL for none */
} TraceValidationRow;

typedef struct {
    GPtrArray *suites; /* of TraceSuite */
    bool is_quick;     /* long rows are left out */
    bool is_full;      /* whole cases are run */
    GArray *rows;      /* of TraceValidationRow */
    char *chip;        /* name and digest of the last run's chip */
    char *chip_digest;
} TraceValidation;

/* The caller adds suites and sets how much of them is run. */
void trace_validation_init(TraceValidation *self);
void trace_validation_clear(TraceValidation *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceValidation, trace_validation_clear)

/* A value wanted from the result of a run. Texts are borrowed from suites. */
typedef struct {
    const char *words; /* words of `gridloom run`, or a whole command line that begins
                          with gridloom but not with gridloom validate; split as by a
                          shell. Equal words mean one run */
    const char *field; /* a formula over members of the result, "metrics.a.b/seconds";
                          for a word, the path of a text or boolean member */
    bool is_word;
} TraceQuestion;

/* The answer to a question; texts are borrowed. */
typedef struct {
    const char *why; /* one line that says why there is no answer, or that the run's own
                        check failed; NULL otherwise */
    double number;
    const char *word;
    const char *chip; /* the run's chip, and the digest of its parameters */
    const char *chip_digest;
} TraceAnswer;

/* Makes the rows of all suites, and calls `ask` for every value they need. */
void trace_validation_ask(TraceValidation *self,
                          void (*ask)(gpointer data, const TraceQuestion *question),
                          gpointer data);

/* Fills in every row and the chip from the answers. */
void trace_validation_compare(TraceValidation *self,
                              TraceAnswer (*answer)(gconstpointer data,
                                                    const TraceQuestion *question),
                              gconstpointer data);

/* Borrowed. */
const TraceValidationRow *trace_validation_row(const TraceValidation *self, guint row);

/* The published case, and the part of it that was run. The caller frees it. */
char *trace_validation_case(const TraceValidationRow *self);

bool trace_validation_is_context(const TraceValidationRow *self);

/* False for words, which only match or differ. */
bool trace_validation_has_error(const TraceValidationRow *self);

/* The number of rows with this status, not counting context. */
guint trace_validation_count(const TraceValidation *self, TraceValidationStatus status);

/* The number of skipped rows that were simulated but are not judged. */
guint trace_validation_unjudged(const TraceValidation *self);

/* The largest ratio of error to tolerance; up to 1 passes. Infinite if a failed row has
 * no number. */
double trace_validation_worst(const TraceValidation *self);
