/* gridloom describe: every number of a chip, every parameter of a workload. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "arch/params.h"
#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/grid.h"
#include "tools/gridloom/search.h"
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
            grid = grid_new(5);
            section = param->section;
            printf("\n[%s]\n", section);
            grid_add(grid,
                     (const char *[]){"KEY", "VALUE", "UNIT", "CONFIDENCE", "SOURCE"});
        }
        grid_add(grid, (const char *[]){param->key, param->value, param->unit,
                                        arch_confidence_name(param->confidence),
                                        param->source});
    }
    if (grid != NULL) {
        grid_print(grid, stdout, 2);
    }
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

/* A script's parameters as the families have them, one row each or one for both. */
typedef struct {
    Grid *grid;
    GPtrArray *first;  /* of const WlParam */
    GPtrArray *second; /* of the other family; empty if there is none */
    const char *const *families;
} ParameterTable;

static GPtrArray *params_of(WlScript *script, const char *family)
{
    GPtrArray *params = g_ptr_array_new();

    if (family != NULL) {
        (void) wl_script_choose_family(script, family);
        for (guint i = 0; i < wl_script_param_count(script); i++) {
            g_ptr_array_add(params, (gpointer) wl_script_param(script, i));
        }
    }
    return params;
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

static bool find_name(const GPtrArray *params, const char *name, guint *place)
{
    for (guint i = 0; i < params->len; i++) {
        const WlParam *param = g_ptr_array_index(params, i);

        if (g_str_equal(param->name, name)) {
            *place = i;
            return true;
        }
    }
    return false;
}

/* Adds what only the second family has, of its parameters from *shown up to `end`. */
static void add_rows_of_second(const ParameterTable *self, guint *shown, guint end)
{
    guint place;

    for (; *shown < end; (*shown)++) {
        const WlParam *param = g_ptr_array_index(self->second, *shown);

        if (!find_name(self->first, param->name, &place)) {
            add_row(self, param, self->families[1]);
        }
    }
}

/* In the order of the declaration. */
static void add_rows(const ParameterTable *self)
{
    guint shown = 0;

    for (guint i = 0; i < self->first->len; i++) {
        const WlParam *param = g_ptr_array_index(self->first, i);
        const WlParam *other;
        guint place;

        if (!find_name(self->second, param->name, &place)) {
            add_row(self, param, self->families[0]);
            continue;
        }
        add_rows_of_second(self, &shown, place);
        other = g_ptr_array_index(self->second, place);
        if (is_same(param, other)) {
            add_row(self, param, "both");
        } else {
            add_row(self, param, self->families[0]);
            add_row(self, other, self->families[1]);
        }
    }
    add_rows_of_second(self, &shown, self->second->len);
}

static void print_script(WlScript *script)
{
    const char *const *families = wl_script_families(script);
    g_autofree char *names = g_strjoinv(", ", (char **) families);
    bool is_for_both = families[1] != NULL;
    g_autoptr(Grid) grid = grid_new(is_for_both ? 5 : 4);
    g_autoptr(GPtrArray) first = params_of(script, families[0]);
    g_autoptr(GPtrArray) second = params_of(script, families[1]);
    ParameterTable table = {
        .grid = grid, .first = first, .second = second, .families = families};

    printf("%s: %s\nfile: %s\nchips: %s\n\n", wl_script_name(script),
           wl_script_summary(script), wl_script_path(script), names);
    if (is_for_both) {
        grid_add(grid, (const char *[]){"PARAMETER", "CHIPS", "DEFAULT", "ALLOWED",
                                        "MEANING"});
    } else {
        grid_add(grid, (const char *[]){"PARAMETER", "DEFAULT", "ALLOWED", "MEANING"});
    }
    add_rows(&table);
    grid_print(grid, stdout, 2);
}

static int describe_chip(const char *path, char **overrides)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(ArchParams) params = arch_params_load(path, &error);

    if (params == NULL) {
        return complain_of(error);
    }
    for (char **override = overrides; override != NULL && *override != NULL;
         override++) {
        if (!arch_params_override(params, *override, &error)) {
            g_prefix_error(&error, "--set: ");
            return complain_of(error);
        }
    }
    print_chip(params);
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

static int describe(const char *name, char **overrides)
{
    g_autofree char *chip = search_find(SEARCH_CHIP, name);
    g_autofree char *script = search_find(SEARCH_WORKLOAD, name);

    if (script != NULL && (chip == NULL || g_str_has_suffix(name, ".lua"))) {
        if (overrides != NULL) {
            return complain("--set: %s is a workload, only a chip has numbers to set",
                            name);
        }
        return describe_script(script);
    }
    if (chip != NULL) {
        return describe_chip(chip, overrides);
    }
    g_autofree char *chips = search_names_text(SEARCH_CHIP);
    g_autofree char *workloads = search_names_text(SEARCH_WORKLOAD);

    return complain(
        "describe: no chip or workload '%s'; chips are %s; workloads are %s", name,
        chips, workloads);
}

int cmd_describe(int argc, char **argv)
{
    g_auto(GStrv) overrides = NULL;
    const GOptionEntry options[] = {
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &overrides,
         "show the chip with another value", "SECTION.KEY=VALUE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("NAME|FILE - explain a chip or a workload");
    g_autoptr(GError) error = NULL;

    g_option_context_add_main_entries(context, options, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error)) {
        return complain_of(error);
    }
    if (argc != 2) {
        return complain("describe: give one chip or workload");
    }
    return describe(argv[1], overrides);
}
