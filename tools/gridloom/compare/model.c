/* Formula against simulation, row by row. */
#include <math.h>
#include <stdio.h>

#include "arch/error.h"
#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/compare/result.h"
#include "tools/gridloom/grid.h"
#include "tools/gridloom/search.h"
#include "traces/file/json_member.h"
#include "traces/file/quantity.h"
#include "workloads/script.h"

enum {
    INDENT = 10,
};

/* The chip's numbers with what --set changes. */
static ArchParams *numbers_of(const CompareChip *chip, GError **error)
{
    g_autoptr(ArchParams) params = chip_numbers_load_to_run(chip->given, error);

    for (guint i = 0; params != NULL && i < chip->overrides->len; i++) {
        if (!arch_params_override(params, g_ptr_array_index(chip->overrides, i),
                                  error)) {
            return NULL;
        }
    }
    return g_steal_pointer(&params);
}

/* What is no script at all is refused as a run of it would be. */
static bool is_script(const char *path, GError **error)
{
    g_autofree char *library = search_library();
    WlSandboxConfig config = wl_sandbox_config_default();

    config.library_path = library;
    g_autoptr(WlScript) script = wl_script_load(path, &config, error);

    return script != NULL;
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

    if (given == NULL || !is_script(given, error)) {
        return false;
    }
    if (!is_script_known(given, options->name)) {
        g_autofree char *shown = g_utf8_make_valid(options->script, -1);

        g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                    "--model: no closed form of %s, which is not gridloom's own %s",
                    shown, options->name);
        return false;
    }
    for (guint i = 0; i < options->chips->len; i++) {
        const CompareChip *chip = g_ptr_array_index(options->chips, i);

        if (chip->over == NULL) {
            g_autoptr(ArchParams) params = chip_numbers_load_to_run(chip->given, error);

            if (params == NULL) {
                return false;
            }
            if (estimate_exists(options->name, arch_params_family(params))) {
                return true;
            }
        }
    }
    g_autofree char *text = estimate_absence(options->name, first->name);

    g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED, "--model: %s", text);
    return false;
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

    if (model == NULL || !estimate_explain(model, result, error)) {
        return NULL;
    }
    return g_steal_pointer(&model);
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

/* Cycles, of which there may be fractions that do not matter. */
static char *cycles_text(double cycles)
{
    return g_strdup_printf("%.0f", cycles);
}

static void add_line(Grid *grid, const CompareResult *result, const CompareRow *row)
{
    g_autofree char *label = compare_row_label(row);
    g_autofree char *name = compare_result_case(result, row->case_index);
    g_autofree char *model =
        row->model != NULL ? cycles_text(row->model->cycles) : g_strdup("-");
    g_autofree char *simulated =
        row->model != NULL ? cycles_text(row->model->simulated) : g_strdup("-");
    g_autofree char *ratio =
        row->model != NULL ? g_strdup_printf("%.3f", row->model->ratio) : g_strdup("-");
    const EstimatePart *largest =
        row->model != NULL ? estimate_largest(row->model) : NULL;
    const char *texts[] = {label, *name != '\0' ? name : "-",
                           model, simulated,
                           ratio, largest != NULL ? largest->name : "-"};

    grid_add(grid, texts);
}

void compare_model_print(const CompareResult *result)
{
    static const char *const titles[] = {"chip",      "case",  "model cycles",
                                         "simulated", "ratio", "largest part"};
    g_autoptr(Grid) grid = grid_new(G_N_ELEMENTS(titles));

    printf("\nclosed form against simulation, an iteration\n");
    grid_add(grid, titles);
    for (guint i = 0; i < result->rows->len; i++) {
        add_line(grid, result, compare_result_row(result, i));
    }
    grid_print(grid, stdout, 0);
}

