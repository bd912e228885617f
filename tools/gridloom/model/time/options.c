/* Reads what stencil, GPU and tiles the model of time is asked about. */
#include "tools/gridloom/model/time/options.h"

#include "arch/chipfile/value.h"
#include "tools/gridloom/model/time/space.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/file/output.h"

#define USUAL_GPU     "gtx980"
#define USUAL_STENCIL "gradient2d"
#define DRAWN_STENCIL "heat2d" /* that of Figure A.5 */
#define MOST_SECONDS  1e6
#define PERCENT       100.0

enum {
    LINE_SIZE = 1 << 20, /* of stencils in one, two and three dimensions */
    FLAT_SIZE = 8192,
    DEEP_SIZE = 512,
    DRAWN_FIRST = 8,   /* t_S1 of Figure A.5 */
    MOST_TILE = 16384, /* of boxes */
    MOST_STEPS = 1024,
    MOST_RESIDENT = 1024,
    MOST_WITHIN = 100, /* percent */
    USUAL_WITHIN = 10,
    NEAR_WITHIN = 20, /* of measured times */
};

static const char *const description =
    "The model of appendix A of \"Analytical Cost Metrics: Days of Future Past\". "
    "Tiles\n"
    "are hexagons in time and the first dimension of space, strips in the others. A\n"
    "GPU takes wavefronts of them one after the other,\n"
    "  T_alg = N_w (T_sync + T_tile ceil(ceil(w/k)/n_SM)),\n"
    "k of them at once on a multiprocessor. Without --tile all tiles that keep the\n"
    "constraints are asked: t_T even, the innermost size a multiple of 32, M_tile at\n"
    "most the memory of a block, k M_tile at most that of a multiprocessor.\n\n"
    "The printed equations leave points out and give every multiprocessor the whole\n"
    "memory; the page shows them beside corrected ones, which count unless\n"
    "--as-printed is said.\n\n"
    "Stencils: jacobi2d, heat2d, laplacian2d, gradient2d, heat3d, laplacian3d; and\n"
    "jacobi1d, jacobi3d, of which nobody measured a point: --point-seconds says it.\n"
    "Files of measured times are CSV with the columns tile, tile_steps and seconds "
    "and,\n"
    "where wanted, resident, gpu, stencil, size, steps and chosen (1: measured "
    "because\n"
    "the model chose it).\n\n"
    "  gridloom model time --tile 16x64 --tile-steps 34 --resident 2\n"
    "  gridloom model time --gpu titanx --stencil heat3d --size 384x384x384 --steps "
    "128\n"
    "  gridloom model time --as-printed --within 5 -o shortlist.csv\n"
    "  gridloom model time --surface -o surface.svg\n"
    "  gridloom model time --measured times.csv -o scatter.svg\n"
    "  gridloom model time --tile 4x32 --tile-steps 6 --check --schedule tiles.svg\n"
    "  gridloom model time --campaign --stencil gradient2d\n";

/* What is read as text first. */
typedef struct {
    char *gpu;
    char *stencil;
    char *size;
    char *steps;
    char *tile;
    char *tile_steps;
    char *resident;
    char *point_seconds;
    char *within;
    char *most_tile;
    char *most_steps;
    char *most_resident;
    char *first;
    char *shape;
    gboolean is_printed;
    gboolean is_checked;
    gboolean is_surface;
    gboolean is_campaign;
    char **words;
} Texts;

