/* Measured times of tiles beside those of the model: reads them, and writes text, JSON,
 * a table, and Figure A.4. */
#include <math.h>
#include <stdio.h>

#include "arch/chipfile/value.h"
#include "arch/model/tiling/errors.h"
#include "arch/model/tiling/study.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/time/time.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/csv.h"
#include "traces/file/named_files.h"
#include "traces/file/quantity.h"
#include "traces/picture/plot_list.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"
#include "workloads/search.h"

#define MOST_SECONDS 1e9
#define PERCENT      100.0
#define RATIO        10.0 /* of times from which on axes are logarithmic */

enum {
    SHOWN = 20, /* experiments of a page */
};

/* A stencil of a size on a GPU. */
typedef struct {
    char *name; /* "gtx980 gradient2d 8192x8192 8192" */
    GpuTileSpace space;
} Bench;

typedef struct {
    const ModelTimeOptions *options;
    GArray *tiles;      /* of GpuTile, a row of the file each */
    GArray *samples;    /* of GpuTilingSample, likewise */
    GArray *benches;    /* of Bench: the experiments of samples */
    GHashTable *gpus;   /* ArchParams by name */
    GHashTable *places; /* of benches, from 1 on, by name */
    GpuTilingErrors errors;
} Measured;

typedef enum {
    TILE,
    TILE_STEPS,
    SECONDS,
    RESIDENT,
    GPU,
    STENCIL,
    SIZE,
    STEPS,
    CHOSEN,
    THREADS, /* of a block; the model knows none */
    COLUMNS,
    WANTED = RESIDENT, /* those before must be there */
} Column;

/* With a NULL behind the last. */
static const char *const names[COLUMNS + 1] = {
    "tile",    "tile_steps", "seconds", "resident", "gpu",
    "stencil", "size",       "steps",   "chosen",   "threads"};

typedef struct {
    const char *file;
    const TraceCsv *csv;
    int places[COLUMNS]; /* of columns; -1: there is none */
    guint row;
} Reader;

static const char *field(const Reader *reader, Column column)
{
    return reader->places[column] < 0 ? NULL
                                      : trace_csv_field(reader->csv, reader->row,
                                                        (guint) reader->places[column]);
}

static bool
refuse(const Reader *reader, Column column, const char *allowed, GError **error)
{
    return option_refuse(names[column], field(reader, column), allowed, error);
}

static bool find_columns(Reader *reader, GError **error)
{
    for (guint i = 0; i < COLUMNS; i++) {
        reader->places[i] = trace_csv_column(reader->csv, names[i]);
        if (i < WANTED && reader->places[i] < 0) {
            return option_fail(error, "%s:1: there is no column %s", reader->file,
                               names[i]);
        }
    }
    for (guint i = 0; i < trace_csv_column_count(reader->csv); i++) {
        const char *name = trace_csv_column_name(reader->csv, i);

        if (!g_strv_contains(names, name)) {
            g_autofree char *quoted = arch_value_quote(name);

            return option_fail(error, "%s:1: unknown column %s", reader->file, quoted);
        }
    }
    return trace_csv_row_count(reader->csv) > 0 ||
           option_fail(error, "%s: there is no measured time in it", reader->file);
}

static const ArchParams *gpu_of(Measured *self, const Reader *reader, GError **error)
{
    const char *name = field(reader, GPU);

    if (name == NULL) {
        return self->options->gpu;
    }
    ArchParams *gpu = g_hash_table_lookup(self->gpus, name);

    if (gpu == NULL) {
        gpu = model_time_gpu(name, self->options->overrides, error);
        if (gpu != NULL) {
            g_hash_table_insert(self->gpus, g_strdup(name), gpu);
        }
    }
    return gpu;
}

