/* What a sweep file says: the table that it returns. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/sweep/asked.h"
#include "workloads/sweep/runs.h"

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

/* Reads the only value on the stack. Fails with WL_ERROR_SYNTAX, or WL_ERROR_FIT where
 * an axis has too many values. Cannot raise. */
bool sweep_file_read(SweepFile *self, lua_State *L, GError **error);
