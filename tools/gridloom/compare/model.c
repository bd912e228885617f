/* Formula against simulation, row by row. */
#include <stdio.h>

#include "arch/error.h"
#include "tools/gridloom/compare/result.h"
#include "tools/gridloom/watchdog.h"
#include "traces/file/json_member.h"
#include "traces/file/quantity.h"
#include "traces/table/grid.h"
#include "traces/table/record.h"
#include "workloads/chip_file.h"
#include "workloads/search.h"

enum {
    INDENT = 10,
};

/* The chip's numbers with what --set changes. */
static ArchParams *numbers_of(const CompareChip *chip, GError **error)
{
    g_autoptr(ArchParams) params = wl_chip_load_to_run(chip->given, error);

    for (guint i = 0; params != NULL && i < chip->overrides->len; i++) {
        if (!arch_params_override(params, g_ptr_array_index(chip->overrides, i),
                                  error)) {
            return NULL;
        }
    }
    return g_steal_pointer(&params);
}

/* Closed forms are of the scripts that come with gridloom: another file of such a name
 * may do anything. */
static bool is_script_known(const char *given, const char *name)
{
    g_autofree char *known = search_find(SEARCH_WORKLOAD, name);

    if (known == NULL) {
        return false;
    }
    g_autofree char *given_path = g_canonicalize_filename(given, NULL);
    g_autofree char *known_path = g_canonicalize_filename(known, NULL);

    return g_str_equal(given_path, known_path);
}

bool compare_model_check(const CompareOptions *options, GError **error)
{
    const CompareChip *first = g_ptr_array_index(options->chips, 0);
    g_autofree char *given =
        search_find_or_fail(SEARCH_WORKLOAD, "script", options->script, error);
    /* A file that is not a script is refused as its run would be. */
    g_autoptr(Watchdog) watchdog = watchdog_new(0);
    g_autoptr(WlScript) script =
        given != NULL ? watchdog_load_script(watchdog, given, error) : NULL;

    if (script == NULL) {
        return false;
    }
    if (!is_script_known(given, options->name)) {
        g_autofree char *shown = g_utf8_make_valid(options->script, -1);

        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                        "--model: no closed form of %s, which is not gridloom's own %s",
                        shown, options->name);
    }
    for (guint i = 0; i < options->chips->len; i++) {
        const CompareChip *chip = g_ptr_array_index(options->chips, i);

        if (chip->over == NULL) {
            g_autoptr(ArchParams) params = wl_chip_load_to_run(chip->given, error);

            if (params == NULL) {
                return false;
            }
            if (estimate_exists(options->name, arch_params_family(params))) {
                return true;
            }
        }
    }
    g_autofree char *text = estimate_absence(options->name, first->name);

    return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED, "--model: %s", text);
}

static Estimate *
estimate_of(const CompareOptions *options, const CompareRow *row, GError **error)
{
    g_autoptr(ArchParams) params = numbers_of(row->chip, error);
    JsonObject *result = json_node_get_object(row->run.result);
    g_autoptr(Estimate) model =
        params != NULL ? estimate_new(params, options->name,
                                      trace_json_object(result, "parameters"), error)
                       : NULL;

    return model != NULL && estimate_explain(model, result, error)
               ? g_steal_pointer(&model)
               : NULL;
}

void compare_model_fill(const CompareOptions *options, CompareRow *row)
{
    g_autoptr(GError) error = NULL;

    if (row->chip->over != NULL) {
        row->no_model = g_strdup("a run that is over");
    } else if (row->run.result == NULL) {
        row->no_model = g_strdup("the run failed");
    } else {
        row->model = estimate_of(options, row, &error);
        row->no_model = row->model == NULL ? g_strdup(error->message) : NULL;
    }
}

bool compare_model_is_missing(const CompareResult *result)
{
    bool has_run = false;

    for (guint i = 0; i < result->rows->len; i++) {
        const CompareRow *row = compare_result_row(result, i);

        if (row->model != NULL) {
            return false;
        }
        has_run = has_run || row->run.result != NULL;
    }
    return has_run;
}

