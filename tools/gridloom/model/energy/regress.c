/* Prices found from runs, as a page of text; and the command that asks for them. */
#include <stdio.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/energy/fit.h"
#include "tools/gridloom/number_text.h"

#define PERCENT 100.0

static void print_head(const ModelEnergyFit *self)
{
    const ModelEnergyOptions *options = self->options;
    const GpuEnergyProgram *program;

    printf("model energy on %s: prices from runs\n", arch_params_name(options->chip));
    printf("  runs      %u:", self->samples->len);
    for (guint i = 0; (program = gpu_energy_program_at(i)) != NULL; i++) {
        guint count = 0;

        for (guint k = 0; k < self->samples->len; k++) {
            count += g_array_index(self->samples, GpuEnergySample, k).problem.program ==
                             program
                         ? 1
                         : 0;
        }
        printf("%s %u %s", i > 0 ? "," : "", count, program->name);
    }
    if (model_energy_fit_has_truth(self)) {
        printf("; synthetic, seed %" G_GUINT64_FORMAT
               ", off by up to %.4g %%, %.4g %% of them at twice their energy\n",
               options->seed, PERCENT * options->noise, PERCENT * options->outliers);
    } else {
        printf("; %s\n", options->runs);
    }
    printf("  training  %u of them, chosen by seed %" G_GUINT64_FORMAT
           "; the other %u are the test\n",
           self->training, options->seed, self->samples->len - self->training);
    printf(
        "  method    least sum of |E_model - E_measured|, a linear program; no price "
        "below 0\n\n");
}

static void print_prices(const ModelEnergyFit *self)
{
    g_autoptr(Grid) grid = grid_new(7);
    const bool has_truth = model_energy_fit_has_truth(self);

    grid_add(grid, (const char *[]){"PRICE", "UNIT", "FOUND",
                                    has_truth ? "ERROR [%]" : "OFF CHIP [%]", "SQUARES",
                                    has_truth ? "ERROR [%]" : "OFF CHIP [%]",
                                    has_truth ? "TRUTH" : "CHIP"});
    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        const GpuEnergyTerm term = (GpuEnergyTerm) i;
        g_autofree char *name = gpu_regression_sum_name(&self->rank, term);
        CmdNumberText texts[MODEL_ENERGY_METHODS];
        const char *cells[MODEL_ENERGY_METHODS];
        CmdNumberText errors[2];

        if (!model_energy_fit_has(self, term)) {
            continue;
        }
        for (guint k = 0; k < MODEL_ENERGY_METHODS; k++) {
            cells[k] = cmd_number_text(
                texts[k], "%.5g",
                model_energy_fit_price(self, term, (ModelEnergyMethod) k));
        }
        grid_add(
            grid,
            (const char *[]){
                name, gpu_energy_term_unit(term), cells[MODEL_ENERGY_LEAST_ABSOLUTE],
                cmd_number_text(
                    errors[0], "%.2f",
                    model_energy_fit_error(self, term, MODEL_ENERGY_LEAST_ABSOLUTE)),
                cells[MODEL_ENERGY_LEAST_SQUARES],
                cmd_number_text(
                    errors[1], "%.2f",
                    model_energy_fit_error(self, term, MODEL_ENERGY_LEAST_SQUARES)),
                cells[MODEL_ENERGY_OF_CHIP]});
    }
    grid_print(grid, stdout, 2);
    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        g_autofree char *why = model_energy_fit_why(self, (GpuEnergyTerm) i);

        if (why != NULL) {
            printf("  %s: %s\n", gpu_energy_term_symbol((GpuEnergyTerm) i), why);
        }
    }
}

static void print_errors(const ModelEnergyFit *self)
{
    const char *const names[MODEL_ENERGY_METHODS] = {
        "least sum of errors", "least squares",
        model_energy_fit_has_truth(self) ? "the truth" : "the chip file"};
    g_autoptr(Grid) grid = grid_new(6);

    grid_add(grid,
             (const char *[]){"RMSE [%] OF", "TRAINING", "TEST", "SW", "J1D", "J2D"});
    for (guint i = 0; i < MODEL_ENERGY_METHODS; i++) {
        const ModelEnergyMethod method = (ModelEnergyMethod) i;
        const char *cells[6] = {names[i]};
        CmdNumberText texts[5];

        cells[1] = cmd_number_text(texts[0], "%.3f",
                                   model_energy_fit_rmse(self, method, true, NULL));
        cells[2] = cmd_number_text(texts[1], "%.3f",
                                   model_energy_fit_rmse(self, method, false, NULL));
        for (guint k = 0; k < 3; k++) {
            cells[3 + k] = cmd_number_text(
                texts[2 + k], "%.3f",
                model_energy_fit_rmse(self, method, false, gpu_energy_program_at(k)));
        }
        grid_add(grid, cells);
    }
    printf("\n");
    grid_print(grid, stdout, 2);
    printf("  programs: of the test\n");
}

void model_energy_fit_print(gconstpointer study)
{
    const ModelEnergyFit *self = study;

    print_head(self);
    print_prices(self);
    print_errors(self);
}

int model_energy_regress(const ModelEnergyOptions *options, gint64 start)
{
    g_auto(ModelEnergyFit) fit = {0};
    g_autoptr(GError) error = NULL;

    if (!model_energy_fit_init(&fit, options, &error)) {
        return complain_of(error);
    }
    return model_output_write(
        &options->output,
        &(ModelPage){.name = "model energy",
                     .chip = options->chip,
                     .reference = fit.is_exact
                                      ? "the prices that the runs were made with"
                                      : NULL,
                     .is_wrong = fit.is_wrong,
                     .study = &fit,
                     .parameters = model_energy_parameters,
                     .metrics = model_energy_fit_metrics,
                     .csv = model_energy_fit_csv,
                     .svg = model_energy_fit_svg,
                     .print = model_energy_fit_print},
        start);
}
