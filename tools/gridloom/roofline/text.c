/* Rooflines for people and programs to read. */
#include "tools/gridloom/roofline/text.h"

#include <math.h>
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "traces/file/quantity.h"
#include "workloads/outcome.h"

static const char *const units[] = {
    [TRACE_ROOFLINE_SECOND] = "FLOP/s",
    [TRACE_ROOFLINE_WATT] = "FLOP/s/W",
    [TRACE_ROOFLINE_CYCLE] = "FLOP/cycle",
};

static void print_bounds(const TraceRooflineSet *set)
{
    static const char *const heads[] = {"",        "run",     "rate",
                                        "allowed", "reached", "bound by"};
    g_autoptr(Grid) grid = grid_new(G_N_ELEMENTS(heads));

    grid_add(grid, heads);
    for (guint i = 0; i < trace_roofline_set_run_count(set); i++) {
        const TraceRooflineRun *run = trace_roofline_set_run(set, i);
        const TraceRooflineRoof *bound = trace_roofline_run_bound(run);
        g_autofree char *letter = trace_roofline_set_letter(set, i);
        g_autofree char *name = trace_roofline_set_name(set, i);
        g_autofree char *rate = trace_roofline_set_words(
            set, trace_roofline_set_done(set, run, run->rate), true);
        g_autofree char *allowed =
            bound != NULL ? trace_roofline_set_words(
                                set,
                                trace_roofline_set_done(
                                    set, run, trace_roofline_run_attainable(run)),
                                true)
                          : g_strdup("-");
        g_autofree char *reached =
            bound != NULL ? quantity_percent(trace_roofline_roof_percent(bound))
                          : g_strdup("-");
        const char *const texts[] = {
            letter,  name,    run->rate > 0 ? rate : "-",
            allowed, reached, bound != NULL ? bound->name : "no roof is known"};

        grid_add(grid, texts);
    }
    grid_print(grid, stdout, 0);
}

static void add_memory(Grid *grid,
                       const TraceRooflineSet *set,
                       guint index,
                       const TraceRooflineRoof *roof)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    const TraceRoofline line = {.peak = trace_roofline_run_peak(run),
                                .bandwidth = roof->value};
    g_autofree char *letter = trace_roofline_set_letter(set, index);
    g_autofree char *intensity =
        g_strdup_printf("%.4g", trace_roofline_run_intensity(run, roof));
    g_autofree char *moved = trace_roofline_set_words(
        set, trace_roofline_set_done(set, run, roof->achieved), false);
    g_autofree char *allowed =
        trace_roofline_set_words(set, trace_roofline_set_roof(set, run, roof), false);
    g_autofree char *part = quantity_percent(trace_roofline_roof_percent(roof));
    g_autofree char *ridge = line.peak > 0
                                 ? g_strdup_printf("%.4g", trace_roofline_ridge(&line))
                                 : g_strdup("-");
    const char *const texts[] = {letter, roof->name, intensity, ridge,
                                 moved,  allowed,    part};

    grid_add(grid, texts);
}

static void print_memories(const TraceRooflineSet *set)
{
    static const char *const heads[] = {"",      "memory", "FLOP/B", "ridge",
                                        "moved", "roof",   "of it"};
    g_autoptr(Grid) grid = grid_new(G_N_ELEMENTS(heads));

    grid_add(grid, heads);
    for (guint i = 0; i < trace_roofline_set_run_count(set); i++) {
        const TraceRooflineRun *run = trace_roofline_set_run(set, i);

        for (guint k = 0; k < run->roofs->len; k++) {
            const TraceRooflineRoof *roof = trace_roofline_run_roof(run, k);

            if (trace_roofline_set_has_point(set, run, roof)) {
                add_memory(grid, set, i, roof);
            }
        }
    }
    grid_print(grid, stdout, 0);
}

