/* The energy of one tile size, by both sets of prices. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/model/energy/energy.h"
#include "traces/picture/bar_list.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"

#define MICRO   1e6
#define PERCENT 100.0

typedef struct {
    const ModelEnergyOptions *options;
    bool has[GPU_ENERGY_SETS]; /* what the chip's file has */
    GpuEnergy energy[GPU_ENERGY_SETS];
} Study;

static void print_head(const Study *self)
{
    const ModelEnergyOptions *options = self->options;
    const GpuEnergy *energy = &self->energy[options->set];
    g_autofree char *problem = model_energy_problem_text(&options->problem);
    g_autofree char *tile = model_energy_tile_text(options->program, &options->tile);
    g_autofree char *time = model_energy_seconds_text(options, options->seconds);

    printf("model energy on %s\n"
           "  chip      %s\n"
           "  program   %s\n"
           "  tile      %s: %.0f bytes of shared memory\n"
           "  M_io      %.10g words between global and shared memory\n"
           "  V_tile    %.10g points\n"
           "  N_tiles   %.2f\n"
           "  T_alg     %s\n\n",
           arch_params_name(options->chip), arch_params_summary(options->chip), problem,
           tile, gpu_energy_tile_bytes(options->program, &options->tile), energy->words,
           energy->points, energy->tiles, time);
}

/* A part of the energy by the set that was asked for; `beside` is by the other. */
static void add_row(Grid *grid,
                    const Study *self,
                    const char *name,
                    double tile,
                    double all,
                    double beside)
{
    const GpuEnergySet set = self->options->set;
    const GpuEnergy *energy = &self->energy[set];
    const double total =
        isnan(energy->joules) ? energy->dynamic_joules : energy->joules;

    grid_printf(grid, "%s|%.4f|%.4f|%.1f|%.4f", name, MICRO * tile, all,
                PERCENT * all / total, self->has[1 - set] ? beside : NAN);
}

static void print(gconstpointer data)
{
    const Study *self = data;
    const GpuEnergySet set = self->options->set;
    const GpuEnergy *energy = &self->energy[set];
    const GpuEnergy *other = &self->energy[1 - set];
    const bool is_bench = set == GPU_ENERGY_MICROBENCHMARK;
    GpuEnergyPart parts[GPU_ENERGY_PARTS];
    GpuEnergyPart others[GPU_ENERGY_PARTS];
    g_autoptr(Grid) grid =
        grid_with(is_bench ? "PART|TILE [uJ]|ALL [J]|%|BY REGRESSION [J]"
                           : "PART|TILE [uJ]|ALL [J]|%|BY MICROBENCHMARK [J]");

    print_head(self);
    gpu_energy_parts(energy, parts);
    gpu_energy_parts(other, others);
    for (guint i = 0; i < GPU_ENERGY_PARTS - 1; i++) {
        add_row(grid, self, parts[i].name, parts[i].tile, parts[i].all, others[i].all);
    }
    add_row(grid, self, "dynamic", energy->tile_joules, energy->dynamic_joules,
            other->dynamic_joules);
    if (!isnan(energy->joules)) {
        add_row(grid, self, "static", parts[3].tile, parts[3].all, others[3].all);
        add_row(grid, self, "total", energy->joules / energy->tiles, energy->joules,
                other->joules);
    }
    grid_print(grid, stdout, 2);
    printf("\n  prices by %s; a model, not a simulation: %s\n",
           gpu_energy_set_name(set),
           is_bench
               ? "the thesis has it 8.3 to 17.14 % off its own runs"
               : "fitted to a tenth of the thesis's runs, 2.35 to 3.95 % off the rest");
}

static JsonObject *metrics(gconstpointer data)
{
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;
    const GpuEnergyChoice choice = {options->tile, options->seconds,
                                    self->energy[options->set]};
    JsonObject *object = model_energy_choice_json(options, &choice);
    JsonObject *sets = json_object_new();

    for (guint i = 0; i < GPU_ENERGY_SETS; i++) {
        if (self->has[i]) {
            JsonObject *one = json_object_new();

            model_energy_add_json(one, &self->energy[i]);
            json_object_set_object_member(sets, gpu_energy_set_name((GpuEnergySet) i),
                                          one);
        }
    }
    json_object_set_object_member(object, "sets", sets);
    return object;
}

static char *csv(gconstpointer data)
{
    const Study *self = data;
    GString *text = g_string_new("set,part,tile_joules,joules\n");

    for (guint i = 0; i < GPU_ENERGY_SETS; i++) {
        GpuEnergyPart parts[GPU_ENERGY_PARTS];

        gpu_energy_parts(&self->energy[i], parts);
        for (guint k = 0; k < GPU_ENERGY_PARTS && self->has[i]; k++) {
            trace_number_text_add(text, "", "%s,%s,%.15g,%.15g\n",
                                  gpu_energy_set_name((GpuEnergySet) i), parts[k].name,
                                  parts[k].tile, parts[k].all);
        }
    }
    return g_string_free(text, FALSE);
}

static void add_panel(TraceBarList *bars, const GpuEnergy *energy, const char *set)
{
    const bool has_total = !isnan(energy->joules);
    GpuEnergyPart parts[GPU_ENERGY_PARTS];

    trace_bar_list_panel(bars, "prices by %s: %.5g J%s", set,
                         has_total ? energy->joules : energy->dynamic_joules,
                         has_total ? "" : ", static energy not known");
    gpu_energy_parts(energy, parts);
    for (guint i = 0; i < GPU_ENERGY_PARTS; i++) {
        if (isnan(parts[i].all)) {
            trace_bar_list_add(bars, parts[i].name, NAN, 0, "not known");
        } else {
            trace_bar_list_add(bars, parts[i].name, parts[i].all, 0, "%.4g J",
                               parts[i].all);
        }
    }
}

static char *svg(gconstpointer data)
{
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;
    g_autofree char *problem = model_energy_problem_text(&options->problem);
    g_autofree char *tile = model_energy_tile_text(options->program, &options->tile);
    g_autoptr(TraceBarList) bars = trace_bar_list_new("Energy of %s on %s", problem,
                                                      arch_params_name(options->chip));

    for (guint i = 0; i < GPU_ENERGY_SETS; i++) {
        if (self->has[i]) {
            add_panel(bars, &self->energy[i], gpu_energy_set_name((GpuEnergySet) i));
            trace_bar_list_note(bars, "tiles of %s", tile);
        }
    }
    trace_bar_list_share_scale(bars);
    return trace_bar_list_to_svg(bars);
}

static JsonObject *(*const parameters)(gconstpointer study) = model_energy_parameters;

int model_energy_tile(const ModelEnergyOptions *options, gint64 start)
{
    Study study = {.options = options};

    for (guint i = 0; i < GPU_ENERGY_SETS; i++) {
        GpuEnergyCosts costs;

        study.has[i] = gpu_energy_costs(options->chip, (GpuEnergySet) i, &costs, NULL);
        if (study.has[i]) {
            gpu_energy_model(&options->problem, &options->tile, &costs,
                             options->seconds, &study.energy[i]);
        }
    }
    return model_output_write(
        &options->output, &MODEL_PAGE("model energy", options->chip, &study), start);
}
