/* gridloom chips: the chips there are. */
#include <stdio.h>

#include <glib.h>

#include "arch/params.h"
#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/grid.h"
#include "tools/gridloom/search.h"

int cmd_chips(int argc, char **argv)
{
    g_autoptr(GOptionContext) context = g_option_context_new("- list the chips");
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) names = search_names(SEARCH_CHIP);
    g_autoptr(Grid) grid = grid_new(3);
    int status = EXIT_DONE;

    if (!g_option_context_parse(context, &argc, &argv, &error)) {
        return complain_of(error);
    }
    if (argc > 1) {
        return complain("chips: unexpected word '%s'; 'gridloom describe NAME' tells "
                        "about one chip",
                        argv[1]);
    }
    grid_add(grid, (const char *[]){"CHIP", "FAMILY", "WHAT IT IS"});
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path = search_find(SEARCH_CHIP, g_ptr_array_index(names, i));
        g_autoptr(GError) broken = NULL;
        g_autoptr(ArchParams) params = arch_params_load(path, &broken);

        if (params == NULL) {
            status = complain_of(broken);
            continue;
        }
        grid_add(grid,
                 (const char *[]){arch_params_name(params), arch_params_family(params),
                                  arch_params_summary(params)});
    }
    grid_print(grid, stdout, 0);
    return status;
}
