/* The result that every command writes as JSON: what all of them fill in alike. */
#pragma once

#include "arch/chipfile/params.h"
#include "traces/result/result.h"

/* Fills in what the command leaves out: the version, the numbers of the chip that it
 * used (NULL: none, then `chip` may say what stands in its place), one iteration, one
 * thread, no check, and the memory of this process. Takes the objects of `result`, all
 * of which may be NULL; the caller frees the text. */
char *envelope_to_json(TraceResult result, const ArchParams *chip);

/* Seconds of real time since `start`, which g_get_monotonic_time() gave. */
double envelope_seconds(gint64 start);
