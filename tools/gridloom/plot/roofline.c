/* gridloom plot roofline: the picture of gridloom roofline, as the other pictures are
 * asked for. */
#include "tools/gridloom/commands.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/roofline/set.h"
#include "traces/picture/roofline_picture.h"

typedef struct {
    CmdPlotFile file;
    CmdRooflineParts parts;
    int level;
    bool is_every_roof;
} Options;

static char *draw(gpointer options, GError **error)
{
    Options *self = options;
    GPtrArray *runs = self->file.runs;
    g_auto(TraceRooflineSet) set = {0};

    cmd_roofline_set_init(&set);
    set.level = self->level;
    set.is_every_roof = self->is_every_roof;
    while (runs->len > 0) {
        if (!cmd_roofline_parts_add(&self->parts, &set,
                                    g_ptr_array_steal_index(runs, 0), error)) {
            return NULL;
        }
    }
    cmd_roofline_set_warn(&set);
    return trace_roofline_picture_new(&set, self->file.title, error);
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    self->level = cmd_roofline_options_level(texts);
    return cmd_roofline_parts_check(&self->parts, texts, error) &&
           cmd_plot_file_open(&self->file, texts, error);
}

static void clear(gpointer options)
{
    Options *self = options;

    cmd_roofline_parts_clear(&self->parts);
    cmd_plot_file_clear(options);
}

static const Option rows[] = {
    {"memory", "sram|noc|received|l2|dram|all",
     "whose bytes are counted (default: all)", OPTION_CHOICE(cmd_roofline_memories)},
    {"all-roofs", NULL,
     "draw every roof, with a point below it (default: the two that bind each run)",
     OPTION_FLAG(is_every_roof)},
    {0},
};

const Command cmd_plot_roofline = {
    .name = "plot roofline",
    .program = "gridloom plot",
    .words = "roofline RUN... -o FILE",
    .purpose = "draw how near runs came to the roofs of their chips",
    .tables = {{rows, 0},
               {cmd_roofline_part_rows, offsetof(Options, parts)},
               {cmd_plot_file_rows, offsetof(Options, file)}},
    COMMAND_OPTIONS(Options,
                    .file = {.name = "plot roofline", .draw = draw, .scale = 1}),
    .check = check,
    .clear = clear,
    .run = cmd_plot_file_run,
};
