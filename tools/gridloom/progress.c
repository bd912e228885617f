/* The progress line: simulated time, rate, percent, time to go. */
#include "tools/gridloom/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "traces/file/quantity.h"
#include "traces/file/terminal.h"

enum {
    REDRAW_MICROSECONDS = 200000,
    RETELL_MICROSECONDS = 30000000,
};

struct Progress {
    char *name;
    bool is_wanted;
    bool is_shown; /* there is a terminal, too */
    bool is_drawn;
    gint64 start;
    gint64 drawn;
};

Progress *progress_new(const char *name, bool is_shown)
{
    Progress *self = g_new0(Progress, 1);

    self->name = g_strdup(name);
    self->is_wanted = is_shown;
    self->is_shown = is_shown && isatty(STDERR_FILENO) == 1;
    self->start = g_get_monotonic_time();
    self->drawn = self->start;
    return self;
}

void progress_free(Progress *self)
{
    if (self == NULL) {
        return;
    }
    if (self->is_drawn) {
        trace_terminal_erase_line();
    }
    g_free(self->name);
    g_free(self);
}

char *progress_text(const char *name,
                    double seconds,
                    uint64_t events,
                    double fraction,
                    double wall_seconds)
{
    g_autofree char *simulated = quantity_seconds(seconds);
    g_autofree char *rate =
        quantity_scaled(wall_seconds > 0 ? (double) events / wall_seconds : 0);
    GString *text = g_string_new(NULL);

    g_string_printf(text, "%s: %s simulated, %sevents/s", name, simulated, rate);
    if (fraction >= 0) {
        g_string_append_printf(text, ", %.0f %%", 100 * fraction);
    }
    if (fraction > 0) {
        g_autofree char *left =
            quantity_seconds(wall_seconds * (1 - fraction) / fraction);

        g_string_append_printf(text, ", ETA %s", left);
    }
    return g_string_free(text, FALSE);
}

/* Draws the line anew. */
static void draw(Progress *self, const char *text)
{
    trace_terminal_erase_line();
    (void) fputs(text, stderr);
    (void) fflush(stderr);
    self->drawn = g_get_monotonic_time();
    self->is_drawn = true;
}

/* Whether the line was drawn so long ago that it is time for another. */
static bool is_due(const Progress *self)
{
    return self->is_shown &&
           g_get_monotonic_time() - self->drawn >= REDRAW_MICROSECONDS;
}

static double wall_seconds_of(const Progress *self)
{
    return (double) (g_get_monotonic_time() - self->start) / G_USEC_PER_SEC;
}

void progress_update(Progress *self, double seconds, uint64_t events, double fraction)
{
    if (is_due(self)) {
        g_autofree char *text =
            progress_text(self->name, seconds, events, fraction, wall_seconds_of(self));

        draw(self, text);
    }
}

void progress_step(Progress *self, guint step, guint step_count, const char *what)
{
    if (self->is_shown) {
        g_autofree char *text =
            g_strdup_printf("%s: %u of %u, %s", self->name, step, step_count, what);

        draw(self, text);
    }
}

void progress_tell(Progress *self, const char *text)
{
    const gint64 now = g_get_monotonic_time();

    if (is_due(self)) {
        g_autofree char *line = g_strconcat(self->name, ": ", text, NULL);

        draw(self, line);
    } else if (self->is_wanted && !self->is_shown &&
               now - self->drawn >= RETELL_MICROSECONDS) {
        (void) fprintf(stderr, "%s: %s\n", self->name, text);
        self->drawn = now;
    }
}

void progress_runs(Progress *self, guint done, guint count, guint failed)
{
    if (is_due(self)) {
        g_autofree char *left =
            quantity_seconds(wall_seconds_of(self) * (count - done) / done);
        g_autofree char *text = g_strdup_printf("%s: %u of %u runs, %u failed, ETA %s",
                                                self->name, done, count, failed, left);

        draw(self, text);
    }
}
