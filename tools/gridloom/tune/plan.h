/* What a tuning will run: windows of a script that was looked at, and the words of each
 * run. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/tune/options.h"
#include "workloads/tune.h"

typedef struct {
    const TuneOptions *options; /* borrowed */
    char *chip;                 /* its name */
    char *chip_digest;
    WlTuneSpace *space;
    GArray *guests; /* of WlTuneGuest */
    guint group_count;
} TunePlan;

/* Loads script and chip and tries all words. Fails where script or chip are wrong, the
 * script has no words for a window, or a window is none. */
bool tune_plan_make(TunePlan *self, const TuneOptions *options, GError **error);
void tune_plan_clear(TunePlan *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TunePlan, tune_plan_clear)

/* "dtype=fp32"; "" where there is no --by. The caller frees it. */
char *tune_plan_group(const TunePlan *self, guint group);

/* `run` and its words, for a WlBatch: without data, or with it and, where --out is
 * given, with files. The caller frees them. */
char **tune_plan_words(const TunePlan *self,
                       guint group,
                       const WlTuneWindow *window,
                       bool is_functional);
