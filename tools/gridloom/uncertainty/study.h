/* What becomes of a run when the numbers of its chip are anywhere in their ranges. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"
#include "tools/gridloom/run/options.h"
#include "tools/gridloom/uncertainty/plan.h"
#include "tools/gridloom/watchdog.h"

/* A number of the result in every run of the study; NaN where a run failed or has no
 * such number. */
typedef struct {
    char *name;      /* its path in the result: "seconds", "metrics.cycles_per_cell" */
    bool is_formula; /* of members, which the user gave; its value may be NaN */
    double value;    /* of the run itself */
    double *samples; /* one for each sample */
    double *ends;    /* one for each of UncertaintyStudy.ends */
} UncertaintyMetric;

/* A run with one number at an end of its range, and all others as they are. */
typedef struct {
    guint key; /* of the plan */
    guint end; /* of its range */
    char *why; /* it failed, in one line; NULL where it did not */
} UncertaintyEnd;

typedef struct {
    char *name; /* "pcg on wormhole_n300" */
    UncertaintyPlan *plan;
    GArray *metrics;     /* of UncertaintyMetric; the first is "seconds", the last
                          * are all formulas that the user gave */
    GPtrArray *failures; /* of char, one for each sample: why it failed, or NULL */
    GArray *ends;        /* of UncertaintyEnd, key by key */
    GPtrArray *left_out; /* of char: numbers of the result that samples have not */
    bool is_timing_only; /* samples moved no data */
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

/* Runs all samples and all ends, each a process of its own. They move no data where the
 * run itself takes the same time without, and formulas have the same value; other
 * numbers that differ then are left out. NULL, with an error, where the watchdog stops
 * it. */
UncertaintyStudy *
uncertainty_study_new(const UncertaintyCase *start, Watchdog *watchdog, GError **error);

const UncertaintyMetric *uncertainty_study_metric(const UncertaintyStudy *self,
                                                  guint index);

/* How many samples failed, and why the first did; NULL where none did. */
guint uncertainty_study_failed(const UncertaintyStudy *self, const char **why);

/* What samples say of a metric; NaN where all failed. */
typedef struct {
    double low; /* 5 % of the samples are below */
    double median;
    double high; /* 5 % are above */
    double least;
    double most;
} UncertaintyInterval;

UncertaintyInterval uncertainty_interval(const UncertaintyStudy *self, guint metric);

/* What one key does to a metric. */
typedef struct {
    guint key;
    double least; /* of the run itself and of the ends, as far as they did not fail */
    double most;
    double correlation; /* rank correlation over the samples; NaN where there is none */
} UncertaintyInfluence;

/* Of every key, those first that move the metric most alone, then by correlation; the
 * caller frees the array. */
GArray *uncertainty_influences(const UncertaintyStudy *self, guint metric);
