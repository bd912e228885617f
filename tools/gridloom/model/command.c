/* gridloom model: finds the cost model and asks it. */
#include "tools/gridloom/command.h"

#include <glib.h>

#include "tools/gridloom/command_menu.h"

COMMAND_FUNC(cmd_model_area)
COMMAND_FUNC(cmd_model_energy)
COMMAND_FUNC(cmd_model_time)
COMMAND_FUNC(cmd_model_chain)

/* Codesigns of GPUs are formulas, those of a sweep's file have programs that run. What
 * follows an option for files is written, not read. */
static int codesign(int argc, char **argv)
{
    static const char *const written[] = {"-o", "--output", "--json", NULL};

    for (int i = 1; i < argc; i++) {
        if (*argv[i] != '-' && g_str_has_suffix(argv[i], ".lua") &&
            !g_strv_contains(written, argv[i - 1])) {
            return command_run(&cmd_model_spatial, argc, argv);
        }
    }
    return command_run(&cmd_model_codesign, argc, argv);
}

int cmd_model(int argc, char **argv)
{
    static const CommandMenuEntry models[] = {
        {"time", cmd_model_time_main,
         "how long a tiled stencil takes on a GPU, and which tile"},
        {"energy", cmd_model_energy_main, "what a tiled program costs in joules"},
        {"area", cmd_model_area_main, "silicon that a GPU, a core or a PE takes"},
        {"codesign", codesign,
         "the best GPU for stencils in an area; of FILE.lua, SRAM or cores"},
        {"chain", cmd_model_chain_main,
         "traffic of a chain of matrix products, fused or not"},
    };
    static const CommandMenu menu = {
        .prefix = "model: ",
        .noun = "model",
        .above = "Usage: gridloom model MODEL ...\n\n"
                 "Analytical cost models: formulas that stand beside the simulator. "
                 "Nothing runs,\nbut for 'codesign FILE.lua'.\n\n",
        .below = "\n'gridloom model MODEL --help' tells more.\n",
        .entries = models,
        .entry_count = G_N_ELEMENTS(models),
    };

    return command_menu_run(&menu, argc, argv);
}