/* What a row is measured of; a cell that is not there is as the line has it. */
static bool read_space(Measured *self,
                       const Reader *reader,
                       GpuTileSpace *space,
                       char **name,
                       GError **error)
{
    const ArchParams *gpu = gpu_of(self, reader, error);
    const GpuTilingStencil *stencil = self->options->stencil;
    g_autofree char *stencils = gpu_tiling_stencil_names(false, 0);

    if (gpu == NULL) {
        return false;
    }
    if (field(reader, STENCIL) != NULL) {
        stencil = gpu_tiling_stencil_find(field(reader, STENCIL));
    }
    if (stencil == NULL) {
        return refuse(reader, STENCIL, stencils, error);
    }
    *space = self->options->space;
    if (!model_time_space_of(space, gpu, stencil, self->options->point_seconds,
                             error)) {
        return false;
    }
    if (field(reader, SIZE) != NULL &&
        !option_is_sizes(field(reader, SIZE), stencil->dimension, GPU_TILING_MOST,
                         space->problem.space)) {
        return refuse(reader, SIZE, "as many sizes as dimensions, as 8192x8192", error);
    }
    if (field(reader, SIZE) == NULL &&
        stencil->dimension != self->options->stencil->dimension) {
        return option_fail(error, "%s has %u dimensions, and there is no column size",
                           stencil->name, stencil->dimension);
    }
    if (field(reader, STEPS) != NULL &&
        !g_ascii_string_to_unsigned(field(reader, STEPS), 10, 1, GPU_TILING_MOST,
                                    &space->problem.steps, NULL)) {
        return refuse(reader, STEPS, "a whole number from 1", error);
    }
    g_autofree char *size = quantity_sizes(space->problem.space, stencil->dimension);

    *name = g_strdup_printf("%s %s %s %" G_GUINT64_FORMAT, arch_params_name(gpu),
                            stencil->name, size, space->problem.steps);
    return true;
}

static bool read_tile(const Reader *reader,
                      const GpuTileSpace *space,
                      GpuTile *tile,
                      GError **error)
{
    const guint dimension = space->problem.dimension;
    guint64 number = 0;

    if (!option_is_sizes(field(reader, TILE), dimension, GPU_TILING_MOST,
                         tile->space)) {
        return refuse(reader, TILE, "as many sizes as dimensions, as 16x64", error);
    }
    if (!g_ascii_string_to_unsigned(field(reader, TILE_STEPS), 10, 1, GPU_TILING_MOST,
                                    &number, NULL)) {
        return refuse(reader, TILE_STEPS, "an even number from 2", error);
    }
    tile->steps = number;
    number = MAX(gpu_tile_most_resident(tile, dimension, &space->machine), 1);
    if (field(reader, RESIDENT) != NULL &&
        !g_ascii_string_to_unsigned(field(reader, RESIDENT), 10, 1, G_MAXINT32, &number,
                                    NULL)) {
        return refuse(reader, RESIDENT, "a whole number from 1", error);
    }
    tile->resident = (guint) number;
    return gpu_tile_check(tile, &space->problem, &space->machine, error);
}

/* The place of the experiment of this name, which is new or known. */
static guint bench_of(Measured *self, const char *name, const GpuTileSpace *space)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(self->places, name));

    if (place == 0) {
        const Bench bench = {g_strdup(name), *space};

        g_array_append_val(self->benches, bench);
        place = self->benches->len;
        g_hash_table_insert(self->places, g_strdup(name), GUINT_TO_POINTER(place));
    }
    return place - 1;
}

static bool read_row(Measured *self, const Reader *reader, GError **error)
{
    const char *chosen = field(reader, CHOSEN);
    g_autofree char *name = NULL;
    GpuTileSpace space = {.box = {{0}, 0, 0}};
    GpuTile tile = {{0}, 0, 0};
    GpuTilingSample sample = {.is_chosen = chosen != NULL && g_str_equal(chosen, "1")};

    if (!read_space(self, reader, &space, &name, error) ||
        !read_tile(reader, &space, &tile, error)) {
        return false;
    }
    if (!option_is_number(field(reader, SECONDS), &sample.measured) ||
        !(sample.measured > 1 / MOST_SECONDS) || !(sample.measured <= MOST_SECONDS)) {
        return refuse(reader, SECONDS, "a number of seconds above 1e-9, at most 1e9",
                      error);
    }
    if (chosen != NULL && !sample.is_chosen && !g_str_equal(chosen, "0")) {
        return refuse(reader, CHOSEN, "0 or 1", error);
    }
    sample.predicted = gpu_tiling_seconds(&space, &tile, space.form);
    sample.experiment = bench_of(self, name, &space);
    g_array_append_val(self->tiles, tile);
    g_array_append_val(self->samples, sample);
    return true;
}

