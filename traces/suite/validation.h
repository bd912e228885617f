/* Suites of published figures, compared with what runs gave. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/suite/reference.h"

/* A suite: rows of published figures, or made of measurements. */
typedef struct {
    char *name;
    TraceReference *rows;
    bool is_measured; /* made of files */
    bool lacks_data;  /* made of files, and there are none: all rows are skipped */
    GPtrArray *left; /* of char: files, or parts of them, that its rules do not cover */
} TraceSuite;

/* Reads the suite at `path`. `data` is the folder of measurements, NULL for none: CSV
 * and JSON in folders of it. Fails where there is no such file or folder, the suite or
 * a file that it has rules for is malformed, or the folder has nothing for it. */
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
    const TraceReferenceRow *row; /* of the suite, as `runs` in it */
    const TraceReferenceRuns *runs;
    TraceValidationStatus status;
    bool is_simulated;
    double simulated;
    char *word; /* simulated, where a word is published; no number and no error then */
    double error;
    char *why; /* it failed or was left out; NULL for none */
} TraceValidationRow;

typedef struct {
    GPtrArray *suites; /* of TraceSuite */
    bool is_quick;     /* what takes long is left out */
    bool is_full;      /* whole cases are run */
    GArray *rows;      /* of TraceValidationRow */
    char *chip;        /* of the runs: the name, and the digest, of the last one */
    char *chip_digest;
} TraceValidation;

/* The caller adds suites, and says how much of them is run. */
void trace_validation_init(TraceValidation *self);
void trace_validation_clear(TraceValidation *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceValidation, trace_validation_clear)

/* Something of the result of a run. Texts are borrowed from suites. */
typedef struct {
    const char *words; /* of `gridloom run`, or a whole command line, whose first word
                          is gridloom and the second not validate; split as a shell
                          does. Equal words are one run */
    const char *field; /* a formula of members of the result, "metrics.a.b/seconds"; of
                          a word the path of a member that is a text or a switch */
    bool is_word;
} TraceQuestion;

/* What came of a question; texts are borrowed. */
typedef struct {
    const char *why; /* there is nothing, in one line; NULL where there is something.
                        Also where the run's own check failed */
    double number;
    const char *word;
    const char *chip; /* of the run, and the digest of its parameters */
    const char *chip_digest;
} TraceAnswer;

/* Makes rows of all suites, and asks what they need to know. */
void trace_validation_ask(TraceValidation *self,
                          void (*ask)(gpointer data, const TraceQuestion *question),
                          gpointer data);

/* Fills in every row, and the chip, with what was asked for. */
void trace_validation_compare(TraceValidation *self,
                              TraceAnswer (*answer)(gconstpointer data,
                                                    const TraceQuestion *question),
                              gconstpointer data);

/* Borrowed. */
const TraceValidationRow *trace_validation_row(const TraceValidation *self, guint row);

/* The published case, and how much of it was run. The caller frees it. */
char *trace_validation_case(const TraceValidationRow *self);

bool trace_validation_is_context(const TraceValidationRow *self);

/* Words are the same or not: there is no error between. */
bool trace_validation_has_error(const TraceValidationRow *self);

/* How many rows have this status; context does not count. */
guint trace_validation_count(const TraceValidation *self, TraceValidationStatus status);

/* How many of those that are skipped were simulated all the same, and are not judged.
 */
guint trace_validation_unjudged(const TraceValidation *self);

/* The largest error over its tolerance, which passes up to 1; infinite where a row that
 * failed gave no number. */
double trace_validation_worst(const TraceValidation *self);
