/* Reads what energy is asked for. */
#include <math.h>

#include "arch/model/tiling/tiling.h"
#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/model/energy/energy.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/output.h"

#define PERCENT      100.0
#define MOST_NOISE   50.0 /* percent: energies stay above 0 */
#define MOST_SECONDS 1e9

enum {
    KILOBYTE = 1024,
    MOST_KILOBYTES = 256, /* more than any GPU has: tiles grow with its square */
    USUAL_STEPS = 1024,
    USUAL_FLAT = 65536, /* points, in one dimension */
    USUAL_SIDE = 4096,
    USUAL_SUBTILE = 8, /* the thesis prints none */
};

/* What options are for. */
enum {
    ONE = MODEL_ENERGY_TILE | MODEL_ENERGY_SEARCH,
    FITS = MODEL_ENERGY_REGRESS | MODEL_ENERGY_REGRESS_SYNTHETIC,
    DRAWN = MODEL_ENERGY_REGRESS_SYNTHETIC | MODEL_ENERGY_CHOOSE | MODEL_ENERGY_EXTRACT,
};

static const char *const description =
    "Appendix B of \"Analytical Cost Metrics: Days of Future Past\": E_alg = P_stat "
    "T_alg +\n"
    "N_tiles E_tile; a tile pays for words between global and shared memory, words "
    "between\n"
    "shared memory and registers, and operations. T_alg is measured in the thesis: "
    "give it\n"
    "with --seconds, or take another GPU's modelled time with --time-gpu (J2D). "
    "Without\n"
    "--tile all tiles are tried. N_tiles is V_alg / V_tile, not rounded.\n\n"
    "Runs for --regress are CSV with the columns program,size,steps,tile,tile_steps,\n"
    "subtile,seconds,joules: j2d,4096x4096,1024,16x64,16,,0.9,80.1 (subtile is empty "
    "for\n"
    "J2D). A share of them, chosen by the seed, is for training. Synthetic runs have "
    "a\n"
    "known truth, the chip's prices: 298 of SW, 265 of J1D and 125 of J2D, off by up "
    "to\n"
    "--noise percent, with --outliers percent of them at twice their energy. They are "
    "no\n"
    "measurements.\n\n"
    "  gridloom model energy --tile 16x64 --tile-steps 16 --seconds 1.2\n"
    "  gridloom model energy --size 8192x8192 --time-gpu gtx980 -o tiles.svg\n"
    "  gridloom model energy --regress-synthetic --noise 2 --outliers 5 --rows "
    "runs.csv\n"
    "  gridloom model energy --regress runs.csv\n";

/* What is read as text first. */
typedef struct {
    char *chip;
    char *time_gpu;
    char *set;
    char *program;
    char *size;
    char *steps;
    char *tile;
    char *tile_steps;
    char *subtile;
    char *shared;
    char *seconds;
    char *seed;
    char *noise;
    char *outliers;
    char *training;
    gboolean is_regress_synthetic;
    gboolean is_choose;
    gboolean is_extract;
    char **overrides;
    char **words;
} Texts;