static void bench_clear(gpointer data)
{
    g_free(((Bench *) data)->name);
}

static const GpuTilingSample *samples_of(const Measured *self)
{
    return (const GpuTilingSample *) (gconstpointer) self->samples->data;
}

/* The caller frees them. */
static GpuTilingSummary *summaries_of(const Measured *self)
{
    return gpu_tiling_summaries(samples_of(self), self->samples->len,
                                self->benches->len);
}

static bool read_all(Measured *self, const char *text, gsize length, GError **error)
{
    const char *file = self->options->measured;
    g_autoptr(TraceCsv) csv = trace_csv_parse(file, text, length, error);
    Reader reader = {.file = file, .csv = csv};

    if (csv == NULL || !find_columns(&reader, error)) {
        return false;
    }
    for (reader.row = 0; reader.row < trace_csv_row_count(csv); reader.row++) {
        if (!read_row(self, &reader, error)) {
            g_prefix_error(error, "%s:%u: ", file, trace_csv_line(csv, reader.row));
            return false;
        }
    }
    gpu_tiling_errors(samples_of(self), self->samples->len, self->options->within,
                      &self->errors);
    return true;
}

static JsonObject *parameters(gconstpointer data)
{
    const ModelTimeOptions *options = ((const Measured *) data)->options;

    return RECORD(
        VALUE("measured", options->measured),
        VALUE("as_printed", (bool) (options->space.form == GPU_TILING_AS_PRINTED)),
        VALUE("within_percent", PERCENT * options->within));
}

static JsonObject *metrics(gconstpointer data)
{
    const GpuTilingErrors *errors = &((const Measured *) data)->errors;

    return RECORD(
        VALUE("experiments", errors->experiments), VALUE("samples", errors->samples),
        VALUE("near_samples", errors->near_samples),
        VALUE("rmse_percent", PERCENT * errors->rmse),
        VALUE("near_rmse_percent", PERCENT * errors->near_rmse),
        VALUE("err_max", errors->err_max), VALUE("err_sign", errors->err_sign),
        VALUE("gain_percent", PERCENT * errors->gain),
        VALUE("most_gain_percent", PERCENT * errors->most_gain));
}

static char *csv(gconstpointer data)
{
    const Measured *self = data;
    GString *text = g_string_new("experiment,tile,tile_steps,resident,measured_seconds,"
                                 "predicted_seconds,error_percent\n");

    for (guint row = 0; row < self->samples->len; row++) {
        const GpuTilingSample *sample = &samples_of(self)[row];
        const GpuTile *tile = &g_array_index(self->tiles, GpuTile, row);
        const Bench *bench = &g_array_index(self->benches, Bench, sample->experiment);
        g_autofree char *sizes =
            quantity_sizes(tile->space, bench->space.problem.dimension);

        trace_number_text_add(
            text, "-", "%s,%s,%" G_GUINT64_FORMAT ",%u,%.15g,%.15g,%.6f\n", bench->name,
            sizes, tile->steps, tile->resident, sample->measured, sample->predicted,
            PERCENT * (sample->predicted - sample->measured) / sample->measured);
    }
    return g_string_free(text, FALSE);
}

/* The points of one kind, near their experiment's best or not. */
static void add_points(TracePlotList *plot, const Measured *self, bool is_near)
{
    g_autofree GpuTilingSummary *summaries = summaries_of(self);

    for (guint row = 0; row < self->samples->len; row++) {
        const GpuTilingSample *sample = &samples_of(self)[row];

        if (gpu_tiling_sample_is_near(sample, summaries, self->options->within) ==
            is_near) {
            trace_plot_list_add(plot, sample->measured, sample->predicted);
        }
    }
}

