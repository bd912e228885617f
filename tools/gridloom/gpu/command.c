/* gridloom gpu: finds the model of GPUs and asks it. */
#include "tools/gridloom/command.h"

#include "tools/gridloom/command_menu.h"

COMMAND_FUNC(cmd_gpu_figure)
COMMAND_FUNC(cmd_gpu_stencil)

int cmd_gpu(int argc, char **argv)
{
    static const CommandMenuEntry models[] = {
        {"figure", cmd_gpu_figure_main,
         "figures of the paper on it, from the model and from what is published"},
        {"stencil", cmd_gpu_stencil_main,
         "the enhanced roofline: CUDA cores or tensor cores for a stencil"},
    };
    static const CommandMenu menu = {
        .prefix = "gpu: ",
        .noun = "model",
        .above =
            "Usage: gridloom gpu MODEL ...\n\n"
            "Models of GPUs. No program runs on them here: these are formulas.\n\n",
        .below = "\n'gridloom gpu MODEL --help' tells more.\n",
        .entries = models,
        .entry_count = G_N_ELEMENTS(models),
    };

    return command_menu_run(&menu, argc, argv);
}
