/* gridloom describe: every number of a chip, every parameter of a workload. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/keys.h"
#include "arch/chipfile/params.h"
#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/grid.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/search.h"
#include "traces/file/json_text.h"
#include "traces/file/output.h"
#include "workloads/script.h"

static void print_chip(const ArchParams *params)
{
    const char *section = "";
    g_autoptr(Grid) grid = NULL;

    printf("%s (%s): %s\n", arch_params_name(params), arch_params_family(params),
           arch_params_summary(params));
    for (guint i = 0; i < arch_params_count(params); i++) {
        const ArchParam *param = arch_params_at(params, i);

        if (!g_str_equal(param->section, section)) {
            if (grid != NULL) {
                grid_print(grid, stdout, 2);
            }
            g_clear_pointer(&grid, grid_free);
            grid = grid_new(6);
            section = param->section;
            printf("\n[%s]%s\n", section,
                   g_str_equal(section, ARCH_INFORMATION)
                       ? "  not simulated: nothing reads it, --set refuses it"
                       : "");
            grid_add(grid, (const char *[]){"KEY", "VALUE", "UNIT", "CONFIDENCE",
                                            "RANGE", "SOURCE"});
        }
        grid_add(grid, (const char *[]){
                           param->key, param->value, param->unit,
                           arch_confidence_name(param->confidence),
                           param->range != NULL ? arch_range_text(param->range) : "-",
                           param->source});
    }
    if (grid != NULL) {
        grid_print(grid, stdout, 2);
    }
}

static bool write_chip(const ArchParams *params, const char *path, GError **error)
{
    g_autoptr(JsonObject) object = json_object_new();
    g_autofree char *digest = arch_params_digest(params);
    g_autofree char *text = NULL;

    json_object_set_string_member(object, "chip", arch_params_name(params));
    json_object_set_string_member(object, "family", arch_params_family(params));
    json_object_set_string_member(object, "summary", arch_params_summary(params));
    json_object_set_string_member(object, "chip_digest", digest);
    json_object_set_array_member(object, "chip_parameters",
                                 chip_numbers_ledger(params));
    text = trace_json_object_text(object, true);
    return trace_output_write(path, text, error);
}

static char *allowed_text(const WlParam *param)
{
    if (param->choices != NULL) {
        return g_strjoinv("|", (char **) param->choices);
    }
    if (param->type == WL_PARAM_SWITCH) {
        return g_strdup("on|off");
    }
    if (param->has_range) {
        return g_strdup_printf("%.15g..%.15g", param->minimum, param->maximum);
    }
    return g_strdup(param->type == WL_PARAM_TEXT ? "text" : "number");
}

/* A script's parameters as its families have them: one row for those that have the
 * same. */
typedef struct {
    Grid *grid;
    const char *const *families;
    GPtrArray *lists; /* of GPtrArray of const WlParam, by family */
    GPtrArray *names; /* of all parameters */
} ParameterTable;

static GPtrArray *params_of(WlScript *script, const char *family)
{
    GPtrArray *params = g_ptr_array_new();

    (void) wl_script_choose_family(script, family);
    for (guint i = 0; i < wl_script_param_count(script); i++) {
        g_ptr_array_add(params, (gpointer) wl_script_param(script, i));
    }
    return params;
}

static const WlParam *param_at(const GPtrArray *params, guint index)
{
    return g_ptr_array_index(params, index);
}

static const WlParam *find_param(const GPtrArray *params, const char *name)
{
    for (guint i = 0; i < params->len; i++) {
        if (g_str_equal(param_at(params, i)->name, name)) {
            return param_at(params, i);
        }
    }
    return NULL;
}

static bool find_name(const GPtrArray *names, const char *name, guint *place)
{
    for (guint i = 0; i < names->len; i++) {
        if (g_str_equal(g_ptr_array_index(names, i), name)) {
            *place = i;
            return true;
        }
    }
    return false;
}

/* Adds the names that are new, each before the next one that is not. */
static void merge_names(GPtrArray *names, const GPtrArray *params)
{
    for (guint i = 0; i < params->len; i++) {
        const char *name = param_at(params, i)->name;
        guint place = names->len;

        if (find_name(names, name, &place)) {
            continue;
        }
        for (guint k = i + 1; k < params->len; k++) {
            if (find_name(names, param_at(params, k)->name, &place)) {
                break;
            }
        }
        g_ptr_array_insert(names, (gint) place, (gpointer) name);
    }
}

static void add_row(const ParameterTable *self, const WlParam *param, const char *chips)
{
    g_autofree char *allowed = allowed_text(param);

    if (self->families[1] == NULL) {
        grid_add(self->grid, (const char *[]){param->name, param->default_text, allowed,
                                              param->help});
    } else {
        grid_add(self->grid, (const char *[]){param->name, chips, param->default_text,
                                              allowed, param->help});
    }
}

static bool is_same(const WlParam *a, const WlParam *b)
{
    g_autofree char *allowed_a = allowed_text(a);
    g_autofree char *allowed_b = allowed_text(b);

    return g_str_equal(a->default_text, b->default_text) &&
           g_str_equal(allowed_a, allowed_b) && g_str_equal(a->help, b->help);
}

