/* A validation as a table for people. */
#pragma once

#include <stdbool.h>

#include "tools/gridloom/validate/result.h"

/* Rows, notes, the summary. Of suites that are made of measurements only means and rows
 * that failed, unless `has_all`. */
void validate_table_print(const ValidateResult *self, bool has_all);