void cmd_roofline_text_print(const TraceRooflineSet *set)
{
    print_bounds(set);
    printf("\n");
    print_memories(set);
    for (guint i = 0; i < set->notes->len; i++) {
        printf("%s%s\n", i == 0 ? "\n" : "", (char *) g_ptr_array_index(set->notes, i));
    }
}

static void add_text(GPtrArray *fields, const char *text)
{
    g_ptr_array_add(fields, g_strdup(text));
}

/* Empty where it is none. */
static void add_number(GPtrArray *fields, double value)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    add_text(fields, isfinite(value)
                         ? g_ascii_formatd(digits, sizeof digits, "%.10g", value)
                         : "");
}

static GPtrArray *
csv_row(const TraceRooflineSet *set, guint index, const TraceRooflineRoof *roof)
{
    GPtrArray *fields = g_ptr_array_new_with_free_func(g_free);
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    const TraceRooflineRoof *bound = trace_roofline_run_bound(run);
    const TraceRun *file =
        index < set->files->len ? g_ptr_array_index(set->files, index) : NULL;
    const TraceRooflineRoof top = {.value = trace_roofline_run_peak(run)};
    const TraceRoofline line = {.peak = trace_roofline_set_roof(set, run, &top),
                                .bandwidth = trace_roofline_set_roof(set, run, roof)};
    const double intensity = trace_roofline_run_intensity(run, roof);
    g_autofree char *letter = trace_roofline_set_letter(set, index);

    add_text(fields, letter);
    add_text(fields, file != NULL ? file->name : "");
    add_text(fields, run->workload);
    add_text(fields, run->chip);
    add_text(fields, trace_roofline_origin_name(run->origin));
    add_text(fields, roof->name);
    add_text(fields, trace_roofline_level_name(trace_roofline_level_of(roof->name)));
    add_text(fields, units[set->scale]);
    add_number(fields, intensity);
    add_number(fields, trace_roofline_set_done(set, run, run->rate));
    add_number(fields, trace_roofline_set_done(set, run, roof->achieved));
    add_number(fields, trace_roofline_set_roof(set, run, roof));
    add_number(fields, trace_roofline_roof_percent(roof));
    add_number(fields, line.peak > 0 ? line.peak : NAN);
    add_number(fields,
               line.peak > 0 ? trace_roofline_attainable(&line, intensity) : NAN);
    add_text(fields, bound->name);
    add_number(fields,
               trace_roofline_set_done(set, run, trace_roofline_run_attainable(run)));
    add_number(fields, trace_roofline_roof_percent(bound));
    add_number(fields, run->watts > 0 ? run->watts : NAN);
    add_text(fields, run->watts_from);
    return fields;
}

char *cmd_roofline_text_to_csv(const TraceRooflineSet *set)
{
    static const char *const heads[] = {
        "letter", "run",        "workload",      "chip",      "origin",
        "memory", "level",      "unit",          "intensity", "rate",
        "moved",  "bandwidth",  "percent",       "peak",      "attainable_here",
        "bound",  "attainable", "bound_percent", "watts",     "watts_from",
    };
    g_autoptr(GPtrArray) columns = g_ptr_array_new();
    g_autoptr(GPtrArray) rows =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    const WlTable table = {.columns = columns, .rows = rows};

    for (gsize i = 0; i < G_N_ELEMENTS(heads); i++) {
        g_ptr_array_add(columns, (gpointer) heads[i]);
    }
    for (guint i = 0; i < trace_roofline_set_run_count(set); i++) {
        const TraceRooflineRun *run = trace_roofline_set_run(set, i);

        for (guint k = 0; k < run->roofs->len; k++) {
            const TraceRooflineRoof *roof = trace_roofline_run_roof(run, k);

            if (trace_roofline_set_has_point(set, run, roof)) {
                g_ptr_array_add(rows, csv_row(set, i, roof));
            }
        }
    }
    return wl_table_to_csv(&table);
}

