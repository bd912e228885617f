/* gridloom: finds the command and runs it. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"

static const struct {
    const char *name;
    CommandFunc func;
    const char *help;
} commands[] = {
    {"run", cmd_run, "run a workload script on a simulated chip"},
    {"chips", cmd_chips, "list the chips"},
    {"workloads", cmd_workloads, "list the workload scripts and their parameters"},
    {"describe", cmd_describe,
     "explain a chip or a workload: every number, its source"},
    {"noc", cmd_noc, "experiments with networks on chip, without a workload"},
    {"compare", cmd_compare, "run one problem on several chips, side by side"},
    {"report", cmd_report, "show runs on a page: timelines, maps, tables"},
    {"export", cmd_export,
     "write a trace for Chrome, ViTE, ttnn-visualizer, or as CSV"},
    {"plot", cmd_plot, "draw timelines, heat maps, rooflines and scaling of runs"},
    {"validate", cmd_validate, "compare published figures with simulated ones"},
};

static void print_help(FILE *stream)
{
    (void) fputs("Usage: gridloom COMMAND ...\n\n"
                 "Runs numerical programs on simulated spatial dataflow chips.\n\n",
                 stream);
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        (void) fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].help);
    }
    (void) fputs("\n'gridloom COMMAND --help' tells more. A first run:\n"
                 "  gridloom run transfer\n",
                 stream);
}

static char *command_names(void)
{
    GString *names = g_string_new(NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", commands[i].name);
    }
    return g_string_free(names, FALSE);
}

static bool is_any(const char *word, const char *a, const char *b)
{
    return g_str_equal(word, a) || g_str_equal(word, b);
}

static int run_command(int argc, char **argv)
{
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (g_str_equal(argv[1], commands[i].name)) {
            return commands[i].func(argc - 1, argv + 1);
        }
    }
    g_autofree char *names = command_names();

    return complain("unknown command '%s', known are %s", argv[1], names);
}

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
    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    if (argc < 2) {
        print_help(stderr);
        return EXIT_INPUT;
    }
    if (is_any(argv[1], "--help", "-h") || g_str_equal(argv[1], "help")) {
        print_help(stdout);
        return check_printed(EXIT_DONE);
    }
    if (g_str_equal(argv[1], "--version") ||
        (argc == 3 && g_str_equal(argv[2], "--version"))) {
        printf("gridloom %s\n", GRIDLOOM_VERSION);
        return check_printed(EXIT_DONE);
    }
    return check_printed(run_command(argc, argv));
}
