/* A validation as JSON, and as a page for people. */
#pragma once

#include <stdbool.h>

#include "traces/suite/validation.h"

typedef struct {
    TraceValidation validation;
    guint run_count;
    double wall_seconds;
} ValidateResult;

/* The caller frees it. */
char *validate_result_to_json(const ValidateResult *self);

/* Prints it; `has_all` rows of measurements, or only those that failed. */
void validate_result_print(const ValidateResult *self, bool has_all);
