/* The tiles of least energy, time, and their product. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/energy/energy.h"
#include "traces/file/quantity.h"
#include "traces/picture/plot_list.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"

#define PERCENT 100.0

typedef struct {
    const ModelEnergyOptions *options;
    GpuEnergyFound found;
} Study;

static const GpuEnergyChoice *best_of(const Study *self)
{
    return &self->found.best[GPU_ENERGY_LEAST_JOULES];
}

/* Goals that there is something to choose by. */
static guint goal_count(const Study *self)
{
    return self->found.has_times ? GPU_ENERGY_GOALS : 1;
}

static void add_choice(Grid *grid, const Study *self, GpuEnergyGoal goal)
{
    const GpuEnergyChoice *choice = &self->found.best[goal];
    g_autofree char *tile =
        model_energy_tile_text(self->options->program, &choice->tile);
    const double joules = gpu_energy_choice_score(choice, GPU_ENERGY_LEAST_JOULES);
    const double least =
        gpu_energy_choice_score(best_of(self), GPU_ENERGY_LEAST_JOULES);

    /* The first columns are all there are where no time is known. */
    grid_printf(grid, "%s|%s|%.4f|%.4f|%.4f|%.2f|%.6g|%.6g", gpu_energy_goal_name(goal),
                tile, choice->energy.dynamic_joules, choice->energy.static_joules,
                choice->energy.joules, PERCENT * joules / least - PERCENT,
                choice->seconds, choice->seconds * joules);
}

static void print(gconstpointer data)
{
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;
    const GpuEnergyChoice *best = best_of(self);
    const GpuEnergy *energy = &best->energy;
    g_autofree char *problem = model_energy_problem_text(&options->problem);
    g_autofree char *time = model_energy_seconds_text(options, best->seconds);
    g_autofree char *candidates = quantity_count(self->found.candidates);
    g_autofree char *near = quantity_count(self->found.near);
    g_autoptr(Grid) grid =
        grid_with(isnan(best->seconds) ? "LEAST|TILE|DYNAMIC [J]"
                                       : "LEAST|TILE|DYNAMIC [J]|STATIC [J]|TOTAL [J]|"
                                         "MORE [%]|T_ALG [s]|EDP [J s]");

    printf("model energy on %s: the best tile\n"
           "  chip      %s\n"
           "  program   %s\n"
           "  prices    by %s\n"
           "  T_alg     %s\n"
           "  tiles     %s tried, %s within 10 %% of the least energy\n\n",
           arch_params_name(options->chip), arch_params_summary(options->chip), problem,
           gpu_energy_set_name(options->set), time, candidates, near);
    for (guint goal = 0; goal < goal_count(self); goal++) {
        add_choice(grid, self, (GpuEnergyGoal) goal);
    }
    grid_print(grid, stdout, 2);
    printf("\n  of the least energy: %.4g J global, %.4g J shared, %.4g J arithmetic\n",
           energy->tiles * energy->global, energy->tiles * energy->shared,
           energy->tiles * energy->arithmetic);
}

/* A RecordFunc; the context is the program. */
static JsonObject *choice_json(gconstpointer item, gconstpointer context)
{
    const GpuEnergyChoice *choice = item;

    return RECORD(
        VALUE("tile", model_energy_tile_json(context, &choice->tile)),
        VALUE("seconds", choice->seconds),
        VALUE("dynamic_joules", choice->energy.dynamic_joules),
        VALUE("joules", choice->energy.joules),
        VALUE("product_joule_seconds", choice->seconds * choice->energy.joules));
}

static JsonObject *metrics(gconstpointer data)
{
    const Study *self = data;
    const GpuEnergyFound *found = &self->found;
    const GpuEnergyProgram *program = self->options->program;
    JsonObject *object = model_energy_choice_json(self->options, best_of(self));
    JsonObject *choices = json_object_new();

    for (guint goal = 0; goal < goal_count(self); goal++) {
        json_object_set_object_member(choices,
                                      gpu_energy_goal_name((GpuEnergyGoal) goal),
                                      choice_json(&found->best[goal], program));
    }
    RECORD_ADD(object, VALUE("candidates", found->candidates),
               VALUE("shortlist_count", found->near), VALUE("choices", choices),
               VALUE("by_steps", record_list(found->by_steps, choice_json, program)));
    return object;
}

