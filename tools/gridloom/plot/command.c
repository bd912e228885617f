/* gridloom plot: finds the picture and draws it. */
#include "tools/gridloom/command.h"

#include "tools/gridloom/command_menu.h"

COMMAND_FUNC(cmd_plot_timeline)
COMMAND_FUNC(cmd_plot_heatmap)
COMMAND_FUNC(cmd_plot_roofline)
COMMAND_FUNC(cmd_plot_scaling)

int cmd_plot(int argc, char **argv)
{
    static const CommandMenuEntry pictures[] = {
        {"timeline", cmd_plot_timeline_main,
         "what the units of some cores did, and when"},
        {"heatmap", cmd_plot_heatmap_main,
         "how busy places and links were over the chip"},
        {"roofline", cmd_plot_roofline_main,
         "how near runs came to the roofs of their chips"},
        {"scaling", cmd_plot_scaling_main,
         "time of several runs over one of their parameters"},
    };
    static const CommandMenu menu = {
        .prefix = "plot: ",
        .noun = "picture",
        .above = "Usage: gridloom plot PICTURE RUN... -o FILE.svg|FILE.png\n\n"
                 "Draws runs that are over. A RUN is a trace, a result.json, or a "
                 "folder of --out.\n\n",
        .below = "\n'gridloom plot PICTURE --help' tells more.\n",
        .entries = pictures,
        .entry_count = G_N_ELEMENTS(pictures),
    };

    return command_menu_run(&menu, argc, argv);
}
