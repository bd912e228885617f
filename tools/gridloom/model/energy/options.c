/* Reads what energy is asked for. */
#include <math.h>

#include "arch/model/tiling/tiling.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/model/energy/energy.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/output.h"
#include "workloads/chip_file.h"

typedef ModelEnergyOptions Options;

#define MOST_SECONDS 1e9

enum {
    KILOBYTE = 1024,
    MOST_KILOBYTES = 256, /* more than any GPU has: tiles grow with its square */
    USUAL_STEPS = 1024,
    USUAL_FLAT = 65536, /* points, in one dimension */
    USUAL_SIDE = 4096,
    USUAL_SUBTILE = 8, /* the thesis prints none */
};

/* The tasks that options apply to. */
enum {
    ONE = MODEL_ENERGY_TILE | MODEL_ENERGY_SEARCH,
    FITS = MODEL_ENERGY_REGRESS | MODEL_ENERGY_REGRESS_SYNTHETIC,
    DRAWN = MODEL_ENERGY_REGRESS_SYNTHETIC | MODEL_ENERGY_CHOOSE | MODEL_ENERGY_EXTRACT,
};

static const char *const sets[] = {
    [GPU_ENERGY_MICROBENCHMARK] = "microbenchmark",
    [GPU_ENERGY_REGRESSION] = "regression",
    NULL,
};
static const char *const programs[] = {"sw", "j1d", "j2d", NULL};

GpuEnergyDraw model_energy_draw(const ModelEnergyOptions *self)
{
    return (GpuEnergyDraw){.truth = self->costs,
                           .seed = self->seed,
                           .noise = self->noise,
                           .outliers = self->outliers};
}

static bool read_task(Options *self, const OptionTexts *texts, GError **error)
{
    static const char *const tasks[] = {"regress", "regress-synthetic",
                                        "choose-synthetic", "extract-synthetic"};
    guint asked = 0;

    for (gsize i = 0; i < G_N_ELEMENTS(tasks); i++) {
        asked += option_is_given(texts, tasks[i]) ? 1 : 0;
    }
    if (self->runs != NULL) {
        self->task = MODEL_ENERGY_REGRESS;
    } else if (asked == 0 && (option_is_given(texts, "tile") ||
                              option_is_given(texts, "tile-steps"))) {
        self->task = MODEL_ENERGY_TILE;
    }
    return asked <= 1 ||
           option_fail(error, "--regress, --regress-synthetic, --choose-synthetic and "
                              "--extract-synthetic exclude each other");
}

static const char *task_option(ModelEnergyTask task)
{
    switch (task) {
    case MODEL_ENERGY_REGRESS:
        return "--regress";
    case MODEL_ENERGY_REGRESS_SYNTHETIC:
        return "--regress-synthetic";
    case MODEL_ENERGY_CHOOSE:
        return "--choose-synthetic";
    case MODEL_ENERGY_EXTRACT:
        return "--extract-synthetic";
    case MODEL_ENERGY_TILE:
    case MODEL_ENERGY_SEARCH:
        break;
    }
    return "the energy of one problem";
}

/* An option that would change nothing is a mistake. */
static bool check_fit(const Options *self, const OptionTexts *texts, GError **error)
{
    const char *idle = option_is_idle(texts, self->task);

    return idle == NULL || option_fail(error, "--%s does not go with %s", idle,
                                       task_option(self->task));
}

bool model_energy_read_sides(const char *text,
                             const char *option,
                             const GpuEnergyProgram *program,
                             uint64_t sides[GPU_ENERGY_DIMENSIONS],
                             GError **error)
{
    if (text == NULL ||
        option_is_sizes(text, program->dimension, GPU_ENERGY_MOST, sides)) {
        return true;
    }
    g_autofree char *allowed = g_strdup_printf("%s, whole numbers in 1..%d, for %s",
                                               program->dimension == 1 ? "N" : "NxN",
                                               GPU_ENERGY_MOST, program->name);

    return option_refuse(option, text, allowed, error);
}

bool model_energy_read_program(const char *text,
                               const char *option,
                               const GpuEnergyProgram **program,
                               GError **error)
{
    guint place = 0;

    if (!option_word(text, option, programs, &place, error)) {
        return false;
    }
    if (text != NULL) {
        *program = gpu_energy_program_at(place);
    }
    return true;
}

/* Jacobi 2D for one problem, and all of them for runs, unless one is said. */
static const GpuEnergyProgram *program_of(const Options *self, const OptionTexts *texts)
{
    if (!option_is_given(texts, "program")) {
        return (self->task & ONE) != 0 ? gpu_energy_program_find("j2d") : NULL;
    }
    return gpu_energy_program_at(option_choice(texts, "program", 0));
}