static JsonObject *roof_json(const TraceRooflineSet *set,
                             const TraceRooflineRun *run,
                             const TraceRooflineRoof *roof)
{
    JsonObject *object = json_object_new();
    const bool is_used = trace_roofline_run_uses(run, roof);

    json_object_set_string_member(object, "name", roof->name);
    json_object_set_string_member(object, "source", roof->source);
    json_object_set_string_member(
        object, "level",
        roof->is_peak ? "compute"
                      : trace_roofline_level_name(trace_roofline_level_of(roof->name)));
    json_object_set_boolean_member(object, "is_peak", roof->is_peak);
    json_object_set_double_member(object, "value",
                                  trace_roofline_set_roof(set, run, roof));
    json_object_set_double_member(object, "achieved",
                                  trace_roofline_set_done(set, run, roof->achieved));
    json_object_set_double_member(object, "percent", trace_roofline_roof_percent(roof));
    json_object_set_double_member(
        object, "intensity", is_used ? trace_roofline_run_intensity(run, roof) : NAN);
    return object;
}

static void
set_bound(JsonObject *object, const TraceRooflineSet *set, const TraceRooflineRun *run)
{
    const TraceRooflineRoof *bound = trace_roofline_run_bound(run);

    if (bound == NULL) {
        return;
    }
    json_object_set_string_member(object, "bound", bound->name);
    json_object_set_string_member(object, "bound_kind",
                                  bound->is_peak ? "compute" : "memory");
    json_object_set_double_member(
        object, "attainable",
        trace_roofline_set_done(set, run, trace_roofline_run_attainable(run)));
    json_object_set_double_member(object, "percent",
                                  trace_roofline_roof_percent(bound));
}

static JsonObject *machine_json(const TraceRooflineSet *set, guint index)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    JsonObject *object = json_object_new();
    JsonArray *roofs = json_array_new();
    g_autofree char *letter = trace_roofline_set_letter(set, index);
    g_autofree char *detail = trace_roofline_set_detail(set, index);

    if (index < set->files->len) {
        json_object_set_int_member(object, "run", index);
    } else {
        json_object_set_null_member(object, "run");
    }
    json_object_set_string_member(object, "letter", letter);
    json_object_set_string_member(object, "detail", detail);
    if (run->key != NULL) {
        json_object_set_string_member(object, "key", run->key);
    }
    json_object_set_string_member(object, "workload", run->workload);
    json_object_set_string_member(object, "chip", run->chip);
    json_object_set_string_member(object, "origin",
                                  trace_roofline_origin_name(run->origin));
    json_object_set_double_member(object, "rate",
                                  trace_roofline_set_done(set, run, run->rate));
    json_object_set_boolean_member(object, "is_quoted", run->is_quoted);
    set_bound(object, set, run);
    json_object_set_double_member(object, "watts", run->watts > 0 ? run->watts : NAN);
    json_object_set_string_member(object, "watts_from", run->watts_from);
    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(run, i);

        if (trace_roofline_set_shows(set, roof)) {
            json_array_add_object_element(roofs, roof_json(set, run, roof));
        }
    }
    json_object_set_array_member(object, "roofs", roofs);
    return object;
}

JsonObject *cmd_roofline_text_to_json(const TraceRooflineSet *set)
{
    JsonObject *object = json_object_new();
    JsonArray *machines = json_array_new();
    JsonArray *notes = json_array_new();

    json_object_set_string_member(object, "unit", units[set->scale]);
    for (guint i = 0; i < trace_roofline_set_count(set); i++) {
        json_array_add_object_element(machines, machine_json(set, i));
    }
    for (guint i = 0; i < set->notes->len; i++) {
        json_array_add_string_element(notes, g_ptr_array_index(set->notes, i));
    }
    json_object_set_array_member(object, "machines", machines);
    json_object_set_array_member(object, "notes", notes);
    return object;
}
