/* The result that every command writes as JSON: the parts common to all. */
#pragma once

#include <stdbool.h>

#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"
#include "traces/result/result.h"

/* Fills in what the command leaves out: the version, the numbers of the chip (NULL:
 * none; `result.chip` may then name a substitute), one iteration, one thread, no check,
 * and the memory of this process. Takes the objects of `result`, which may be NULL; the
 * caller frees the text. */
char *envelope_to_json(TraceResult result, const ArchParams *chip);

/* Seconds of real time since `start`, a time of g_get_monotonic_time(). */
double envelope_seconds(gint64 start);

/* The numbers that --set changed, as text by "section.key"; the caller frees it. */
JsonObject *envelope_overrides(const ArchParams *params);

/* Every number with its unit, confidence, source and, if it has one, its range; or only
 * those that runs depend on. The caller frees it. */
JsonArray *envelope_numbers(const ArchParams *params, bool is_of_runs);
