/* Texts and JSON members that pages about energy share. */
#include <math.h>

#include "tools/gridloom/model/energy/energy.h"
#include "traces/file/quantity.h"
#include "traces/table/record.h"

#define PERCENT 100.0

enum {
    KILOBYTE = 1024,
};

char *model_energy_tile_text(const GpuEnergyProgram *program, const GpuEnergyTile *tile)
{
    g_autofree char *sides = quantity_sizes(tile->space, program->dimension);
    g_autofree char *subtiles =
        program->has_subtiles
            ? g_strdup_printf(", subtiles of %" G_GUINT64_FORMAT, tile->subtile)
            : g_strdup("");

    return g_strdup_printf("%s, %" G_GUINT64_FORMAT " steps%s", sides, tile->steps,
                           subtiles);
}

char *model_energy_problem_text(const GpuEnergyProblem *problem)
{
    g_autofree char *sides =
        quantity_sizes(problem->space, problem->program->dimension);

    return g_strdup_printf("%s, %s, %" G_GUINT64_FORMAT " steps",
                           problem->program->title, sides, problem->steps);
}

char *model_energy_seconds_text(const ModelEnergyOptions *options, double seconds)
{
    if (options->time_gpu != NULL) {
        return g_strdup_printf(
            "%.6g s: the time model of %s, another machine; nobody measured %s",
            seconds, arch_params_name(options->time_gpu),
            arch_params_name(options->chip));
    }
    return isnan(seconds) ? g_strdup("not known: static energy is left out (--seconds)")
                          : g_strdup_printf("%.6g s, as given", seconds);
}

static JsonObject *parts_json(const GpuEnergy *energy, double times)
{
    return RECORD(VALUE("global", times * energy->global),
                  VALUE("shared", times * energy->shared),
                  VALUE("arithmetic", times * energy->arithmetic));
}

void model_energy_add_json(JsonObject *object, const GpuEnergy *energy)
{
    RECORD_ADD(object, VALUE("tile_words", energy->words),
               VALUE("tile_points", energy->points), VALUE("tiles", energy->tiles),
               VALUE("tile_joules", energy->tile_joules),
               VALUE("tile_parts", parts_json(energy, 1)),
               VALUE("dynamic_joules", energy->dynamic_joules),
               VALUE("parts", parts_json(energy, energy->tiles)),
               VALUE("static_joules", energy->static_joules),
               VALUE("joules", energy->joules));
}

JsonObject *model_energy_tile_json(const GpuEnergyProgram *program,
                                   const GpuEnergyTile *tile)
{
    JsonObject *object =
        RECORD(VALUE("space", record_counts(tile->space, program->dimension)),
               VALUE("steps", tile->steps));

    if (program->has_subtiles) {
        RECORD_ADD(object, VALUE("subtile", tile->subtile));
    }
    return object;
}

JsonObject *model_energy_choice_json(const ModelEnergyOptions *options,
                                     const GpuEnergyChoice *choice)
{
    const GpuEnergyProgram *program = options->program;
    JsonObject *object =
        RECORD(VALUE("tile", model_energy_tile_json(program, &choice->tile)),
               VALUE("tile_bytes", gpu_energy_tile_bytes(program, &choice->tile)),
               VALUE("seconds", choice->seconds));

    model_energy_add_json(object, &choice->energy);
    RECORD_ADD(object,
               VALUE("product_joule_seconds", choice->seconds * choice->energy.joules));
    return object;
}

JsonObject *model_energy_costs_json(const GpuEnergyCosts *costs)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        RECORD_ADD(object,
                   VALUE(gpu_energy_term_name((GpuEnergyTerm) i), costs->of[i]));
    }
    return object;
}

/* Adds the options of one problem. */
static void add_problem(JsonObject *object, const ModelEnergyOptions *options)
{
    const GpuEnergyProblem *problem = &options->problem;
    const ArchParams *gpu = options->time_gpu;

    RECORD_ADD(
        object,
        VALUE("size", record_counts(problem->space, problem->program->dimension)),
        VALUE("steps", problem->steps),
        VALUE("shared_kb", options->block_bytes / KILOBYTE),
        VALUE("seconds", gpu == NULL ? options->seconds : NAN),
        VALUE("time_gpu", gpu == NULL ? NULL : arch_params_name(gpu)));
    if (problem->program->has_subtiles) {
        RECORD_ADD(object, VALUE("subtile", options->tile.subtile));
    }
}

JsonObject *model_energy_parameters(gconstpointer study)
{
    const ModelEnergyOptions *options = *(const ModelEnergyOptions *const *) study;
    JsonObject *object = RECORD(
        VALUE("set_of", gpu_energy_set_name(options->set)),
        VALUE("program", options->program == NULL ? "all" : options->program->name));

    if ((options->task & (MODEL_ENERGY_TILE | MODEL_ENERGY_SEARCH)) != 0) {
        add_problem(object, options);
        return object;
    }
    RECORD_ADD(object, VALUE("seed", options->seed));
    if (options->task != MODEL_ENERGY_REGRESS) {
        RECORD_ADD(object, VALUE("noise_percent", PERCENT * options->noise),
                   VALUE("outliers_percent", PERCENT * options->outliers));
    }
    return object;
}
