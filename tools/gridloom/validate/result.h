/* What a validation leaves behind, also as JSON. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/validate/suite.h"
#include "traces/suite/reference.h"

typedef enum {
    VALIDATE_PASS,
    VALIDATE_FAIL,
    VALIDATE_SKIPPED, /* not judged, or not run */
} ValidateStatus;

/* One row of a suite, compared. */
typedef struct {
    const ValidateSuite *suite;
    const TraceReferenceRow *row; /* of the suite, as `runs` in it */
    const TraceReferenceRuns *runs;
    ValidateStatus status;
    bool is_simulated;
    double simulated;
    char *word; /* simulated, where a word is published; no number and no error then */
    double error;
    char *why; /* it failed or was left out; NULL for none */
} ValidateRow;

typedef struct {
    GPtrArray *suites; /* of ValidateSuite */
    bool is_quick;
    bool is_full;
    GArray *rows; /* of ValidateRow */
    guint run_count;
    char *chip; /* of the runs: the name, and the digest, of the last one */
    char *chip_digest;
    double wall_seconds;
} ValidateResult;

void validate_result_init(ValidateResult *self);
void validate_result_clear(ValidateResult *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ValidateResult, validate_result_clear)

const char *validate_status_name(ValidateStatus status);

/* The published case, and how much of it was run. The caller frees it. */
char *validate_row_case(const ValidateRow *self);

bool validate_row_is_context(const ValidateRow *self);

/* Words are the same or not: there is no error between. */
bool validate_row_has_error(const ValidateRow *self);

/* Borrowed. */
const ValidateRow *validate_result_row(const ValidateResult *self, guint row);

/* How many rows have this status; context does not count. */
guint validate_result_count(const ValidateResult *self, ValidateStatus status);

/* How many of those that are skipped were simulated all the same, and are not judged.
 */
guint validate_result_unjudged(const ValidateResult *self);

/* The caller frees it. */
char *validate_result_to_json(const ValidateResult *self);
