/* The tiles of least energy, time, and their product. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/energy/energy.h"
#include "tools/gridloom/number_text.h"
#include "tools/gridloom/quantity.h"
#include "traces/picture/plot.h"

#define PERCENT 100.0

enum {
    COLUMNS = 8, /* of the page */
    DYNAMIC_COLUMNS = 3,
    LAYERS = 4, /* of the picture, one on the other */
};

typedef struct {
    const ModelEnergyOptions *options;
    GpuEnergyFound found;
} Study;

/* Goals that there is something to choose by. */
static guint goal_count(const Study *self)
{
    return self->found.has_times ? GPU_ENERGY_GOALS : 1;
}

static void add_choice(Grid *grid, const Study *self, GpuEnergyGoal goal)
{
    const GpuEnergyChoice *choice = &self->found.best[goal];
    const GpuEnergyChoice *best = &self->found.best[GPU_ENERGY_LEAST_JOULES];
    g_autofree char *tile =
        model_energy_tile_text(self->options->program, &choice->tile);
    const double joules = gpu_energy_choice_score(choice, GPU_ENERGY_LEAST_JOULES);
    const double least = gpu_energy_choice_score(best, GPU_ENERGY_LEAST_JOULES);
    CmdNumberText texts[6];

    /* The first columns are all there are where no time is known. */
    grid_add(grid,
             (const char *[]){
                 gpu_energy_goal_name(goal), tile,
                 cmd_number_text(texts[0], "%.4f", choice->energy.dynamic_joules),
                 cmd_number_text(texts[1], "%.4f", choice->energy.static_joules),
                 cmd_number_text(texts[2], "%.4f", choice->energy.joules),
                 cmd_number_text(texts[3], "%.2f", PERCENT * joules / least - PERCENT),
                 cmd_number_text(texts[4], "%.6g", choice->seconds),
                 cmd_number_text(texts[5], "%.6g", choice->seconds * joules)});
}

static void print(gconstpointer data)
{
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;
    const GpuEnergyChoice *best = &self->found.best[GPU_ENERGY_LEAST_JOULES];
    g_autofree char *problem = model_energy_problem_text(&options->problem);
    g_autofree char *time = model_energy_seconds_text(options, best->seconds);
    g_autofree char *candidates = quantity_count(self->found.candidates);
    g_autofree char *near = quantity_count(self->found.near);
    g_autoptr(Grid) grid = grid_new(isnan(best->seconds) ? DYNAMIC_COLUMNS : COLUMNS);

    printf("model energy on %s: the best tile\n", arch_params_name(options->chip));
    printf("  chip      %s\n", arch_params_summary(options->chip));
    printf("  program   %s\n", problem);
    printf("  prices    by %s\n", gpu_energy_set_name(options->set));
    printf("  T_alg     %s\n", time);
    printf("  tiles     %s tried, %s within 10 %% of the least energy\n\n", candidates,
           near);
    grid_add(grid, (const char *[]){"LEAST", "TILE", "DYNAMIC [J]", "STATIC [J]",
                                    "TOTAL [J]", "MORE [%]", "T_ALG [s]", "EDP [J s]"});
    for (guint goal = 0; goal < goal_count(self); goal++) {
        add_choice(grid, self, (GpuEnergyGoal) goal);
    }
    grid_print(grid, stdout, 2);
    printf("\n  of the least energy: %.4g J global, %.4g J shared, %.4g J arithmetic\n",
           best->energy.tiles * best->energy.global,
           best->energy.tiles * best->energy.shared,
           best->energy.tiles * best->energy.arithmetic);
}

static JsonObject *choice_object(const Study *self, const GpuEnergyChoice *choice)
{
    JsonObject *object = json_object_new();

    json_object_set_object_member(
        object, "tile",
        model_energy_tile_object(self->options->program, &choice->tile));
    json_object_set_double_member(object, "seconds", choice->seconds);
    json_object_set_double_member(object, "dynamic_joules",
                                  choice->energy.dynamic_joules);
    json_object_set_double_member(object, "joules", choice->energy.joules);
    json_object_set_double_member(object, "product_joule_seconds",
                                  choice->seconds * choice->energy.joules);
    return object;
}

static JsonObject *metrics(gconstpointer data)
{
    const Study *self = data;
    const GpuEnergyChoice *best = &self->found.best[GPU_ENERGY_LEAST_JOULES];
    JsonObject *object = json_object_new();
    JsonObject *choices = json_object_new();
    JsonArray *steps = json_array_new();

    json_object_set_object_member(
        object, "tile", model_energy_tile_object(self->options->program, &best->tile));
    json_object_set_double_member(
        object, "tile_bytes",
        gpu_energy_tile_bytes(self->options->program, &best->tile));
    json_object_set_double_member(object, "seconds", best->seconds);
    model_energy_set_energy(object, &best->energy);
    json_object_set_double_member(object, "product_joule_seconds",
                                  best->seconds * best->energy.joules);
    json_object_set_int_member(object, "candidates", (gint64) self->found.candidates);
    json_object_set_int_member(object, "shortlist_count", (gint64) self->found.near);
    for (guint goal = 0; goal < goal_count(self); goal++) {
        json_object_set_object_member(choices,
                                      gpu_energy_goal_name((GpuEnergyGoal) goal),
                                      choice_object(self, &self->found.best[goal]));
    }
    json_object_set_object_member(object, "choices", choices);
    for (guint i = 0; i < self->found.by_steps->len; i++) {
        json_array_add_object_element(
            steps, choice_object(
                       self, &g_array_index(self->found.by_steps, GpuEnergyChoice, i)));
    }
    json_object_set_array_member(object, "by_steps", steps);
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

        g_string_append_printf(text,
                               "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
                               ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT,
                               at->tile.steps, at->tile.space[0], at->tile.space[1],
                               at->tile.subtile);
        cmd_number_text_add_field(text, energy->tiles * energy->global);
        cmd_number_text_add_field(text, energy->tiles * energy->shared);
        cmd_number_text_add_field(text, energy->tiles * energy->arithmetic);
        cmd_number_text_add_field(text, energy->dynamic_joules);
        cmd_number_text_add_field(text, energy->static_joules);
        cmd_number_text_add_field(text, energy->joules);
        cmd_number_text_add_field(text, at->seconds);
        g_string_append_c(text, '\n');
    }
    return g_string_free(text, FALSE);
}

