/* Runs of this program, each a process of its own, and what was asked of them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/progress.h"
#include "traces/suite/validation.h"

typedef struct ValidateRuns ValidateRuns;

/* Each with so many threads, so many of them at a time. */
ValidateRuns *validate_runs_new(guint threads, guint jobs);
void validate_runs_free(ValidateRuns *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ValidateRuns, validate_runs_free)

/* Of ValidateRuns, before validate_runs_do(). Its texts are borrowed until the runs are
 * freed. */
void validate_runs_ask(gpointer runs, const TraceQuestion *question);

guint validate_runs_count(const ValidateRuns *self);

/* Does all runs that were asked for. Results are gone once their members are read. */
void validate_runs_do(ValidateRuns *self, Progress *progress);

/* After validate_runs_do(), of something that was asked for. */
TraceAnswer validate_runs_answer(gconstpointer runs, const TraceQuestion *question);
