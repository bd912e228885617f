/* Reads measured times and asks the model for the same tiles. */
#include "tools/gridloom/model/time/measured.h"

#include "arch/chipfile/value.h"
#include "tools/gridloom/model/time/space.h"
#include "tools/gridloom/option_files.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/quantity.h"
#include "traces/file/csv.h"

#define MOST_SECONDS 1e9

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
    COLUMNS,
    WANTED = RESIDENT, /* those before must be there */
} Column;

/* With a NULL behind the last. */
static const char *const names[COLUMNS + 1] = {"tile",     "tile_steps", "seconds",
                                               "resident", "gpu",        "stencil",
                                               "size",     "steps",      "chosen"};

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

static const ArchParams *
gpu_of(ModelTimeMeasured *self, const Reader *reader, GError **error)
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
static bool read_space(ModelTimeMeasured *self,
                       const Reader *reader,
                       GpuTileSpace *space,
                       char **name,
                       GError **error)
{
    const ArchParams *gpu = gpu_of(self, reader, error);
    const GpuTilingStencil *stencil = self->options->stencil;
    g_autofree char *stencils = model_time_stencil_names();

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
static guint
bench_of(ModelTimeMeasured *self, const char *name, const GpuTileSpace *space)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(self->places, name));

    if (place == 0) {
        const ModelTimeBench bench = {g_strdup(name), *space};

        g_array_append_val(self->benches, bench);
        place = self->benches->len;
        g_hash_table_insert(self->places, g_strdup(name), GUINT_TO_POINTER(place));
    }
    return place - 1;
}

static bool read_row(ModelTimeMeasured *self, const Reader *reader, GError **error)
{
    const char *chosen = field(reader, CHOSEN);
    g_autofree char *name = NULL;
    GpuTileSpace space = {.box = {{0}, 0, 0}};
    GpuTile tile = {{0}, 0, 0};
    GpuTilingTime time;
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
    gpu_tiling_time(&space.problem, &tile, &space.machine, space.form, &time);
    sample.predicted = time.seconds;
    sample.experiment = bench_of(self, name, &space);
    g_array_append_val(self->tiles, tile);
    g_array_append_val(self->samples, sample);
    return true;
}

static void bench_clear(gpointer data)
{
    ModelTimeBench *self = data;

    g_free(self->name);
}

static bool
read_all(ModelTimeMeasured *self, const char *text, gsize length, GError **error)
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
    gpu_tiling_errors((const GpuTilingSample *) (gconstpointer) self->samples->data,
                      self->samples->len, self->options->within, &self->errors);
    return true;
}

bool model_time_measured_init(ModelTimeMeasured *self,
                              const ModelTimeOptions *options,
                              GError **error)
{
    gsize length = 0;
    g_autofree char *text = option_file_read(options->measured, &length, error);

    *self = (ModelTimeMeasured){
        .options = options,
        .tiles = g_array_new(FALSE, FALSE, sizeof(GpuTile)),
        .samples = g_array_new(FALSE, FALSE, sizeof(GpuTilingSample)),
        .benches = g_array_new(FALSE, FALSE, sizeof(ModelTimeBench)),
        .gpus = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                      (GDestroyNotify) arch_params_free),
        .places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };
    g_array_set_clear_func(self->benches, bench_clear);
    return text != NULL && read_all(self, text, length, error);
}

void model_time_measured_clear(ModelTimeMeasured *self)
{
    g_clear_pointer(&self->tiles, g_array_unref);
    g_clear_pointer(&self->samples, g_array_unref);
    g_clear_pointer(&self->benches, g_array_unref);
    g_clear_pointer(&self->gpus, g_hash_table_unref);
    g_clear_pointer(&self->places, g_hash_table_unref);
}
