/* Reads what stencil, GPU and tiles the model of time is asked about. */
#include "arch/chipfile/value.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/model/time/time.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/file/output.h"

typedef ModelTimeOptions Options;

#define USUAL_GPU     "gtx980"
#define USUAL_STENCIL "gradient2d"
#define DRAWN_STENCIL "heat2d" /* that of Figure A.5 */
#define MOST_SECONDS  1e6
#define USUAL_WITHIN  0.1
#define NEAR_WITHIN   0.2 /* of measured times */

enum {
    LINE_SIZE = 1 << 20, /* of stencils in one, two and three dimensions */
    FLAT_SIZE = 8192,
    DEEP_SIZE = 512,
    DRAWN_FIRST = 8,   /* t_S1 of Figure A.5 */
    MOST_TILE = 16384, /* of boxes */
    MOST_STEPS = 1024,
    MOST_RESIDENT = 1024,
};

static bool read_stencil(Options *self, const OptionTexts *texts, GError **error)
{
    const bool is_surface = option_is_given(texts, "surface");
    const char *name =
        option_text_or(texts, "stencil", is_surface ? DRAWN_STENCIL : USUAL_STENCIL);

    if (option_is_given(texts, "campaign") && !option_is_given(texts, "stencil")) {
        return true;
    }
    self->stencil = gpu_tiling_stencil_find(name);
    if (self->stencil == NULL) {
        g_autofree char *names = gpu_tiling_stencil_names(false, 0);
        g_autofree char *quoted = arch_value_quote(name);

        return option_fail(error, "--stencil = %s, known are %s", quoted, names);
    }
    return true;
}

