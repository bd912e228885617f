/* The energy of one tile size, by both sets of prices. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/model/energy/energy.h"
#include "tools/gridloom/number_text.h"
#include "tools/gridloom/quantity.h"
#include "traces/picture/bars.h"

#define MICRO   1e6
#define PERCENT 100.0

enum {
    PARTS = 4,
};

typedef struct {
    const ModelEnergyOptions *options;
    bool has[GPU_ENERGY_SETS]; /* what the chip's file has */
    GpuEnergy energy[GPU_ENERGY_SETS];
} Study;

/* A part of the energy: of a tile, and of all. */
typedef struct {
    const char *name;
    double tile;
    double all;
} Part;

static void parts_of(const GpuEnergy *energy, Part parts[PARTS])
{
    parts[0] = (Part){"global", energy->global, energy->tiles * energy->global};
    parts[1] = (Part){"shared", energy->shared, energy->tiles * energy->shared};
    parts[2] =
        (Part){"arithmetic", energy->arithmetic, energy->tiles * energy->arithmetic};
    parts[3] =
        (Part){"static", energy->static_joules / energy->tiles, energy->static_joules};
}

static void print_head(const Study *self)
{
    const ModelEnergyOptions *options = self->options;
    const GpuEnergy *energy = &self->energy[options->set];
    g_autofree char *problem = model_energy_problem_text(&options->problem);
    g_autofree char *tile = model_energy_tile_text(options->program, &options->tile);
    g_autofree char *time = model_energy_seconds_text(options, options->seconds);

    printf("model energy on %s\n", arch_params_name(options->chip));
    printf("  chip      %s\n", arch_params_summary(options->chip));
    printf("  program   %s\n", problem);
    printf("  tile      %s: %.0f bytes of shared memory\n", tile,
           gpu_energy_tile_bytes(options->program, &options->tile));
    printf("  M_io      %.10g words between global and shared memory\n", energy->words);
    printf("  V_tile    %.10g points\n", energy->points);
    printf("  N_tiles   %.2f\n", energy->tiles);
    printf("  T_alg     %s\n\n", time);
}

static void add_row(Grid *grid, const Study *self, const Part *part, double total)
{
    const GpuEnergySet other = self->options->set == GPU_ENERGY_MICROBENCHMARK
                                   ? GPU_ENERGY_REGRESSION
                                   : GPU_ENERGY_MICROBENCHMARK;
    Part others[PARTS + 2] = {{0}};
    CmdNumberText texts[4];
    double beside = NAN;

    parts_of(&self->energy[other], others);
    others[PARTS] = (Part){"dynamic", 0, self->energy[other].dynamic_joules};
    others[PARTS + 1] = (Part){"total", 0, self->energy[other].joules};
    for (guint i = 0; i < G_N_ELEMENTS(others) && self->has[other]; i++) {
        beside = g_str_equal(others[i].name, part->name) ? others[i].all : beside;
    }
    grid_add(grid,
             (const char *[]){
                 part->name, cmd_number_text(texts[0], "%.4f", MICRO * part->tile),
                 cmd_number_text(texts[1], "%.4f", part->all),
                 cmd_number_text(texts[2], "%.1f", PERCENT * part->all / total),
                 cmd_number_text(texts[3], "%.4f", beside)});
}

static void print(gconstpointer data)
{
    const Study *self = data;
    const GpuEnergySet set = self->options->set;
    const GpuEnergy *energy = &self->energy[set];
    const double total =
        isnan(energy->joules) ? energy->dynamic_joules : energy->joules;
    g_autoptr(Grid) grid = grid_new(5);
    Part parts[PARTS];

    print_head(self);
    parts_of(energy, parts);
    grid_add(grid, (const char *[]){"PART", "TILE [uJ]", "ALL [J]", "%",
                                    set == GPU_ENERGY_MICROBENCHMARK
                                        ? "BY REGRESSION [J]"
                                        : "BY MICROBENCHMARK [J]"});
    for (guint i = 0; i < PARTS - 1; i++) {
        add_row(grid, self, &parts[i], total);
    }
    add_row(grid, self, &(Part){"dynamic", energy->tile_joules, energy->dynamic_joules},
            total);
    if (!isnan(energy->joules)) {
        add_row(grid, self, &parts[PARTS - 1], total);
        add_row(grid, self,
                &(Part){"total", energy->joules / energy->tiles, energy->joules},
                total);
    }
    grid_print(grid, stdout, 2);
    printf("\n  prices by %s; a model, not a simulation: %s\n",
           gpu_energy_set_name(set),
           set == GPU_ENERGY_MICROBENCHMARK
               ? "the thesis has it 8.3 to 17.14 % off its own runs"
               : "fitted to a tenth of the thesis's runs, 2.35 to 3.95 % off the rest");
}

