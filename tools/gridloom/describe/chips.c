/* gridloom chips: the chips there are, and the systems of them. */
#include <stdio.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "sim/platform.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/grid.h"
#include "workloads/search.h"

static int print_chips(void)
{
    g_autoptr(GPtrArray) names = search_names(SEARCH_CHIP);
    g_autoptr(Grid) grid = grid_with("CHIP|FAMILY|WHAT IT IS");
    int status = EXIT_DONE;

    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path = search_find(SEARCH_CHIP, g_ptr_array_index(names, i));
        g_autoptr(GError) broken = NULL;
        g_autoptr(ArchParams) params = arch_params_load(path, &broken);

        if (params == NULL) {
            status = complain_of(broken);
            continue;
        }
        grid_printf(grid, "%s|%s|%s", arch_params_name(params),
                    arch_params_family(params), arch_params_summary(params));
    }
    grid_print(grid, stdout, 0);
    return status;
}

/* "8 x wormhole_n300", of the first chip's kind; the caller frees it. */
static char *carried_chips(const SimPlatform *platform)
{
    const char *first = sim_platform_first_chip(platform)->chip;
    guint count = 0;

    for (guint i = 0; i < sim_platform_host_count(platform); i++) {
        count += sim_platform_host(platform, i)->chip != NULL;
    }
    return g_strdup_printf("%u x %s", count,
                           g_str_equal(first, "any") ? "any chip (--chip)" : first);
}

static int print_systems(void)
{
    g_autoptr(GPtrArray) names = search_names(SEARCH_SYSTEM);
    g_autoptr(Grid) grid = grid_with("SYSTEM|CHIPS (run --system)");
    int status = EXIT_DONE;

    for (guint i = 0; i < names->len; i++) {
        const char *name = g_ptr_array_index(names, i);
        g_autofree char *path = search_find(SEARCH_SYSTEM, name);
        g_autoptr(GError) broken = NULL;
        g_autoptr(SimPlatform) platform = sim_platform_load(path, &broken);

        if (platform == NULL) {
            status = complain_of(broken);
            continue;
        }
        g_autofree char *chips = carried_chips(platform);

        grid_add(grid, (const char *[]){name, chips});
    }
    grid_print(grid, stdout, 0);
    return status;
}

static int run(gpointer options G_GNUC_UNUSED)
{
    const int of_chips = print_chips();

    (void) putchar('\n');
    const int of_systems = print_systems();

    return MAX(of_chips, of_systems);
}

const Command cmd_chips = {
    .name = "chips",
    .program = "chips",
    .purpose = "list the chips, and systems of them",
    .hint = "'gridloom describe NAME' tells about one chip",
    .run = run,
};
