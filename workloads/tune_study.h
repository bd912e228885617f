/* A whole tuning: runs the windows of all groups, each in its own process, and the
 * chosen ones again with data. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "workloads/process.h"
#include "workloads/tune.h"

/* The task and its callbacks. Everything is borrowed. */
typedef struct {
    WlTuneTask task; /* for each group, without `run` */
    guint group_count;
    guint jobs; /* runs at a time */

    /* The name of a group for people, maybe ""; the caller frees it. */
    char *(*name)(gpointer data, guint group);
    /* `run` and its words, without data or with it; the caller frees them. */
    char **(*words)(gpointer data,
                    guint group,
                    const WlTuneWindow *window,
                    bool is_functional);
    /* The value of a formula over a result's members. Fails if it has none. */
    bool (*number)(JsonObject *result,
                   const char *formula,
                   double *value,
                   GError **error);
    void (*tell)(gpointer data, guint done, guint count, guint failed);
    bool (*is_stopping)(gpointer data); /* asked many times a second */
    gpointer data;                      /* for all but `number` */
} WlTuneOrder;

typedef struct {
    char *name;
    WlTuneGroup windows;
    WlProcess run; /* of the chosen window, with data */
    bool is_same;  /* that run has the same values as without data */
} WlTuned;

typedef struct {
    GArray *groups;  /* of WlTuned */
    WlTuneTask task; /* the finished task; it can run no more */
} WlTuneStudy;

/* Runs everything. Fails if it is stopped, a goal is not a number of a result, or no
 * candidate of a group runs. The caller clears it in any case. */
bool wl_tune_study_do(WlTuneStudy *self, const WlTuneOrder *order, GError **error);
void wl_tune_study_clear(WlTuneStudy *self);

WlTuned *wl_tune_study_group(const WlTuneStudy *self, guint group);

/* The exit code for the runs. */
int wl_tune_study_code(const WlTuneStudy *self);
