/* Rooflines for people and programs to read. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/roofline/set.h"
#include "traces/file/json_member.h"
#include "traces/file/quantity.h"
#include "traces/result/limit.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"

static const char *const units[] = {
    [TRACE_ROOFLINE_SECOND] = "FLOP/s",
    [TRACE_ROOFLINE_WATT] = "FLOP/s/W",
    [TRACE_ROOFLINE_CYCLE] = "FLOP/cycle",
};

static double known(double value)
{
    return value > 0 ? value : NAN;
}

static const char *level_of(const TraceRooflineRoof *roof)
{
    return trace_roofline_level_name(trace_roofline_level_of(roof->name));
}

/* The rate that a memory allows at an intensity; NaN if no peak is known. */
static double attainable(TraceRoofline line, double intensity)
{
    return line.peak > 0 ? trace_roofline_attainable(&line, intensity) : NAN;
}

/* A run below one of its roofs of bytes. */
static void add_csv(const TraceRooflineSet *set,
                    guint index,
                    const TraceRooflineRoof *roof,
                    gpointer csv)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    const TraceRooflineRoof *bound = trace_roofline_run_bound(run);
    const TraceRun *file =
        index < set->files->len ? g_ptr_array_index(set->files, index) : NULL;
    const TraceRooflineRoof top = {.value = trace_roofline_run_peak(run)};
    const double peak = trace_roofline_set_roof(set, run, &top);
    const double width = trace_roofline_set_roof(set, run, roof);
    const double intensity = trace_roofline_run_intensity(run, roof);
    const double most = trace_roofline_run_attainable(run);
    g_autofree char *letter = trace_roofline_set_letter(set, index);

    trace_csv_printf(csv, "%s|%s|%s|%s|%s|%s|%s|%s", letter,
                     file != NULL ? file->name : "", run->workload, run->chip,
                     trace_roofline_origin_name(run->origin), roof->name,
                     level_of(roof), units[set->scale]);
    trace_csv_printf(csv, "%.10g|%.10g|%.10g|%.10g|%.10g|%.10g|%.10g", intensity,
                     trace_roofline_set_done(set, run, run->rate),
                     trace_roofline_set_done(set, run, roof->achieved), width,
                     trace_roofline_roof_percent(roof), known(peak),
                     attainable((TraceRoofline){peak, width}, intensity));
    JsonObject *part = file != NULL ? trace_json_object(file->result, "part") : NULL;

    trace_csv_printf(
        csv, "%s|%.10g|%.10g|%.10g|%s|%.15g|%.15g|%s|\n", bound->name,
        trace_roofline_set_done(set, run, most), trace_roofline_roof_percent(bound),
        known(run->watts), run->watts_from, trace_json_number(part, "from", NAN),
        trace_json_number(part, "to", NAN), trace_json_string(part, "zone", ""));
}

/* The same for people. */
static void add_line(const TraceRooflineSet *set,
                     guint index,
                     const TraceRooflineRoof *roof,
                     gpointer grid)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    const TraceRoofline line = {.peak = trace_roofline_run_peak(run),
                                .bandwidth = roof->value};
    g_autofree char *letter = trace_roofline_set_letter(set, index);
    g_autofree char *moved = trace_roofline_set_words(
        set, trace_roofline_set_done(set, run, roof->achieved), false);
    g_autofree char *allowed =
        trace_roofline_set_words(set, trace_roofline_set_roof(set, run, roof), false);
    g_autofree char *part = run->origin == TRACE_ROOFLINE_BOUND
                                ? g_strdup("bound")
                                : quantity_percent(trace_roofline_roof_percent(roof));

    grid_printf(grid, "%s|%s|%.4g|%.4g|%s|%s|%s", letter, roof->name,
                trace_roofline_run_intensity(run, roof),
                line.peak > 0 ? trace_roofline_ridge(&line) : NAN, moved, allowed,
                part);
}

static void add_points(const TraceRooflineSet *set,
                       void (*add)(const TraceRooflineSet *set,
                                   guint index,
                                   const TraceRooflineRoof *roof,
                                   gpointer to),
                       gpointer to)
{
    for (guint i = 0; i < trace_roofline_set_run_count(set); i++) {
        const TraceRooflineRun *run = trace_roofline_set_run(set, i);

        for (guint k = 0; k < run->roofs->len; k++) {
            const TraceRooflineRoof *roof = trace_roofline_run_roof(run, k);

            if (trace_roofline_set_has_point(set, run, roof)) {
                add(set, i, roof, to);
            }
        }
    }
}

