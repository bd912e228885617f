/* A thread carries SimGrid's trace from a pipe, which is never full, to its draft. */
#include "tools/gridloom/run/system_trace.h"

#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

#include <glib-unix.h>

#include "traces/file/draft.h"

enum {
    TICK_MILLISECONDS = 50,
    PIECE_BYTES = 1 << 16,
};

struct CmdSystemTrace {
    TraceDraft *draft;
    char *pipe;
    int from; /* ends of the pipe */
    int to;
    GThread *thread;
    atomic_bool is_given_up;
};

/* Until SimGrid closes its file, which it does at the end of a run. */
static gpointer carry(gpointer data)
{
    CmdSystemTrace *self = data;
    struct pollfd look = {.fd = self->from, .events = POLLIN};
    g_autofree char *piece = g_malloc(PIECE_BYTES);
    gssize count = 1;

    while (count != 0 && !atomic_load(&self->is_given_up)) {
        if (poll(&look, 1, TICK_MILLISECONDS) > 0) {
            count = read(self->from, piece, PIECE_BYTES);
            trace_draft_put(self->draft, piece, (gsize) MAX(count, 0));
        }
    }
    return NULL;
}

CmdSystemTrace *cmd_system_trace_new(const char *path, GError **error)
{
    g_autoptr(CmdSystemTrace) self = g_new0(CmdSystemTrace, 1);
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
    self->thread = g_thread_try_new("system-trace", carry, self, error);
    return self->thread != NULL ? g_steal_pointer(&self) : NULL;
}

/* Waits for the last piece. */
static void close_pipe(CmdSystemTrace *self)
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

void cmd_system_trace_free(CmdSystemTrace *self)
{
    if (self != NULL) {
        atomic_store(&self->is_given_up, true);
        close_pipe(self);
        trace_draft_free(self->draft);
        g_free(self->pipe);
        g_free(self);
    }
}

const char *cmd_system_trace_pipe(const CmdSystemTrace *self)
{
    return self->pipe;
}

bool cmd_system_trace_finish(CmdSystemTrace *self, GError **error)
{
    close_pipe(self);
    return trace_draft_close(self->draft, error);
}
