/* gridloom chips and gridloom workloads: the files there are, of each kind. */
#include <stdio.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "sim/platform.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/watchdog.h"
#include "traces/table/grid.h"
#include "workloads/chips.h"
#include "workloads/search.h"

/* Adds a file to a list, or says what is wrong with it. */
typedef bool (*AddFunc)(Grid *grid, const char *name, const char *path, GError **error);

/* The list goes on after a file that is broken; the exit code tells. */
static int print_files(SearchKind kind, AddFunc add, const char *headings)
{
    g_autoptr(GPtrArray) names = search_names(kind);
    g_autoptr(Grid) grid = headings != NULL ? grid_with(headings) : NULL;
    int status = EXIT_DONE;

    for (guint i = 0; i < names->len; i++) {
        const char *name = g_ptr_array_index(names, i);
        g_autofree char *path = search_find(kind, name);
        g_autoptr(GError) broken = NULL;

        if (!add(grid, name, path, &broken)) {
            status = complain_of(broken);
        }
    }
    if (grid != NULL) {
        grid_print(grid, stdout, 0);
    }
    return status;
}

static bool
add_chip(Grid *grid, const char *name G_GNUC_UNUSED, const char *path, GError **error)
{
    g_autoptr(ArchParams) params = arch_params_load(path, error);

    if (params != NULL) {
        grid_printf(grid, "%s|%s|%s", arch_params_name(params),
                    arch_params_family(params), arch_params_summary(params));
    }
    return params != NULL;
}

static bool add_system(Grid *grid, const char *name, const char *path, GError **error)
{
    g_autoptr(SimPlatform) platform = sim_platform_load(path, error);
    g_autofree char *chips = platform != NULL ? wl_chips_carried(platform) : NULL;

    if (platform != NULL) {
        grid_add(grid, (const char *[]){name, chips});
    }
    return platform != NULL;
}

static int run_chips(gpointer options G_GNUC_UNUSED)
{
    const int of_chips = print_files(SEARCH_CHIP, add_chip, "CHIP|FAMILY|WHAT IT IS");

    (void) putchar('\n');
    const int of_systems =
        print_files(SEARCH_SYSTEM, add_system, "SYSTEM|CHIPS (run --system)");

    return MAX(of_chips, of_systems);
}

static bool print_workload(Grid *grid G_GNUC_UNUSED,
                           const char *name G_GNUC_UNUSED,
                           const char *path,
                           GError **error)
{
    g_autoptr(Watchdog) watchdog = watchdog_new(0);
    g_autoptr(WlScript) script = watchdog_load_script(watchdog, path, error);

    if (script == NULL) {
        return false;
    }
    const char *const *families = wl_script_families(script);
    const bool is_one = families[1] == NULL;
    g_autofree char *names = g_strjoinv(", ", (char **) families);

    printf("%s (%s): %s\n", wl_script_name(script), names, wl_script_summary(script));
    for (guint i = 0; families[i] != NULL; i++) {
        (void) wl_script_choose_family(script, families[i]);
        printf("   %s%s%s", is_one ? "" : " on ", is_one ? "" : families[i],
               is_one ? "" : ":");
        for (guint k = 0; k < wl_script_param_count(script); k++) {
            const WlParam *param = wl_script_param(script, k);

            printf(" %s=%s", param->name, param->default_text);
        }
        printf("\n");
    }
    return true;
}

static int run_workloads(gpointer options G_GNUC_UNUSED)
{
    return print_files(SEARCH_WORKLOAD, print_workload, NULL);
}

const Command cmd_chips = {
    .name = "chips",
    .program = "chips",
    .purpose = "list the chips, and systems of them",
    .hint = "'gridloom describe NAME' tells about one chip",
    .run = run_chips,
};

const Command cmd_workloads = {
    .name = "workloads",
    .program = "workloads",
    .purpose = "list the workload scripts",
    .hint = "'gridloom describe NAME' tells about one workload",
    .run = run_workloads,
};
