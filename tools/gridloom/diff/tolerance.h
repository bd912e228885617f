/* How much numbers may differ. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* The tolerances of a command line. */
typedef struct DiffTolerances DiffTolerances;

/* Reads VALUE, for all numbers, and NAME=VALUE, for the number NAME and all below it
 * (busy for busy.math), or for a pattern with * and ?; later ones count more. A value
 * is relative to A: 0.01, 1%, or inf for numbers that do not matter. `texts` ends with
 * NULL, or is NULL for none: every difference counts. Fails with G_OPTION_ERROR. */
DiffTolerances *diff_tolerances_read(const char *const *texts, GError **error);
void diff_tolerances_free(DiffTolerances *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DiffTolerances, diff_tolerances_free)

/* That of a number, and remembers that it was asked for. */
double diff_tolerances_find(DiffTolerances *self, const char *name);

/* A NAME that no number had so far; NULL: none. */
const char *diff_tolerances_unused(const DiffTolerances *self);
