/* gridloom model: finds the cost model and asks it. */
#include "tools/gridloom/command.h"
#include "tools/gridloom/command_menu.h"

int cmd_model(int argc, char **argv)
{
    static const CommandMenuEntry models[] = {
        {"time", cmd_model_time,
         "how long a tiled stencil takes on a GPU, and which tile"},
        {"energy", cmd_model_energy, "what a tiled program costs in joules"},
        {"area", cmd_model_area, "silicon that a GPU, a core or a PE takes"},
        {"codesign", cmd_model_codesign, "the best machine for a workload in an area"},
        {"chain", cmd_model_chain,
         "traffic of a chain of matrix products, fused or not"},
    };
    static const CommandMenu menu = {
        .prefix = "model: ",
        .noun = "model",
        .above = "Usage: gridloom model MODEL ...\n\n"
                 "Analytical cost models: formulas that stand beside the simulator. "
                 "Nothing runs.\n\n",
        .below = "\n'gridloom model MODEL --help' tells more.\n",
        .entries = models,
        .entry_count = G_N_ELEMENTS(models),
    };

    return command_menu_run(&menu, argc, argv);
}