/* A layer of the picture: from the top of the one below. */
static double layer_of(const GpuEnergyChoice *choice, guint layer)
{
    const GpuEnergy *energy = &choice->energy;
    const double parts[LAYERS] = {
        energy->tiles * energy->arithmetic, energy->tiles * energy->shared,
        energy->tiles * energy->global,
        isnan(energy->static_joules) ? 0 : energy->static_joules};
    double top = 0;

    for (guint i = 0; i <= layer; i++) {
        top += parts[i];
    }
    return top;
}

typedef struct {
    TracePlotPoint *points;
    TracePlotSpan *spans;
} Layer;

static Layer layer_new(const GArray *choices, guint layer)
{
    Layer self = {g_new(TracePlotPoint, choices->len),
                  g_new(TracePlotSpan, choices->len)};

    for (guint i = 0; i < choices->len; i++) {
        const GpuEnergyChoice *at = &g_array_index(choices, GpuEnergyChoice, i);
        const double top = layer_of(at, layer);

        self.points[i] = (TracePlotPoint){(double) at->tile.steps, top};
        self.spans[i] = (TracePlotSpan){layer == 0 ? 0 : layer_of(at, layer - 1), top};
    }
    return self;
}

static char *svg(gconstpointer data)
{
    static const char *const names[LAYERS] = {"arithmetic", "+ shared to registers",
                                              "+ global to shared", "+ static"};
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;
    const GpuEnergyChoice *best = &self->found.best[GPU_ENERGY_LEAST_JOULES];
    const guint count = isnan(best->seconds) ? LAYERS - 1 : LAYERS;
    g_autofree char *problem = model_energy_problem_text(&options->problem);
    g_autofree char *title = g_strdup_printf("Least energy of %s on %s", problem,
                                             arch_params_name(options->chip));
    g_autofree char *tile = model_energy_tile_text(options->program, &best->tile);
    g_autofree char *time = model_energy_seconds_text(options, best->seconds);
    g_autofree char *note = g_strdup_printf("best tile %s; T_alg %s", tile, time);
    Layer layers[LAYERS] = {{0}};
    TracePlotSeries series[LAYERS + 1];

    for (guint i = 0; i < count; i++) {
        layers[i] = layer_new(self->found.by_steps, i);
        series[i] = (TracePlotSeries){.name = names[i],
                                      .style = TRACE_PLOT_LINE,
                                      .points = layers[i].points,
                                      .point_count = self->found.by_steps->len,
                                      .band = layers[i].spans};
    }
    const TracePlotPoint mark = {
        (double) best->tile.steps,
        gpu_energy_choice_score(best, GPU_ENERGY_LEAST_JOULES)};

    series[count] = (TracePlotSeries){.name = "least of all",
                                      .style = TRACE_PLOT_POINTS,
                                      .points = &mark,
                                      .point_count = 1};
    char *text = trace_plot_to_svg(
        &(TracePlot){.title = title,
                     .x = "height of a tile in time, t_T [steps]",
                     .y = "energy of the best tile of that height [J]",
                     /* Tiles of lines are as high as there are steps. */
                     .is_log_x = options->program->dimension == 1,
                     .note = note,
                     .series = series,
                     .series_count = count + 1});

    for (guint i = 0; i < LAYERS; i++) {
        g_free(layers[i].points);
        g_free(layers[i].spans);
    }
    return text;
}

int model_energy_search(const ModelEnergyOptions *options, gint64 start)
{
    const GpuEnergySearch search = {
        .problem = options->problem,
        .costs = options->costs,
        .block_bytes = options->block_bytes,
        .subtile = options->tile.subtile,
        .seconds = options->seconds,
        .seconds_of = options->time_gpu == NULL ? NULL : model_energy_seconds,
        .data = options->time_gpu,
    };
    Study study = {.options = options};
    g_autoptr(GError) error = NULL;

    if (!gpu_energy_search(&search, &study.found, &error)) {
        gpu_energy_found_clear(&study.found);
        return complain_of(error);
    }
    const int status =
        model_output_write(&options->output,
                           &(ModelPage){.name = "model energy",
                                        .chip = options->chip,
                                        .study = &study,
                                        .parameters = model_energy_parameters,
                                        .metrics = metrics,
                                        .csv = csv,
                                        .svg = svg,
                                        .print = print},
                           start);

    gpu_energy_found_clear(&study.found);
    return status;
}
