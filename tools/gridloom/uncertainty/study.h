/* What becomes of a run when the numbers of its chip are anywhere in their ranges, and
 * how people and programs read it. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/run/options.h"
#include "tools/gridloom/watchdog.h"
#include "traces/suite/trials.h"
#include "traces/table/statistics.h"
#include "workloads/trials.h"

typedef struct {
    char *name; /* "pcg on wormhole_n300" */
    WlTrials *trials;
    TraceTrials numbers; /* of the result in every run of the study */
    bool is_timing_only; /* trials moved no data */
} UncertaintyStudy;

void uncertainty_study_free(UncertaintyStudy *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(UncertaintyStudy, uncertainty_study_free)

/* What a study starts from. */
typedef struct {
    const CmdRunOptions *options; /* of the run itself */
    const ArchParams *params;     /* of its chip, as the user has set them */
    JsonObject *result;           /* of the run itself */
    const char *script;           /* its name */
} UncertaintyCase;

/* Runs all trials, each a process of its own. They move no data where the run itself
 * takes the same time without, and formulas have the same value; other numbers that
 * differ then are left out. NULL, with an error, where the watchdog stops it. */
UncertaintyStudy *
uncertainty_study_new(const UncertaintyCase *start, Watchdog *watchdog, GError **error);

/* How many samples failed, and why the first did; NULL where none did. */
guint uncertainty_study_failed(const UncertaintyStudy *self, const char **why);

/* What samples say of a number; NaN where all failed. */
TraceInterval uncertainty_interval(const UncertaintyStudy *self, guint number);

/* What every key does to the time, of TraceInfluence, those first that move it most;
 * the caller frees the array. */
GArray *uncertainty_influences(const UncertaintyStudy *self);

/* The member `uncertainty` of a result's metrics. Here, as wherever nothing is
 * returned, a study of NULL is none. */
void uncertainty_add_json(const UncertaintyStudy *self, JsonObject *metrics);

/* The keys that move the time most in an UncertaintyStudy, as SVG; the caller frees it.
 */
char *uncertainty_to_svg(gconstpointer study);

/* Writes into a folder, where there is a study, that as uncertainty.svg, and
 * uncertainty.csv: a line for the run itself and each trial, what was set and what came
 * of it. */
bool uncertainty_write(const UncertaintyStudy *self,
                       const char *folder,
                       GError **error);

/* Adds the names of both to `files`, of char; none where the folder is NULL. */
void uncertainty_add_files(const UncertaintyStudy *self,
                           const char *folder,
                           GPtrArray *files);

/* Intervals and the keys that matter, on standard output. */
void uncertainty_print(const UncertaintyStudy *self);
