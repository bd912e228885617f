/* The paths of runs through their rooflines, iteration by iteration. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/roofline/set.h"
#include "traces/file/json_member.h"
#include "traces/file/quantity.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"

enum {
    LINES = 24, /* more steps are printed in part */
};

/* The steps of a run; NULL: none. */
static JsonArray *path_of(const TraceRooflineSet *set, guint index)
{
    const TraceRun *file =
        index < set->files->len ? g_ptr_array_index(set->files, index) : NULL;

    return file != NULL ? trace_json_array(file->result, "path") : NULL;
}

/* "3", or "5-8" of several that are joined; the caller frees it. */
static char *number_of(JsonObject *step)
{
    const double first = trace_json_number(step, "iteration", 0);
    const double last = trace_json_number(step, "last", 0);

    return first < last ? g_strdup_printf("%.0f-%.0f", first, last)
                        : g_strdup_printf("%.0f", first);
}

/* The roof that the step came nearest to; NULL: none. */
static const TraceRooflineRoof *nearest(const TraceRooflineRun *run, JsonObject *step)
{
    JsonObject *achieved = trace_json_object(step, "achieved");
    const TraceRooflineRoof *found = NULL;
    double most = 0;

    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(run, i);
        const double use = trace_json_number(achieved, roof->name, 0) / roof->value;

        if (use > most) {
            most = use;
            found = roof;
        }
    }
    return found;
}

static void
add_step(const TraceRooflineSet *set, guint index, JsonObject *step, Grid *grid)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    const TraceRooflineRoof *roof = nearest(run, step);
    const double rate = trace_json_number(step, "rate", NAN);
    const double moved =
        roof != NULL
            ? trace_json_number(trace_json_object(step, "achieved"), roof->name, NAN)
            : NAN;
    g_autofree char *letter = trace_roofline_set_letter(set, index);
    g_autofree char *number = number_of(step);
    g_autofree char *words =
        trace_roofline_set_words(set, trace_roofline_set_done(set, run, rate), true);
    g_autofree char *part =
        quantity_percent(roof != NULL ? 100 * moved / roof->value : NAN);

    grid_printf(grid, "%s|%s|%.0f:%.0f|%s|%s|%s|%.4g", letter, number,
                trace_json_number(step, "from", 0), trace_json_number(step, "to", 0),
                words, part, roof != NULL ? roof->name : "-",
                roof != NULL && !roof->is_peak ? rate / moved : NAN);
}

void cmd_roofline_path_print(const TraceRooflineSet *set)
{
    g_autoptr(Grid) grid =
        grid_with("|iteration|cycles|rate|reached|nearest roof|FLOP/B");
    guint left_out = 0;
    bool is_any = false;

    for (guint i = 0; i < trace_roofline_set_run_count(set); i++) {
        JsonArray *path = path_of(set, i);
        const guint count = trace_json_count(path);
        const guint each = (count + LINES - 1) / LINES;

        for (guint k = 0; k < count; k++) {
            if (k % each == 0 || k + 1 == count) {
                add_step(set, i, trace_json_item(path, k), grid);
                is_any = true;
            } else {
                left_out++;
            }
        }
    }
    if (is_any) {
        printf("\n");
        grid_print(grid, stdout, 0);
    }
    if (left_out > 0) {
        printf("%u more steps are in --json and -o FILE.csv\n", left_out);
    }
}

static void
add_rows(const TraceRooflineSet *set, guint index, JsonObject *step, GString *csv)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    const TraceRun *file = g_ptr_array_index(set->files, index);
    const double rate = trace_json_number(step, "rate", NAN);
    g_autofree char *letter = trace_roofline_set_letter(set, index);
    g_autofree char *number = number_of(step);

    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(run, i);
        const double moved =
            trace_json_number(trace_json_object(step, "achieved"), roof->name, 0);

        if (roof->is_peak || !(moved > 0) || !trace_roofline_set_shows(set, roof)) {
            continue;
        }
        trace_csv_printf(csv, "%s|%s|%s|%s|%s|%s|%s|%s", letter, file->name,
                         run->workload, run->chip,
                         trace_roofline_origin_name(run->origin), roof->name,
                         trace_roofline_level_name(trace_roofline_level_of(roof->name)),
                         set->scale == TRACE_ROOFLINE_WATT ? "FLOP/s/W" : "FLOP/s");
        trace_csv_printf(csv, "%.10g|%.10g|%.10g|%.10g|%.10g|||||||", rate / moved,
                         trace_roofline_set_done(set, run, rate),
                         trace_roofline_set_done(set, run, moved),
                         trace_roofline_set_roof(set, run, roof),
                         100 * moved / roof->value);
        trace_csv_printf(csv, "%.15g|%.15g||%s\n", trace_json_number(step, "from", 0),
                         trace_json_number(step, "to", 0), number);
    }
}

void cmd_roofline_path_add_csv(const TraceRooflineSet *set, GString *csv)
{
    for (guint i = 0; i < trace_roofline_set_run_count(set); i++) {
        JsonArray *path = path_of(set, i);

        for (guint k = 0; k < trace_json_count(path); k++) {
            add_rows(set, i, trace_json_item(path, k), csv);
        }
    }
}