char *cmd_roofline_text_to_csv(const TraceRooflineSet *set)
{
    GString *csv =
        g_string_new("letter,run,workload,chip,origin,memory,level,unit,intensity,rate,"
                     "moved,bandwidth,percent,peak,attainable_here,bound,attainable,"
                     "bound_percent,watts,watts_from,from,to,zone,iteration\n");

    add_points(set, add_csv, csv);
    cmd_roofline_path_add_csv(set, csv);
    return g_string_free(csv, FALSE);
}

static void print_bounds(const TraceRooflineSet *set)
{
    g_autoptr(Grid) grid = grid_with("|run|rate|allowed|reached|nearest roof");

    for (guint i = 0; i < trace_roofline_set_run_count(set); i++) {
        const TraceRooflineRun *run = trace_roofline_set_run(set, i);
        const TraceRooflineRoof *bound = trace_roofline_run_bound(run);
        const double most = trace_roofline_run_attainable(run);
        g_autofree char *letter = trace_roofline_set_letter(set, i);
        g_autofree char *name = trace_roofline_set_name(set, i);
        g_autofree char *rate = trace_roofline_set_words(
            set, trace_roofline_set_done(set, run, run->rate), true);
        g_autofree char *allowed = trace_roofline_set_words(
            set, trace_roofline_set_done(set, run, most), true);
        /* A bound is not a rate that something reached. */
        const bool is_run = run->origin != TRACE_ROOFLINE_BOUND;
        g_autofree char *reached =
            bound != NULL ? quantity_percent(trace_roofline_roof_percent(bound)) : NULL;

        grid_add(grid,
                 (const char *[]){letter, name, is_run && run->rate > 0 ? rate : "-",
                                  bound != NULL ? allowed : "-",
                                  is_run && bound != NULL ? reached : "-",
                                  bound != NULL ? bound->name : "no roof is known"});
    }
    grid_print(grid, stdout, 0);
}

void cmd_roofline_text_print(const TraceRooflineSet *set)
{
    g_autoptr(Grid) points = grid_with("|memory|FLOP/B|ridge|moved|roof|of it");

    print_bounds(set);
    printf("\n");
    add_points(set, add_line, points);
    grid_print(points, stdout, 0);
    cmd_roofline_path_print(set);
    for (guint i = 0; i < set->notes->len; i++) {
        printf("%s%s\n", i == 0 ? "\n" : "", (char *) g_ptr_array_index(set->notes, i));
    }
}

static JsonObject *roof_json(const TraceRooflineSet *set,
                             const TraceRooflineRun *run,
                             const TraceRooflineRoof *roof)
{
    const bool is_used = trace_roofline_run_uses(run, roof);

    return RECORD(
        VALUE("name", roof->name), VALUE("source", roof->source),
        VALUE("level", roof->is_peak ? "compute" : level_of(roof)),
        VALUE("is_peak", roof->is_peak),
        VALUE("matters", trace_roofline_set_matters(set, run, roof)),
        VALUE("value", trace_roofline_set_roof(set, run, roof)),
        VALUE("achieved", trace_roofline_set_done(set, run, roof->achieved)),
        VALUE("percent", trace_roofline_roof_percent(roof)),
        VALUE("intensity", is_used ? trace_roofline_run_intensity(run, roof) : NAN));
}

static const char *kind_of(const TraceRooflineRoof *bound)
{
    return bound->is_peak ? "compute" : "memory";
}

