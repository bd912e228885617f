/* A file that a library writes without checking, as SimGrid does its trace: the library
 * writes to a pipe, and what it wrote goes to a checked draft. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct TracePiped TracePiped;

/* Opens a draft of the file, and a pipe that the library is to write to. */
TracePiped *trace_piped_new(const char *path, GError **error);

/* An unfinished one leaves no file. */
void trace_piped_free(TracePiped *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TracePiped, trace_piped_free)

/* The path of the pipe. */
const char *trace_piped_pipe(const TracePiped *self);

/* Moves the file into place, after a run that ended. */
bool trace_piped_finish(TracePiped *self, GError **error);