static bool read_problem(Options *self, const OptionTexts *texts, GError **error)
{
    const bool is_flat = self->program->dimension == 1;
    GpuEnergyProblem *problem = &self->problem;

    problem->program = self->program;
    problem->space[0] = is_flat ? USUAL_FLAT : USUAL_SIDE;
    problem->space[1] = is_flat ? 0 : USUAL_SIDE;
    if (!self->program->has_subtiles && option_is_given(texts, "subtile")) {
        return option_fail(error, "--subtile: %s has no subtiles", self->program->name);
    }
    if (self->program->has_subtiles && self->tile.subtile == 0) {
        self->tile.subtile = USUAL_SUBTILE;
    }
    return model_energy_read_sides(option_text(texts, "size"), "--size", self->program,
                                   problem->space, error);
}

static bool read_tile(Options *self, const OptionTexts *texts, GError **error)
{
    if (self->task != MODEL_ENERGY_TILE) {
        return true;
    }
    if (!option_is_given(texts, "tile") || !option_is_given(texts, "tile-steps")) {
        return option_fail(error, "--tile and --tile-steps go together");
    }
    return model_energy_read_sides(option_text(texts, "tile"), "--tile", self->program,
                                   self->tile.space, error) &&
           gpu_energy_tile_check(&self->tile, &self->problem, self->block_bytes, error);
}

static bool read_time(Options *self, const OptionTexts *texts, GError **error)
{
    GpuTilingMachine machine;

    if (self->seconds > MOST_SECONDS) {
        return option_refuse("--seconds", option_text(texts, "seconds"),
                             "a number above 0, up to 1e9", error);
    }
    if (!option_is_given(texts, "time-gpu")) {
        return true;
    }
    if (option_is_given(texts, "seconds")) {
        return option_fail(error, "--seconds and --time-gpu exclude each other");
    }
    if (self->program->dimension == 1) {
        return option_fail(error,
                           "--time-gpu: nobody has measured times of %s; allowed "
                           "is --program j2d",
                           self->program->name);
    }
    self->time_gpu = wl_chip_load_gpu(option_text(texts, "time-gpu"), error);
    return self->time_gpu != NULL &&
           gpu_tiling_machine(self->time_gpu, &machine, error);
}

/* A tile that the other GPU cannot run has no time there. */
static bool find_seconds(Options *self, GError **error)
{
    if (self->task != MODEL_ENERGY_TILE || self->time_gpu == NULL) {
        return true;
    }
    self->seconds = gpu_energy_seconds(&self->problem, &self->tile, self->time_gpu);
    return !isnan(self->seconds) ||
           option_fail(error, "--time-gpu %s: the tile cannot run there",
                       arch_params_name(self->time_gpu));
}

static bool load(Options *self, const OptionTexts *texts, GError **error)
{
    self->chip = wl_chip_load(option_text_or(texts, "chip", "k20c"), error);
    return self->chip != NULL &&
           wl_chip_override(self->chip, option_list(texts, "set"), error) &&
           gpu_energy_costs(self->chip, self->set, &self->costs, error);
}

static bool check_files(Options *self, GError **error)
{
    const TraceNamedFile others[] = {{"--rows", self->rows}, {"--regress", self->runs}};

    /* One thing at a time on standard output. */
    self->output.is_quiet = self->output.is_quiet || trace_output_is_stdout(self->rows);
    return model_output_check_beside(&self->output, others, G_N_ELEMENTS(others),
                                     error) &&
           (self->rows == NULL || trace_output_check(self->rows, error));
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    if (!read_task(self, texts, error) || !check_fit(self, texts, error)) {
        return false;
    }
    if (!(self->training > 0)) {
        return option_refuse("--training", option_text(texts, "training"),
                             "a number of percent above 0, up to 100", error);
    }
    self->program = program_of(self, texts);
    self->block_bytes = (double) self->shared_kilobytes * KILOBYTE;
    if (!load(self, texts, error) || !read_time(self, texts, error) ||
        !check_files(self, error)) {
        return false;
    }
    return (self->task & ONE) == 0 ||
           (read_problem(self, texts, error) && read_tile(self, texts, error) &&
            find_seconds(self, error));
}

static void clear(gpointer options)
{
    Options *self = options;

    g_clear_pointer(&self->chip, arch_params_free);
    g_clear_pointer(&self->time_gpu, arch_params_free);
}

static int run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const Options *self = data;

    switch (self->task) {
    case MODEL_ENERGY_TILE:
        return model_energy_tile(self, start);
    case MODEL_ENERGY_SEARCH:
        return model_energy_search(self, start);
    case MODEL_ENERGY_REGRESS:
    case MODEL_ENERGY_REGRESS_SYNTHETIC:
        return model_energy_regress(self, start);
    case MODEL_ENERGY_CHOOSE:
        return model_energy_choose(self, start);
    case MODEL_ENERGY_EXTRACT:
        break;
    }
    return model_energy_extract(self, start);
}