static JsonObject *machine_json(const TraceRooflineSet *set, guint index)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    const TraceRooflineRoof *bound = trace_roofline_run_bound(run);
    const double most = trace_roofline_run_attainable(run);
    g_autofree char *letter = trace_roofline_set_letter(set, index);
    g_autofree char *detail = trace_roofline_set_detail(set, index);
    JsonArray *roofs = json_array_new();
    JsonObject *object =
        RECORD(index < set->files->len ? record_count("run", index)
                                       : record_value_object("run", NULL),
               VALUE("letter", letter), VALUE("detail", detail));

    if (run->key != NULL) {
        RECORD_ADD(object, VALUE("key", run->key));
    }
    RECORD_ADD(object, VALUE("workload", run->workload), VALUE("chip", run->chip),
               VALUE("origin", trace_roofline_origin_name(run->origin)),
               VALUE("rate", trace_roofline_set_done(set, run, run->rate)),
               VALUE("is_quoted", run->is_quoted));
    if (bound != NULL) {
        RECORD_ADD(object, VALUE("bound", bound->name),
                   VALUE("bound_kind", kind_of(bound)),
                   VALUE("attainable", trace_roofline_set_done(set, run, most)),
                   VALUE("percent", trace_roofline_roof_percent(bound)));
    }
    if (bound != NULL && index < set->files->len) {
        const TraceRun *file = g_ptr_array_index(set->files, index);
        const TraceRoofUse nearest = {bound->name, trace_roofline_roof_percent(bound)};
        g_autofree char *limit = trace_limit_text(file->result, &nearest);

        RECORD_ADD(object, VALUE("limit", limit));
    }
    if (index < set->files->len) {
        const TraceRun *file = g_ptr_array_index(set->files, index);
        JsonObject *part = trace_json_object(file->result, "part");
        JsonArray *path = trace_json_array(file->result, "path");

        if (part != NULL) {
            RECORD_ADD(object, VALUE("part", json_object_ref(part)));
        }
        if (path != NULL) {
            RECORD_ADD(object, VALUE("path", json_array_ref(path)));
        }
    }
    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(run, i);

        if (trace_roofline_set_shows(set, roof)) {
            json_array_add_object_element(roofs, roof_json(set, run, roof));
        }
    }
    RECORD_ADD(object, VALUE("watts", known(run->watts)),
               VALUE("watts_from", run->watts_from), VALUE("roofs", roofs));
    return object;
}

JsonObject *cmd_roofline_text_to_json(const TraceRooflineSet *set)
{
    JsonArray *machines = json_array_new();

    for (guint i = 0; i < trace_roofline_set_count(set); i++) {
        json_array_add_object_element(machines, machine_json(set, i));
    }
    return RECORD(VALUE("unit", units[set->scale]),
                  VALUE("all_roofs", set->is_every_roof), VALUE("machines", machines),
                  VALUE("notes", record_texts((const char *const *) set->notes->pdata,
                                              set->notes->len)));
}

/* "ramps into PEs" is ramps_into_pes; the caller frees it. */
static char *word_of(const char *name)
{
    char *word = g_ascii_strdown(name, -1);

    return g_strcanon(word, "abcdefghijklmnopqrstuvwxyz0123456789", '_');
}

static JsonObject *figure_roofs(const TraceRooflineRun *run)
{
    const double peak = trace_roofline_run_peak(run);
    JsonObject *roofs = json_object_new();

    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(run, i);
        const double at = trace_roofline_run_intensity(run, roof);
        g_autofree char *word = word_of(roof->name);
        JsonObject *own = RECORD(VALUE("value", roof->value));

        if (trace_roofline_run_uses(run, roof)) {
            RECORD_ADD(own, VALUE("intensity", at),
                       VALUE("attainable",
                             attainable((TraceRoofline){peak, roof->value}, at)));
        }
        json_object_set_object_member(roofs, word, own);
    }
    return roofs;
}

void cmd_roofline_text_add_figure(const TraceRooflineSet *set, JsonObject *metrics)
{
    for (guint i = 0; i < trace_roofline_set_count(set); i++) {
        const TraceRooflineRun *run = trace_roofline_set_run(set, i);
        const TraceRooflineRoof *bound = trace_roofline_run_bound(run);

        if (run->key == NULL) {
            continue;
        }
        JsonObject *object = RECORD(
            VALUE("rate", run->rate), VALUE("peak", trace_roofline_run_peak(run)),
            VALUE("attainable", trace_roofline_run_attainable(run)));

        if (bound != NULL) {
            RECORD_ADD(object, VALUE("bound", bound->name),
                       VALUE("bound_kind", kind_of(bound)),
                       VALUE("percent", trace_roofline_roof_percent(bound)));
        }
        RECORD_ADD(object, VALUE("roofs", figure_roofs(run)));
        json_object_set_object_member(metrics, run->key, object);
    }
}
