/* Writes buffers to a draft on a thread of its own, while the next one fills. */
#pragma once

#include <glib.h>

#include "traces/file/draft.h"

typedef struct Writer Writer;

/* `draft` is borrowed, and nobody else may write to it. The thread begins with the
 * first buffer. */
Writer *writer_new(TraceDraft *draft);

/* Waits for the last buffer. */
void writer_free(Writer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Writer, writer_free)

/* Waits for the buffer before and begins to write this one, which must stay as it is up
 * to the next call, of whichever function. */
void writer_put(Writer *self, const guint8 *bytes, gsize size);

/* Waits for the last buffer, as trace_draft_close() needs it. */
void writer_wait(Writer *self);
