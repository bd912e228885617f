/* What pages about energy share: times of other GPUs, texts, and members of JSON. */
#include <math.h>

#include "arch/model/tiling/tiling.h"
#include "tools/gridloom/model/energy/energy.h"
#include "tools/gridloom/quantity.h"
#include "traces/file/json_member.h"

#define PERCENT 100.0

enum {
    KILOBYTE = 1024,
};

double model_energy_seconds(const GpuEnergyProblem *problem,
                            const GpuEnergyTile *tile,
                            gconstpointer gpu)
{
    const GpuTilingStencil *stencil = gpu_tiling_stencil_find("jacobi2d");
    double least = NAN;
    GpuTilingMachine machine;

    if (problem->program->dimension != stencil->dimension ||
        !gpu_tiling_machine(gpu, &machine, NULL)) {
        return NAN;
    }
    const GpuTilingProblem same = {
        .dimension = stencil->dimension,
        .space = {problem->space[0], problem->space[1]},
        .steps = problem->steps,
        .point_seconds = arch_params_real(gpu, stencil->key),
    };
    GpuTile prism = {.space = {tile->space[0], tile->space[1]}, .steps = tile->steps};
    const guint most = gpu_tile_most_resident(&prism, same.dimension, &machine);

    for (prism.resident = 1; prism.resident <= most; prism.resident++) {
        GpuTilingTime time;

        if (!gpu_tile_check(&prism, &same, &machine, NULL)) {
            return NAN;
        }
        gpu_tiling_time(&same, &prism, &machine, GPU_TILING_CORRECTED, &time);
        least = fmin(least, time.seconds); /* which takes NaN for nothing */
    }
    return least;
}

char *model_energy_tile_text(const GpuEnergyProgram *program, const GpuEnergyTile *tile)
{
    g_autofree char *sides = quantity_sizes(tile->space, program->dimension);

    return program->has_subtiles
               ? g_strdup_printf("%s, %" G_GUINT64_FORMAT
                                 " steps, subtiles of %" G_GUINT64_FORMAT,
                                 sides, tile->steps, tile->subtile)
               : g_strdup_printf("%s, %" G_GUINT64_FORMAT " steps", sides, tile->steps);
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

static JsonObject *parts_object(const GpuEnergy *energy, double times)
{
    JsonObject *parts = json_object_new();

    json_object_set_double_member(parts, "global", times * energy->global);
    json_object_set_double_member(parts, "shared", times * energy->shared);
    json_object_set_double_member(parts, "arithmetic", times * energy->arithmetic);
    return parts;
}

void model_energy_set_energy(JsonObject *object, const GpuEnergy *energy)
{
    json_object_set_double_member(object, "tile_words", energy->words);
    json_object_set_double_member(object, "tile_points", energy->points);
    json_object_set_double_member(object, "tiles", energy->tiles);
    json_object_set_double_member(object, "tile_joules", energy->tile_joules);
    json_object_set_object_member(object, "tile_parts", parts_object(energy, 1));
    json_object_set_double_member(object, "dynamic_joules", energy->dynamic_joules);
    json_object_set_object_member(object, "parts", parts_object(energy, energy->tiles));
    json_object_set_double_member(object, "static_joules", energy->static_joules);
    json_object_set_double_member(object, "joules", energy->joules);
}

JsonObject *model_energy_tile_object(const GpuEnergyProgram *program,
                                     const GpuEnergyTile *tile)
{
    JsonObject *object = json_object_new();

    trace_json_set_counts(object, "space", tile->space, program->dimension);
    json_object_set_int_member(object, "steps", (gint64) tile->steps);
    if (program->has_subtiles) {
        json_object_set_int_member(object, "subtile", (gint64) tile->subtile);
    }
    return object;
}

JsonObject *model_energy_costs_object(const GpuEnergyCosts *costs)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        json_object_set_double_member(object, gpu_energy_term_name((GpuEnergyTerm) i),
                                      costs->of[i]);
    }
    return object;
}

/* What is asked of one problem. */
static void set_problem(JsonObject *object, const ModelEnergyOptions *options)
{
    trace_json_set_counts(object, "size", options->problem.space,
                          options->problem.program->dimension);
    json_object_set_int_member(object, "steps", (gint64) options->problem.steps);
    json_object_set_double_member(object, "shared_kb", options->block_bytes / KILOBYTE);
    json_object_set_double_member(object, "seconds",
                                  options->time_gpu == NULL ? options->seconds : NAN);
    if (options->time_gpu == NULL) {
        json_object_set_null_member(object, "time_gpu");
    } else {
        json_object_set_string_member(object, "time_gpu",
                                      arch_params_name(options->time_gpu));
    }
    if (options->problem.program->has_subtiles) {
        json_object_set_int_member(object, "subtile", (gint64) options->tile.subtile);
    }
}

JsonObject *model_energy_parameters(gconstpointer study)
{
    const ModelEnergyOptions *options = *(const ModelEnergyOptions *const *) study;
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "set_of", gpu_energy_set_name(options->set));
    json_object_set_string_member(
        object, "program", options->program == NULL ? "all" : options->program->name);
    if ((options->task & (MODEL_ENERGY_TILE | MODEL_ENERGY_SEARCH)) != 0) {
        set_problem(object, options);
        return object;
    }
    json_object_set_int_member(object, "seed", (gint64) options->seed);
    if (options->task != MODEL_ENERGY_REGRESS) {
        json_object_set_double_member(object, "noise_percent",
                                      PERCENT * options->noise);
        json_object_set_double_member(object, "outliers_percent",
                                      PERCENT * options->outliers);
    }
    return object;
}
