/* A file while it is written: a private one beside its target, until it is whole. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct TraceDraft TraceDraft;

/* Opens a new file of its own in the folder of `path`; closing the draft moves it
 * there. A link stays, and the file that it leads to is replaced, or made; a file keeps
 * its permissions. "-", the names of open files (/dev/stdout, /dev/fd/3) and whatever
 * is not a regular file (a device, a pipe) are written to directly. Drafts that killed
 * processes left in the folder are removed. Fails with TRACE_ERROR_WRITE. */
TraceDraft *trace_draft_open(const char *path, GError **error);

/* The same before the folder of `path` is made: in the nearest folder above it. */
TraceDraft *trace_draft_open_early(const char *path, GError **error);

/* A draft that was not closed leaves no file behind. */
void trace_draft_free(TraceDraft *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceDraft, trace_draft_free)

/* Writes; trace_draft_close() reports any error. */
void trace_draft_put(TraceDraft *self, const void *bytes, gsize count);

/* Moves the file into place. Fails with TRACE_ERROR_WRITE if this or any earlier write
 * failed; the draft can then only be freed. */
bool trace_draft_close(TraceDraft *self, GError **error);

/* A file without a name among the temporary ones, which ends when it is closed. Returns
 * -1 and fails with TRACE_ERROR_WRITE where none can be made. */
int trace_draft_nameless(GError **error);

/* Removes every draft of this process, which is about to end. Signal handlers may call
 * it. */
void trace_draft_abandon(void);
