/* gridloom noc: finds the network experiment and runs it. */
#include "tools/gridloom/command.h"

#include "tools/gridloom/command_menu.h"

COMMAND_FUNC(cmd_noc_traffic)
COMMAND_FUNC(cmd_noc_transfer)
COMMAND_FUNC(cmd_noc_replay)

int cmd_noc(int argc, char **argv)
{
    static const CommandMenuEntry experiments[] = {
        {"traffic", cmd_noc_traffic_main,
         "synthetic traffic: latency and throughput by load"},
        {"transfer", cmd_noc_transfer_main,
         "commands of a chip's cores, timed as on silicon"},
        {"replay", cmd_noc_replay_main,
         "events recorded on silicon, and how well they are predicted"},
    };
    static const CommandMenu menu = {
        .prefix = "noc: ",
        .noun = "experiment",
        .above = "Usage: gridloom noc EXPERIMENT ...\n\n"
                 "Experiments with networks on chip, without a workload.\n\n",
        .below = "\n'gridloom noc EXPERIMENT --help' tells more.\n",
        .entries = experiments,
        .entry_count = G_N_ELEMENTS(experiments),
    };

    return command_menu_run(&menu, argc, argv);
}