/* The row of what family `first` has, with those after it that have the same; these are
 * taken from `params`. */
static void add_group(const ParameterTable *self, const WlParam **params, guint first)
{
    const guint all = self->lists->len;
    const WlParam *param = params[first];
    g_autoptr(GPtrArray) chips = g_ptr_array_new();

    for (guint i = first; i < all; i++) {
        if (params[i] != NULL && is_same(param, params[i])) {
            g_ptr_array_add(chips, (gpointer) self->families[i]);
            params[i] = NULL;
        }
    }
    const bool is_for_all = chips->len == all;

    g_ptr_array_add(chips, NULL);
    g_autofree char *listed = g_strjoinv(",", (char **) chips->pdata);

    add_row(self, param, is_for_all ? all == 2 ? "both" : "all" : listed);
}

static void add_rows(const ParameterTable *self)
{
    g_autofree const WlParam **params = g_new0(const WlParam *, self->lists->len);

    for (guint i = 0; i < self->names->len; i++) {
        for (guint k = 0; k < self->lists->len; k++) {
            params[k] = find_param(g_ptr_array_index(self->lists, k),
                                   g_ptr_array_index(self->names, i));
        }
        for (guint k = 0; k < self->lists->len; k++) {
            if (params[k] != NULL) {
                add_group(self, params, k);
            }
        }
    }
}

static void print_script(WlScript *script)
{
    const char *const *families = wl_script_families(script);
    g_autofree char *names = g_strjoinv(", ", (char **) families);
    const bool is_for_several = families[1] != NULL;
    g_autoptr(Grid) grid = grid_new(is_for_several ? 5 : 4);
    g_autoptr(GPtrArray) lists =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    g_autoptr(GPtrArray) merged = g_ptr_array_new();
    const ParameterTable table = {
        .grid = grid, .families = families, .lists = lists, .names = merged};

    for (guint i = 0; families[i] != NULL; i++) {
        g_ptr_array_add(lists, params_of(script, families[i]));
        merge_names(merged, g_ptr_array_index(lists, i));
    }
    printf("%s: %s\nfile: %s\nchips: %s\n\n", wl_script_name(script),
           wl_script_summary(script), wl_script_path(script), names);
    if (is_for_several) {
        grid_add(grid, (const char *[]){"PARAMETER", "CHIPS", "DEFAULT", "ALLOWED",
                                        "MEANING"});
    } else {
        grid_add(grid, (const char *[]){"PARAMETER", "DEFAULT", "ALLOWED", "MEANING"});
    }
    add_rows(&table);
    grid_print(grid, stdout, 2);
}

/* The line: a name, and the rest. */
typedef struct {
    char **names;
    char **overrides;
    char *json;
} Options;

static int describe_chip(const char *path, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(ArchParams) params = arch_params_load(path, &error);

    if (params == NULL || !chip_numbers_override(params, options->overrides, &error) ||
        (options->json != NULL && !write_chip(params, options->json, &error))) {
        return complain_of(error);
    }
    if (!trace_output_is_stdout(options->json)) {
        print_chip(params);
    }
    return EXIT_DONE;
}

static int describe_script(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *library = search_library();
    WlSandboxConfig config = wl_sandbox_config_default();

    config.library_path = library;

    g_autoptr(WlScript) script = wl_script_load(path, &config, &error);

    if (script == NULL) {
        return complain_of(error);
    }
    print_script(script);
    return EXIT_DONE;
}

static int describe(const char *name, const Options *options)
{
    g_autofree char *chip = search_find(SEARCH_CHIP, name);
    g_autofree char *script = search_find(SEARCH_WORKLOAD, name);

    if (script != NULL && (chip == NULL || g_str_has_suffix(name, ".lua"))) {
        if (options->overrides != NULL) {
            return complain("--set: %s is a workload, only a chip has numbers to set",
                            name);
        }
        if (options->json != NULL) {
            return complain("--json: %s is a workload, only chips are written as JSON",
                            name);
        }
        return describe_script(script);
    }
    if (chip != NULL) {
        return describe_chip(chip, options);
    }
    g_autofree char *chips = search_names_text(SEARCH_CHIP);
    g_autofree char *workloads = search_names_text(SEARCH_WORKLOAD);

    return complain(
        "describe: no chip or workload '%s'; chips are %s; workloads are %s", name,
        chips, workloads);
}

static bool
check(gpointer options, const OptionTexts *texts G_GNUC_UNUSED, GError **error)
{
    const Options *self = options;

    return (self->names != NULL && self->names[1] == NULL) ||
           option_fail(error, "describe: give one chip or workload");
}

static int run(gpointer options)
{
    const Options *self = options;

    return describe(self->names[0], self);
}

static const Option rows[] = {
    {"set", "SECTION.KEY=VALUE", "show the chip with another value",
     OPTION_TEXTS(overrides)},
    {"json", "FILE", "write the chip's numbers as JSON; - is standard output",
     OPTION_TEXT(json)},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(names),
     .names = OPTION_NAMES_CHIPS_AND_WORKLOADS},
    {0},
};

const Command cmd_describe = {
    .name = "describe",
    .program = "describe",
    .words = "NAME|FILE",
    .purpose = "explain a chip or a workload",
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .check = check,
    .run = run,
};
