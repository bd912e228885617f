/* Numbers of two runs that differ. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/diff/numbers.h"
#include "tools/gridloom/diff/tolerance.h"

typedef struct {
    const char *name; /* of the numbers that were compared */
    double a;         /* NaN: A has no such number */
    double b;         /* likewise */
    double relative;  /* (b - a) / |a|; infinite where a is 0, or a number is missing */
    double tolerance;
    bool is_above; /* it differs by more than its tolerance */
} DiffDifference;

/* Those that differ at all, an array of DiffDifference: the largest relative difference
 * first, equal ones in the order of their runs. The caller unrefs it before `a` and
 * `b`. */
GArray *diff_differences(const DiffNumbers *a,
                         const DiffNumbers *b,
                         DiffTolerances *tolerances);

/* How many of them are above their tolerance. */
guint diff_differences_above(const GArray *differences);

/* Something that two runs were given, and that is not the same for both. */
typedef struct {
    char *name; /* chip, seed, parameters.nx, noc.hop_cycles */
    char *a;    /* NULL: A was not given it */
    char *b;
} DiffUnlike;

/* An array of DiffUnlike that frees its items. Numbers of chips count if the chip is
 * the same. */
GArray *diff_unlike(JsonObject *a, JsonObject *b);
