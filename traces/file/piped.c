/* A thread carries what is written to a pipe, which is so never full, to a draft. */
#include "traces/file/piped.h"

#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

#include <glib-unix.h>

#include "traces/file/draft.h"

enum {
    TICK_MILLISECONDS = 50,
    PIECE_BYTES = 1 << 16,
};

struct TracePiped {
    TraceDraft *draft;
    char *pipe;
    int from; /* ends of the pipe */
    int to;
    GThread *thread;
    atomic_bool is_given_up;
};

/* Until the library closes its file. */
static gpointer carry(gpointer data)
{
    TracePiped *self = data;
    struct pollfd end = {.fd = self->from, .events = POLLIN};
    g_autofree char *piece = g_malloc(PIECE_BYTES);
    gssize count = 1;

    while (count != 0 && !atomic_load(&self->is_given_up)) {
        if (poll(&end, 1, TICK_MILLISECONDS) > 0) {
            count = read(self->from, piece, PIECE_BYTES);
            trace_draft_put(self->draft, piece, (gsize) MAX(count, 0));
        }
    }
    return NULL;
}

TracePiped *trace_piped_new(const char *path, GError **error)
{
    g_autoptr(TracePiped) self = g_new0(TracePiped, 1);
    int ends[2] = {-1, -1};
    bool is_open;

    self->draft = trace_draft_open(path, error);
    is_open = self->draft != NULL && g_unix_open_pipe(ends, FD_CLOEXEC, error);
    self->from = ends[0];
    self->to = ends[1];
    if (!is_open) {
        return NULL;
    }
    self->pipe = g_strdup_printf("/proc/self/fd/%d", self->to);
    self->thread = g_thread_try_new("piped-file", carry, self, error);
    return self->thread != NULL ? g_steal_pointer(&self) : NULL;
}

/* Waits for the last piece. */
static void close_pipe(TracePiped *self)
{
    if (self->to >= 0) {
        (void) close(self->to);
    }
    if (self->thread != NULL) {
        (void) g_thread_join(self->thread);
    }
    if (self->from >= 0) {
        (void) close(self->from);
    }
    self->to = -1;
    self->from = -1;
    self->thread = NULL;
}

void trace_piped_free(TracePiped *self)
{
    if (self != NULL) {
        atomic_store(&self->is_given_up, true);
        close_pipe(self);
        trace_draft_free(self->draft);
        g_free(self->pipe);
        g_free(self);
    }
}

const char *trace_piped_pipe(const TracePiped *self)
{
    return self->pipe;
}

bool trace_piped_finish(TracePiped *self, GError **error)
{
    close_pipe(self);
    return trace_draft_close(self->draft, error);
}
