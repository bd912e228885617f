/* Runs the windows of a plan and finds the best of them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/process.h"
#include "tools/gridloom/tune/front.h"
#include "tools/gridloom/tune/plan.h"
#include "tools/gridloom/watchdog.h"

/* One value of --by. */
typedef struct {
    char *word;        /* "dtype=fp32"; "" where there is no --by */
    GArray *points;    /* of TunePoint: candidates, then what else is compared */
    GArray *front;     /* of guint, as of tune_front_new() */
    int chosen;        /* of `points` */
    CmdRunProcess run; /* of the chosen window, with data */
    bool is_same;      /* that has the same values as without data */
} TuneGroup;

typedef struct {
    const TunePlan *plan; /* borrowed */
    GPtrArray *groups;    /* of TuneGroup */
    bool is_exhaustive;
    guint budget; /* candidates of each group */
    guint first;  /* of them those that a search draws blindly */
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

const TuneGroup *tune_study_group(const TuneStudy *self, guint group);

/* NULL where there is none. */
const TunePoint *tune_group_chosen(const TuneGroup *self);
guint tune_group_count(const TuneGroup *self, TuneStatus status);
bool tune_group_has_front(const TuneGroup *self, guint point);

/* "pass", "fail" or "skipped" of the chosen window's run with data; "none" where that
 * has no result. */
const char *tune_group_check(const TuneGroup *self);

/* The exit code that the runs deserve. */
int tune_study_code(const TuneStudy *self);

/* Why candidates did not run: reasons that differ in numbers alone are one. */
typedef struct {
    const char *example; /* of the first such window; borrowed */
    TuneStatus status;
    guint count;
} TuneReason;

/* The most frequent ones first; the caller frees the array of TuneReason. */
GArray *tune_group_reasons(const TuneGroup *self);
