/* Writes lines without a buffer, so that readers get them at once. */
#include "tools/gridloom/run/looks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

enum {
    LINE_MICROSECONDS = 100000,
};

struct CmdRunLooks {
    int file;
    gint64 last; /* when a line was written; 0: none yet */
};

bool cmd_run_looks_new(CmdRunLooks **self, const char *path, GError **error)
{
    int file;

    *self = NULL;
    if (path == NULL) {
        return true;
    }
    /* A pipe that nobody reads must not make us wait. */
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                0666);
    if (file < 0) {
        const int why = errno;

        g_set_error(error, G_FILE_ERROR, (int) g_file_error_from_errno(why),
                    "--progress %s: %s", path,
                    why == ENXIO ? "nobody reads this pipe" : g_strerror(why));
        return false;
    }
    *self = g_new0(CmdRunLooks, 1);
    (*self)->file = file;
    return true;
}

void cmd_run_looks_free(CmdRunLooks *self)
{
    if (self != NULL) {
        (void) close(self->file);
        g_free(self);
    }
}

static void add_number(GString *line, const char *name, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append_printf(line, ", \"%s\": %s", name,
                           g_ascii_formatd(text, sizeof text, "%.9g", value));
}

void cmd_run_looks_add(CmdRunLooks *self, const WlProgress *look)
{
    const gint64 now = self != NULL ? g_get_monotonic_time() : 0;

    if (self == NULL || (self->last > 0 && now - self->last < LINE_MICROSECONDS)) {
        return;
    }
    g_autoptr(GString) line = g_string_new(NULL);

    g_string_printf(line, "{\"cycles\": %" G_GUINT64_FORMAT, look->cycles);
    add_number(line, "seconds", look->seconds);
    if (look->fraction >= 0) {
        add_number(line, "fraction", look->fraction);
    }
    g_string_append(line, "}\n");
    self->last = now;
    /* A slow reader or a full disk misses lines. A reader that has gone, as when the
     * program that started the run is killed, wants none of it: it ends, here or, where
     * the signal of broken pipes is ignored, as if interrupted. */
    if (write(self->file, line->str, line->len) < 0 && errno == EPIPE) {
        (void) kill(getpid(), SIGTERM);
    }
}
