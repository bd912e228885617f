/* gridloom plot roofline: the picture of gridloom roofline, as the other pictures are
 * asked for. */
#include "tools/gridloom/command.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/roofline/options.h"
#include "tools/gridloom/roofline/set.h"
#include "traces/picture/roofline_picture.h"

static char *draw(CmdPlotFile *file, int level, GError **error)
{
    g_auto(TraceRooflineSet) set = {0};

    cmd_roofline_set_init(&set);
    set.level = level;
    while (file->runs->len > 0) {
        if (!trace_roofline_set_add(&set, g_ptr_array_steal_index(file->runs, 0),
                                    error)) {
            return NULL;
        }
    }
    return trace_roofline_picture_new(&set, file->title, error);
}

int cmd_plot_roofline(int argc, char **argv)
{
    g_auto(CmdPlotFile)
        file = {.name = "plot roofline",
                .summary = "roofline RUN... -o FILE - draw how near runs "
                           "came to the roofs of their chips"};
    g_autofree char *memory_text = NULL;
    g_autofree char *svg = NULL;
    g_autoptr(GError) error = NULL;
    int level = TRACE_ROOFLINE_ALL_LEVELS;
    const GOptionEntry entries[] = {
        {"memory", 0, 0, G_OPTION_ARG_FILENAME, &memory_text,
         "whose bytes are counted (default: all)", "sram|noc|received|l2|dram|all"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    if (cmd_plot_file_parse(&file, entries, argc, argv, &error) &&
        cmd_roofline_options_level(memory_text, &level, &error) &&
        cmd_plot_file_read(&file, G_MAXINT, &error)) {
        svg = draw(&file, level, &error);
    }
    return cmd_plot_file_end(&file, svg, error);
}
