/* Runs the windows of a plan, finds the best of them, and tells what came of it. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/tune/plan.h"
#include "tools/gridloom/watchdog.h"
#include "workloads/tune_place.h"
#include "workloads/tune_study.h"
#include "workloads/tune_words.h"

typedef struct {
    const TunePlan *plan; /* borrowed */
    WlTuneStudy tuned;    /* a group for each value of --by */
    double wall_seconds;
} TuneStudy;

/* Runs everything. Fails where the watchdog stops it, a goal is no number of a result,
 * or no candidate of a group runs. The caller clears it even then. */
bool tune_study_do(TuneStudy *self,
                   const TunePlan *plan,
                   Watchdog *watchdog,
                   GError **error);
void tune_study_clear(TuneStudy *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TuneStudy, tune_study_clear)

/* "pass", "fail" or "skipped" of the chosen window's run with data; "none" where that
 * has no result. */
const char *tune_group_check(const WlTuned *self);

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
