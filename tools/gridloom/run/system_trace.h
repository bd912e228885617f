/* SimGrid's trace of a run, which SimGrid itself does not check. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct CmdSystemTrace CmdSystemTrace;

/* Opens a draft of the file, and a pipe that SimGrid is to write to. */
CmdSystemTrace *cmd_system_trace_new(const char *path, GError **error);

/* An unfinished trace leaves no file. */
void cmd_system_trace_free(CmdSystemTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdSystemTrace, cmd_system_trace_free)

/* The path of the pipe. */
const char *cmd_system_trace_pipe(const CmdSystemTrace *self);

/* Moves the file into place, after a run that ended. */
bool cmd_system_trace_finish(CmdSystemTrace *self, GError **error);
