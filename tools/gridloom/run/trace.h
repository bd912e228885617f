/* The trace of a run: where it goes, and what of a run that fails is kept. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/options.h"
#include "workloads/chips.h"
#include "workloads/script.h"

typedef struct CmdRunTrace CmdRunTrace;

/* Begins the trace of these chips that the options ask for. Several have their names
 * before those of their places: chip1.core[3,4].math. Sets `trace` to NULL where they
 * ask for none. Fails with what is wrong with the file or the cores. */
bool cmd_run_trace_begin(CmdRunTrace **trace,
                         const CmdRunOptions *options,
                         const WlScript *script,
                         const WlChips *chips,
                         GError **error);

/* Has what hosts and links of the system do in it too, where there are several chips;
 * before the run. */
void cmd_run_trace_watch(CmdRunTrace *self, WlMachine *machine);

/* What is not finished leaves nothing. */
void cmd_run_trace_free(CmdRunTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdRunTrace, cmd_run_trace_free)

/* The file that is written to while the run goes on, or NULL. */
const char *cmd_run_trace_partial(const CmdRunTrace *self);

/* Where the trace will be, and whether it stays there: one that is made for a report
 * alone goes with `self`. */
const char *cmd_run_trace_path(const CmdRunTrace *self);
bool cmd_run_trace_is_kept(const CmdRunTrace *self);

/* After the run; `result` is its JSON. Says so where the limit was reached. */
bool cmd_run_trace_finish(CmdRunTrace *self, const char *result, GError **error);

/* After a run that failed: a file that the user named is kept where the run was
 * stopped, passed a limit or stands still. Returns whether it is. */
bool cmd_run_trace_keep(CmdRunTrace *self, const GError *why);
