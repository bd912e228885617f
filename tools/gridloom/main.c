/* gridloom: finds the command and runs it. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/command.h"
#include "tools/gridloom/command_menu.h"
#include "tools/gridloom/complaint.h"

COMMAND_FUNC(cmd_run)
COMMAND_FUNC(cmd_workloads)
COMMAND_FUNC(cmd_chips)
COMMAND_FUNC(cmd_describe)
COMMAND_FUNC(cmd_export)
COMMAND_FUNC(cmd_report)
COMMAND_FUNC(cmd_roofline)
COMMAND_FUNC(cmd_compare)
COMMAND_FUNC(cmd_tune)
COMMAND_FUNC(cmd_validate)
COMMAND_FUNC(cmd_sweep)

static const CommandMenuEntry commands[] = {
    {"run", cmd_run_main, "run a workload script on a simulated chip"},
    {"chips", cmd_chips_main, "list the chips"},
    {"workloads", cmd_workloads_main, "list the workload scripts and their parameters"},
    {"describe", cmd_describe_main,
     "explain a chip or a workload: every number, its source"},
    {"noc", cmd_noc, "experiments with networks on chip, without a workload"},
    {"gpu", cmd_gpu, "models of GPUs: stencils on CUDA and tensor cores"},
    {"model", cmd_model, "cost models: time, energy, area, codesign, matrix chains"},
    {"compare", cmd_compare_main, "run one problem on several chips, side by side"},
    {"sweep", cmd_sweep_main, "do many runs, of all that may vary, into one database"},
    {"tune", cmd_tune_main, "find the window of a grid that gives most for least"},
    {"roofline", cmd_roofline_main,
     "runs of chips and GPUs under their roofs: what bounds each, and how near"},
    {"report", cmd_report_main, "show runs on a page: timelines, maps, tables"},
    {"export", cmd_export_main,
     "write a trace for Chrome, ViTE, ttnn-visualizer, or as CSV"},
    {"plot", cmd_plot, "draw timelines, heat maps, rooflines and scaling of runs"},
    {"validate", cmd_validate_main, "compare published figures with simulated ones"},
};

static const CommandMenu menu = {
    .prefix = "",
    .noun = "command",
    .above = "Usage: gridloom COMMAND ...\n\n"
             "Runs numerical programs on simulated spatial dataflow chips.\n\n",
    .below = "\n'gridloom COMMAND --help' tells more. A first run:\n"
             "  gridloom run pcg --out pcg\n",
    .entries = commands,
    .entry_count = G_N_ELEMENTS(commands),
};

/* What was printed may still be on its way. */
static int check_printed(int status)
{
    bool is_printed = fflush(stdout) == 0 && ferror(stdout) == 0;

    return is_printed || status != EXIT_DONE
               ? status
               : complain("standard output cannot be written, %s", g_strerror(errno));
}

int main(int argc, char **argv)
{
    static const char *const helps[] = {"help", "--help", "-h", NULL};

    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    if (argc >= 2 && g_strv_contains(helps, argv[1])) {
        command_menu_print(&menu, stdout);
        return check_printed(EXIT_DONE);
    }
    if ((argc >= 2 && g_str_equal(argv[1], "--version")) ||
        (argc == 3 && g_str_equal(argv[2], "--version"))) {
        printf("gridloom %s\n", GRIDLOOM_VERSION);
        return check_printed(EXIT_DONE);
    }
    return check_printed(command_menu_run(&menu, argc, argv));
}
