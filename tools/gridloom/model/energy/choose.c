/* Table B.3 on synthetic runs: how often the model chooses a tile that is not best. */
#include <stdio.h>

#include "tools/gridloom/model/energy/energy.h"
#include "traces/picture/bar_list.h"
#include "traces/table/record.h"
#include "traces/table/rows.h"

#define PERCENT 100.0

enum {
    PROGRAMS = 3,
};

/* The values that the thesis prints for its measured runs. */
typedef struct {
    guint wrong;
    double rmse; /* percent */
    double worst;
} Printed;

static const Printed printed[PROGRAMS] = {{2, 0.05, 0.75}, {1, 0.02, 0.4}, {0, 0, 0}};

/* A program that was asked for. */
typedef struct {
    const GpuEnergyProgram *program;
    const Printed *printed;
    GpuEnergyTrial trial;
} Row;

typedef struct {
    const ModelEnergyOptions *options;
    GArray *rows; /* of Row */
} Study;

/* A RecordFunc. */
static JsonObject *row_json(gconstpointer item, gconstpointer context)
{
    const Row *row = item;
    const GpuEnergyTrial *trial = &row->trial;

    (void) context;
    return RECORD(VALUE("program", row->program->name),
                  VALUE("problems", trial->problems), VALUE("tiles", trial->tiles),
                  VALUE("wrong", trial->wrong),
                  VALUE("rmse_percent", PERCENT * trial->rmse),
                  VALUE("worst_percent", PERCENT * trial->worst),
                  VALUE("printed_wrong", row->printed->wrong),
                  VALUE("printed_rmse_percent", row->printed->rmse),
                  VALUE("printed_worst_percent", row->printed->worst));
}

static JsonArray *rows_json(const Study *self)
{
    return record_list(self->rows, row_json, NULL);
}

static void print(gconstpointer data)
{
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;

    printf("model energy on %s: does it choose the tile that measures best?\n"
           "  runs      synthetic, seed %" G_GUINT64_FORMAT
           ", off by up to %.4g %%, %.4g %% of them at twice their energy\n"
           "  model     the prices that they were made with (%s) and measured times: "
           "only noise errs\n\n",
           arch_params_name(options->chip), options->seed, PERCENT * options->noise,
           PERCENT * options->outliers, gpu_energy_set_name(options->set));
    trace_rows_print(rows_json(self),
                     "PROGRAM=program|PROBLEMS=problems|TILES=tiles|WRONG=wrong|"
                     "RMSE [%]=rmse_percent:%.2f|MOST [%]=worst_percent:%.2f|"
                     "THESIS: WRONG=printed_wrong|RMSE [%]=printed_rmse_percent:%.2f|"
                     "MOST [%]=printed_worst_percent:%.2f");
    printf("\n  The thesis measured a K20c; how many tiles it tried, and how far "
           "apart, is not printed.\n");
}

static JsonObject *metrics(gconstpointer data)
{
    return RECORD(VALUE("rows", rows_json(data)));
}

static char *csv(gconstpointer data)
{
    return trace_rows_csv(
        rows_json(data), "program,problems,tiles,wrong,rmse_percent,worst_percent", "");
}

static char *svg(gconstpointer data)
{
    const Study *self = data;
    g_autoptr(TraceBarList) bars =
        trace_bar_list_new("Tiles by the energy model on synthetic runs");

    trace_bar_list_panel(bars, "wrong choices of a tile, of all problems");
    for (guint i = 0; i < self->rows->len; i++) {
        const Row *row = &g_array_index(self->rows, Row, i);
        const GpuEnergyTrial *trial = &row->trial;

        trace_bar_list_add(bars, row->program->title,
                           PERCENT * trial->wrong / trial->problems,
                           PERCENT * row->printed->wrong / trial->problems, "%u of %u",
                           trial->wrong, trial->problems);
    }
    trace_bar_list_panel(bars, "what a wrong choice costs more, at most");
    for (guint i = 0; i < self->rows->len; i++) {
        const Row *row = &g_array_index(self->rows, Row, i);

        trace_bar_list_add(bars, row->program->title, PERCENT * row->trial.worst,
                           row->printed->worst, "%.2f %%", PERCENT * row->trial.worst);
    }
    trace_bar_list_note(bars,
                        "energies off by up to %.4g %%, seed %" G_GUINT64_FORMAT
                        "; the stroke is what the thesis prints of its own runs",
                        PERCENT * self->options->noise, self->options->seed);
    return trace_bar_list_to_svg(bars);
}

static JsonObject *(*const parameters)(gconstpointer study) = model_energy_parameters;

int model_energy_choose(const ModelEnergyOptions *options, gint64 start)
{
    const GpuEnergyDraw draw = model_energy_draw(options);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));
    const Study study = {options, rows};

    for (guint i = 0; i < PROGRAMS; i++) {
        Row row = {gpu_energy_program_at(i), &printed[i], {0}};

        if (options->program == NULL || options->program == row.program) {
            gpu_energy_samples_try(&draw, row.program, &row.trial);
            g_array_append_val(rows, row);
        }
    }
    return model_output_write(
        &options->output, &MODEL_PAGE("model energy", options->chip, &study), start);
}
