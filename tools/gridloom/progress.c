/* The progress line: simulated time, rate, percent, time to go. */
#include "tools/gridloom/progress.h"

#include <math.h>
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
    gint64 start;
    gint64 drawn;
    GThread *ticker; /* NULL: nobody has begun a step */
    GMutex lock;     /* of what follows */
    GCond ended;
    bool is_over;
    char *step_text; /* "1 of 2, reading pcg.pftrace" */
    guint step;
    guint step_count;
    double share; /* of the step */
};

Progress *progress_new(const char *name, bool is_shown)
{
    Progress *self = g_new0(Progress, 1);

    self->name = g_strdup(name);
    self->is_wanted = is_shown;
    self->is_shown = is_shown && isatty(STDERR_FILENO) == 1;
    self->start = g_get_monotonic_time();
    self->drawn = self->start;
    g_mutex_init(&self->lock);
    g_cond_init(&self->ended);
    return self;
}

void progress_free(Progress *self)
{
    if (self == NULL) {
        return;
    }
    if (self->ticker != NULL) {
        g_mutex_lock(&self->lock);
        self->is_over = true;
        g_cond_signal(&self->ended);
        g_mutex_unlock(&self->lock);
        (void) g_thread_join(self->ticker);
    }
    if (trace_terminal_has_line()) {
        trace_terminal_erase_line();
    }
    g_mutex_clear(&self->lock);
    g_cond_clear(&self->ended);
    g_free(self->step_text);
    g_free(self->name);
    g_free(self);
}

/* ", 25 %, 1.2 s elapsed, ETA 3.6 s"; of an unknown fraction the time alone. */
static void append_times(GString *text, double fraction, double wall_seconds)
{
    g_autofree char *elapsed = quantity_seconds(wall_seconds);

    if (fraction >= 0) {
        g_string_append_printf(text, ", %.0f %%", floor(100 * fraction));
    }
    g_string_append_printf(text, ", %s elapsed", elapsed);
    if (fraction > 0) {
        g_autofree char *left =
            quantity_seconds(wall_seconds * (1 - fraction) / fraction);

        g_string_append_printf(text, ", ETA %s", left);
    }
}

char *progress_text(const char *name, const WlProgress *look, double wall_seconds)
{
    g_autofree char *cycles = quantity_count(look->cycles);
    g_autofree char *simulated = quantity_seconds(look->seconds);
    g_autofree char *rate =
        quantity_scaled(wall_seconds > 0 ? (double) look->events / wall_seconds : 0);
    GString *text = g_string_new(NULL);

    g_string_printf(text, "%s: cycle %s, %s simulated, %sevents/s", name, cycles,
                    simulated, rate);
    append_times(text, look->fraction, wall_seconds);
    return g_string_free(text, FALSE);
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

static void draw(Progress *self, const char *text)
{
    trace_terminal_draw_line(text);
    self->drawn = g_get_monotonic_time();
}

void progress_update(Progress *self, const WlProgress *look)
{
    if (is_due(self)) {
        g_autofree char *text = progress_text(self->name, look, wall_seconds_of(self));

        draw(self, text);
    }
}

/* The name, `text`, and the times; the caller frees it. */
static char *line_of(const Progress *self, const char *text, double fraction)
{
    GString *line = g_string_new(self->name);

    g_string_append_printf(line, ": %s", text);
    append_times(line, fraction, wall_seconds_of(self));
    return g_string_free(line, FALSE);
}

/* Draws the present step; the lock is held. */
static void draw_step(Progress *self)
{
    g_autofree char *line = line_of(
        self, self->step_text, (self->step - 1.0 + self->share) / self->step_count);

    draw(self, line);
}

static gpointer tick(gpointer data)
{
    Progress *self = data;

    g_mutex_lock(&self->lock);
    while (!self->is_over) {
        const gint64 next = g_get_monotonic_time() + REDRAW_MICROSECONDS;

        if (!g_cond_wait_until(&self->ended, &self->lock, next)) {
            draw_step(self);
        }
    }
    g_mutex_unlock(&self->lock);
    return NULL;
}

void progress_begin(Progress *self, guint step, guint step_count, const char *what)
{
    if (!self->is_shown) {
        return;
    }
    g_mutex_lock(&self->lock);
    g_free(self->step_text);
    self->step_text = g_strdup_printf("%u of %u, %s", step, step_count, what);
    self->step = step;
    self->step_count = step_count;
    self->share = 0;
    g_mutex_unlock(&self->lock);
    if (self->ticker == NULL) {
        self->ticker = g_thread_new("progress", tick, self);
    }
}

void progress_step(Progress *self, guint step, guint step_count, const char *what)
{
    progress_begin(self, step, step_count, what);
    if (self->is_shown) {
        g_mutex_lock(&self->lock);
        draw_step(self);
        g_mutex_unlock(&self->lock);
    }
}

void progress_share(gpointer progress, double share)
{
    Progress *self = progress;

    g_mutex_lock(&self->lock);
    self->share = share;
    g_mutex_unlock(&self->lock);
}

void progress_tell(Progress *self, const char *text, double fraction)
{
    const gint64 now = g_get_monotonic_time();
    const bool is_told =
        self->is_wanted && !self->is_shown && now - self->drawn >= RETELL_MICROSECONDS;

    if (!is_told && !is_due(self)) {
        return;
    }
    g_autofree char *line = line_of(self, text, fraction);

    if (is_told) {
        (void) fprintf(stderr, "%s\n", line);
        self->drawn = now;
    } else {
        draw(self, line);
    }
}

void progress_runs(Progress *self, guint done, guint count, guint failed)
{
    if (is_due(self)) {
        g_autofree char *text =
            g_strdup_printf("%u of %u runs, %u failed", done, count, failed);
        g_autofree char *line = line_of(self, text, (double) done / count);

        draw(self, line);
    }
}
