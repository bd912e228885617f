/* Guards standard output and standard error while they are terminals. */
#include "traces/file/terminal.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DELETE      0x7f
#define C1_FIRST    0xc2 /* begins U+0080 to U+00BF, of which half are controls */
#define C1_CONTROLS 0x80
#define C1_MASK     0xe0

/* A stream to a terminal. */
typedef struct {
    int file;
    bool has_half; /* C1_FIRST is left of the text before */
} Guard;

static GString *show(const char *text, gsize length)
{
    GString *shown = g_string_sized_new(length);

    for (gsize i = 0; i < length; i++) {
        const guchar byte = (guchar) text[i];
        const bool is_c1 = byte == C1_FIRST && i + 1 < length &&
                           ((guchar) text[i + 1] & C1_MASK) == C1_CONTROLS;

        if (is_c1) {
            i++;
        }
        if (is_c1 || byte == DELETE || (byte < ' ' && byte != '\n' && byte != '\t')) {
            g_string_append_printf(shown, "\\x%02x", (guint) (guchar) text[i]);
        } else {
            g_string_append_c(shown, (char) byte);
        }
    }
    return shown;
}

char *trace_terminal_text(const char *text)
{
    return g_string_free(show(text, strlen(text)), FALSE);
}

/* A line that is not to stay is on the terminal. A thread may draw it while another
 * prints. */
static atomic_bool has_line;
static GMutex terminal;

static bool write_whole(int file, const char *text, gsize length)
{
    for (gsize done = 0; done < length;) {
        const ssize_t got = write(file, text + done, length - done);

        if (got < 0) {
            return false;
        }
        done += (gsize) got;
    }
    return true;
}

static void erase_line(void)
{
    static const char erase[] = "\r\033[K";

    atomic_store(&has_line, false);
    (void) write_whole(STDERR_FILENO, erase, strlen(erase));
}

static ssize_t write_shown(void *cookie, const char *bytes, size_t count)
{
    Guard *self = cookie;
    g_autoptr(GString) text = g_string_new(self->has_half ? "\xc2" : "");

    g_string_append_len(text, bytes, (gssize) count);
    self->has_half = text->len > 0 && (guchar) text->str[text->len - 1] == C1_FIRST;
    g_autoptr(GString) shown = show(text->str, text->len - self->has_half);

    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&terminal);

    if (atomic_load(&has_line)) {
        erase_line();
    }
    return write_whole(self->file, shown->str, shown->len) ? (ssize_t) count : 0;
}

/* The stream itself if its file is no terminal. */
static FILE *guarded(FILE *stream, Guard *guard, int buffering)
{
    const cookie_io_functions_t functions = {.write = write_shown};
    FILE *opened = isatty(guard->file) == 1 ? fopencookie(guard, "w", functions) : NULL;

    if (opened == NULL) {
        return stream;
    }
    (void) setvbuf(opened, NULL, buffering, BUFSIZ);
    return opened;
}

void trace_terminal_guard(void)
{
    static Guard guards[] = {{.file = STDOUT_FILENO}, {.file = STDERR_FILENO}};

    stdout = guarded(stdout, &guards[0], _IOLBF);
    stderr = guarded(stderr, &guards[1], _IONBF);
}

void trace_terminal_erase_line(void)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&terminal);

    erase_line();
}

void trace_terminal_draw_line(const char *text)
{
    g_autoptr(GString) shown = show(text, strlen(text));
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&terminal);

    erase_line();
    (void) write_whole(STDERR_FILENO, shown->str, shown->len);
    atomic_store(&has_line, true);
}

bool trace_terminal_has_line(void)
{
    return atomic_load(&has_line);
}
