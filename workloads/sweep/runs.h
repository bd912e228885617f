/* The values of a sweep's axes in each of its runs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef enum {
    SWEEP_FULL,   /* every value with every other */
    SWEEP_RANDOM, /* independent samples */
    SWEEP_LATIN,  /* samples spread evenly along every axis */
} SweepCombine;

typedef struct {
    SweepCombine combine;
    guint samples; /* for random and latin */
    uint64_t seed;
} SweepMix;

/* Points are all combinations of a mix; runs are the points that are kept. */
typedef struct {
    guint *value_counts; /* of each axis; 1 if it follows another */
    int *leaders;        /* the axis it follows; -1: none */
    guint axis_count;
    guint point_count;
    GArray *picks; /* of guint32, point by point; NULL: points count up */
    GArray *kept;  /* of guint32, points; NULL: all */
} SweepRuns;

/* Combines axes, an array of SweepAxis; open ones get their values here. Fails with
 * WL_ERROR_FIT if there are too many combinations, and with WL_ERROR_SYNTAX if an open
 * axis has no samples. */
bool sweep_runs_make(SweepRuns *self,
                     GArray *axes,
                     const SweepMix *mix,
                     GError **error);
void sweep_runs_clear(SweepRuns *self);

/* The index of an axis's value in a point. */
guint sweep_runs_at_point(const SweepRuns *self, guint point, guint axis);

/* From now on, only points that are kept are runs, in this order. */
void sweep_runs_keep_none(SweepRuns *self);
void sweep_runs_keep(SweepRuns *self, guint point);

guint sweep_runs_count(const SweepRuns *self);
guint sweep_runs_at(const SweepRuns *self, guint run, guint axis);