static void print_parts(const Estimate *model)
{
    static const char *const titles[] = {"part", "kind", "cycles", "share", "formula"};
    g_autoptr(Grid) grid = grid_new(G_N_ELEMENTS(titles));

    grid_add(grid, titles);
    for (guint i = 0; i < model->parts->len; i++) {
        const EstimatePart *part = estimate_part(model, i);
        g_autofree char *cycles = cycles_text(part->cycles);
        g_autofree char *share =
            part->is_beside ? g_strdup("beside")
                            : quantity_percent(100 * part->cycles / model->cycles);
        const char *texts[] = {part->name, estimate_kind_name(part->kind), cycles,
                               share, part->formula};

        grid_add(grid, texts);
    }
    grid_print(grid, stdout, INDENT);
}

static void print_shares(const char *title, const GArray *shares)
{
    g_autoptr(Grid) grid = grid_new(2);

    printf("%s\n", title);
    for (guint i = 0; i < shares->len; i++) {
        const EstimateShare *share = estimate_share(shares, i);
        g_autofree char *cycles = cycles_text(share->cycles);
        const char *texts[] = {cycles, share->name};

        grid_add(grid, texts);
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
    g_autofree char *counted = g_strdup_printf(
        "  counted in the simulation, of %.0f cycles", model->simulated);
    g_autofree char *differs =
        g_strdup_printf("  differs by %.0f cycles", model->simulated - model->cycles);

    print_shares(counted, model->measured);
    print_shares(differs, model->difference);
    printf("  model leaves out\n");
    for (const char *const *text = model->leaves_out; *text != NULL; text++) {
        printf("%*s%s\n", INDENT, "", *text);
    }
}

static JsonArray *texts_array(const char *const *texts)
{
    JsonArray *array = json_array_new();

    for (; *texts != NULL; texts++) {
        json_array_add_string_element(array, *texts);
    }
    return array;
}

static JsonArray *parts_array(const Estimate *model)
{
    JsonArray *parts = json_array_new();

    for (guint i = 0; i < model->parts->len; i++) {
        const EstimatePart *part = estimate_part(model, i);
        JsonObject *object = json_object_new();

        json_object_set_string_member(object, "name", part->name);
        json_object_set_string_member(object, "kind", estimate_kind_name(part->kind));
        json_object_set_double_member(object, "cycles", part->cycles);
        json_object_set_boolean_member(object, "beside", part->is_beside);
        json_object_set_string_member(object, "formula", part->formula);
        json_object_set_array_member(object, "keys",
                                     texts_array((const char *const *) part->keys));
        json_array_add_object_element(parts, object);
    }
    return parts;
}

static JsonArray *shares_array(const GArray *shares, const char *name)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < shares->len; i++) {
        const EstimateShare *share = estimate_share(shares, i);
        JsonObject *object = json_object_new();

        json_object_set_string_member(object, name, share->name);
        json_object_set_double_member(object, "cycles", share->cycles);
        json_array_add_object_element(array, object);
    }
    return array;
}

void compare_model_set_member(JsonObject *object, const CompareRow *row)
{
    const Estimate *model = row->model;
    JsonObject *member = NULL;

    json_object_set_string_member(object, "no_model", row->no_model);
    if (model == NULL) {
        json_object_set_null_member(object, "model");
        return;
    }
    member = json_object_new();
    json_object_set_double_member(member, "cycles", model->cycles);
    json_object_set_double_member(member, "seconds", model->seconds);
    json_object_set_double_member(member, "simulated_cycles", model->simulated);
    json_object_set_double_member(member, "ratio", model->ratio);
    json_object_set_string_member(member, "largest", estimate_largest(model)->name);
    json_object_set_array_member(member, "parts", parts_array(model));
    json_object_set_array_member(member, "measured",
                                 shares_array(model->measured, "name"));
    json_object_set_array_member(member, "difference",
                                 shares_array(model->difference, "reason"));
    json_object_set_array_member(member, "leaves_out", texts_array(model->leaves_out));
    json_object_set_object_member(object, "model", member);
}