/* --size, --tile or --most-tile of a stencil. */
static bool read_size(const Options *self,
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

static bool read_problem(Options *self, const OptionTexts *texts, GError **error)
{
    static const guint usual[] = {0, LINE_SIZE, FLAT_SIZE, DEEP_SIZE};
    GpuTilingProblem *problem = &self->space.problem;
    const guint dimension = self->stencil->dimension;

    for (guint i = 0; i < dimension; i++) {
        problem->space[i] = usual[dimension];
    }
    if (problem->steps == 0) {
        problem->steps = dimension == GPU_TILING_DIMENSIONS ? DEEP_SIZE : FLAT_SIZE;
    }
    return read_size(self, option_text(texts, "size"), "--size", GPU_TILING_MOST,
                     problem->space, error);
}

static bool read_box(Options *self, const OptionTexts *texts, GError **error)
{
    const GpuTileBox asked = self->space.box;
    GpuTileBox *box = &self->space.box;

    *box = gpu_tile_box_usual(self->stencil->dimension);
    box->resident = asked.resident;
    if (asked.steps > 0) {
        box->steps = asked.steps;
    }
    return read_size(self, option_text(texts, "most-tile"), "--most-tile", MOST_TILE,
                     box->space, error);
}

/* The tile of the line; its k is what fits where none is said. */
static bool read_tile(Options *self, const OptionTexts *texts, GError **error)
{
    GpuTile *tile = &self->tile;
    const GpuTileSpace *space = &self->space;

    if (!read_size(self, option_text(texts, "tile"), "--tile", GPU_TILING_MOST,
                   tile->space, error)) {
        return false;
    }
    if (self->mode == MODEL_TIME_SHAPES) {
        return true; /* each shape has constraints of its own */
    }
    if (tile->resident == 0) {
        tile->resident = MAX(
            gpu_tile_most_resident(tile, space->problem.dimension, &space->machine), 1);
    }
    return gpu_tile_check(tile, &space->problem, &space->machine, error);
}

static bool read_surface(Options *self, GError **error)
{
    if (self->tile.space[0] == 0) {
        self->tile.space[0] = DRAWN_FIRST;
    }
    return self->stencil->dimension == 2 ||
           option_fail(error,
                       "--surface: it is over t_T and t_S2 of stencils in two "
                       "dimensions, which %s is not",
                       self->stencil->name);
}

/* Is each given alone, of options of which the second does nothing with the first? */
static bool check_apart(const OptionTexts *texts, GError **error)
{
    static const char *const pairs[][2] = {
        {"tile", "surface"},     {"tile", "within"},       {"tile", "measured"},
        {"campaign", "tile"},    {"campaign", "surface"},  {"campaign", "measured"},
        {"campaign", "size"},    {"campaign", "steps"},    {"campaign", "most-tile"},
        {"surface", "measured"}, {"shapes", "as-printed"}, {"shapes", "resident"},
        {"shapes", "check"},     {"shapes", "schedule"},   {"shapes", "shape"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (option_is_given(texts, pairs[i][0]) &&
            option_is_given(texts, pairs[i][1])) {
            return option_fail(error, "--%s and --%s do not go together", pairs[i][0],
                               pairs[i][1]);
        }
    }
    return true;
}

static bool check_pairs(const OptionTexts *texts, GError **error)
{
    const bool has_tile = option_is_given(texts, "tile");
    const bool has_steps = option_is_given(texts, "tile-steps");

    if (has_tile && !has_steps) {
        return option_fail(error, "--tile goes with --tile-steps, the steps of a tile");
    }
    if (!has_tile && (has_steps || option_is_given(texts, "resident"))) {
        return option_fail(error, "%s goes with --tile",
                           has_steps ? "--tile-steps" : "--resident");
    }
    if (!has_tile && option_is_given(texts, "shapes")) {
        return option_fail(error, "--shapes goes with --tile");
    }
    if (!option_is_given(texts, "surface") && option_is_given(texts, "surface-first")) {
        return option_fail(error, "--surface-first goes with --surface");
    }
    if (option_is_given(texts, "campaign") && !option_is_given(texts, "stencil") &&
        option_is_given(texts, "point-seconds")) {
        return option_fail(error, "--campaign and --point-seconds do not go together");
    }
    return check_apart(texts, error);
}

/* Only some modes and tiles have a schedule. */
static bool read_schedule(Options *self, const OptionTexts *texts, GError **error)
{
    const bool is_asked = self->schedule != NULL || self->is_checked;
    const char *shape = option_text(texts, "shape");

    if (is_asked && self->mode != MODEL_TIME_TILE && self->mode != MODEL_TIME_SEARCH) {
        return option_fail(error,
                           "--schedule and --check are of one tile, not of a surface, "
                           "a campaign or measured times");
    }
    if (shape != NULL && !is_asked) {
        return option_fail(error, "--shape goes with --schedule or --check");
    }
    if (shape != NULL && !gpu_schedule_shape_find(shape, &self->shape)) {
        return option_refuse("--shape", shape,
                             "hybrid, diamond, skewed, orthogonal or halo", error);
    }
    if (trace_output_is_stdout(self->schedule)) {
        return option_fail(error, "--schedule %s: expected a file of its own",
                           self->schedule);
    }
    return self->schedule == NULL || cmd_plot_file_check(self->schedule, error);
}

/* A campaign and measured times find the rest themselves. */
static bool take_problem(Options *self, const OptionTexts *texts, GError **error)
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
           ((self->mode != MODEL_TIME_TILE && self->mode != MODEL_TIME_SHAPES) ||
            read_tile(self, texts, error)) &&
           (self->mode != MODEL_TIME_SURFACE || read_surface(self, error));
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;
    const TraceNamedFile others[] = {{"--measured", self->measured},
                                     {"--schedule", self->schedule}};

    if (!check_pairs(texts, error) ||
        !model_output_check_beside(&self->output, others, G_N_ELEMENTS(others),
                                   error)) {
        return false;
    }
    if (self->measured != NULL) {
        self->mode = MODEL_TIME_MEASURED;
    } else if (option_is_given(texts, "tile") && self->mode != MODEL_TIME_SHAPES) {
        self->mode = MODEL_TIME_TILE;
    }
    if (!option_is_given(texts, "within")) {
        self->within = self->mode == MODEL_TIME_MEASURED ? NEAR_WITHIN : USUAL_WITHIN;
    }
    self->gpu =
        model_time_gpu(option_text_or(texts, "gpu", USUAL_GPU), self->overrides, error);
    return self->gpu != NULL && read_stencil(self, texts, error) &&
           read_schedule(self, texts, error) && take_problem(self, texts, error);
}

static int run(gpointer data)
{
    static int (*const runs[])(const ModelTimeOptions *,
                               gint64) = {[MODEL_TIME_TILE] = model_time_tiles,
                                          [MODEL_TIME_SEARCH] = model_time_tiles,
                                          [MODEL_TIME_SURFACE] = model_time_surface,
                                          [MODEL_TIME_CAMPAIGN] = model_time_campaign,
                                          [MODEL_TIME_SHAPES] = model_time_shapes,
                                          [MODEL_TIME_MEASURED] = model_time_measured};
    const Options *self = data;

    return runs[self->mode](self, g_get_monotonic_time());
}

static void clear(gpointer options)
{
    Options *self = options;

    g_clear_pointer(&self->gpu, arch_params_free);
}

static const Option rows[] = {
    {"gpu", "NAME|FILE", "GPU (default: " USUAL_GPU "; a campaign: gtx980 and titanx)",
     OPTION_TEXT(gpu_name), .names = OPTION_NAMES_CHIPS},
    {"stencil", "NAME",
     "stencil (default: " USUAL_STENCIL "; of a surface " DRAWN_STENCIL ")",
     OPTION_OTHER(TEXT)},
    {"size", "NxN", "points along each side (default: 1048576, 8192x8192, 512x512x512)",
     OPTION_OTHER(TEXT)},
    {"steps", "N", "time steps (default: 8192; in three dimensions 512)",
     OPTION_COUNT(space.problem.steps, 1, GPU_TILING_MOST)},
    {"tile", "NxN", "this tile only; t_S1 first (default: search all)",
     OPTION_OTHER(TEXT)},
    {"tile-steps", "N", "time steps of the tile, t_T",
     OPTION_COUNT(tile.steps, 1, GPU_TILING_MOST)},
    {"resident", "N", "tiles that share a multiprocessor, k (default: as many as fit)",
     OPTION_SMALL(tile.resident, 1, G_MAXINT32)},
    {"as-printed", NULL, "the thesis's equations to the letter",
     OPTION_CASE(space.form, GPU_TILING_AS_PRINTED)},
    {"point-seconds", "X",
     "time of a point on a vector unit, C_iter (default: the chip file's)",
     OPTION_REAL(point_seconds,
                 MODEL_TIME_LEAST,
                 MOST_SECONDS,
                 "a number of seconds in 1e-18..1e6")},
    {"within", "P",
     "percent above the best of the shortlist (default: 10), of measured times that "
     "are close to the best (default: 20)",
     OPTION_PERCENT(within, 100, "a percentage in 0..100")},
    {"most-tile", "NxN",
     "largest sizes to search (default: all that fit, 128x512, 128x128x512)",
     OPTION_OTHER(TEXT)},
    {"most-tile-steps", "N", "most steps to search (default: 64)",
     OPTION_COUNT(space.box.steps, 2, MOST_STEPS)},
    {"most-resident", "N", "largest k to search (default: as many as fit)",
     OPTION_SMALL(space.box.resident, 1, MOST_RESIDENT)},
    {"surface", NULL, "time over t_T and t_S2, as Figure A.5",
     OPTION_CASE(mode, MODEL_TIME_SURFACE)},
    {"surface-first", "N", "t_S1 of the surface (default: 8)",
     OPTION_COUNT(tile.space[0], 1, MOST_TILE)},
    {"campaign", NULL, "all experiments of the thesis, tiles by several rules",
     OPTION_CASE(mode, MODEL_TIME_CAMPAIGN)},
    {"measured", "NAME|FILE.csv", "errors against measured times; h200-tiles are ours",
     OPTION_TEXT(measured)},
    {"schedule", "FILE.svg|.png", "draw the order of tiles and strips",
     OPTION_TEXT(schedule)},
    {"check", NULL, "go through that order point by point, with real numbers",
     OPTION_FLAG(is_checked)},
    {"shapes", NULL,
     "time of the tile in every shape: hexagons, diamonds, skewed, of one step, 3.5D",
     OPTION_CASE(mode, MODEL_TIME_SHAPES)},
    {"shape", "hybrid|diamond|skewed|orthogonal|halo",
     "tiles of the order: hybrid are hexagons, halo have one step (default: hybrid)",
     OPTION_OTHER(TEXT)},
    {"set", "SECTION.KEY=VALUE", "change a number of the GPU; may be repeated",
     OPTION_TEXTS(overrides)},
    {0},
};

const Command cmd_model_time = {
    .name = "model time",
    .purpose = "how long does a tiled stencil take on a GPU?",
    .help = "model-time",
    .tables = {{rows, 0}, {model_output_rows, offsetof(Options, output)}},
    COMMAND_OPTIONS(
        Options,
        .mode = MODEL_TIME_SEARCH,
        .space = {.form = GPU_TILING_CORRECTED, .box = {.resident = MOST_RESIDENT}}),
    .check = check,
    .clear = clear,
    .run = run,
};
