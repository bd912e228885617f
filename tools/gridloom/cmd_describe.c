/* gridloom describe: every number of a chip, every parameter of a workload. */
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

static void print_script(const WlScript *script)
{
    g_autofree char *families = g_strjoinv(", ", (char **) wl_script_families(script));
    g_autoptr(Grid) grid = grid_new(4);

    printf("%s: %s\nfile: %s\nchips: %s\n\n", wl_script_name(script),
           wl_script_summary(script), wl_script_path(script), families);
    grid_add(grid, (const char *[]){"PARAMETER", "DEFAULT", "ALLOWED", "MEANING"});
    for (guint i = 0; i < wl_script_param_count(script); i++) {
        const WlParam *param = wl_script_param(script, i);
        g_autofree char *allowed = allowed_text(param);

        grid_add(grid, (const char *[]){param->name, param->default_text, allowed,
                                        param->help});
    }
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
