/* gridloom gpu figure: a figure of the paper on stencils and tensor cores, again. */
#include <stdio.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/gpu/figure.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/file/output.h"
#include "traces/table/record.h"
#include "workloads/chip_file.h"

typedef bool (*FigureFunc)(CmdGpuFigure *self, GError **error);

static const struct {
    FigureFunc func;
    const char *title;
} figures[] = {
    {cmd_gpu_figure_speedups, "speedups of tensor cores over DRStencil"},
    {cmd_gpu_figure_classes, "intensities of stencils by fusion depth, float"},
    {cmd_gpu_figure_roofs, "rooflines of fused stencils, two clocks"},
    {cmd_gpu_figure_intensities, "intensity by fusion depth, double"},
    {cmd_gpu_figure_rates, "rates of all programs"},
};

typedef struct {
    char **words;
    char *gpu_name;
    char **outputs;
    char *csv;
    char *json;
    bool is_quiet;
    guint figure; /* of `figures` */
    ArchParams *gpu;
} Options;

static const char *const figure_names[] = {"2", "10", "11", "15", "16", NULL};

static bool check_files(const Options *self, GError **error)
{
    for (char **path = self->outputs; path != NULL && *path != NULL; path++) {
        if (!cmd_plot_file_check(*path, error)) {
            return false;
        }
    }
    return (self->csv == NULL || trace_output_check(self->csv, error)) &&
           (self->json == NULL || trace_output_check(self->json, error));
}

static bool
check(gpointer options, const OptionTexts *texts G_GNUC_UNUSED, GError **error)
{
    Options *self = options;

    if (!option_word(self->words[0], "figure", figure_names, &self->figure, error) ||
        !check_files(self, error)) {
        return false;
    }
    self->gpu = wl_chip_load_gpu(self->gpu_name, error);
    return self->gpu != NULL;
}

static void clear(gpointer options)
{
    Options *self = options;

    g_clear_pointer(&self->gpu, arch_params_free);
}

static bool write_files(const Options *options,
                        const CmdGpuFigure *figure,
                        gint64 start,
                        GError **error)
{
    for (char **path = options->outputs; path != NULL && *path != NULL; path++) {
        if (!cmd_plot_file_write(*path, figure->svg, CMD_PLOT_FILE_SHARP, error)) {
            return false;
        }
    }
    if (options->csv != NULL) {
        g_autofree char *csv = cmd_gpu_figure_to_csv(figure);

        if (!trace_output_write(options->csv, csv, error)) {
            return false;
        }
    }
    if (options->json != NULL) {
        g_autofree char *json = envelope_to_json(
            (TraceResult){
                .workload = "gpu figure",
                .seed = 1,
                .parameters = RECORD(VALUE("figure", figure_names[options->figure])),
                .rows = cmd_gpu_figure_to_json(figure),
                .reference = "what the paper prints, in the rows",
                .wall_seconds = envelope_seconds(start),
            },
            options->gpu);

        return trace_output_write(options->json, json, error);
    }
    return true;
}

/* Prints the figure, unless a file goes to standard output. */
static void print(const Options *options, const CmdGpuFigure *figure)
{
    if (options->is_quiet || trace_output_is_stdout(options->csv) ||
        trace_output_is_stdout(options->json) ||
        trace_output_has_stdout(options->outputs)) {
        return;
    }
    (void) printf("figure %s: %s, %s\n", figure_names[options->figure],
                  figures[options->figure].title, arch_params_name(options->gpu));
    for (guint i = 0; i < figure->notes->len; i++) {
        (void) printf("  %s\n", (const char *) g_ptr_array_index(figure->notes, i));
    }
}

static int run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const Options *options = data;
    g_auto(CmdGpuFigure) figure = {0};
    g_autoptr(CmdGpuPublished) published = NULL;
    g_autoptr(GError) error = NULL;

    published = cmd_gpu_published_load(&error);
    if (published == NULL) {
        return complain_of(error);
    }
    cmd_gpu_figure_init(&figure, options->gpu, published);
    if (!figures[options->figure].func(&figure, &error) ||
        !write_files(options, &figure, start, &error)) {
        return complain_of(error);
    }
    print(options, &figure);
    return EXIT_DONE;
}

static const Option rows[] = {
    {"gpu", "NAME|FILE", "the model's GPU (default: " WL_CHIP_GPU ", the paper's)",
     OPTION_TEXT(gpu_name), .names = OPTION_NAMES_CHIPS},
    {"output", "FILE.svg|FILE.png", "where to draw, may be given several times",
     OPTION_TEXTS(outputs), .letter = 'o'},
    {"csv", "FILE", "the numbers", OPTION_TEXT(csv)},
    {"json", "FILE", "the same as a result, - for standard output", OPTION_TEXT(json)},
    {"quiet", NULL, "print nothing", OPTION_FLAG(is_quiet), .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words), .words = figure_names},
    {0},
};

const Command cmd_gpu_figure = {
    .name = "gpu figure",
    .program = "gridloom gpu",
    .words = "figure 2|10|11|15|16",
    .purpose = "draw a figure of the paper on stencils and tensor cores",
    .missing = "which one? There are 2, 10, 11, 15, 16",
    .most_words = 1,
    .help = "gpu-figure",
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .check = check,
    .clear = clear,
    .run = run,
};
