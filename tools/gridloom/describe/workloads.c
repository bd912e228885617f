/* gridloom workloads: the scripts there are, with their parameters. */
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/complaint.h"
#include "workloads/search.h"

static void print_script(WlScript *script)
{
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
}

static int run(gpointer options G_GNUC_UNUSED)
{
    g_autoptr(GPtrArray) names = search_names(SEARCH_WORKLOAD);
    int status = EXIT_DONE;

    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path =
            search_find(SEARCH_WORKLOAD, g_ptr_array_index(names, i));
        g_autoptr(GError) broken = NULL;
        g_autoptr(WlScript) script = search_load_script(path, &broken);

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
