/* Reads and writes runs. */
#include "tools/gridloom/model/energy/energy.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/csv.h"
#include "traces/file/named_files.h"
#include "traces/file/quantity.h"
#include "traces/table/number_text.h"
#include "workloads/search.h"

/* Seconds and joules that a run may have: quotients and squares of them stay finite. */
#define LEAST 1e-9
#define MOST  1e15

typedef enum {
    PROGRAM,
    SIZE,
    STEPS,
    TILE,
    TILE_STEPS,
    SUBTILE,
    SECONDS,
    JOULES,
    COLUMNS,
} Column;

static const char *const names[COLUMNS] = {
    "program", "size", "steps", "tile", "tile_steps", "subtile", "seconds", "joules"};

typedef struct {
    const char *path;
    TraceCsv *csv;
    guint columns[COLUMNS];
    double block_bytes;
} Reader;

static bool find_columns(Reader *self, GError **error)
{
    for (guint i = 0; i < COLUMNS; i++) {
        const int column = trace_csv_column(self->csv, names[i]);

        if (column < 0) {
            return option_fail(error,
                               "%s: there is no column %s; wanted are program, size, "
                               "steps, tile, tile_steps, subtile, seconds and joules",
                               self->path, names[i]);
        }
        self->columns[i] = (guint) column;
    }
    return true;
}

static const char *field(const Reader *self, guint row, Column column)
{
    return trace_csv_field(self->csv, row, self->columns[column]);
}

static bool
read_amount(const char *text, const char *name, double *value, GError **error)
{
    return (option_is_number(text, value) && *value >= LEAST && *value <= MOST) ||
           option_refuse(name, text, "a number in 1e-9..1e15", error);
}

static bool
read_tile(const Reader *self, guint row, GpuEnergySample *run, GError **error)
{
    const GpuEnergyProgram *program = run->problem.program;
    const char *subtile = field(self, row, SUBTILE);

    if (!program->has_subtiles && *subtile != '\0') {
        return option_refuse(names[SUBTILE], subtile, "nothing for j2d", error);
    }
    return model_energy_read_sides(field(self, row, TILE), names[TILE], program,
                                   run->tile.space, error) &&
           option_count(field(self, row, TILE_STEPS), names[TILE_STEPS], 1,
                        GPU_ENERGY_MOST, &run->tile.steps, error) &&
           (!program->has_subtiles ||
            option_count(subtile, names[SUBTILE], 1, GPU_ENERGY_MOST,
                         &run->tile.subtile, error)) &&
           gpu_energy_tile_check(&run->tile, &run->problem, self->block_bytes, error);
}

static bool
read_run(const Reader *self, guint row, GpuEnergySample *run, GError **error)
{
    *run = (GpuEnergySample){0};
    return model_energy_read_program(field(self, row, PROGRAM), names[PROGRAM],
                                     &run->problem.program, error) &&
           model_energy_read_sides(field(self, row, SIZE), names[SIZE],
                                   run->problem.program, run->problem.space, error) &&
           option_count(field(self, row, STEPS), names[STEPS], 1, GPU_ENERGY_MOST,
                        &run->problem.steps, error) &&
           read_tile(self, row, run, error) &&
           read_amount(field(self, row, SECONDS), names[SECONDS], &run->seconds,
                       error) &&
           read_amount(field(self, row, JOULES), names[JOULES], &run->joules, error);
}

static GArray *
read_runs(const Reader *self, const GpuEnergyProgram *program, GError **error)
{
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(GpuEnergySample));

    for (guint row = 0; row < trace_csv_row_count(self->csv); row++) {
        GpuEnergySample run;

        if (!read_run(self, row, &run, error)) {
            g_prefix_error(error, "%s:%u: ", self->path,
                           trace_csv_line(self->csv, row));
            return NULL;
        }
        if (program == NULL || run.problem.program == program) {
            g_array_append_val(runs, run);
        }
    }
    if (runs->len == 0) {
        (void) option_fail(error, "%s: there is no run%s%s", self->path,
                           program == NULL ? "" : " of ",
                           program == NULL ? "" : program->name);
        return NULL;
    }
    return g_steal_pointer(&runs);
}

GArray *model_energy_runs_read(const char *path,
                               const GpuEnergyProgram *program,
                               double block_bytes,
                               GError **error)
{
    gsize length = 0;
    g_autofree char *found = search_find(SEARCH_TIMES, path);
    g_autofree char *text =
        trace_named_file_read(found != NULL ? found : path, &length, error);

    if (text == NULL) {
        return NULL;
    }
    g_autoptr(TraceCsv) csv = trace_csv_parse(path, text, length, error);
    Reader reader = {.path = path, .csv = csv, .block_bytes = block_bytes};

    return csv != NULL && find_columns(&reader, error)
               ? read_runs(&reader, program, error)
               : NULL;
}

char *model_energy_runs_text(const GArray *samples)
{
    GString *text =
        g_string_new("program,size,steps,tile,tile_steps,subtile,seconds,joules\n");

    for (guint i = 0; i < samples->len; i++) {
        const GpuEnergySample *run = &g_array_index(samples, GpuEnergySample, i);
        const GpuEnergyProgram *program = run->problem.program;
        g_autofree char *size = quantity_sizes(run->problem.space, program->dimension);
        g_autofree char *tile = quantity_sizes(run->tile.space, program->dimension);
        g_autofree char *subtile = program->has_subtiles
                                       ? quantity_sizes(&run->tile.subtile, 1)
                                       : g_strdup("");

        /* All digits: what is read again is the same. */
        trace_number_text_add(text, "",
                              "%s,%s,%" G_GUINT64_FORMAT ",%s,%" G_GUINT64_FORMAT
                              ",%s,%.17g,%.17g\n",
                              program->name, size, run->problem.steps, tile,
                              run->tile.steps, subtile, run->seconds, run->joules);
    }
    return g_string_free(text, FALSE);
}
