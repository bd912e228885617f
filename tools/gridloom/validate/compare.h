/* Compares the rows of a validation with what their runs gave. */
#pragma once

#include <stdbool.h>

#include "tools/gridloom/validate/result.h"
#include "tools/gridloom/validate/runs.h"
#include "traces/suite/reference.h"

/* Does the row need no run: context, and in a quick validation what takes long? */
bool validate_is_left_out(const TraceReferenceRow *row, bool is_quick);

/* Asks `runs` for what the rows of `self` need. */
void validate_ask(const ValidateResult *self, ValidateRuns *runs);

/* Fills in every row of `self`, and its chip, with what was asked for; the runs have
 * been done. */
void validate_compare(ValidateResult *self, const ValidateRuns *runs);
