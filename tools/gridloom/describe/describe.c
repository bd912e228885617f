/* gridloom describe: every number of a chip, every parameter of a workload. */
#include <stdbool.h>
#include <stdio.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/keys.h"
#include "arch/chipfile/params.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/watchdog.h"
#include "traces/file/json_text.h"
#include "traces/file/output.h"
#include "traces/table/grid.h"
#include "traces/table/record.h"
#include "workloads/chip_file.h"
#include "workloads/script_rows.h"
#include "workloads/search.h"

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
        VALUE("chip_parameters", envelope_numbers(params, false)));
    g_autofree char *text = trace_json_object_text(object, true);

    return trace_output_write(path, text, error);
}

/* The families that have the array, as parameters show them, if the one at `first` is
 * the first of them; or NULL. The caller frees it. */
static char *
families_of(WlScript *script, WlArrayWay way, const char *name, guint first)
{
    const char *const *families = wl_script_families(script);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    guint count = 0;

    for (; families[count] != NULL; count++) {
        (void) wl_script_choose_family(script, families[count]);
        if (wl_script_find_array(script, way, name) != NULL) {
            g_ptr_array_add(names, (gpointer) families[count]);
        }
    }
    (void) wl_script_choose_family(script, families[first]);
    if (g_ptr_array_index(names, 0) != families[first]) {
        return NULL;
    }
    if (names->len == count) {
        return g_strdup(count == 2 ? "both" : "all");
    }
    g_ptr_array_add(names, NULL);
    return g_strjoinv(",", (char **) names->pdata);
}

/* Adds the arrays of one family that no earlier one has. */
static void add_arrays(Grid *grid, WlScript *script, WlArrayWay way, guint family)
{
    const char *const *families = wl_script_families(script);

    (void) wl_script_choose_family(script, families[family]);
    for (guint i = 0; i < wl_script_array_count(script, way); i++) {
        const WlScriptArray *array = wl_script_array(script, way, i);
        g_autofree char *chips = families_of(script, way, array->name, family);
        g_autofree char *option = g_strdup_printf(
            "--%s %s=FILE.npy", way == WL_INPUTS ? "in" : "save", array->name);

        if (chips == NULL) {
            continue;
        }
        grid_put(grid, option);
        if (families[1] != NULL) {
            grid_put(grid, chips);
        }
        grid_put(grid, array->help);
    }
}

/* Inputs, then outputs, if there are any. */
static void print_arrays(WlScript *script)
{
    const char *const *families = wl_script_families(script);
    g_autoptr(Grid) grid =
        grid_with(families[1] != NULL ? "ARRAY|CHIPS|MEANING" : "ARRAY|MEANING");
    bool has_any = false;

    for (guint way = 0; way < WL_ARRAY_WAYS; way++) {
        for (guint family = 0; families[family] != NULL; family++) {
            add_arrays(grid, script, (WlArrayWay) way, family);
            has_any = has_any || wl_script_array_count(script, (WlArrayWay) way) > 0;
        }
    }
    if (has_any) {
        printf("\n");
        grid_print(grid, stdout, 2);
    }
}

static void print_script(WlScript *script)
{
    const char *const *families = wl_script_families(script);
    const bool is_for_several = families[1] != NULL;
    g_autofree char *chips = g_strjoinv(", ", (char **) families);
    g_autoptr(Grid) grid =
        grid_with(is_for_several ? "PARAMETER|CHIPS|DEFAULT|ALLOWED|MEANING"
                                 : "PARAMETER|DEFAULT|ALLOWED|MEANING");
    g_autoptr(GArray) rows = wl_script_rows(script);

    printf("%s: %s\nfile: %s\nchips: %s\n\n", wl_script_name(script),
           wl_script_summary(script), wl_script_path(script), chips);
    for (guint i = 0; i < rows->len; i++) {
        const WlScriptRow *row = &g_array_index(rows, WlScriptRow, i);

        grid_put(grid, row->param->name);
        if (is_for_several) {
            grid_put(grid, row->families);
        }
        grid_printf(grid, "%s|%s|%s", row->param->default_text, row->allowed,
                    row->param->help);
    }
    grid_print(grid, stdout, 2);
    print_arrays(script);
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

    if (params == NULL || !wl_chip_override(params, options->overrides, &error) ||
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
    g_autoptr(Watchdog) watchdog = watchdog_new(0);
    g_autoptr(WlScript) script = watchdog_load_script(watchdog, path, &error);

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
    .missing = "give one chip or workload",
    .hint = "give one chip or workload",
    .most_words = 1,
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .run = run,
};
