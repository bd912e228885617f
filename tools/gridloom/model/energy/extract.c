/* Prices by micro-benchmarks, shown on synthetic readings of power. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/energy/energy.h"
#include "traces/picture/bar_list.h"
#include "traces/table/record.h"
#include "traces/table/rows.h"

#define PERCENT       100.0
#define MILLI         1e3
#define USUAL_SECONDS 1.0

typedef struct {
    const ModelEnergyOptions *options;
    double seconds; /* of each benchmark */
    GpuEnergyProbe probes[GPU_ENERGY_TERMS];
} Study;

static double error_of(const Study *self, guint term)
{
    const double truth = self->options->costs.of[term];

    return truth == 0 ? NAN : PERCENT * (self->probes[term].price - truth) / truth;
}

/* A row for each price. */
static JsonArray *rows_json(const Study *self)
{
    JsonArray *rows = json_array_new();

    for (GpuEnergyTerm term = 0; term < GPU_ENERGY_TERMS; term++) {
        const GpuEnergyProbe *probe = &self->probes[term];

        json_array_add_object_element(
            rows,
            RECORD(VALUE("price", gpu_energy_term_symbol(term)),
                   VALUE("unit", gpu_energy_term_unit(term)),
                   VALUE("operations", probe->operations),
                   VALUE("readings", probe->readings), VALUE("seconds", self->seconds),
                   VALUE("watts", probe->watts), VALUE("found", probe->price),
                   VALUE("truth", self->options->costs.of[term]),
                   VALUE("error_percent", error_of(self, term))));
    }
    return rows;
}

static void print(gconstpointer data)
{
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;

    printf("model energy on %s: prices by micro-benchmarks\n"
           "  method    e_j = (E_alg - P_stat T_alg) / op_j; E_alg is the mean of the "
           "readings times T_alg\n"
           "  readings  synthetic: one every %.0f ms as NVML has it, off by up to %.4g "
           "%%, seed %" G_GUINT64_FORMAT "\n"
           "  programs  %.6g s each, at the chip's peak rates; a loop adds an integer "
           "addition to every 64\n\n",
           arch_params_name(options->chip), MILLI * GPU_ENERGY_READING_SECONDS,
           PERCENT * options->noise, options->seed, self->seconds);
    trace_rows_print(rows_json(self),
                     "PRICE=price|UNIT=unit|READINGS=readings|MEAN [W]=watts:%.2f|"
                     "FOUND=found:%.5g|TRUTH=truth:%.5g|ERROR [%]=error_percent:%.2f");
}

static JsonObject *metrics(gconstpointer data)
{
    const Study *self = data;
    GpuEnergyCosts found;
    GpuEnergyCosts errors;

    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        found.of[i] = self->probes[i].price;
        errors.of[i] = error_of(self, i);
    }
    return RECORD(VALUE("benchmark_seconds", self->seconds),
                  VALUE("reading_seconds", GPU_ENERGY_READING_SECONDS),
                  VALUE("readings", self->probes[0].readings),
                  VALUE("found", model_energy_costs_json(&found)),
                  VALUE("truth", model_energy_costs_json(&self->options->costs)),
                  VALUE("errors_percent", model_energy_costs_json(&errors)));
}

static char *csv(gconstpointer data)
{
    return trace_rows_csv(
        rows_json(data),
        "price,unit,operations,seconds,watts,found,truth,error_percent", "");
}

static char *svg(gconstpointer data)
{
    const Study *self = data;
    g_autoptr(TraceBarList) bars =
        trace_bar_list_new("Prices by synthetic micro-benchmarks");

    trace_bar_list_panel(bars, "found, as a part of the truth");
    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        const double truth = self->options->costs.of[i];
        const double price = self->probes[i].price;

        trace_bar_list_add(bars, gpu_energy_term_symbol((GpuEnergyTerm) i),
                           truth == 0 || price < 0 ? NAN : PERCENT * price / truth,
                           PERCENT, "%.4g %s", price,
                           gpu_energy_term_unit((GpuEnergyTerm) i));
    }
    trace_bar_list_note(bars,
                        "%u readings, off by up to %.4g %%; the stroke is the truth",
                        self->probes[0].readings, PERCENT * self->options->noise);
    return trace_bar_list_to_svg(bars);
}

static JsonObject *(*const parameters)(gconstpointer study) = model_energy_parameters;

int model_energy_extract(const ModelEnergyOptions *options, gint64 start)
{
    const GpuEnergyDraw draw = model_energy_draw(options);
    Study study = {.options = options,
                   .seconds =
                       isnan(options->seconds) ? USUAL_SECONDS : options->seconds};
    double rates[GPU_ENERGY_TERMS];
    g_autoptr(GError) error = NULL;

    gpu_energy_peak_rates(options->chip, rates);
    return gpu_energy_samples_probe(&draw, rates, study.seconds, study.probes, &error)
               ? model_output_write(&options->output,
                                    &MODEL_PAGE("model energy", options->chip, &study),
                                    start)
               : complain_of(error);
}
