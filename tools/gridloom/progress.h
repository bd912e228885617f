/* The progress line of a long run, on a terminal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "workloads/run.h"

typedef struct Progress Progress;

/* Shows nothing unless `is_shown` and standard error is a terminal. */
Progress *progress_new(const char *name, bool is_shown);

/* Removes the line. */
void progress_free(Progress *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Progress, progress_free)

/* Redraws at most a few times a second. */
void progress_update(Progress *self, const WlProgress *look);

/* The same for work in steps: begins step `step` of `step_count`. A thread draws the
 * line a few times a second, until the end; the second function draws it at once, too.
 */
void progress_begin(Progress *self, guint step, guint step_count, const char *what);
void progress_step(Progress *self, guint step, guint step_count, const char *what);

/* How much of the present step is done: 0..1. `progress` is a Progress; for a
 * TraceWatch. */
void progress_share(gpointer progress, double share);

/* The same for work of hours: a text of the caller's. Redraws at most a few times a
 * second; if standard error is not a terminal, prints a line every half minute. */
void progress_tell(Progress *self, const char *text, double fraction);

/* The same for `count` runs of which `done` have ended: draws them and the time left,
 * at most a few times a second. */
void progress_runs(Progress *self, guint done, guint count, guint failed);

/* The text of the line; the caller frees it. */
char *progress_text(const char *name, const WlProgress *look, double wall_seconds);
