/* Results of traces/gpu for the problem that is compared. */
#pragma once

#include <json-glib/json-glib.h>

#include "traces/reading/run_file.h"

/* The result on a GPU or processor of the problem of `run`, in its size and, if there
 * is one, its format; of several that with as many iterations, then the fastest. NULL
 * if there is none: `why` says so in one line, which the caller frees. The caller frees
 * the result. */
TraceRun *compare_match(const char *machine, JsonObject *run, char **why);
