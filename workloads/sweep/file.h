/* The content of a sweep file: the table that it returns. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/sweep.h"
#include "workloads/sweep/runs.h"

typedef struct {
    GStringChunk *texts;
    GArray *records; /* of WlSweepRecord */
    guint own_count; /* of those, without the columns of intervals */
    GArray *plots;   /* of WlSweepPlot */
    const char *pareto[2];
    bool has_pareto;
} SweepAsked;

void sweep_asked_init(SweepAsked *self);
void sweep_asked_clear(SweepAsked *self);

/* Reads the fields record, plots and pareto of the table at `index`. Fails with
 * WL_ERROR_SYNTAX. Cannot raise. */
bool sweep_asked_read(SweepAsked *self, lua_State *L, int index, GError **error);

/* Adds a column, unless there is one of this name. */
void sweep_asked_add(SweepAsked *self, const char *name, const char *formula);

/* Adds two columns for each recorded value, NAME_low and NAME_high, and one for failed
 * samples. Fails with WL_ERROR_SYNTAX if there are too many. */
bool sweep_asked_add_intervals(SweepAsked *self, GError **error);

typedef struct {
    char *summary;
    char *script;
    bool is_timing_only;
    guint uncertainty; /* samples of the chip's ranges in each run; 0: none */
    GArray *fixed;     /* of SweepAxis with one value each, by name */
    GArray *axes;      /* of SweepAxis */
    SweepMix mix;
    SweepAsked asked;
} SweepFile;

void sweep_file_init(SweepFile *self);
void sweep_file_clear(SweepFile *self);

/* Reads the only value on the stack. Fails with WL_ERROR_SYNTAX, or with WL_ERROR_FIT
 * if an axis has too many values. Cannot raise. */
bool sweep_file_read(SweepFile *self, lua_State *L, GError **error);
