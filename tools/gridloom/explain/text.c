/* Prints an explanation in a few lines. */
#include <math.h>

#include "tools/gridloom/explain/study.h"
#include "traces/file/quantity.h"
#include "traces/table/grid.h"

enum {
    KEYS_SHOWN = 2, /* of those that a run was without */
};

/* "noc.hop_cycles=1 niu.inject_cycles=0 and 7 more"; the caller frees it. */
static char *shorten(const char *keys)
{
    g_auto(GStrv) all = g_strsplit_set(keys, " ,", -1);
    const guint count = g_strv_length(all);
    g_autofree char *first = NULL;

    if (count <= KEYS_SHOWN) {
        return g_strdup(keys);
    }
    first = g_strjoin(" ", all[0], all[1], NULL);
    return g_strdup_printf("%s and %u more", first, count - KEYS_SHOWN);
}

/* What a run without the part gave: "-12.3 %"; the caller frees it. */
static char *gain_text(const ExplainPart *part, SimTime cycles)
{
    if (part->failure != NULL) {
        return g_strdup("failed");
    }
    if (isnan(part->gain)) {
        return g_strdup("-");
    }
    return g_strdup_printf("%.0f (%.1f %%)", 0 - part->gain,
                           0 - 100 * part->gain / (double) cycles);
}

static double percent(SimTime part, SimTime whole)
{
    return whole == 0 ? 0 : 100 * (double) part / (double) whole;
}

static void print_parts(const ExplainStudy *study, FILE *stream)
{
    const ExplainParts *parts = study->parts;
    g_autoptr(Grid) grid =
        grid_with("part|cycles|%|steps|mostly|on|at|run again without|with");

    for (guint i = 0; i < parts->parts->len; i++) {
        const ExplainPart *part = explain_part_at(parts, i);
        g_autofree char *gain = gain_text(part, parts->cycles);
        g_autofree char *keys = part->without == NULL ? NULL : shorten(part->without);

        grid_printf(grid, "%s|%" G_GUINT64_FORMAT "|%.1f|%u|%s|%s|%s|%s|%s",
                    explain_words(part->kind), part->cycles,
                    percent(part->cycles, parts->cycles), part->steps, part->name,
                    part->lane, part->where, gain, keys);
    }
    grid_print(grid, stream, 2);
}

static SimTime work_of(const ExplainParts *parts)
{
    SimTime sum = 0;

    for (guint i = 0; i < parts->parts->len; i++) {
        const ExplainPart *part = explain_part_at(parts, i);

        sum += explain_is_work(part->kind) ? part->cycles : 0;
    }
    return sum;
}

static void print_head(const ExplainStudy *study, FILE *stream)
{
    const ExplainParts *parts = study->parts;
    const double clock = study->run->timeline->clock_hz;
    g_autofree char *title = trace_run_title(study->run);
    g_autofree char *cycles = quantity_count(parts->cycles);
    g_autofree char *time = quantity_seconds((double) parts->cycles / clock);

    (void) fprintf(stream, "%s: %s cycles, %s\n", title, cycles, time);
    (void) fprintf(
        stream,
        "  critical path  %u steps through %u lanes of %u cores or PEs, work for "
        "%.1f %% of the time\n",
        parts->steps, parts->lanes, parts->places,
        percent(work_of(parts), parts->cycles));
    if (parts->busiest != NULL) {
        g_autofree char *above = quantity_count(parts->imbalance);

        (void) fprintf(stream,
                       "  imbalance      %s is busy for %s cycles (%.1f %%) more than "
                       "the mean\n",
                       parts->busiest, above, percent(parts->imbalance, parts->cycles));
    }
}

static void print_trials(const ExplainStudy *study, FILE *stream)
{
    if (study->note != NULL) {
        (void) fprintf(stream, "  %s\n", study->note);
    }
    for (guint i = 0; study->trials != NULL && i < MIN(study->trials->len, 8); i++) {
        const ExplainTrial *trial = &g_array_index(study->trials, ExplainTrial, i);
        const double gain = (double) study->parts->cycles - trial->cycles;

        if (trial->failure != NULL) {
            (void) fprintf(stream, "  with %s: failed: %s\n", trial->keys,
                           trial->failure);
        } else {
            (void) fprintf(stream, "  with %s: %.0f cycles, %+.1f %%\n", trial->keys,
                           trial->cycles, -100 * gain / (double) study->parts->cycles);
        }
    }
}

static void
add_change(Grid *grid, const char *part, gint64 before, gint64 after, const char *where)
{
    g_autofree char *first = g_strdup_printf("%" G_GINT64_FORMAT, before);
    g_autofree char *second = g_strdup_printf("%" G_GINT64_FORMAT, after);
    g_autofree char *change = g_strdup_printf("%+" G_GINT64_FORMAT, after - before);

    grid_printf(grid, "%s|%s|%s|%s|%s", part, first, second, change, where);
}

static void
print_changes(const ExplainStudy *before, const ExplainStudy *after, FILE *stream)
{
    g_autoptr(GArray) changes = explain_changes(before, after);
    g_autoptr(Grid) grid = grid_with("part|first|second|change|at");

    for (guint i = 0; i < changes->len; i++) {
        const ExplainChange *change = &g_array_index(changes, ExplainChange, i);

        add_change(grid, explain_words(change->kind), change->before, change->after,
                   change->where);
    }
    add_change(grid, "all", (gint64) before->parts->cycles,
               (gint64) after->parts->cycles, NULL);
    grid_print(grid, stream, 2);
}

void explain_text_print(const ExplainStudy *studies, guint count, FILE *stream)
{
    for (guint i = 0; i < count; i++) {
        print_head(&studies[i], stream);
    }
    if (count == 1) {
        print_parts(&studies[0], stream);
        print_trials(&studies[0], stream);
    } else {
        print_changes(&studies[0], &studies[1], stream);
    }
}
