/* The columns of a comparison: chips to run on, each with its own words, and finished
 * runs. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/reading/run_file.h"

typedef struct {
    char *given;          /* name or file, as in --chips or --beside */
    char *name;           /* the chip file's name; for a finished run, its file's */
    GPtrArray *words;     /* name=value for the script, common ones first */
    GPtrArray *overrides; /* SECTION.KEY=VALUE, likewise */
    TraceRun *over;       /* a finished run; NULL: to be run */
    bool is_matched;      /* `over` is looked for when the first run has ended: the
                           * result of this GPU or processor for the same problem */
} CompareChip;

/* An array of CompareChip, which owns them. */
GPtrArray *compare_chips_new(void);

/* Adds the chips of a list, "A,B". Fails if a chip is unknown or given twice. */
bool compare_chips_read(GPtrArray *self, const char *text, GError **error);

/* Distributes words: name=value to all chips that are to be run; CHIP:name=value to
 * one, in place of a common one. With `is_set` they are numbers of chip files. */
bool compare_chips_deal(GPtrArray *self, char **texts, bool is_set, GError **error);

/* Adds a finished run: a result, a trace, a folder of --out, or a name in traces/gpu;
 * or a GPU or processor, whose result for the same problem is looked for later. Fails
 * if it is not a run of `workload`. */
bool compare_chips_add_over(GPtrArray *self,
                            const char *given,
                            const char *workload,
                            GError **error);

/* "simulated"; for finished runs "measured", "published" or "earlier"; "none" for a
 * machine without a result for the problem. */
const char *compare_chip_origin(const CompareChip *self);

/* Do both words assign to the same name? */
bool compare_words_are_alike(const char *a, const char *b);
