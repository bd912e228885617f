/* The result that every command writes as JSON: the parts common to all. */
#pragma once

#include "arch/chipfile/params.h"
#include "traces/result/result.h"

/* Fills in what the command leaves out: the version, the numbers of the chip (NULL:
 * none; `result.chip` may then name a substitute), one iteration, one thread, no check,
 * and the memory of this process. Takes the objects of `result`, which may be NULL; the
 * caller frees the text. */
char *envelope_to_json(TraceResult result, const ArchParams *chip);

/* Seconds of real time since `start`, a time of g_get_monotonic_time(). */
double envelope_seconds(gint64 start);
