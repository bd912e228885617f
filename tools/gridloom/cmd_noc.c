/* gridloom noc: finds the network experiment and runs it. */
#include <stdbool.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"

static const struct {
    const char *name;
    CommandFunc func;
    const char *help;
} experiments[] = {
    {"traffic", cmd_noc_traffic, "synthetic traffic: latency and throughput by load"},
    {"transfer", cmd_noc_transfer, "commands of a chip's cores, timed as on silicon"},
    {"replay", cmd_noc_replay,
     "events recorded on silicon, and how well they are predicted"},
};

static void print_help(FILE *stream)
{
    (void) fputs("Usage: gridloom noc EXPERIMENT ...\n\n"
                 "Experiments with networks on chip, without a workload.\n\n",
                 stream);
    for (gsize i = 0; i < G_N_ELEMENTS(experiments); i++) {
        (void) fprintf(stream, "  %-10s %s\n", experiments[i].name,
                       experiments[i].help);
    }
    (void) fputs("\n'gridloom noc EXPERIMENT --help' tells more.\n", stream);
}

static char *experiment_names(void)
{
    const char *names[G_N_ELEMENTS(experiments) + 1] = {NULL};

    for (gsize i = 0; i < G_N_ELEMENTS(experiments); i++) {
        names[i] = experiments[i].name;
    }
    return g_strjoinv(", ", (char **) names);
}

int cmd_noc(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_INPUT;
    }
    if (g_str_equal(argv[1], "--help") || g_str_equal(argv[1], "-h")) {
        print_help(stdout);
        return EXIT_DONE;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(experiments); i++) {
        if (g_str_equal(argv[1], experiments[i].name)) {
            return experiments[i].func(argc - 1, argv + 1);
        }
    }
    g_autofree char *names = experiment_names();

    return complain("noc: unknown experiment '%s', known are %s", argv[1], names);
}
