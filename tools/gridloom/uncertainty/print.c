/* A study for people. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/uncertainty/study.h"
#include "traces/file/quantity.h"
#include "traces/table/grid.h"

enum {
    KEYS_SHOWN = 12,
};

/* Formats metrics whose name ends in "seconds" as times, others as numbers. */
static char *number_text(const char *metric, double value)
{
    if (!isfinite(value)) {
        return g_strdup("-");
    }
    if (g_str_has_suffix(metric, "seconds") ||
        g_str_has_suffix(metric, "seconds_per_iteration")) {
        return quantity_seconds(value);
    }
    return g_strdup_printf("%.6g", value);
}

/* "-3.1 %" of `from`; "-" where that has no size. */
static char *change_text(double from, double value)
{
    return from == 0 || !isfinite(value)
               ? g_strdup("-")
               : g_strdup_printf("%+.2g %%", 100 * (value - from) / fabs(from));
}

static void print_intervals(const UncertaintyStudy *self)
{
    g_autoptr(Grid) grid = grid_with("WHAT|VALUE|[5 %, 95 %]||");
    guint still = 0;

    for (guint i = 0; i < self->numbers.numbers->len; i++) {
        const TraceTrialNumber *metric = trace_trials_number(&self->numbers, i);
        const TraceInterval interval = uncertainty_interval(self, i);
        g_autofree char *value = number_text(metric->name, metric->value);
        g_autofree char *low = number_text(metric->name, interval.low);
        g_autofree char *high = number_text(metric->name, interval.high);
        g_autofree char *less = change_text(metric->value, interval.low);
        g_autofree char *more = change_text(metric->value, interval.high);

        if (i > 0 && !metric->is_formula && interval.least == metric->value &&
            interval.most == metric->value) {
            still++;
            continue;
        }
        grid_printf(grid, "%s|%s|[%s, %s]|%s|%s", metric->name, value, low, high, less,
                    more);
    }
    grid_print(grid, stdout, 2);
    if (still > 0) {
        printf("  %u more %s the same in every sample\n", still,
               still == 1 ? "number is" : "numbers are");
    }
}

/* "9: 1.2 ms, 13: failed"; the caller frees it. Says whether one failed. */
static char *
ends_text(const UncertaintyStudy *self, const WlTrialKey *key, bool *has_failed)
{
    const TraceTrialNumber *metric = trace_trials_number(&self->numbers, 0);
    GString *text = g_string_new(NULL);

    *has_failed = false;
    for (guint i = 0; i < key->end_count; i++) {
        const guint trial = key->first_end + i;
        const bool is_failed = g_ptr_array_index(self->numbers.failures, trial) != NULL;
        g_autofree char *change = change_text(metric->value, metric->trials[trial]);

        *has_failed = *has_failed || is_failed;
        g_string_append_printf(text, "%s%s: %s", text->len > 0 ? ", " : "",
                               arch_range_end(key->range, i),
                               is_failed ? "failed" : change);
    }
    return g_string_free(text, FALSE);
}

static void print_keys(const UncertaintyStudy *self)
{
    if (wl_trials_count(self->trials) == wl_trials_sample_count(self->trials)) {
        return;
    }
    g_autoptr(GArray) influences = uncertainty_influences(self);
    g_autoptr(Grid) grid =
        grid_with("KEY|VALUE|RANGE|SECONDS AT ITS ENDS|SPREAD|RANK CORRELATION");
    guint moving = 0;

    for (guint i = 0; i < influences->len; i++) {
        const TraceInfluence *influence = &g_array_index(influences, TraceInfluence, i);
        const WlTrialKey *key = wl_trials_key(self->trials, influence->key);
        bool has_failed = false;
        g_autofree char *ends = ends_text(self, key, &has_failed);
        g_autofree char *spread = quantity_seconds(influence->most - influence->least);

        if (influence->most == influence->least && !has_failed) {
            continue;
        }
        if (moving++ < KEYS_SHOWN) {
            grid_printf(grid, "%s|%s|%s|%s|%s|%+.2f", key->path, key->value,
                        arch_range_text(key->range), ends, spread,
                        influence->correlation);
        }
    }
    if (moving > 0) {
        printf("\n");
        grid_print(grid, stdout, 2);
    }
    printf("  %u of %u keys move the time alone%s\n", moving, influences->len,
           moving > KEYS_SHOWN ? "; the first are shown" : "");
}

static void print_failures(const UncertaintyStudy *self)
{
    const guint samples = wl_trials_sample_count(self->trials);
    const char *why;
    const char *why_end;
    const guint failed = uncertainty_study_failed(self, &why);
    const guint all = wl_trials_count(self->trials);
    const guint ends = trace_trials_failed(&self->numbers, samples, all, &why_end);

    if (failed > 0) {
        printf("  %u of %u samples failed and are in no number here, the first with: "
               "%s\n",
               failed, samples, why);
    }
    if (ends > 0) {
        printf("  %u of %u runs at ends failed, the first with: %s\n", ends,
               all - samples, why_end);
    }
}

void uncertainty_print(const UncertaintyStudy *self)
{
    if (self == NULL) {
        return;
    }
    printf("\nuncertainty: %u samples of %u ranges of the chip file%s\n",
           wl_trials_sample_count(self->trials), wl_trials_key_count(self->trials),
           self->is_timing_only ? ", timing only" : "");
    print_intervals(self);
    print_keys(self);
    print_failures(self);
}
