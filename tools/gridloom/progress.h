/* The progress line of a long run, on a terminal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef struct Progress Progress;

/* Shows nothing unless `is_shown` and standard error is a terminal. */
Progress *progress_new(const char *name, bool is_shown);

/* Takes the line away. */
void progress_free(Progress *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Progress, progress_free)

/* `fraction` is negative where unknown. Redraws a few times a second at most. */
void progress_update(Progress *self, double seconds, uint64_t events, double fraction);

/* The same for work that is done in steps: the one that begins now, of so many. Draws
 * at once. */
void progress_step(Progress *self, guint step, guint step_count, const char *what);

/* The same for work that goes on for hours: a text of the caller's. Redraws a few times
 * a second at most; where standard error is no terminal, a line every half minute. */
void progress_tell(Progress *self, const char *text);

/* The same for runs of which so many have ended: draws them and the time to go, a few
 * times a second at most. */
void progress_runs(Progress *self, guint done, guint count, guint failed);

/* The text of the line; the caller frees it. */
char *progress_text(const char *name,
                    double seconds,
                    uint64_t events,
                    double fraction,
                    double wall_seconds);
