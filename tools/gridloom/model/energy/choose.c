/* Table B.3 on synthetic runs: how often the model chooses a tile that is not best. */
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/energy/energy.h"
#include "tools/gridloom/number_text.h"
#include "traces/picture/bars.h"

#define PERCENT 100.0

enum {
    PROGRAMS = 3,
};

/* What the thesis prints of its measured runs. */
static const struct {
    guint wrong;
    double rmse; /* percent */
    double worst;
} printed[PROGRAMS] = {{2, 0.05, 0.75}, {1, 0.02, 0.4}, {0, 0, 0}};

typedef struct {
    const ModelEnergyOptions *options;
    GpuEnergyTrial trials[PROGRAMS];
} Study;

static bool is_asked(const Study *self, guint program)
{
    return self->options->program == NULL ||
           self->options->program == gpu_energy_program_at(program);
}

static void print(gconstpointer data)
{
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;
    g_autoptr(Grid) grid = grid_new(9);

    printf("model energy on %s: does it choose the tile that measures best?\n",
           arch_params_name(options->chip));
    printf("  runs      synthetic, seed %" G_GUINT64_FORMAT
           ", off by up to %.4g %%, %.4g %% of them at twice their energy\n",
           options->seed, PERCENT * options->noise, PERCENT * options->outliers);
    printf("  model     the prices that they were made with (%s) and measured times: "
           "only noise errs\n\n",
           gpu_energy_set_name(options->set));
    grid_add(grid,
             (const char *[]){"PROGRAM", "PROBLEMS", "TILES", "WRONG", "RMSE [%]",
                              "MOST [%]", "THESIS: WRONG", "RMSE [%]", "MOST [%]"});
    for (guint i = 0; i < PROGRAMS; i++) {
        const GpuEnergyTrial *trial = &self->trials[i];
        CmdNumberText texts[8];

        if (!is_asked(self, i)) {
            continue;
        }
        grid_add(grid, (const char *[]){
                           gpu_energy_program_at(i)->name,
                           cmd_number_text(texts[0], "%.0f", trial->problems),
                           cmd_number_text(texts[1], "%.0f", trial->tiles),
                           cmd_number_text(texts[2], "%.0f", trial->wrong),
                           cmd_number_text(texts[3], "%.2f", PERCENT * trial->rmse),
                           cmd_number_text(texts[4], "%.2f", PERCENT * trial->worst),
                           cmd_number_text(texts[5], "%.0f", printed[i].wrong),
                           cmd_number_text(texts[6], "%.2f", printed[i].rmse),
                           cmd_number_text(texts[7], "%.2f", printed[i].worst)});
    }
    grid_print(grid, stdout, 2);
    printf("\n  The thesis measured a K20c; how many tiles it tried, and how far "
           "apart, is not printed.\n");
}

static JsonObject *metrics(gconstpointer data)
{
    const Study *self = data;
    JsonObject *object = json_object_new();
    JsonArray *rows = json_array_new();

    for (guint i = 0; i < PROGRAMS; i++) {
        const GpuEnergyTrial *trial = &self->trials[i];
        JsonObject *row = json_object_new();

        if (!is_asked(self, i)) {
            json_object_unref(row);
            continue;
        }
        json_object_set_string_member(row, "program", gpu_energy_program_at(i)->name);
        json_object_set_int_member(row, "problems", trial->problems);
        json_object_set_int_member(row, "tiles", trial->tiles);
        json_object_set_int_member(row, "wrong", trial->wrong);
        json_object_set_double_member(row, "rmse_percent", PERCENT * trial->rmse);
        json_object_set_double_member(row, "worst_percent", PERCENT * trial->worst);
        json_object_set_int_member(row, "printed_wrong", printed[i].wrong);
        json_object_set_double_member(row, "printed_rmse_percent", printed[i].rmse);
        json_object_set_double_member(row, "printed_worst_percent", printed[i].worst);
        json_array_add_object_element(rows, row);
    }
    json_object_set_array_member(object, "rows", rows);
    return object;
}

static char *csv(gconstpointer data)
{
    const Study *self = data;
    GString *text =
        g_string_new("program,problems,tiles,wrong,rmse_percent,worst_percent\n");

    for (guint i = 0; i < PROGRAMS; i++) {
        const GpuEnergyTrial *trial = &self->trials[i];

        if (is_asked(self, i)) {
            g_string_append_printf(text, "%s,%u,%u,%u", gpu_energy_program_at(i)->name,
                                   trial->problems, trial->tiles, trial->wrong);
            cmd_number_text_add_field(text, PERCENT * trial->rmse);
            cmd_number_text_add_field(text, PERCENT * trial->worst);
            g_string_append_c(text, '\n');
        }
    }
    return g_string_free(text, FALSE);
}

static char *svg(gconstpointer data)
{
    const Study *self = data;
    g_autofree char *note =
        g_strdup_printf("energies off by up to %.4g %%, seed %" G_GUINT64_FORMAT
                        "; the stroke is what the thesis prints of its own runs",
                        PERCENT * self->options->noise, self->options->seed);
    char *shares[PROGRAMS] = {NULL};
    char *costs[PROGRAMS] = {NULL};
    TraceBar wrong[PROGRAMS];
    TraceBar worst[PROGRAMS];
    gsize count = 0;

    for (guint i = 0; i < PROGRAMS; i++) {
        const GpuEnergyTrial *trial = &self->trials[i];
        const char *label = gpu_energy_program_at(i)->title;

        if (!is_asked(self, i)) {
            continue;
        }
        shares[i] = g_strdup_printf("%u of %u", trial->wrong, trial->problems);
        costs[i] = g_strdup_printf("%.2f %%", PERCENT * trial->worst);
        wrong[count] = (TraceBar){.label = label,
                                  .text = shares[i],
                                  .value = PERCENT * trial->wrong / trial->problems,
                                  .mark = PERCENT * printed[i].wrong / trial->problems};
        worst[count] = (TraceBar){.label = label,
                                  .text = costs[i],
                                  .value = PERCENT * trial->worst,
                                  .mark = printed[i].worst};
        count++;
    }
    const TraceBarPanel panels[] = {
        {.title = "wrong choices of a tile, of all problems",
         .bars = wrong,
         .bar_count = count},
        {.title = "what a wrong choice costs more, at most",
         .note = note,
         .bars = worst,
         .bar_count = count}};
    char *text = trace_bars_to_svg(
        &(TraceBars){.title = "Tiles by the energy model on synthetic runs",
                     .panels = panels,
                     .panel_count = G_N_ELEMENTS(panels)});

    for (guint i = 0; i < PROGRAMS; i++) {
        g_free(shares[i]);
        g_free(costs[i]);
    }
    return text;
}

int model_energy_choose(const ModelEnergyOptions *options, gint64 start)
{
    const GpuEnergyDraw draw = model_energy_draw(options);
    Study study = {.options = options};

    for (guint i = 0; i < PROGRAMS; i++) {
        gpu_energy_samples_try(&draw, gpu_energy_program_at(i), &study.trials[i]);
    }
    return model_output_write(&options->output,
                              &(ModelPage){.name = "model energy",
                                           .chip = options->chip,
                                           .study = &study,
                                           .parameters = model_energy_parameters,
                                           .metrics = metrics,
                                           .csv = csv,
                                           .svg = svg,
                                           .print = print},
                              start);
}
