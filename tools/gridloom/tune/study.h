/* Runs the windows of a plan and finds the best of them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/process.h"
#include "tools/gridloom/tune/plan.h"
#include "tools/gridloom/watchdog.h"

/* One value of --by. */
typedef struct {
    char *word; /* "dtype=fp32"; "" where there is no --by */
    WlTuneGroup windows;
    CmdRunProcess run; /* of the chosen window, with data */
    bool is_same;      /* that has the same values as without data */
} TuneGroup;

typedef struct {
    const TunePlan *plan; /* borrowed */
    GArray *groups;       /* of TuneGroup */
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

/* "pass", "fail" or "skipped" of the chosen window's run with data; "none" where that
 * has no result. */
const char *tune_group_check(const TuneGroup *self);

/* The exit code that the runs deserve. */
int tune_study_code(const TuneStudy *self);
