/* The trace of a run: where it goes, and what is kept if the run fails. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/options.h"
#include "workloads/chips.h"
#include "workloads/outcome.h"
#include "workloads/script.h"

typedef struct CmdRunTrace CmdRunTrace;

/* Begins the requested trace of these chips. With several, names of places begin with
 * the chip's: chip1.core[3,4].math. Sets `trace` to NULL if none is requested. Fails if
 * the file or the cores are wrong. */
bool cmd_run_trace_begin(CmdRunTrace **trace,
                         const CmdRunOptions *options,
                         const WlScript *script,
                         const WlChips *chips,
                         GError **error);

/* Also records the hosts and links of a system with several chips. Call it before the
 * run. */
void cmd_run_trace_watch(CmdRunTrace *self, WlMachine *machine);

/* An unfinished trace leaves no file. */
void cmd_run_trace_free(CmdRunTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdRunTrace, cmd_run_trace_free)

/* The path of the trace, and whether the file stays: a trace made only for a report has
 * no name and ends with `self`. */
const char *cmd_run_trace_path(const CmdRunTrace *self);
bool cmd_run_trace_is_kept(const CmdRunTrace *self);

/* Finishes the trace after the run; `result` is its JSON. Prints a warning if the limit
 * was reached. */
bool cmd_run_trace_finish(CmdRunTrace *self,
                          const char *result,
                          const WlOutcome *outcome,
                          GError **error);

/* After a failed run: keeps a file that the user named if the run was stopped, passed a
 * limit or deadlocked. Returns whether it is kept. */
bool cmd_run_trace_keep(CmdRunTrace *self, const GError *why);
