/* gridloom plot: finds the picture and draws it. */
#include <stdbool.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"

static const struct {
    const char *name;
    CommandFunc func;
    const char *help;
} pictures[] = {
    {"timeline", cmd_plot_timeline, "what the units of some cores did, and when"},
    {"heatmap", cmd_plot_heatmap, "how busy places and links were over the chip"},
    {"roofline", cmd_plot_roofline, "how near runs came to the roofs of their chips"},
    {"scaling", cmd_plot_scaling, "time of several runs over one of their parameters"},
};

static void print_help(FILE *stream)
{
    (void) fputs(
        "Usage: gridloom plot PICTURE RUN... -o FILE.svg|FILE.png\n\n"
        "Draws runs that are over. A RUN is a trace, a result.json, or a folder "
        "of --out.\n\n",
        stream);
    for (gsize i = 0; i < G_N_ELEMENTS(pictures); i++) {
        (void) fprintf(stream, "  %-10s %s\n", pictures[i].name, pictures[i].help);
    }
    (void) fputs("\n'gridloom plot PICTURE --help' tells more.\n", stream);
}

static char *picture_names(void)
{
    const char *names[G_N_ELEMENTS(pictures) + 1] = {NULL};

    for (gsize i = 0; i < G_N_ELEMENTS(pictures); i++) {
        names[i] = pictures[i].name;
    }
    return g_strjoinv(", ", (char **) names);
}

int cmd_plot(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_INPUT;
    }
    if (g_str_equal(argv[1], "--help") || g_str_equal(argv[1], "-h")) {
        print_help(stdout);
        return EXIT_DONE;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(pictures); i++) {
        if (g_str_equal(argv[1], pictures[i].name)) {
            return pictures[i].func(argc - 1, argv + 1);
        }
    }
    g_autofree char *names = picture_names();

    return complain("plot: unknown picture '%s', known are %s", argv[1], names);
}