static char *svg(gconstpointer data)
{
    const Measured *self = data;
    const GpuTilingErrors *errors = &self->errors;
    g_autoptr(TracePlotList) plot = trace_plot_list_new();
    double low = G_MAXDOUBLE;
    double high = 0;
    g_autofree char *note =
        g_strdup_printf("RMSE %.1f %% of all %u, %.1f %% of the %u close to the best",
                        PERCENT * errors->rmse, errors->samples,
                        PERCENT * errors->near_rmse, errors->near_samples);

    for (guint row = 0; row < self->samples->len; row++) {
        const GpuTilingSample *sample = &samples_of(self)[row];

        low = MIN(low, MIN(sample->measured, sample->predicted));
        high = MAX(high, MAX(sample->measured, sample->predicted));
    }
    trace_plot_list_series(plot, TRACE_PLOT_POINTS, "within %.0f %% of the best",
                           PERCENT * self->options->within);
    add_points(plot, self, true);
    trace_plot_list_series(plot, TRACE_PLOT_POINTS, "others");
    add_points(plot, self, false);
    trace_plot_list_series(plot, TRACE_PLOT_LINE, "equal");
    trace_plot_list_add(plot, low, low);
    trace_plot_list_add(plot, high, high);
    return trace_plot_list_draw(
        plot,
        &(TracePlot){
            .title = "Predicted and measured times of tiled stencils",
            .x = "measured, s",
            .y = "predicted, s",
            .is_log_x = high > RATIO * low,
            .is_log_y = high > RATIO * low,
            .note = note,
        },
        trace_plot_to_svg);
}

static void print(gconstpointer data)
{
    const Measured *self = data;
    const GpuTilingErrors *errors = &self->errors;
    g_autofree GpuTilingSummary *summaries = summaries_of(self);
    g_autoptr(Grid) grid = grid_with(
        "EXPERIMENT|TILES|BEST MEASURED, S|MODEL SAYS, S|MODEL'S CHOICE TOOK, S");

    trace_number_text_print(
        "model time: %s against measured times, %s\n"
        "  RMSE      %.2f %% of all %u, %.2f %% of the %u within %.0f %% of the best\n"
        "  Err_max   %.6g s, Err_sign %.6g s, over %u experiment%s (A.6.2)\n%s",
        self->options->measured, model_time_form_name(self->options->space.form),
        PERCENT * errors->rmse, errors->samples, PERCENT * errors->near_rmse,
        errors->near_samples, PERCENT * self->options->within, errors->err_max,
        errors->err_sign, errors->experiments, errors->experiments == 1 ? "" : "s",
        isnan(errors->gain) ? "\n" : "");
    if (!isnan(errors->gain)) {
        printf(
            "  gain      the best of the chosen tiles is %.1f %% faster than the best "
            "of the others, %.1f %% at most\n\n",
            PERCENT * errors->gain, PERCENT * errors->most_gain);
    }
    for (guint i = 0; i < MIN(self->benches->len, SHOWN); i++) {
        grid_printf(grid, "%s|%u|%.5g|%.5g|%.5g",
                    g_array_index(self->benches, Bench, i).name, summaries[i].samples,
                    summaries[i].best->measured, summaries[i].best->predicted,
                    summaries[i].chosen->measured);
    }
    grid_print(grid, stdout, 2);
    if (self->benches->len > SHOWN) {
        printf("  and %u more\n", self->benches->len - SHOWN);
    }
}

int model_time_measured(const ModelTimeOptions *options, gint64 start)
{
    g_autoptr(GError) error = NULL;
    gsize length = 0;
    g_autofree char *found = search_find(SEARCH_TIMES, options->measured);
    g_autofree char *text = trace_named_file_read(
        found != NULL ? found : options->measured, &length, &error);
    g_autoptr(GArray) tiles = g_array_new(FALSE, FALSE, sizeof(GpuTile));
    g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(GpuTilingSample));
    g_autoptr(GArray) benches = g_array_new(FALSE, FALSE, sizeof(Bench));
    g_autoptr(GHashTable) gpus = g_hash_table_new_full(
        g_str_hash, g_str_equal, g_free, (GDestroyNotify) arch_params_free);
    g_autoptr(GHashTable) places =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Measured measured = {.options = options,
                         .tiles = tiles,
                         .samples = samples,
                         .benches = benches,
                         .gpus = gpus,
                         .places = places};

    g_array_set_clear_func(benches, bench_clear);
    return text != NULL && read_all(&measured, text, length, &error)
               ? model_output_write(&options->output,
                                    &MODEL_PAGE("model time", options->gpu, &measured),
                                    start)
               : complain_of(error);
}