static JsonObject *metrics(gconstpointer data)
{
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;
    JsonObject *object = json_object_new();
    JsonObject *sets = json_object_new();

    json_object_set_object_member(
        object, "tile", model_energy_tile_object(options->program, &options->tile));
    json_object_set_double_member(
        object, "tile_bytes", gpu_energy_tile_bytes(options->program, &options->tile));
    json_object_set_double_member(object, "seconds", options->seconds);
    model_energy_set_energy(object, &self->energy[options->set]);
    json_object_set_double_member(object, "product_joule_seconds",
                                  options->seconds * self->energy[options->set].joules);
    for (guint i = 0; i < GPU_ENERGY_SETS; i++) {
        if (self->has[i]) {
            JsonObject *one = json_object_new();

            model_energy_set_energy(one, &self->energy[i]);
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
        Part parts[PARTS];

        parts_of(&self->energy[i], parts);
        for (guint k = 0; k < PARTS && self->has[i]; k++) {
            g_string_append_printf(text, "%s,%s", gpu_energy_set_name((GpuEnergySet) i),
                                   parts[k].name);
            cmd_number_text_add_field(text, parts[k].tile);
            cmd_number_text_add_field(text, parts[k].all);
            g_string_append_c(text, '\n');
        }
    }
    return g_string_free(text, FALSE);
}

typedef struct {
    char *title;
    TraceBar bars[PARTS];
    char *texts[PARTS];
} Panel;

static void panel_init(Panel *self, const GpuEnergy *energy, const char *set)
{
    Part parts[PARTS];
    const bool has_total = !isnan(energy->joules);

    parts_of(energy, parts);
    self->title = g_strdup_printf("prices by %s: %.5g J%s", set,
                                  has_total ? energy->joules : energy->dynamic_joules,
                                  has_total ? "" : ", static energy not known");
    for (guint i = 0; i < PARTS; i++) {
        self->texts[i] = isnan(parts[i].all) ? g_strdup("not known")
                                             : g_strdup_printf("%.4g J", parts[i].all);
        self->bars[i] = (TraceBar){
            .label = parts[i].name, .text = self->texts[i], .value = parts[i].all};
    }
}

static void panel_clear(Panel *self)
{
    g_free(self->title);
    for (guint i = 0; i < PARTS; i++) {
        g_free(self->texts[i]);
    }
}

static double longest(const Study *self)
{
    double most = 0;

    for (guint i = 0; i < GPU_ENERGY_SETS; i++) {
        Part parts[PARTS];

        parts_of(&self->energy[i], parts);
        for (guint k = 0; k < PARTS && self->has[i]; k++) {
            most = fmax(most, parts[k].all); /* which takes NaN for nothing */
        }
    }
    return most;
}

static char *svg(gconstpointer data)
{
    const Study *self = data;
    const ModelEnergyOptions *options = self->options;
    g_autofree char *problem = model_energy_problem_text(&options->problem);
    g_autofree char *tile = model_energy_tile_text(options->program, &options->tile);
    g_autofree char *title =
        g_strdup_printf("Energy of %s on %s", problem, arch_params_name(options->chip));
    g_autofree char *note = g_strdup_printf("tiles of %s", tile);
    Panel panels[GPU_ENERGY_SETS] = {{0}};
    TraceBarPanel shown[GPU_ENERGY_SETS];
    gsize count = 0;

    for (guint i = 0; i < GPU_ENERGY_SETS; i++) {
        if (self->has[i]) {
            panel_init(&panels[i], &self->energy[i],
                       gpu_energy_set_name((GpuEnergySet) i));
            shown[count++] = (TraceBarPanel){.title = panels[i].title,
                                             .note = note,
                                             .full = longest(self),
                                             .bars = panels[i].bars,
                                             .bar_count = PARTS};
        }
    }
    char *text = trace_bars_to_svg(
        &(TraceBars){.title = title, .panels = shown, .panel_count = count});

    for (guint i = 0; i < GPU_ENERGY_SETS; i++) {
        panel_clear(&panels[i]);
    }
    return text;
}

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
