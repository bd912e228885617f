/* gridloom roofline: runs of chips and GPUs under their roofs. */
#include "tools/gridloom/commands.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/report/page.h"
#include "tools/gridloom/roofline/set.h"
#include "traces/file/output.h"
#include "traces/picture/roofline_picture.h"

enum {
    RUNS_MAXIMUM = 64,
};

typedef struct {
    char **words;   /* runs */
    char **outputs; /* files by their endings: .svg, .png, .html, .csv */
    char *gpus;
    char *beside; /* GPUs and processors */
    char *figure;
    char *json;
    char *title;
    CmdRooflineParts parts;
    int level;     /* see TraceRooflineSet */
    double pixels; /* of a PNG for one of the SVG */
    bool is_published;
    bool is_per_watt;
    bool is_every_roof;
    bool is_quiet;
} Options;

static char *result_json(const Options *options, const TraceRooflineSet *set)
{
    const struct {
        const char *name;
        const char *value;
    } given[] = {{"figure", options->figure},
                 {"gpu", options->gpus},
                 {"beside", options->beside},
                 {"window", options->parts.window}};
    JsonObject *metrics = cmd_roofline_text_to_json(set);
    JsonObject *parameters = json_object_new();

    if (options->figure != NULL) {
        cmd_roofline_text_add_figure(set, metrics);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(given); i++) {
        if (given[i].value != NULL) {
            json_object_set_string_member(parameters, given[i].name, given[i].value);
        }
    }
    return envelope_to_json(
        (TraceResult){
            .workload = "roofline",
            .chip = trace_roofline_set_run(set, 0)->chip,
            .parameters = parameters,
            .metrics = metrics,
            .reference = "nothing: counters of runs that are over",
        },
        NULL);
}

static bool read_runs(TraceRooflineSet *set, const Options *options, GError **error)
{
    g_autoptr(Progress) progress = progress_new("roofline", !options->is_quiet);
    const TraceWatch watch = {.tell = progress_share, .data = progress};
    const guint count = options->words != NULL ? g_strv_length(options->words) : 0;

    if (options->figure != NULL) {
        progress_begin(progress, 1, 1, options->figure);
        return cmd_roofline_set_read_figure(set, options->figure, options->words,
                                            error);
    }
    for (guint i = 0; i < count; i++) {
        progress_begin(progress, i + 1, count, options->words[i]);
        if (!cmd_roofline_set_read(set, options->words[i], &options->parts, &watch,
                                   error)) {
            return false;
        }
    }
    return true;
}

static bool fill(TraceRooflineSet *set, const Options *options, GError **error)
{
    set->level = options->level;
    set->is_published = options->is_published;
    set->is_every_roof = options->is_every_roof;
    if (!read_runs(set, options, error) ||
        (options->gpus != NULL &&
         !cmd_roofline_set_add_machines(set, options->gpus, true, error)) ||
        (options->beside != NULL &&
         !cmd_roofline_set_add_machines(set, options->beside, false, error))) {
        return false;
    }
    if (options->is_per_watt && !trace_roofline_set_per_watt(set)) {
        return option_fail(error, "--per-watt: of no run is the power known");
    }
    if (options->figure == NULL) {
        cmd_roofline_set_warn(set);
    }
    trace_roofline_set_tell(set);
    return true;
}

static bool write_one(const Options *options,
                      const TraceRooflineSet *set,
                      const char *path,
                      GError **error)
{
    g_autofree char *text = NULL;

    if (g_str_has_suffix(path, ".csv")) {
        text = cmd_roofline_text_to_csv(set);
    } else if (g_str_has_suffix(path, ".html")) {
        text = cmd_report_page_of_roofline(set);
    } else {
        text = trace_roofline_picture_new(set, options->title, error);
        return text != NULL && cmd_plot_file_write(path, text, options->pixels, error);
    }
    return trace_output_write(path, text, error);
}

static bool
write_all(const Options *options, const TraceRooflineSet *set, GError **error)
{
    for (char **path = options->outputs; path != NULL && *path != NULL; path++) {
        if (!write_one(options, set, *path, error)) {
            return false;
        }
    }
    if (options->json != NULL) {
        g_autofree char *json = result_json(options, set);

        return trace_output_write(options->json, json, error);
    }
    return true;
}

static int run(gpointer data)
{
    const Options *options = data;
    g_auto(TraceRooflineSet) set = {0};
    g_autoptr(GError) error = NULL;

    cmd_roofline_set_init(&set);
    if (!fill(&set, options, &error) || !write_all(options, &set, &error)) {
        return complain_of(error);
    }
    if (!options->is_quiet && !trace_output_is_stdout(options->json) &&
        !trace_output_has_stdout(options->outputs)) {
        cmd_roofline_text_print(&set);
    }
    return EXIT_DONE;
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

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;
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
    self->level = cmd_roofline_options_level(texts);
    if (!cmd_roofline_parts_check(&self->parts, texts, error)) {
        return false;
    }
    if (self->figure != NULL && self->parts.is_asked) {
        return option_fail(error,
                           "--figure: its runs have no traces; --window, --cores "
                           "and --by are for traces");
    }
    return self->json == NULL ||
           (trace_output_check(self->json, error) &&
            (self->words == NULL ||
             trace_output_check_apart(self->json, self->words, error)));
}

static void clear(gpointer options)
{
    Options *self = options;

    cmd_roofline_parts_clear(&self->parts);
}

static const Option rows[] = {
    {"gpu", "a100,h100,h200", "GPUs beside the runs, with their results",
     OPTION_TEXT(gpus)},
    {"beside", "power9,h200", "the same, and processors", OPTION_TEXT(beside)},
    {"published", NULL, "GPUs with the values that papers print",
     OPTION_FLAG(is_published)},
    {"memory", "sram|noc|received|l2|dram|all",
     "whose bytes are counted (default: all)", OPTION_CHOICE(cmd_roofline_memories)},
    {"all-roofs", NULL,
     "draw every roof, with a point below it (default: the two that bind each run)",
     OPTION_FLAG(is_every_roof)},
    {"per-watt", NULL, "by the run's energy, or the power of the board",
     OPTION_FLAG(is_per_watt)},
    {"figure", "wse2|wormhole|nero|FILE",
     "a published roofline beside ours; runs what it needs unless RUNs are given",
     OPTION_TEXT(figure)},
    {"output", "FILE.svg|.png|.html|.csv",
     "what to write, by its ending; may be given several times", OPTION_TEXTS(outputs),
     .letter = 'o'},
    {"title", "TEXT", "above the picture", OPTION_TEXT(title)},
    {"scale", "N", "pixels of a PNG for one of the SVG (default: 1)",
     CMD_PLOT_FILE_SCALE(pixels)},
    {"json", "FILE", "write numbers as JSON; - is standard output", OPTION_TEXT(json)},
    {"quiet", NULL, "say nothing", OPTION_FLAG(is_quiet), .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words)},
    {0},
};

const Command cmd_roofline = {
    .name = "roofline",
    .words = "RUN...",
    .purpose = "runs of chips and GPUs under their roofs",
    .help = "roofline",
    .tables = {{rows, 0}, {cmd_roofline_part_rows, offsetof(Options, parts)}},
    COMMAND_OPTIONS(Options, .pixels = 1),
    .check = check,
    .clear = clear,
    .run = run,
};
