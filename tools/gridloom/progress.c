/* The progress line: simulated time, rate, percent, time to go. */
#include "tools/gridloom/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "tools/gridloom/quantity.h"

enum {
    REDRAW_MICROSECONDS = 200000,
};

struct Progress {
    char *name;
    bool is_shown;
    bool is_drawn;
    gint64 start;
    gint64 drawn;
};

Progress *progress_new(const char *name, bool is_shown)
{
    Progress *self = g_new0(Progress, 1);

    self->name = g_strdup(name);
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
        (void) fputs("\r\033[K", stderr);
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

void progress_update(Progress *self, double seconds, uint64_t events, double fraction)
{
    gint64 now;

    if (!self->is_shown) {
        return;
    }
    now = g_get_monotonic_time();
    if (now - self->drawn < REDRAW_MICROSECONDS) {
        return;
    }
    g_autofree char *text =
        progress_text(self->name, seconds, events, fraction,
                      (double) (now - self->start) / G_USEC_PER_SEC);

    (void) fprintf(stderr, "\r\033[K%s", text);
    (void) fflush(stderr);
    self->drawn = now;
    self->is_drawn = true;
}

void progress_step(Progress *self, guint step, guint step_count, const char *what)
{
    if (self->is_shown) {
        (void) fprintf(stderr, "\r\033[K%s: %u of %u, %s", self->name, step, step_count,
                       what);
        (void) fflush(stderr);
        self->is_drawn = true;
    }
}
