/* The plan of a tuning, and its results for people and programs. */
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

/* Loads script and chip and tries all words. Fails if script or chip are wrong, the
 * script has no words for a window, or a window is malformed. */
bool tune_plan_make(TunePlan *self, const TuneOptions *options, GError **error);
void tune_plan_clear(TunePlan *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TunePlan, tune_plan_clear)

/* "dtype=fp32"; "" without --by. The caller frees it. */
char *tune_plan_group(const TunePlan *self, guint group);

/* `run` and its words for a WlBatch: without data, or with data and, if --out is given,
 * with files. The caller frees them. */
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

/* Prints fronts, choices and comparisons as tables to standard output. */
void tune_print(const TuneStudy *self);

/* `study` is a TuneStudy; the caller frees the texts. As JSON: a result's envelope with
 * everything in `metrics`. */
char *tune_to_json(gconstpointer study);

/* As CSV: a line for each window that was tried or compared. */
char *tune_to_csv(gconstpointer study);

/* As SVG, a panel for each group: all windows that ran, the fronts, the chosen windows
 * and the compared ones. */
char *tune_to_svg(gconstpointer study);

/* "vadvc on nero_ad9h7: windows along x, y; performance (most) and resources (least)",
 * and a description of the search; the caller frees them. */
char *tune_title(const TuneStudy *self);
char *tune_search_text(const TuneStudy *self);
