/* How a run's numbers vary when the chip's numbers vary in their ranges, for people and
 * programs. */
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
    TraceTrials numbers; /* the result's numbers in every run of the study */
    bool is_timing_only; /* trials moved no data */
} UncertaintyStudy;

void uncertainty_study_free(UncertaintyStudy *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(UncertaintyStudy, uncertainty_study_free)

/* The input of a study. */
typedef struct {
    const CmdRunOptions *options; /* of the run itself */
    const ArchParams *params;     /* of its chip, with the user's changes */
    JsonObject *result;           /* of the run itself */
    const char *script;           /* its name */
} UncertaintyCase;

/* Runs all trials, each in its own process. They move no data if the run itself takes
 * the same time without data and formulas keep their values; other numbers that then
 * differ are left out. Returns NULL and sets `error` if the watchdog stops it. */
UncertaintyStudy *
uncertainty_study_new(const UncertaintyCase *start, Watchdog *watchdog, GError **error);

/* The number of failed samples; `why` gets the first reason, or NULL. */
guint uncertainty_study_failed(const UncertaintyStudy *self, const char **why);

/* The interval of a number over the samples; NaN if all failed. */
TraceInterval uncertainty_interval(const UncertaintyStudy *self, guint number);

/* The effect of every key on the time, as TraceInfluence, largest first; the caller
 * frees the array. */
GArray *uncertainty_influences(const UncertaintyStudy *self);

/* Adds the member `uncertainty` to a result's metrics. This and the other functions
 * that return void accept NULL for no study. */
void uncertainty_add_json(const UncertaintyStudy *self, JsonObject *metrics);

/* An SVG file of the keys that move the time of an UncertaintyStudy most; the caller
 * frees it. */
char *uncertainty_to_svg(gconstpointer study);

/* Writes that picture as uncertainty.svg into a folder, and uncertainty.csv: a line for
 * the run itself and each trial, with its settings and results. Writes nothing without
 * a study. */
bool uncertainty_write(const UncertaintyStudy *self,
                       const char *folder,
                       GError **error);

/* Adds the names of both files to `files`, of char; none if the folder is NULL. */
void uncertainty_add_files(const UncertaintyStudy *self,
                           const char *folder,
                           GPtrArray *files);

/* Prints intervals and the most influential keys to standard output. */
void uncertainty_print(const UncertaintyStudy *self);
