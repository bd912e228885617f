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
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/record.h"
#include "tools/gridloom/search.h"
#include "traces/file/json_text.h"
#include "traces/file/output.h"

/* The keys of a section, from `first` on; returns where the next one begins. */
static guint print_section(const ArchParams *params, guint first)
{
    const char *section = arch_params_at(params, first)->section;
    g_autoptr(Grid) grid = grid_with("KEY|VALUE|UNIT|CONFIDENCE|RANGE|SOURCE");
    guint i = first;

    for (; i < arch_params_count(params); i++) {
        const ArchParam *param = arch_params_at(params, i);

        if (!g_str_equal(param->section, section)) {
            break;
        }
        grid_add(grid, (const char *[]){
                           param->key, param->value, param->unit,
                           arch_confidence_name(param->confidence),
                           param->range != NULL ? arch_range_text(param->range) : "-",
                           param->source});
    }
    printf("\n[%s]%s\n", section,
           g_str_equal(section, ARCH_INFORMATION)
               ? "  not simulated: nothing reads it, --set refuses it"
               : "");
    grid_print(grid, stdout, 2);
    return i;
}

static bool write_chip(const ArchParams *params, const char *path, GError **error)
{
    g_autofree char *digest = arch_params_digest(params);
    g_autoptr(JsonObject) object = RECORD(
        VALUE("chip", arch_params_name(params)),
        VALUE("family", arch_params_family(params)),
        VALUE("summary", arch_params_summary(params)), VALUE("chip_digest", digest),
        VALUE("chip_parameters", chip_numbers_ledger(params)));
    g_autofree char *text = trace_json_object_text(object, true);

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

/* A parameter as one family has it. */
typedef struct {
    const char *name;
    guint family;
    char *columns; /* default, allowed, meaning */
} Parameter;

static void parameter_clear(gpointer data)
{
    g_free(((Parameter *) data)->columns);
}

static const Parameter *parameter_at(const GArray *list, guint index)
{
    return &g_array_index(list, Parameter, index);
}

/* Of all families, one after the other. */
static GArray *parameters_of(WlScript *script)
{
    const char *const *families = wl_script_families(script);
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Parameter));

    g_array_set_clear_func(list, parameter_clear);
    for (guint family = 0; families[family] != NULL; family++) {
        (void) wl_script_choose_family(script, families[family]);
        for (guint i = 0; i < wl_script_param_count(script); i++) {
            const WlParam *param = wl_script_param(script, i);
            g_autofree char *allowed = allowed_text(param);
            const Parameter parameter = {
                .name = param->name,
                .family = family,
                .columns = g_strdup_printf("%s\x1f%s\x1f%s", param->default_text,
                                           allowed, param->help)};

            g_array_append_val(list, parameter);
        }
    }
    return list;
}

static bool find_name(const GPtrArray *names, const char *name, guint *place)
{
    return g_ptr_array_find_with_equal_func((GPtrArray *) names, name, g_str_equal,
                                            place);
}

/* Each name once: one that is new to a family comes before the next that is not. */
static GPtrArray *names_of(const GArray *list)
{
    GPtrArray *names = g_ptr_array_new();

    for (guint i = 0; i < list->len; i++) {
        const Parameter *parameter = parameter_at(list, i);
        guint place = names->len;

        if (find_name(names, parameter->name, &place)) {
            continue;
        }
        place = names->len;
        for (guint k = i + 1; k < list->len; k++) {
            if (parameter_at(list, k)->family != parameter->family ||
                find_name(names, parameter_at(list, k)->name, &place)) {
                break;
            }
        }
        g_ptr_array_insert(names, (gint) place, (gpointer) parameter->name);
    }
    return names;
}

/* The families that have what the one at `first` has: "both", "all", or a list. NULL
 * where one before it has the same. The caller frees it. */
static char *chips_of(const GArray *list, guint first, const char *const *families)
{
    const guint all = g_strv_length((char **) families);
    const Parameter *parameter = parameter_at(list, first);
    g_autoptr(GPtrArray) chips = g_ptr_array_new();

    for (guint i = 0; i < list->len; i++) {
        const Parameter *other = parameter_at(list, i);

        if (g_str_equal(other->name, parameter->name) &&
            g_str_equal(other->columns, parameter->columns)) {
            if (i < first) {
                return NULL;
            }
            g_ptr_array_add(chips, (gpointer) families[other->family]);
        }
    }
    if (chips->len == all) {
        return g_strdup(all == 2 ? "both" : "all");
    }
    g_ptr_array_add(chips, NULL);
    return g_strjoinv(",", (char **) chips->pdata);
}

/* The rows of a name: one for those families that have the same. */
static void
add_rows(const GArray *list, const char *name, const char *const *families, Grid *grid)
{
    for (guint i = 0; i < list->len; i++) {
        const Parameter *parameter = parameter_at(list, i);
        g_autofree char *chips =
            g_str_equal(parameter->name, name) ? chips_of(list, i, families) : NULL;
        g_auto(GStrv) columns = g_strsplit(parameter->columns, "\x1f", -1);

        if (chips == NULL) {
            continue;
        }
        grid_put(grid, name);
        if (families[1] != NULL) {
            grid_put(grid, chips);
        }
        grid_printf(grid, "%s|%s|%s", columns[0], columns[1], columns[2]);
    }
}

static void print_script(WlScript *script)
{
    const char *const *families = wl_script_families(script);
    g_autofree char *chips = g_strjoinv(", ", (char **) families);
    g_autoptr(Grid) grid =
        grid_with(families[1] != NULL ? "PARAMETER|CHIPS|DEFAULT|ALLOWED|MEANING"
                                      : "PARAMETER|DEFAULT|ALLOWED|MEANING");
    g_autoptr(GArray) list = parameters_of(script);
    g_autoptr(GPtrArray) names = names_of(list);

    printf("%s: %s\nfile: %s\nchips: %s\n\n", wl_script_name(script),
           wl_script_summary(script), wl_script_path(script), chips);
    for (guint i = 0; i < names->len; i++) {
        add_rows(list, g_ptr_array_index(names, i), families, grid);
    }
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
        printf("%s (%s): %s\n", arch_params_name(params), arch_params_family(params),
               arch_params_summary(params));
        for (guint i = 0; i < arch_params_count(params);) {
            i = print_section(params, i);
        }
    }
    return EXIT_DONE;
}

static int describe_script(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WlScript) script = search_load_script(path, &error);

    if (script == NULL) {
        return complain_of(error);
    }
    print_script(script);
    return EXIT_DONE;
}

static int run(gpointer data)
{
    const Options *options = data;
    const char *name = options->names[0];
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