static void texts_clear(Texts *self)
{
    g_free(self->gpu);
    g_free(self->stencil);
    g_free(self->size);
    g_free(self->steps);
    g_free(self->tile);
    g_free(self->tile_steps);
    g_free(self->resident);
    g_free(self->point_seconds);
    g_free(self->within);
    g_free(self->most_tile);
    g_free(self->most_steps);
    g_free(self->most_resident);
    g_free(self->first);
    g_free(self->shape);
    g_strfreev(self->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

void model_time_options_clear(ModelTimeOptions *self)
{
    g_clear_pointer(&self->gpu, arch_params_free);
    g_strfreev(self->overrides);
    g_free(self->gpu_name);
    g_free(self->measured);
    g_free(self->schedule);
    model_output_clear(&self->output);
}

static bool read_stencil(ModelTimeOptions *self, const Texts *texts, GError **error)
{
    const char *usual = texts->is_surface ? DRAWN_STENCIL : USUAL_STENCIL;

    if (texts->is_campaign && texts->stencil == NULL) {
        return true;
    }
    self->stencil =
        gpu_tiling_stencil_find(texts->stencil != NULL ? texts->stencil : usual);
    if (self->stencil == NULL) {
        g_autofree char *names = model_time_stencil_names();
        g_autofree char *quoted = arch_value_quote(texts->stencil);

        return option_fail(error, "--stencil = %s, known are %s", quoted, names);
    }
    return true;
}

/* --size, --tile or --most-tile of a stencil. */
static bool read_size(const ModelTimeOptions *self,
                      const char *text,
                      const char *option,
                      uint64_t most,
                      uint64_t *size,
                      GError **error)
{
    const guint dimension = self->stencil->dimension;

    if (text == NULL || option_is_sizes(text, dimension, most, size)) {
        return true;
    }
    g_autofree char *allowed = g_strdup_printf(
        "%s, each in 1..%" G_GUINT64_FORMAT " (%s has %u dimension%s)",
        dimension == 1   ? "N"
        : dimension == 2 ? "NxN"
                         : "NxNxN",
        most, self->stencil->name, dimension, dimension == 1 ? "" : "s");

    return option_refuse(option, text, allowed, error);
}

static bool read_problem(ModelTimeOptions *self, const Texts *texts, GError **error)
{
    static const guint usual[] = {0, LINE_SIZE, FLAT_SIZE, DEEP_SIZE};
    GpuTilingProblem *problem = &self->space.problem;
    const guint dimension = self->stencil->dimension;

    for (guint i = 0; i < dimension; i++) {
        problem->space[i] = usual[dimension];
    }
    problem->steps = dimension == GPU_TILING_DIMENSIONS ? DEEP_SIZE : FLAT_SIZE;
    return read_size(self, texts->size, "--size", GPU_TILING_MOST, problem->space,
                     error) &&
           option_count(texts->steps, "--steps", 1, GPU_TILING_MOST, &problem->steps,
                        error);
}

static bool read_point(ModelTimeOptions *self, const Texts *texts, GError **error)
{
    double seconds = 0;

    if (texts->point_seconds == NULL) {
        return true;
    }
    if (!option_is_number(texts->point_seconds, &seconds) ||
        !(seconds >= MODEL_TIME_LEAST) || !(seconds <= MOST_SECONDS)) {
        return option_refuse("--point-seconds", texts->point_seconds,
                             "a number of seconds in 1e-18..1e6", error);
    }
    self->point_seconds = seconds;
    return true;
}

static bool read_within(ModelTimeOptions *self, const Texts *texts, GError **error)
{
    double percent = self->mode == MODEL_TIME_MEASURED ? NEAR_WITHIN : USUAL_WITHIN;

    if (texts->within != NULL && (!option_is_number(texts->within, &percent) ||
                                  !(percent >= 0) || !(percent <= MOST_WITHIN))) {
        return option_refuse("--within", texts->within, "a percentage in 0..100",
                             error);
    }
    self->within = percent / PERCENT;
    return true;
}

static bool read_box(ModelTimeOptions *self, const Texts *texts, GError **error)
{
    GpuTileBox *box = &self->space.box;

    *box = gpu_tile_box_usual(self->stencil->dimension);
    box->resident = MOST_RESIDENT;
    return read_size(self, texts->most_tile, "--most-tile", MOST_TILE, box->space,
                     error) &&
           option_count(texts->most_steps, "--most-tile-steps", 2, MOST_STEPS,
                        &box->steps, error) &&
           option_small(texts->most_resident, "--most-resident", 1, MOST_RESIDENT,
                        &box->resident, error);
}

/* The tile of the line; its k is what fits where none is said. */
static bool read_tile(ModelTimeOptions *self, const Texts *texts, GError **error)
{
    GpuTile *tile = &self->tile;
    const GpuTileSpace *space = &self->space;

    if (!read_size(self, texts->tile, "--tile", GPU_TILING_MOST, tile->space, error) ||
        !option_count(texts->tile_steps, "--tile-steps", 1, GPU_TILING_MOST,
                      &tile->steps, error)) {
        return false;
    }
    tile->resident =
        MAX(gpu_tile_most_resident(tile, space->problem.dimension, &space->machine), 1);
    return option_small(texts->resident, "--resident", 1, G_MAXINT32, &tile->resident,
                        error) &&
           gpu_tile_check(tile, &space->problem, &space->machine, error);
}

static bool read_surface(ModelTimeOptions *self, const Texts *texts, GError **error)
{
    self->tile.space[0] = DRAWN_FIRST;
    return self->stencil->dimension == 2
               ? option_count(texts->first, "--surface-first", 1, MOST_TILE,
                              &self->tile.space[0], error)
               : option_fail(error,
                             "--surface: it is over t_T and t_S2 of stencils in two "
                             "dimensions, which %s is not",
                             self->stencil->name);
}

/* Two options of which the second does nothing with the first. */
static bool check_apart(bool has_first,
                        const char *first,
                        const char *second,
                        const char *text,
                        GError **error)
{
    return !has_first || text == NULL ||
           option_fail(error, "%s and %s do not go together", first, second);
}

static bool check_pairs(const Texts *texts, const char *measured, GError **error)
{
    const bool has_tile = texts->tile != NULL;
    const char *surface = texts->is_surface ? "" : NULL;

    if (has_tile && texts->tile_steps == NULL) {
        return option_fail(error, "--tile goes with --tile-steps, the steps of a tile");
    }
    if (!has_tile && (texts->tile_steps != NULL || texts->resident != NULL)) {
        return option_fail(error, "%s goes with --tile",
                           texts->tile_steps != NULL ? "--tile-steps" : "--resident");
    }
    if (!texts->is_surface && texts->first != NULL) {
        return option_fail(error, "--surface-first goes with --surface");
    }
    return check_apart(has_tile, "--tile", "--surface", surface, error) &&
           check_apart(has_tile, "--tile", "--within", texts->within, error) &&
           check_apart(has_tile, "--tile", "--measured", measured, error) &&
           check_apart(texts->is_campaign, "--campaign", "--tile", texts->tile,
                       error) &&
           check_apart(texts->is_campaign, "--campaign", "--surface", surface, error) &&
           check_apart(texts->is_campaign, "--campaign", "--measured", measured,
                       error) &&
           check_apart(texts->is_campaign, "--campaign", "--size", texts->size,
                       error) &&
           check_apart(texts->is_campaign, "--campaign", "--steps", texts->steps,
                       error) &&
           check_apart(texts->is_campaign, "--campaign", "--most-tile",
                       texts->most_tile, error) &&
           check_apart(texts->is_campaign, "--campaign", "--point-seconds",
                       texts->stencil == NULL ? texts->point_seconds : NULL, error) &&
           check_apart(texts->is_surface, "--surface", "--measured", measured, error);
}

/* Of tiles there is a schedule, of much else there is none. */
static bool read_schedule(ModelTimeOptions *self, const Texts *texts, GError **error)
{
    const bool is_asked = self->schedule != NULL || texts->is_checked;

    self->is_checked = texts->is_checked;
    if (is_asked && self->mode != MODEL_TIME_TILE && self->mode != MODEL_TIME_SEARCH) {
        return option_fail(error,
                           "--schedule and --check are of one tile, not of a surface, "
                           "a campaign or measured times");
    }
    if (texts->shape != NULL && !is_asked) {
        return option_fail(error, "--shape goes with --schedule or --check");
    }
    if (texts->shape != NULL && !gpu_schedule_shape_find(texts->shape, &self->shape)) {
        return option_refuse("--shape", texts->shape,
                             "hybrid, diamond, skewed, orthogonal or halo", error);
    }
    if (trace_output_is_stdout(self->schedule)) {
        return option_fail(error, "--schedule %s: expected a file of its own",
                           self->schedule);
    }
    return self->schedule == NULL || cmd_plot_file_check(self->schedule, error);
}

static ModelTimeMode mode_of(const Texts *texts, const char *measured)
{
    if (texts->is_campaign) {
        return MODEL_TIME_CAMPAIGN;
    }
    if (measured != NULL) {
        return MODEL_TIME_MEASURED;
    }
    if (texts->is_surface) {
        return MODEL_TIME_SURFACE;
    }
    return texts->tile != NULL ? MODEL_TIME_TILE : MODEL_TIME_SEARCH;
}

/* A campaign and measured times find the rest themselves. */
static bool take_problem(ModelTimeOptions *self, const Texts *texts, GError **error)
{
    if (self->mode == MODEL_TIME_CAMPAIGN) {
        return true;
    }
    if (!read_problem(self, texts, error) || !read_box(self, texts, error)) {
        return false;
    }
    if (self->mode == MODEL_TIME_MEASURED) {
        return true;
    }
    return model_time_space_of(&self->space, self->gpu, self->stencil,
                               self->point_seconds, error) &&
           (self->mode != MODEL_TIME_TILE || read_tile(self, texts, error)) &&
           (self->mode != MODEL_TIME_SURFACE || read_surface(self, texts, error));
}

static bool take(ModelTimeOptions *self, const Texts *texts, GError **error)
{
    const OptionFile others[] = {{"--measured", self->measured},
                                 {"--schedule", self->schedule}};

    if (!option_no_words(texts->words, "model time", error) ||
        !check_pairs(texts, self->measured, error) ||
        !model_output_check_beside(&self->output, others, G_N_ELEMENTS(others),
                                   error)) {
        return false;
    }
    self->mode = mode_of(texts, self->measured);
    self->gpu_name = g_strdup(texts->gpu);
    self->space.form = texts->is_printed ? GPU_TILING_AS_PRINTED : GPU_TILING_CORRECTED;
    self->gpu = model_time_gpu(texts->gpu != NULL ? texts->gpu : USUAL_GPU,
                               self->overrides, error);
    return self->gpu != NULL && read_stencil(self, texts, error) &&
           read_point(self, texts, error) && read_within(self, texts, error) &&
           read_schedule(self, texts, error) && take_problem(self, texts, error);
}

bool model_time_options_parse(ModelTimeOptions *self,
                              int argc,
                              char **argv,
                              GError **error)
{
    g_auto(Texts) texts = {0};
    const GOptionEntry entries[] = {
        {"gpu", 0, 0, G_OPTION_ARG_FILENAME, &texts.gpu,
         "GPU (default: " USUAL_GPU "; a campaign: gtx980 and titanx)", "NAME|FILE"},
        {"stencil", 0, 0, G_OPTION_ARG_FILENAME, &texts.stencil,
         "stencil (default: " USUAL_STENCIL "; of a surface " DRAWN_STENCIL ")",
         "NAME"},
        {"size", 0, 0, G_OPTION_ARG_FILENAME, &texts.size,
         "points along each side (default: 1048576, 8192x8192, 512x512x512)", "NxN"},
        {"steps", 0, 0, G_OPTION_ARG_FILENAME, &texts.steps,
         "time steps (default: 8192; in three dimensions 512)", "N"},
        {"tile", 0, 0, G_OPTION_ARG_FILENAME, &texts.tile,
         "this tile only; t_S1 first (default: search all)", "NxN"},
        {"tile-steps", 0, 0, G_OPTION_ARG_FILENAME, &texts.tile_steps,
         "time steps of the tile, t_T", "N"},
        {"resident", 0, 0, G_OPTION_ARG_FILENAME, &texts.resident,
         "tiles that share a multiprocessor, k (default: as many as fit)", "N"},
        {"as-printed", 0, 0, G_OPTION_ARG_NONE, &texts.is_printed,
         "the thesis's equations to the letter", NULL},
        {"point-seconds", 0, 0, G_OPTION_ARG_FILENAME, &texts.point_seconds,
         "time of a point on a vector unit, C_iter (default: the chip file's)", "X"},
        {"within", 0, 0, G_OPTION_ARG_FILENAME, &texts.within,
         "percent above the best of the shortlist (default: 10), of measured times "
         "that are "
         "close to the best (default: 20)",
         "P"},
        {"most-tile", 0, 0, G_OPTION_ARG_FILENAME, &texts.most_tile,
         "largest sizes to search (default: all that fit, 128x512, 128x128x512)",
         "NxN"},
        {"most-tile-steps", 0, 0, G_OPTION_ARG_FILENAME, &texts.most_steps,
         "most steps to search (default: 64)", "N"},
        {"most-resident", 0, 0, G_OPTION_ARG_FILENAME, &texts.most_resident,
         "largest k to search (default: as many as fit)", "N"},
        {"surface", 0, 0, G_OPTION_ARG_NONE, &texts.is_surface,
         "time over t_T and t_S2, as Figure A.5", NULL},
        {"surface-first", 0, 0, G_OPTION_ARG_FILENAME, &texts.first,
         "t_S1 of the surface (default: 8)", "N"},
        {"campaign", 0, 0, G_OPTION_ARG_NONE, &texts.is_campaign,
         "all experiments of the thesis, tiles by several rules", NULL},
        {"measured", 0, 0, G_OPTION_ARG_FILENAME, &self->measured,
         "errors against measured times", "FILE.csv"},
        {"schedule", 0, 0, G_OPTION_ARG_FILENAME, &self->schedule,
         "draw the order of tiles and strips", "FILE.svg|.png"},
        {"check", 0, 0, G_OPTION_ARG_NONE, &texts.is_checked,
         "go through that order point by point, with real numbers", NULL},
        {"shape", 0, 0, G_OPTION_ARG_FILENAME, &texts.shape,
         "tiles of the order: hybrid are hexagons, halo have one step (default: "
         "hybrid)",
         "hybrid|diamond|skewed|orthogonal|halo"},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->overrides,
         "change a number of the GPU; may be repeated", "SECTION.KEY=VALUE"},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("- how long does a tiled stencil take on a GPU?");

    *self = (ModelTimeOptions){0};
    g_set_prgname("gridloom model time");
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    model_output_add_options(&self->output, context);
    return g_option_context_parse(context, &argc, &argv, error) &&
           take(self, &texts, error);
}
