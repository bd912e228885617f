/* A whole tuning: the windows of all groups, each run as a process of its own, and the
 * chosen ones again with data. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "workloads/process.h"
#include "workloads/tune.h"

/* What is done, and by whom it is helped. All is borrowed. */
typedef struct {
    WlTuneTask task; /* of each group, but for how it runs */
    guint group_count;
    guint jobs; /* runs at a time */

    /* A group as people read it, maybe ""; the caller frees it. */
    char *(*name)(gpointer data, guint group);
    /* `run` and its words, without data or with it; the caller frees them. */
    char **(*words)(gpointer data,
                    guint group,
                    const WlTuneWindow *window,
                    bool is_functional);
    /* The value of a formula of a result's members. Fails where it has none. */
    bool (*number)(JsonObject *result,
                   const char *formula,
                   double *value,
                   GError **error);
    void (*tell)(gpointer data, guint done, guint count, guint failed);
    bool (*is_stopping)(gpointer data); /* asked many times a second */
    gpointer data;                      /* of all but `number` */
} WlTuneOrder;

typedef struct {
    char *name;
    WlTuneGroup windows;
    WlProcess run; /* of the chosen window, with data */
    bool is_same;  /* that has the same values as without data */
} WlTuned;

typedef struct {
    GArray *groups;  /* of WlTuned */
    WlTuneTask task; /* that was done; it runs no more */
} WlTuneStudy;

/* Runs everything. Fails where it is stopped, a goal is no number of a result, or no
 * candidate of a group runs. The caller clears it even then. */
bool wl_tune_study_do(WlTuneStudy *self, const WlTuneOrder *order, GError **error);
void wl_tune_study_clear(WlTuneStudy *self);

WlTuned *wl_tune_study_group(const WlTuneStudy *self, guint group);

/* The exit code that the runs deserve. */
int wl_tune_study_code(const WlTuneStudy *self);