void compare_model_print(const CompareResult *result)
{
    g_autoptr(Grid) grid =
        grid_with("chip|case|model cycles|simulated|ratio|largest part");

    printf("\nclosed form against simulation, an iteration\n");
    for (guint i = 0; i < result->rows->len; i++) {
        const CompareRow *row = compare_result_row(result, i);
        const Estimate *model = row->model;
        g_autofree char *label = compare_row_label(row);
        g_autofree char *name = compare_result_case(result, row->case_index);

        grid_put(grid, label);
        grid_put(grid, *name != '\0' ? name : "-");
        if (model == NULL) {
            grid_printf(grid, "-|-|-|-");
        } else {
            grid_printf(grid, "%.0f|%.0f|%.3f|%s", model->cycles, model->simulated,
                        model->ratio, estimate_largest(model)->name);
        }
    }
    grid_print(grid, stdout, 0);
}

static void print_parts(const Estimate *model)
{
    g_autoptr(Grid) grid = grid_with("part|kind|cycles|share|formula");

    for (guint i = 0; i < model->parts->len; i++) {
        const EstimatePart *part = estimate_part(model, i);
        g_autofree char *share = quantity_percent(100 * part->cycles / model->cycles);

        grid_printf(grid, "%s|%s|%.0f|%s|%s", part->name, part->kind, part->cycles,
                    part->is_beside ? "beside" : share, part->formula);
    }
    grid_print(grid, stdout, INDENT);
}

static void print_shares(const GArray *shares)
{
    g_autoptr(Grid) grid = grid_new(2);

    for (guint i = 0; i < shares->len; i++) {
        const EstimateShare *share = estimate_share(shares, i);

        grid_printf(grid, "%.0f|%s", share->cycles, share->name);
    }
    grid_print(grid, stdout, INDENT);
}

void compare_model_print_row(const CompareRow *row)
{
    const Estimate *model = row->model;

    if (model == NULL) {
        printf("  model   %s\n", row->no_model);
        return;
    }
    printf("  model   %.0f cycles an iteration, at least\n", model->cycles);
    print_parts(model);
    printf("  counted in the simulation, of %.0f cycles\n", model->simulated);
    print_shares(model->measured);
    printf("  differs by %.0f cycles\n", model->simulated - model->cycles);
    print_shares(model->difference);
    printf("  model leaves out\n");
    for (const char *const *text = model->leaves_out; *text != NULL; text++) {
        printf("%*s%s\n", INDENT, "", *text);
    }
}

static JsonArray *texts_array(gconstpointer texts)
{
    return record_texts(texts, g_strv_length((char **) texts));
}

/* A RecordFunc. */
static JsonObject *part_object(gconstpointer item, gconstpointer context G_GNUC_UNUSED)
{
    const EstimatePart *part = item;

    return RECORD(VALUE("name", part->name), VALUE("kind", part->kind),
                  VALUE("cycles", part->cycles), VALUE("beside", part->is_beside),
                  VALUE("formula", part->formula),
                  VALUE("keys", texts_array(part->keys)));
}

/* A RecordFunc, in the context of what its name is called. */
static JsonObject *share_object(gconstpointer item, gconstpointer context)
{
    const EstimateShare *share = item;

    return RECORD(VALUE((const char *) context, share->name),
                  VALUE("cycles", share->cycles));
}

static JsonObject *model_object(const Estimate *self)
{
    return RECORD(
        VALUE("cycles", self->cycles), VALUE("seconds", self->seconds),
        VALUE("simulated_cycles", self->simulated), VALUE("ratio", self->ratio),
        VALUE("largest", estimate_largest(self)->name),
        VALUE("parts", record_list(self->parts, part_object, NULL)),
        VALUE("measured", record_list(self->measured, share_object, "name")),
        VALUE("difference", record_list(self->difference, share_object, "reason")),
        VALUE("leaves_out", texts_array(self->leaves_out)));
}

void compare_model_set_member(JsonObject *object, const CompareRow *row)
{
    RECORD_ADD(object, VALUE("no_model", row->no_model),
               VALUE("model", row->model != NULL ? model_object(row->model) : NULL));
}