static void texts_clear(Texts *self)
{
    g_free(self->chip);
    g_free(self->time_gpu);
    g_free(self->set);
    g_free(self->program);
    g_free(self->size);
    g_free(self->steps);
    g_free(self->tile);
    g_free(self->tile_steps);
    g_free(self->subtile);
    g_free(self->shared);
    g_free(self->seconds);
    g_free(self->seed);
    g_free(self->noise);
    g_free(self->outliers);
    g_free(self->training);
    g_strfreev(self->overrides);
    g_strfreev(self->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

void model_energy_options_clear(ModelEnergyOptions *self)
{
    model_output_clear(&self->output);
    g_clear_pointer(&self->chip, arch_params_free);
    g_clear_pointer(&self->time_gpu, arch_params_free);
    g_free(self->runs);
    g_free(self->rows);
}

GpuEnergyDraw model_energy_draw(const ModelEnergyOptions *self)
{
    return (GpuEnergyDraw){.truth = self->costs,
                           .seed = self->seed,
                           .noise = self->noise,
                           .outliers = self->outliers};
}

static bool read_task(ModelEnergyOptions *self, const Texts *texts, GError **error)
{
    const guint asked = (self->runs != NULL ? 1U : 0U) +
                        (texts->is_regress_synthetic ? 1U : 0U) +
                        (texts->is_choose ? 1U : 0U) + (texts->is_extract ? 1U : 0U);

    if (asked > 1) {
        return option_fail(error, "--regress, --regress-synthetic, --choose-synthetic "
                                  "and --extract-synthetic exclude each other");
    }
    self->task = texts->tile != NULL || texts->tile_steps != NULL ? MODEL_ENERGY_TILE
                                                                  : MODEL_ENERGY_SEARCH;
    if (self->runs != NULL) {
        self->task = MODEL_ENERGY_REGRESS;
    } else if (texts->is_regress_synthetic) {
        self->task = MODEL_ENERGY_REGRESS_SYNTHETIC;
    } else if (texts->is_choose) {
        self->task = MODEL_ENERGY_CHOOSE;
    } else if (texts->is_extract) {
        self->task = MODEL_ENERGY_EXTRACT;
    }
    return true;
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
static bool
check_fit(const ModelEnergyOptions *self, const Texts *texts, GError **error)
{
    const struct {
        const char *option;
        const char *text;
        guint tasks;
    } options[] = {
        {"--size", texts->size, ONE},
        {"--steps", texts->steps, ONE},
        {"--tile", texts->tile, ONE},
        {"--tile-steps", texts->tile_steps, ONE},
        {"--subtile", texts->subtile, ONE},
        {"--shared-kb", texts->shared, ONE | MODEL_ENERGY_REGRESS},
        {"--time-gpu", texts->time_gpu, ONE},
        {"--seconds", texts->seconds, ONE | MODEL_ENERGY_EXTRACT},
        {"--program", texts->program, ONE | FITS | MODEL_ENERGY_CHOOSE},
        {"--seed", texts->seed, FITS | DRAWN},
        {"--training", texts->training, FITS},
        {"--noise", texts->noise, DRAWN},
        {"--outliers", texts->outliers,
         MODEL_ENERGY_REGRESS_SYNTHETIC | MODEL_ENERGY_CHOOSE},
        {"--rows", self->rows, MODEL_ENERGY_REGRESS_SYNTHETIC},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(options); i++) {
        if (options[i].text != NULL && (options[i].tasks & self->task) == 0) {
            return option_fail(error, "%s does not go with %s", options[i].option,
                               task_option(self->task));
        }
    }
    return true;
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

static bool read_percent(
    const char *text, const char *option, double most, double *part, GError **error)
{
    double percent = 0;

    if (text == NULL) {
        return true;
    }
    if (!option_is_number(text, &percent) || !(percent >= 0) || !(percent <= most)) {
        g_autofree char *allowed =
            g_strdup_printf("a number of percent, 0 to %g", most);

        return option_refuse(option, text, allowed, error);
    }
    *part = percent / PERCENT;
    return true;
}

bool model_energy_read_program(const char *text,
                               const char *option,
                               const GpuEnergyProgram **program,
                               GError **error)
{
    static const char *const names[] = {"sw", "j1d", "j2d", NULL};
    guint place = 0;

    if (!option_word(text, option, names, &place, error)) {
        return false;
    }
    if (text != NULL) {
        *program = gpu_energy_program_at(place);
    }
    return true;
}

/* Jacobi 2D for one problem, and all of them for runs, unless one is said. */
static bool read_program(ModelEnergyOptions *self, const Texts *texts, GError **error)
{
    if ((self->task & ONE) != 0) {
        self->program = gpu_energy_program_find("j2d");
    }
    return model_energy_read_program(texts->program, "--program", &self->program,
                                     error);
}

static bool read_problem(ModelEnergyOptions *self, const Texts *texts, GError **error)
{
    const bool is_flat = self->program->dimension == 1;

    self->problem = (GpuEnergyProblem){
        .program = self->program,
        .space = {is_flat ? USUAL_FLAT : USUAL_SIDE, is_flat ? 0 : USUAL_SIDE},
        .steps = USUAL_STEPS,
    };
    self->tile.subtile = self->program->has_subtiles ? USUAL_SUBTILE : 0;
    if (!self->program->has_subtiles && texts->subtile != NULL) {
        return option_fail(error, "--subtile: %s has no subtiles", self->program->name);
    }
    return model_energy_read_sides(texts->size, "--size", self->program,
                                   self->problem.space, error) &&
           option_count(texts->steps, "--steps", 1, GPU_ENERGY_MOST,
                        &self->problem.steps, error) &&
           option_count(texts->subtile, "--subtile", 1, GPU_ENERGY_MOST,
                        &self->tile.subtile, error);
}

static bool read_tile(ModelEnergyOptions *self, const Texts *texts, GError **error)
{
    if (self->task != MODEL_ENERGY_TILE) {
        return true;
    }
    if (texts->tile == NULL || texts->tile_steps == NULL) {
        return option_fail(error, "--tile and --tile-steps go together");
    }
    return model_energy_read_sides(texts->tile, "--tile", self->program,
                                   self->tile.space, error) &&
           option_count(texts->tile_steps, "--tile-steps", 1, GPU_ENERGY_MOST,
                        &self->tile.steps, error) &&
           gpu_energy_tile_check(&self->tile, &self->problem, self->block_bytes, error);
}

static bool read_time(ModelEnergyOptions *self, const Texts *texts, GError **error)
{
    GpuTilingMachine machine;

    self->seconds = NAN;
    if (!option_seconds(texts->seconds, "--seconds", &self->seconds, error)) {
        return false;
    }
    if (self->seconds > MOST_SECONDS) {
        return option_refuse("--seconds", texts->seconds, "a number above 0, up to 1e9",
                             error);
    }
    if (texts->time_gpu == NULL) {
        return true;
    }
    if (texts->seconds != NULL) {
        return option_fail(error, "--seconds and --time-gpu exclude each other");
    }
    if (self->program->dimension == 1) {
        return option_fail(error,
                           "--time-gpu: nobody has measured times of %s; allowed "
                           "is --program j2d",
                           self->program->name);
    }
    self->time_gpu = chip_numbers_load_gpu(texts->time_gpu, error);
    return self->time_gpu != NULL &&
           gpu_tiling_machine(self->time_gpu, &machine, error);
}

/* A tile that the other GPU cannot run has no time there. */
static bool find_seconds(ModelEnergyOptions *self, GError **error)
{
    if (self->task != MODEL_ENERGY_TILE || self->time_gpu == NULL) {
        return true;
    }
    self->seconds = gpu_energy_seconds(&self->problem, &self->tile, self->time_gpu);
    return !isnan(self->seconds) ||
           option_fail(error, "--time-gpu %s: the tile cannot run there",
                       arch_params_name(self->time_gpu));
}

static bool read_draw(ModelEnergyOptions *self, const Texts *texts, GError **error)
{
    self->seed = 1;
    self->noise = 0.02;
    self->training = 0.1;
    return option_count(texts->seed, "--seed", 0, G_MAXINT64, &self->seed, error) &&
           read_percent(texts->noise, "--noise", MOST_NOISE, &self->noise, error) &&
           read_percent(texts->outliers, "--outliers", MOST_NOISE, &self->outliers,
                        error) &&
           read_percent(texts->training, "--training", PERCENT, &self->training,
                        error) &&
           (self->training > 0 ||
            option_refuse("--training", texts->training,
                          "a number of percent above 0, up to 100", error));
}

static bool read_shared(ModelEnergyOptions *self, const Texts *texts, GError **error)
{
    guint kilobytes = GPU_ENERGY_BLOCK_BYTES / KILOBYTE;

    if (!option_small(texts->shared, "--shared-kb", 1, MOST_KILOBYTES, &kilobytes,
                      error)) {
        return false;
    }
    self->block_bytes = (double) kilobytes * KILOBYTE;
    return true;
}

static bool load(ModelEnergyOptions *self, const Texts *texts, GError **error)
{
    const char *names[] = {gpu_energy_set_name(GPU_ENERGY_MICROBENCHMARK),
                           gpu_energy_set_name(GPU_ENERGY_REGRESSION), NULL};
    guint set = GPU_ENERGY_MICROBENCHMARK;

    if (!option_word(texts->set, "--set-of", names, &set, error)) {
        return false;
    }
    self->set = (GpuEnergySet) set;
    self->chip = chip_numbers_load(texts->chip != NULL ? texts->chip : "k20c", error);
    return self->chip != NULL &&
           chip_numbers_override(self->chip, texts->overrides, error) &&
           gpu_energy_costs(self->chip, self->set, &self->costs, error);
}

static bool check_files(ModelEnergyOptions *self, GError **error)
{
    const OptionFile others[] = {{"--rows", self->rows}, {"--regress", self->runs}};

    /* One thing at a time on standard output. */
    self->output.is_quiet = self->output.is_quiet || trace_output_is_stdout(self->rows);
    return model_output_check_beside(&self->output, others, G_N_ELEMENTS(others),
                                     error) &&
           (self->rows == NULL || trace_output_check(self->rows, error));
}

static bool take(ModelEnergyOptions *self, const Texts *texts, GError **error)
{
    if (!option_no_words(texts->words, "model energy", error) ||
        !read_task(self, texts, error) || !check_fit(self, texts, error) ||
        !read_program(self, texts, error) || !load(self, texts, error) ||
        !read_shared(self, texts, error) || !read_draw(self, texts, error) ||
        !read_time(self, texts, error) || !check_files(self, error)) {
        return false;
    }
    return (self->task & ONE) == 0 ||
           (read_problem(self, texts, error) && read_tile(self, texts, error) &&
            find_seconds(self, error));
}

bool model_energy_options_parse(ModelEnergyOptions *self,
                                int argc,
                                char **argv,
                                GError **error)
{
    g_auto(Texts) texts = {0};
    const GOptionEntry entries[] = {
        {"chip", 0, 0, G_OPTION_ARG_FILENAME, &texts.chip,
         "GPU whose prices are known (default: k20c)", "NAME|FILE"},
        {"set-of", 0, 0, G_OPTION_ARG_FILENAME, &texts.set,
         "which of its prices: microbenchmark (model A, the default) or regression (B)",
         "NAME"},
        {"program", 0, 0, G_OPTION_ARG_FILENAME, &texts.program,
         "sw, j1d or j2d (default: j2d; of runs: all)", "NAME"},
        {"size", 0, 0, G_OPTION_ARG_FILENAME, &texts.size,
         "points of space (default: 4096x4096, 65536 in one dimension)", "N|NxN"},
        {"steps", 0, 0, G_OPTION_ARG_FILENAME, &texts.steps,
         "of time; of sw the second sequence (default: 1024)", "N"},
        {"tile", 0, 0, G_OPTION_ARG_FILENAME, &texts.tile,
         "sides of a tile (default: the best of all)", "N|NxN"},
        {"tile-steps", 0, 0, G_OPTION_ARG_FILENAME, &texts.tile_steps,
         "its height in time, even for j2d", "N"},
        {"subtile", 0, 0, G_OPTION_ARG_FILENAME, &texts.subtile,
         "s_S of sw and j1d (default: 8; the thesis prints none)", "N"},
        {"shared-kb", 0, 0, G_OPTION_ARG_FILENAME, &texts.shared,
         "shared memory of a tile at most (default: 48)", "N"},
        {"seconds", 0, 0, G_OPTION_ARG_FILENAME, &texts.seconds,
         "T_alg as measured; of --extract-synthetic, that of a benchmark", "X"},
        {"time-gpu", 0, 0, G_OPTION_ARG_FILENAME, &texts.time_gpu,
         "take T_alg from the time model of this other GPU", "NAME"},
        {"regress", 0, 0, G_OPTION_ARG_FILENAME, &self->runs,
         "find prices from measured runs", "FILE.csv"},
        {"regress-synthetic", 0, 0, G_OPTION_ARG_NONE, &texts.is_regress_synthetic,
         "the same from runs of known truth", NULL},
        {"choose-synthetic", 0, 0, G_OPTION_ARG_NONE, &texts.is_choose,
         "does the model choose the tile that measures best? (Table B.3)", NULL},
        {"extract-synthetic", 0, 0, G_OPTION_ARG_NONE, &texts.is_extract,
         "find prices by micro-benchmarks, power read every 16 ms", NULL},
        {"seed", 0, 0, G_OPTION_ARG_FILENAME, &texts.seed,
         "of synthetic runs and of the choice for training (default: 1)", "N"},
        {"noise", 0, 0, G_OPTION_ARG_FILENAME, &texts.noise,
         "percent that synthetic energies are off at most (default: 2)", "P"},
        {"outliers", 0, 0, G_OPTION_ARG_FILENAME, &texts.outliers,
         "percent of synthetic runs at twice their energy (default: 0)", "P"},
        {"training", 0, 0, G_OPTION_ARG_FILENAME, &texts.training,
         "percent of runs that prices are found from (default: 10)", "P"},
        {"rows", 0, 0, G_OPTION_ARG_FILENAME, &self->rows,
         "write the synthetic runs, as --regress reads them", "FILE.csv"},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.overrides,
         "change a number of the chip; may be repeated", "SECTION.KEY=VALUE"},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("- what a tiled program costs in joules");

    *self = (ModelEnergyOptions){0};
    g_set_prgname("gridloom model energy");
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    model_output_add_options(&self->output, context);
    return g_option_context_parse(context, &argc, &argv, error) &&
           take(self, &texts, error);
}
