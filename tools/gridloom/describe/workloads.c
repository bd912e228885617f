/* gridloom workloads: the scripts there are, with their parameters. */
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/search.h"
#include "workloads/script.h"

/* Of the chosen family. */
static void print_parameters(const WlScript *script)
{
    for (guint i = 0; i < wl_script_param_count(script); i++) {
        const WlParam *param = wl_script_param(script, i);

        printf(" %s=%s", param->name, param->default_text);
    }
    printf("\n");
}

static void print_script(WlScript *script)
{
    const char *const *families = wl_script_families(script);
    g_autofree char *names = g_strjoinv(", ", (char **) families);

    printf("%s (%s): %s\n", wl_script_name(script), names, wl_script_summary(script));
    for (guint i = 0; families[i] != NULL; i++) {
        (void) wl_script_choose_family(script, families[i]);
        if (families[1] == NULL) {
            printf("   ");
        } else {
            printf("    on %s:", families[i]);
        }
        print_parameters(script);
    }
}

static int run(gpointer options G_GNUC_UNUSED)
{
    g_autoptr(GPtrArray) names = search_names(SEARCH_WORKLOAD);
    g_autofree char *library = search_library();
    WlSandboxConfig config = wl_sandbox_config_default();
    int status = EXIT_DONE;

    config.library_path = library;
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path =
            search_find(SEARCH_WORKLOAD, g_ptr_array_index(names, i));
        g_autoptr(GError) broken = NULL;
        g_autoptr(WlScript) script = wl_script_load(path, &config, &broken);

        if (script == NULL) {
            status = complain_of(broken);
            continue;
        }
        print_script(script);
    }
    return status;
}

const Command cmd_workloads = {
    .name = "workloads",
    .program = "workloads",
    .purpose = "list the workload scripts",
    .hint = "'gridloom describe NAME' tells about one workload",
    .run = run,
};