static char *csv(gconstpointer data)
{
    const Study *self = data;
    GString *text =
        g_string_new("tile_steps,tile_s1,tile_s2,subtile,global_joules,shared_joules,"
                     "arithmetic_joules,dynamic_joules,static_joules,joules,seconds\n");

    for (guint i = 0; i < self->found.by_steps->len; i++) {
        const GpuEnergyChoice *at =
            &g_array_index(self->found.by_steps, GpuEnergyChoice, i);
        const GpuEnergy *energy = &at->energy;

        trace_number_text_add(
            text, "",
            "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
            ",%" G_GUINT64_FORMAT ",%.15g,%.15g,%.15g,%.15g,%.15g,%.15g,%.15g\n",
            at->tile.steps, at->tile.space[0], at->tile.space[1], at->tile.subtile,
            energy->tiles * energy->global, energy->tiles * energy->shared,
            energy->tiles * energy->arithmetic, energy->dynamic_joules,
            energy->static_joules, energy->joules, at->seconds);
    }
    return g_string_free(text, FALSE);
}

/* Layers one on the other, from arithmetic to static energy. */
static void add_layer(TracePlotList *plot, const GArray *choices, guint layer)
{
    static const struct {
        const char *name;
        guint part; /* of GpuEnergyPart */
    } layers[GPU_ENERGY_PARTS] = {{"arithmetic", 2},
                                  {"+ shared to registers", 1},
                                  {"+ global to shared", 0},
                                  {"+ static", 3}};

    trace_plot_list_series(plot, TRACE_PLOT_LINE, "%s", layers[layer].name);
    for (guint i = 0; i < choices->len; i++) {
        const GpuEnergyChoice *at = &g_array_index(choices, GpuEnergyChoice, i);
        GpuEnergyPart parts[GPU_ENERGY_PARTS];
        double below = 0;

        gpu_energy_parts(&at->energy, parts);
        for (guint k = 0; k < layer; k++) {
            below += parts[layers[k].part].all;
        }
        const double part = parts[layers[layer].part].all;
        const double top = below + (isnan(part) ? 0 : part);

        trace_plot_list_add_span(plot, (double) at->tile.steps, top, below, top);
    }
}

static char *svg(gconstpointer data)
{
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;
    const GpuEnergyChoice *best = best_of(self);
    const guint count = isnan(best->seconds) ? GPU_ENERGY_PARTS - 1 : GPU_ENERGY_PARTS;
    g_autofree char *problem = model_energy_problem_text(&options->problem);
    g_autofree char *title = g_strdup_printf("Least energy of %s on %s", problem,
                                             arch_params_name(options->chip));
    g_autofree char *tile = model_energy_tile_text(options->program, &best->tile);
    g_autofree char *time = model_energy_seconds_text(options, best->seconds);
    g_autofree char *note = g_strdup_printf("best tile %s; T_alg %s", tile, time);
    g_autoptr(TracePlotList) plot = trace_plot_list_new();

    for (guint i = 0; i < count; i++) {
        add_layer(plot, self->found.by_steps, i);
    }
    trace_plot_list_series(plot, TRACE_PLOT_POINTS, "least of all");
    trace_plot_list_add(plot, (double) best->tile.steps,
                        gpu_energy_choice_score(best, GPU_ENERGY_LEAST_JOULES));
    return trace_plot_list_draw(
        plot,
        &(TracePlot){.title = title,
                     .x = "height of a tile in time, t_T [steps]",
                     .y = "energy of the best tile of that height [J]",
                     /* Tiles of lines are as high as there are steps. */
                     .is_log_x = options->program->dimension == 1,
                     .note = note},
        trace_plot_to_svg);
}

static JsonObject *(*const parameters)(gconstpointer study) = model_energy_parameters;

int model_energy_search(const ModelEnergyOptions *options, gint64 start)
{
    const GpuEnergySearch search = {
        .problem = options->problem,
        .costs = options->costs,
        .block_bytes = options->block_bytes,
        .subtile = options->tile.subtile,
        .seconds = options->seconds,
        .seconds_of = options->time_gpu == NULL ? NULL : gpu_energy_seconds,
        .data = options->time_gpu,
    };
    Study study = {.options = options};
    g_autoptr(GError) error = NULL;
    const int status =
        gpu_energy_search(&search, &study.found, &error)
            ? model_output_write(&options->output,
                                 &MODEL_PAGE("model energy", options->chip, &study),
                                 start)
            : complain_of(error);

    gpu_energy_found_clear(&study.found);
    return status;
}
