/* The trace of a run: where it goes, and what of a run that fails is kept. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/chips.h"
#include "tools/gridloom/run/options.h"
#include "workloads/script.h"

typedef struct RunTrace RunTrace;

/* Begins the trace of these chips that the options ask for. Several have their names
 * before those of their places: chip1.core[3,4].math. Sets `trace` to NULL where they
 * ask for none. Fails with what is wrong with the file or the cores. */
bool run_trace_begin(RunTrace **trace,
                     const RunOptions *options,
                     const WlScript *script,
                     const RunChips *chips,
                     GError **error);

/* Has what hosts and links of the system do in it too, where there are several chips;
 * before the run. */
void run_trace_watch(RunTrace *self, WlMachine *machine);

/* What is not finished leaves nothing. */
void run_trace_free(RunTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RunTrace, run_trace_free)

/* The file that is written to while the run goes on, or NULL. */
const char *run_trace_partial(const RunTrace *self);

/* Where the trace will be, and whether it stays there: one that is made for a report
 * alone goes with `self`. */
const char *run_trace_path(const RunTrace *self);
bool run_trace_is_kept(const RunTrace *self);

/* After the run; `result` is its JSON. Says so where the limit was reached. */
bool run_trace_finish(RunTrace *self, const char *result, GError **error);

/* After a run that failed: a file that the user named is kept where the run was
 * stopped, passed a limit or stands still. Returns whether it is. */
bool run_trace_keep(RunTrace *self, const GError *why);
