/* Reads and checks what gridloom roofline is to do. */
#include "tools/gridloom/roofline/options.h"

#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/roofline/set.h"
#include "traces/file/output.h"

enum {
    RUNS_MAXIMUM = 64,
};

static const char *const description =
    "A RUN is a trace, a result.json, a folder of --out, or a name in traces/gpu\n"
    "(h200-pcg-stored). Operations per byte of each memory come from the run's "
    "counters, "
    "roofs\n"
    "from its result; those of GPUs and processors from their chip files. --gpu and\n"
    "--beside add results of traces/gpu that have the same workload as one of the\n"
    "runs, measured or published.\n\n"
    "  gridloom roofline pcg.json --gpu h200 -o pcg.svg -o pcg.html\n"
    "  gridloom roofline --figure wse2 -o figure11.svg\n"
    "  gridloom roofline --figure wormhole -o figure3.svg\n"
    "  gridloom roofline --figure nero -o figure1.svg\n"
    "  gridloom roofline hdiff.json --beside power9 -o hdiff.svg\n";

void cmd_roofline_options_clear(CmdRooflineOptions *self)
{
    g_strfreev(self->words);
    g_strfreev(self->outputs);
    g_free(self->gpus);
    g_free(self->beside);
    g_free(self->figure);
    g_free(self->json);
    g_free(self->title);
    g_free(self->memory_text);
    g_free(self->scale_text);
}

bool cmd_roofline_options_level(const char *text, int *level, GError **error)
{
    const char *names[TRACE_ROOFLINE_OTHER + 2] = {NULL};
    guint chosen = TRACE_ROOFLINE_OTHER;

    for (guint i = 0; i < TRACE_ROOFLINE_OTHER; i++) {
        names[i] = trace_roofline_level_name((TraceRooflineLevel) i);
    }
    names[TRACE_ROOFLINE_OTHER] = "all";
    if (!option_word(text, "--memory", names, &chosen, error)) {
        return false;
    }
    if (text != NULL) {
        *level =
            chosen == TRACE_ROOFLINE_OTHER ? CMD_ROOFLINE_ALL_LEVELS : (int) chosen;
    }
    return true;
}

static bool check_output(const char *path, GError **error)
{
    if (g_str_has_suffix(path, ".html") || g_str_has_suffix(path, ".csv")) {
        return trace_output_check(path, error);
    }
    if (!cmd_plot_file_is_picture(path)) {
        return option_fail(error, "%s: expected a name with .svg, .png, .html or .csv",
                           path);
    }
    return cmd_plot_file_check(path, error);
}

static bool check(CmdRooflineOptions *self, GError **error)
{
    const guint runs = self->words != NULL ? g_strv_length(self->words) : 0;

    if (runs == 0 && self->figure == NULL) {
        return option_fail(error, "roofline: no run, give a trace, a result.json or a "
                                  "folder of --out, or --figure");
    }
    if (runs > RUNS_MAXIMUM) {
        return option_fail(error, "roofline: too many runs, at most 64");
    }
    for (char **path = self->outputs; path != NULL && *path != NULL; path++) {
        if (!check_output(*path, error) ||
            (self->words != NULL &&
             !trace_output_check_apart(*path, self->words, error))) {
            return false;
        }
    }
    return cmd_plot_file_scale(self->scale_text, &self->pixels, error) &&
           cmd_roofline_options_level(self->memory_text, &self->level, error) &&
           (self->json == NULL || trace_output_check(self->json, error));
}

bool cmd_roofline_options_parse(CmdRooflineOptions *self,
                                int argc,
                                char **argv,
                                GError **error)
{
    const GOptionEntry entries[] = {
        {"gpu", 0, 0, G_OPTION_ARG_FILENAME, &self->gpus,
         "GPUs beside the runs, with their results", "a100,h100,h200"},
        {"beside", 0, 0, G_OPTION_ARG_FILENAME, &self->beside,
         "the same, and processors", "power9,h200"},
        {"published", 0, 0, G_OPTION_ARG_NONE, &self->is_published,
         "GPUs with the values that papers print", NULL},
        {"memory", 0, 0, G_OPTION_ARG_FILENAME, &self->memory_text,
         "whose bytes are counted (default: all)", "sram|noc|received|l2|dram|all"},
        {"per-watt", 0, 0, G_OPTION_ARG_NONE, &self->is_per_watt,
         "by the run's energy, or the power of the board", NULL},
        {"figure", 0, 0, G_OPTION_ARG_FILENAME, &self->figure,
         "a published roofline beside ours; runs what it needs unless RUNs are given",
         "wse2|wormhole|nero|FILE"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &self->outputs,
         "what to write, by its ending; may be given several times",
         "FILE.svg|.png|.html|.csv"},
        {"title", 0, 0, G_OPTION_ARG_FILENAME, &self->title, "above the picture",
         "TEXT"},
        {"scale", 0, 0, G_OPTION_ARG_FILENAME, &self->scale_text,
         "pixels of a PNG for one of the SVG (default: 1)", "N"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
         "write numbers as JSON; - is standard output", "FILE"},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet, "say nothing", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("RUN... - runs of chips and GPUs under their roofs");

    self->level = CMD_ROOFLINE_ALL_LEVELS;
    g_set_prgname("gridloom roofline");
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_set_description(context, description);
    return g_option_context_parse(context, &argc, &argv, error) && check(self, error);
}

bool cmd_roofline_options_have_text(const CmdRooflineOptions *self)
{
    return !self->is_quiet && !trace_output_is_stdout(self->json) &&
           !trace_output_has_stdout(self->outputs);
}
