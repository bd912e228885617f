/* The columns of a comparison: chips to run on, each with its own words, and runs that
 * are over. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/reading/run_file.h"

typedef struct {
    char *given;          /* name or file, as in --chips or --beside */
    char *name;           /* as chip files call it; of a run that is over, its file's */
    GPtrArray *words;     /* name=value for the script, the common ones first */
    GPtrArray *overrides; /* SECTION.KEY=VALUE, likewise */
    TraceRun *over;       /* a run that is over; NULL: to be run */
} CompareChip;

/* An array of CompareChip, which owns them. */
GPtrArray *compare_chips_new(void);

/* The chips of a list, "A,B". Fails where there is no such chip, or one twice. */
bool compare_chips_read(GPtrArray *self, const char *text, GError **error);

/* Deals words out: name=value to all chips that are to be run, CHIP:name=value to one,
 * in place of a common one. With `is_set` they are numbers of chip files. */
bool compare_chips_deal(GPtrArray *self, char **texts, bool is_set, GError **error);

/* A run that is over: a result, a trace, a folder of --out, or the name of one in
 * traces/gpu. Fails where it is none of `workload`. */
bool compare_chips_add_over(GPtrArray *self,
                            const char *given,
                            const char *workload,
                            GError **error);

/* "simulated"; of runs that are over "measured", "published" or "earlier". */
const char *compare_chip_origin(const CompareChip *self);

/* Both assign to the same name. */
bool compare_words_are_alike(const char *a, const char *b);
