/* Prices by micro-benchmarks, shown on synthetic readings of power. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/energy/energy.h"
#include "tools/gridloom/number_text.h"
#include "traces/picture/bars.h"

#define PERCENT       100.0
#define MILLI         1e3
#define USUAL_SECONDS 1.0

enum {
    FLOPS = 2, /* of a fused multiplication and addition, which peaks count */
};

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

static void print(gconstpointer data)
{
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;
    g_autoptr(Grid) grid = grid_new(7);

    printf("model energy on %s: prices by micro-benchmarks\n",
           arch_params_name(options->chip));
    printf("  method    e_j = (E_alg - P_stat T_alg) / op_j; E_alg is the mean of the "
           "readings times T_alg\n");
    printf("  readings  synthetic: one every %.0f ms as NVML has it, off by up to %.4g "
           "%%, seed %" G_GUINT64_FORMAT "\n",
           MILLI * GPU_ENERGY_READING_SECONDS, PERCENT * options->noise, options->seed);
    printf("  programs  %.6g s each, at the chip's peak rates; a loop adds an integer "
           "addition to every 64\n\n",
           self->seconds);
    grid_add(grid, (const char *[]){"PRICE", "UNIT", "READINGS", "MEAN [W]", "FOUND",
                                    "TRUTH", "ERROR [%]"});
    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        const GpuEnergyProbe *probe = &self->probes[i];
        CmdNumberText texts[5];

        grid_add(grid, (const char *[]){
                           gpu_energy_term_symbol((GpuEnergyTerm) i),
                           gpu_energy_term_unit((GpuEnergyTerm) i),
                           cmd_number_text(texts[0], "%.0f", probe->readings),
                           cmd_number_text(texts[1], "%.2f", probe->watts),
                           cmd_number_text(texts[2], "%.5g", probe->price),
                           cmd_number_text(texts[3], "%.5g", options->costs.of[i]),
                           cmd_number_text(texts[4], "%.2f", error_of(self, i))});
    }
    grid_print(grid, stdout, 2);
}

static JsonObject *metrics(gconstpointer data)
{
    const Study *self = data;
    JsonObject *object = json_object_new();
    JsonObject *found = json_object_new();
    JsonObject *errors = json_object_new();

    json_object_set_double_member(object, "benchmark_seconds", self->seconds);
    json_object_set_double_member(object, "reading_seconds",
                                  GPU_ENERGY_READING_SECONDS);
    json_object_set_int_member(object, "readings", self->probes[0].readings);
    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        const char *name = gpu_energy_term_name((GpuEnergyTerm) i);

        json_object_set_double_member(found, name, self->probes[i].price);
        json_object_set_double_member(errors, name, error_of(self, i));
    }
    json_object_set_object_member(object, "found", found);
    json_object_set_object_member(object, "truth",
                                  model_energy_costs_object(&self->options->costs));
    json_object_set_object_member(object, "errors_percent", errors);
    return object;
}

static char *csv(gconstpointer data)
{
    const Study *self = data;
    GString *text =
        g_string_new("price,unit,operations,seconds,watts,found,truth,error_percent\n");

    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        const GpuEnergyProbe *probe = &self->probes[i];

        g_string_append_printf(text, "%s,%s", gpu_energy_term_symbol((GpuEnergyTerm) i),
                               gpu_energy_term_unit((GpuEnergyTerm) i));
        cmd_number_text_add_field(text, probe->operations);
        cmd_number_text_add_field(text, self->seconds);
        cmd_number_text_add_field(text, probe->watts);
        cmd_number_text_add_field(text, probe->price);
        cmd_number_text_add_field(text, self->options->costs.of[i]);
        cmd_number_text_add_field(text, error_of(self, i));
        g_string_append_c(text, '\n');
    }
    return g_string_free(text, FALSE);
}

static char *svg(gconstpointer data)
{
    const Study *self = data;
    g_autofree char *note =
        g_strdup_printf("%u readings, off by up to %.4g %%; the stroke is the truth",
                        self->probes[0].readings, PERCENT * self->options->noise);
    char *texts[GPU_ENERGY_TERMS] = {NULL};
    TraceBar bars[GPU_ENERGY_TERMS];

    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        const double truth = self->options->costs.of[i];
        const double price = self->probes[i].price;

        texts[i] =
            g_strdup_printf("%.4g %s", price, gpu_energy_term_unit((GpuEnergyTerm) i));
        bars[i] =
            (TraceBar){.label = gpu_energy_term_symbol((GpuEnergyTerm) i),
                       .text = texts[i],
                       .value = truth == 0 || price < 0 ? NAN : PERCENT * price / truth,
                       .mark = PERCENT};
    }
    char *text = trace_bars_to_svg(&(TraceBars){
        .title = "Prices by synthetic micro-benchmarks",
        .panels = &(TraceBarPanel){.title = "found, as a part of the truth",
                                   .note = note,
                                   .bars = bars,
                                   .bar_count = GPU_ENERGY_TERMS},
        .panel_count = 1});

    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        g_free(texts[i]);
    }
    return text;
}

/* Operations a second of benchmarks that do nothing else: the chip's peaks. */
static void rates_of(const ArchParams *chip, double rates[GPU_ENERGY_TERMS])
{
    rates[GPU_ENERGY_STATIC] = 0;
    rates[GPU_ENERGY_GLOBAL] =
        arch_params_real(chip, "memory.dram_bytes_per_second") / GPU_ENERGY_WORD_BYTES;
    rates[GPU_ENERGY_SHARED] =
        arch_params_real(chip, "memory.shared_bytes_per_second") /
        GPU_ENERGY_WORD_BYTES;
    for (guint i = GPU_ENERGY_ADD; i < GPU_ENERGY_TERMS; i++) {
        rates[i] = arch_params_real(chip, "cuda.fp32_flops_per_second") / FLOPS;
    }
}

int model_energy_extract(const ModelEnergyOptions *options, gint64 start)
{
    const GpuEnergyDraw draw = model_energy_draw(options);
    Study study = {.options = options,
                   .seconds =
                       isnan(options->seconds) ? USUAL_SECONDS : options->seconds};
    double rates[GPU_ENERGY_TERMS];
    g_autoptr(GError) error = NULL;

    rates_of(options->chip, rates);
    if (!gpu_energy_samples_probe(&draw, rates, study.seconds, study.probes, &error)) {
        return complain_of(error);
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
