/* A validation as a picture: published against simulated, both logarithmic. */
#pragma once

#include "traces/suite/validation.h"

/* An SVG file: a series of points for each suite and kind, the diagonal, and the widest
 * tolerance in percent on both sides of it. Rows without two positive numbers are left
 * out. The caller frees it. */
char *trace_validation_picture_new(const TraceValidation *result);
