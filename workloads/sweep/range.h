/* A range of numbers, from one to another: in steps, in points, or open. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/sweep/value.h"

typedef struct {
    double from;
    double to;
    double step;   /* 0: none */
    guint points;  /* 0: none */
    bool is_log;   /* equal ratios, not equal distances */
    bool is_whole; /* all its numbers are whole */
} SweepRange;

/* The fields from, to, step, points and scale of the table at `index`. Fails with
 * WL_ERROR_SYNTAX. Cannot raise. */
bool sweep_range_read(lua_State *L, int index, SweepRange *range, GError **error);

/* Neither steps nor points: only samples can be taken of it. */
bool sweep_range_is_open(const SweepRange *self);

/* Appends the numbers of one that is not open, in their order; whole ones that are
 * equal once rounded are one. Fails with WL_ERROR_FIT where they are too many. */
bool sweep_range_values(const SweepRange *self, GArray *values, GError **error);

/* The number that lies so far on its way, 0 <= share < 1. */
SweepValue sweep_range_at(const SweepRange *self, double share);
