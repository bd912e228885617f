/* The command of a run that stands in for another. */
#pragma once

#include <stdbool.h>

#include "tools/gridloom/run/options.h"

/* `run` with the same script, words, system and limits, with numbers of the chip set on
 * top of those that the user has set: "section.key=value", a list that ends with NULL,
 * or none at all. It writes no files. The caller frees it. */
char **uncertainty_words(const CmdRunOptions *options,
                         char *const *assignments,
                         bool is_timing_only);
