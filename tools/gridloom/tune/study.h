/* What a tuning will run, and what came of it for people and programs. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/tune/options.h"
#include "workloads/tune_place.h"
#include "workloads/tune_study.h"
#include "workloads/tune_words.h"

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

typedef struct {
    const TunePlan *plan; /* borrowed */
    WlTuneStudy tuned;    /* a group for each value of --by */
    double wall_seconds;
} TuneStudy;

void tune_study_clear(TuneStudy *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TuneStudy, tune_study_clear)

/* Tables of fronts, choices and comparisons, on standard output. */
void tune_print(const TuneStudy *self);

/* Of TuneStudy; the caller frees them. The envelope of a result, with all of it in
 * `metrics`. */
char *tune_to_json(gconstpointer study);

/* A line for each window that was tried or compared. */
char *tune_to_csv(gconstpointer study);

/* All windows that ran, with fronts, the chosen ones and those that are compared, as
 * SVG: a panel for each group. */
char *tune_to_svg(gconstpointer study);

/* "vadvc on nero_ad9h7: windows along x, y; performance (most) and resources (least)",
 * and what the search was; the caller frees them. */
char *tune_title(const TuneStudy *self);
char *tune_search_text(const TuneStudy *self);