static const Option rows[] = {
    {"chip", "NAME|FILE", "GPU whose prices are known (default: k20c)",
     OPTION_OTHER(TEXT), .names = OPTION_NAMES_CHIPS},
    {"set-of", "NAME",
     "which of its prices: microbenchmark (model A, the default) or regression (B)",
     OPTION_WORD(set, sets)},
    {"program", "NAME", "sw, j1d or j2d (default: j2d; of runs: all)",
     OPTION_CHOICE(programs), .tasks = ONE | FITS | MODEL_ENERGY_CHOOSE},
    {"size", "N|NxN", "points of space (default: 4096x4096, 65536 in one dimension)",
     OPTION_OTHER(TEXT), .tasks = ONE},
    {"steps", "N", "of time; of sw the second sequence (default: 1024)",
     OPTION_COUNT(problem.steps, 1, GPU_ENERGY_MOST), .tasks = ONE},
    {"tile", "N|NxN", "sides of a tile (default: the best of all)", OPTION_OTHER(TEXT),
     .tasks = ONE},
    {"tile-steps", "N", "its height in time, even for j2d",
     OPTION_COUNT(tile.steps, 1, GPU_ENERGY_MOST), .tasks = ONE},
    {"subtile", "N", "s_S of sw and j1d (default: 8; the thesis prints none)",
     OPTION_COUNT(tile.subtile, 1, GPU_ENERGY_MOST), .tasks = ONE},
    {"shared-kb", "N", "shared memory of a tile at most (default: 48)",
     OPTION_SMALL(shared_kilobytes, 1, MOST_KILOBYTES),
     .tasks = ONE | MODEL_ENERGY_REGRESS},
    {"seconds", "X", "T_alg as measured; of --extract-synthetic, that of a benchmark",
     OPTION_SECONDS(seconds), .tasks = ONE | MODEL_ENERGY_EXTRACT},
    {"time-gpu", "NAME", "take T_alg from the time model of this other GPU",
     OPTION_OTHER(TEXT), .names = OPTION_NAMES_CHIPS, .tasks = ONE},
    {"regress", "NAME|FILE.csv", "find prices from measured runs; h200-joules are ours",
     OPTION_TEXT(runs)},
    {"regress-synthetic", NULL, "the same from runs of known truth",
     OPTION_CASE(task, MODEL_ENERGY_REGRESS_SYNTHETIC)},
    {"choose-synthetic", NULL,
     "does the model choose the tile that measures best? (Table B.3)",
     OPTION_CASE(task, MODEL_ENERGY_CHOOSE)},
    {"extract-synthetic", NULL,
     "find prices by micro-benchmarks, power read every 16 ms",
     OPTION_CASE(task, MODEL_ENERGY_EXTRACT)},
    {"seed", "N", "of synthetic runs and of the choice for training (default: 1)",
     OPTION_COUNT(seed, 0, G_MAXINT64), .tasks = FITS | DRAWN},
    {"noise", "P", "percent that synthetic energies are off at most (default: 2)",
     OPTION_PERCENT(noise, 50, "a number of percent, 0 to 50"), .tasks = DRAWN},
    {"outliers", "P", "percent of synthetic runs at twice their energy (default: 0)",
     OPTION_PERCENT(outliers, 50, "a number of percent, 0 to 50"),
     .tasks = MODEL_ENERGY_REGRESS_SYNTHETIC | MODEL_ENERGY_CHOOSE},
    {"training", "P", "percent of runs that prices are found from (default: 10)",
     OPTION_PERCENT(training, 100, "a number of percent, 0 to 100"), .tasks = FITS},
    {"rows", "FILE.csv", "write the synthetic runs, as --regress reads them",
     OPTION_TEXT(rows), .tasks = MODEL_ENERGY_REGRESS_SYNTHETIC},
    {"set", "SECTION.KEY=VALUE", "change a number of the chip; may be repeated",
     OPTION_OTHER(TEXTS)},
    {0},
};

const Command cmd_model_energy = {
    .name = "model energy",
    .purpose = "what a tiled program costs in joules",
    .help = "model-energy",
    .tables = {{rows, 0}, {model_output_rows, offsetof(Options, output)}},
    COMMAND_OPTIONS(Options,
                    .task = MODEL_ENERGY_SEARCH,
                    .problem = {.steps = USUAL_STEPS},
                    .shared_kilobytes = GPU_ENERGY_BLOCK_BYTES / KILOBYTE,
                    .seconds = NAN,
                    .seed = 1,
                    .noise = 0.02,
                    .training = 0.1),
    .check = check,
    .clear = clear,
    .run = run,
};
