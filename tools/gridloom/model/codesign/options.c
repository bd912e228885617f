/* Reads which stencils, areas and rules a search for designs is about. */
#include <string.h>

#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/model/codesign/codesign.h"
#include "tools/gridloom/option_value.h"

#define MOST_MM2     1e9
#define MOST_WEIGHT  1e9
#define LEAST_WEIGHT 1e-9 /* but for 0: sums with less are not exact */

enum {
    FLAT = 2,
    DEEP = 3,
    MOST_SPACE = 65536, /* so that products of sizes stay whole numbers */
    MOST_STEPS = 1000000,
};

static const GpuAreaRange usual_area = {200, 650};
static const GpuAreaRange usual_at = {425, 450};

static const char *const description =
    "Appendix C of \"Analytical Cost Metrics: Days of Future Past\". Designs have 2 to "
    "32\n"
    "multiprocessors (even), 32 to 2048 vector units in each (multiples of 32), 12, "
    "24, "
    "36\n"
    "or 48 to 480 kB of shared memory (multiples of 48), no caches, and the registers, "
    "C_iter,\n"
    "barriers and blocks of threads of a GPU. Each runs every stencil and size with "
    "the "
    "tile\n"
    "and k that are best on it: the exact optimum of the time model. Its rate is all "
    "points\n"
    "over all seconds, with weights; the thesis has GFLOP/s, but not the operations of "
    "a point.\n\n"
    "  --bandwidth scaled  of each multiprocessor as on the GPU, since controllers are "
    "part\n"
    "                      of its area; fixed: of all of them together\n"
    "  --tile-memory fixed what the GPU allows a tile, 48 kB; half: of the shared "
    "memory\n"
    "  --as-printed        the thesis's equations to the letter, its slips included\n"
    "  --set area.KEY=X    a price of silicon, for designs and for the GPUs beside "
    "them,\n"
    "                      whose parts stay as they were built\n\n"
    "  gridloom model codesign\n"
    "  gridloom model codesign --class 3d -o front.svg -o designs.csv\n"
    "  gridloom model codesign --stencil heat2d --area 300:400 --at 350:400\n"
    "  gridloom model codesign --stencil jacobi2d --energy scaled\n"
    "  gridloom model codesign --class 2d --weights jacobi2d=3,gradient2d=1\n\n"
    "Of a sweep, SRAM or cores on a Tensix chip or wafer, by programs that run:\n"
    "'gridloom model codesign FILE.lua --help' tells more.\n";

/* What is read as text first. */
typedef struct {
    char *gpu;
    char *stencil;
    char *class;
    char *area;
    char *at;
    char *weights;
    char *flops;
    char *energy;
    char *sizes;
    char *bandwidth;
    char *tile_memory;
    char *figure;
    gboolean is_printed;
    char **overrides;
    char **words;
} Texts;

static void texts_clear(Texts *self)
{
    g_free(self->gpu);
    g_free(self->stencil);
    g_free(self->class);
    g_free(self->area);
    g_free(self->at);
    g_free(self->weights);
    g_free(self->flops);
    g_free(self->energy);
    g_free(self->sizes);
    g_free(self->bandwidth);
    g_free(self->tile_memory);
    g_free(self->figure);
    g_strfreev(self->overrides);
    g_strfreev(self->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

void model_codesign_options_clear(ModelCodesignOptions *self)
{
    model_output_clear(&self->output);
    g_clear_pointer(&self->gpu, arch_params_free);
}

char *model_codesign_rules_text(const ModelCodesignOptions *self)
{
    const GpuCodesignRules *rules = &self->rules;
    const char *bandwidth = rules->bandwidth == GPU_BANDWIDTH_SCALED
                                ? "grows with multiprocessors"
                                : "is that of the GPU";

    return g_strdup_printf(
        "Equations %s; bandwidth %s; tiles take at most %s.",
        rules->form == GPU_TILING_AS_PRINTED ? "as printed" : "corrected",
        rules->form == GPU_TILING_AS_PRINTED ? "of each multiprocessor is all there is"
                                             : bandwidth,
        rules->block == GPU_BLOCK_HALF ? "half of the shared memory"
                                       : "what the GPU allows");
}

/* Stencils whose C_iter is known, "a, b, c". */
/* Of so many dimensions; 0: of any. */
static char *stencil_names(guint dimension)
{
    GString *names = g_string_new(NULL);
    const GpuTilingStencil *stencil;

    for (guint i = 0; (stencil = gpu_tiling_stencil_at(i)) != NULL; i++) {
        if (stencil->key != NULL &&
            (dimension == 0 || stencil->dimension == dimension)) {
            g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "",
                                   stencil->name);
        }
    }
    return g_string_free(names, FALSE);
}

static bool
add_code(ModelCodesignOptions *self, const GpuTilingStencil *stencil, GError **error)
{
    const double seconds = arch_params_real(self->gpu, stencil->key);

    if (!(seconds > 0)) {
        return option_fail(error, "%s = 0, allowed is more: what a point takes",
                           stencil->key);
    }
    self->codes[self->code_count++] =
        (GpuCodesignCode){.stencil = stencil, .point_seconds = seconds, .weight = 1};
    return true;
}

static bool read_codes(ModelCodesignOptions *self, const Texts *texts, GError **error)
{
    static const char *const classes[] = {"2d", "3d", NULL};
    const bool is_all = texts->stencil == NULL || g_str_equal(texts->stencil, "all");
    const GpuTilingStencil *stencil;
    guint class = 0;

    if (!option_word(texts->class, "--class", classes, &class, error)) {
        return false;
    }
    for (guint i = 0; (stencil = gpu_tiling_stencil_at(i)) != NULL; i++) {
        if (stencil->key != NULL &&
            (is_all || g_str_equal(stencil->name, texts->stencil)) &&
            (texts->class == NULL || stencil->dimension == class + FLAT) &&
            !add_code(self, stencil, error)) {
            return false;
        }
    }
    if (self->code_count == 0) {
        const bool is_any = texts->class == NULL;
        g_autofree char *names = stencil_names(is_any ? 0 : class + FLAT);
        g_autofree char *allowed =
            g_strdup_printf("all, %s%s%s", names, is_any ? "" : " of class ",
                            is_any ? "" : texts->class);

        return option_refuse("--stencil", texts->stencil, allowed, error);
    }
    return true;
}

static int find_code(const ModelCodesignOptions *self, const char *name, gsize length)
{
    for (guint i = 0; i < self->code_count; i++) {
        if (strlen(self->codes[i].stencil->name) == length &&
            strncmp(self->codes[i].stencil->name, name, length) == 0) {
            return (int) i;
        }
    }
    return -1;
}

static bool is_weight(double number)
{
    return number == 0 || (number >= LEAST_WEIGHT && number <= MOST_WEIGHT);
}

/* NAME=NUMBER,...: a number, 0 or more, of some of the stencils. */
static bool read_numbers(const ModelCodesignOptions *self,
                         const char *text,
                         const char *option,
                         double numbers[MODEL_CODESIGN_CODES],
                         GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    bool is_known[MODEL_CODESIGN_CODES] = {false};

    for (char **part = parts; *part != NULL; part++) {
        const gsize length = strcspn(*part, "=");
        const int code = find_code(self, *part, length);

        if (code < 0 || (*part)[length] != '=' || is_known[code] ||
            !option_is_number(*part + length + 1, &numbers[code]) ||
            !is_weight(numbers[code])) {
            return option_refuse(
                option, text,
                "NAME=NUMBER,..., each a stencil that is asked for, once, and "
                "0 or 1e-9 to 1e9",
                error);
        }
        is_known[code] = true;
    }
    return *parts != NULL || option_refuse(option, text, "NAME=NUMBER,...", error);
}

/* Those that are not named count nothing, unless none is. */
static bool read_weights(ModelCodesignOptions *self, const char *text, GError **error)
{
    double weights[MODEL_CODESIGN_CODES] = {0};
    double sums[DEEP + 1] = {0};
    guint kept = 0;

    if (text == NULL) {
        return true;
    }
    if (!read_numbers(self, text, "--weights", weights, error)) {
        return false;
    }
    for (guint i = 0; i < self->code_count; i++) {
        self->codes[i].weight = weights[i];
        sums[self->codes[i].stencil->dimension] += weights[i];
    }
    if (!(sums[FLAT] + sums[DEEP] > 0)) {
        return option_refuse("--weights", text, "at least one above 0", error);
    }
    /* A class without weight is not asked for. */
    for (guint i = 0; i < self->code_count; i++) {
        if (sums[self->codes[i].stencil->dimension] > 0) {
            self->codes[kept++] = self->codes[i];
        }
    }
    self->code_count = kept;
    return true;
}

static bool read_flops(ModelCodesignOptions *self, const char *text, GError **error)
{
    return text == NULL ||
           read_numbers(self, text, "--flops-per-point", self->flops, error);
}

static bool has_one_class(const ModelCodesignOptions *self)
{
    return self->codes[0].stencil->dimension ==
           self->codes[self->code_count - 1].stencil->dimension;
}

static bool read_size(GpuCodesignSizes *sizes, const char *part)
{
    guint pair[2];

    if (!option_is_pair(part, ":", pair) || pair[0] < 1 || pair[0] > MOST_SPACE ||
        pair[1] < 1 || pair[1] > MOST_STEPS || sizes->count == GPU_CODESIGN_SIZES) {
        return false;
    }
    sizes->at[sizes->count].space = pair[0];
    sizes->at[sizes->count++].steps = pair[1];
    return true;
}

static bool read_sizes(ModelCodesignOptions *self, const char *text, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text != NULL ? text : "", ",", -1);

    if (text == NULL) {
        return true;
    }
    if (!has_one_class(self)) {
        return option_fail(error, "--sizes: of squares or of cubes? Say --class 2d, "
                                  "--class 3d or --stencil, too");
    }
    for (char **part = parts; *part != NULL; part++) {
        if (!read_size(&self->sizes, *part)) {
            return option_refuse("--sizes", text,
                                 "S:T,..., at most 16: points of a side, 1 to 65536, "
                                 "and steps, 1 to 1000000",
                                 error);
        }
    }
    return self->sizes.count > 0 || option_refuse("--sizes", text, "S:T,...", error);
}

static bool
read_range(const char *text, const char *option, GpuAreaRange *range, GError **error)
{
    g_auto(GStrv) halves = g_strsplit(text != NULL ? text : "", ":", 2);

    if (text == NULL) {
        return true;
    }
    if (g_strv_length(halves) != 2 || !option_is_number(halves[0], &range->low) ||
        !option_is_number(halves[1], &range->high) || !(range->low >= 0) ||
        !(range->high >= range->low) || !(range->high <= MOST_MM2)) {
        return option_refuse(option, text, "LOW:HIGH in mm2, 0 to 1e9", error);
    }
    return true;
}

static bool read_areas(ModelCodesignOptions *self, const Texts *texts, GError **error)
{
    self->area = usual_area;
    if (!read_range(texts->area, "--area", &self->area, error)) {
        return false;
    }
    self->at = usual_at;
    if (texts->at == NULL &&
        (usual_at.low < self->area.low || usual_at.high > self->area.high)) {
        self->at = self->area;
    }
    if (!read_range(texts->at, "--at", &self->at, error)) {
        return false;
    }
    return (self->at.low >= self->area.low && self->at.high <= self->area.high) ||
           option_refuse("--at", texts->at,
                         "a part of the areas that are searched: "
                         "see --area",
                         error);
}

static bool read_rules(ModelCodesignOptions *self, const Texts *texts, GError **error)
{
    static const char *const bandwidths[] = {
        [GPU_BANDWIDTH_SCALED] = "scaled", [GPU_BANDWIDTH_FIXED] = "fixed", NULL};
    static const char *const blocks[] = {
        [GPU_BLOCK_FIXED] = "fixed", [GPU_BLOCK_HALF] = "half", NULL};
    static const char *const figures[] = {"c3", "c4", NULL};
    guint bandwidth = GPU_BANDWIDTH_SCALED;
    guint block = GPU_BLOCK_FIXED;
    guint figure = 0;

    if (!option_word(texts->bandwidth, "--bandwidth", bandwidths, &bandwidth, error) ||
        !option_word(texts->tile_memory, "--tile-memory", blocks, &block, error) ||
        !option_word(texts->figure, "--figure", figures, &figure, error)) {
        return false;
    }
    self->is_shares = figure == 1;
    self->rules.bandwidth = (GpuBandwidth) bandwidth;
    self->rules.block = (GpuBlock) block;
    self->rules.form = texts->is_printed ? GPU_TILING_AS_PRINTED : GPU_TILING_CORRECTED;
    return true;
}

static bool take(ModelCodesignOptions *self, const Texts *texts, GError **error)
{
    const char *name = texts->gpu != NULL ? texts->gpu : "gtx980";

    if (!option_no_words(texts->words, "model codesign", error) ||
        !model_output_check(&self->output, error) || !read_areas(self, texts, error) ||
        !read_rules(self, texts, error)) {
        return false;
    }
    self->gpu = chip_numbers_load_gpu(name, error);
    return self->gpu != NULL &&
           chip_numbers_override(self->gpu, texts->overrides, error) &&
           gpu_tiling_machine(self->gpu, &self->rules.gpu, error) &&
           gpu_area_read(self->gpu, &self->costs, &self->built, error) &&
           read_codes(self, texts, error) &&
           read_weights(self, texts->weights, error) &&
           read_flops(self, texts->flops, error) &&
           read_sizes(self, texts->sizes, error) &&
           model_codesign_energy_read(self, texts->energy, error);
}

bool model_codesign_options_parse(ModelCodesignOptions *self,
                                  int argc,
                                  char **argv,
                                  GError **error)
{
    g_auto(Texts) texts = {0};
    const GOptionEntry entries[] = {
        {"gpu", 0, 0, G_OPTION_ARG_FILENAME, &texts.gpu,
         "GPU that designs vary (default: gtx980)", "NAME|FILE"},
        {"stencil", 0, 0, G_OPTION_ARG_FILENAME, &texts.stencil,
         "jacobi2d, heat2d, ...: what runs on them (default: all)", "NAME|all"},
        {"class", 0, 0, G_OPTION_ARG_FILENAME, &texts.class,
         "stencils of one class only", "2d|3d"},
        {"area", 0, 0, G_OPTION_ARG_FILENAME, &texts.area,
         "designs to search, in mm2 (default: 200:650)", "LOW:HIGH"},
        {"at", 0, 0, G_OPTION_ARG_FILENAME, &texts.at,
         "where to look for the best of each stencil (default: 425:450, or all)",
         "LOW:HIGH"},
        {"weights", 0, 0, G_OPTION_ARG_FILENAME, &texts.weights,
         "how often stencils run; others do not (default: all alike)",
         "NAME=NUMBER,..."},
        {"flops-per-point", 0, 0, G_OPTION_ARG_FILENAME, &texts.flops,
         "operations of a point, to have GFLOP/s, too", "NAME=NUMBER,..."},
        {"sizes", 0, 0, G_OPTION_ARG_FILENAME, &texts.sizes,
         "points of a side and steps (default: 16 of 2D, 12 of 3D)", "S:T,..."},
        {"bandwidth", 0, 0, G_OPTION_ARG_FILENAME, &texts.bandwidth,
         "of the memory of designs, see below (default: scaled)", "scaled|fixed"},
        {"tile-memory", 0, 0, G_OPTION_ARG_FILENAME, &texts.tile_memory,
         "of shared memory for a tile, see below (default: fixed)", "fixed|half"},
        {"energy", 0, 0, G_OPTION_ARG_FILENAME, &texts.energy,
         "energy of jacobi2d, too: static power by area, or the same for all",
         "scaled|fixed"},
        {"as-printed", 0, 0, G_OPTION_ARG_NONE, &texts.is_printed,
         "equations of the thesis to the letter", NULL},
        {"figure", 0, 0, G_OPTION_ARG_FILENAME, &texts.figure,
         "picture: c3, rate over area, or c4, parts of the area (default: c3)",
         "c3|c4"},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.overrides,
         "change a number of the GPU; may be repeated", "SECTION.KEY=VALUE"},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("- the best GPU for stencils in an area");

    *self = (ModelCodesignOptions){0};
    g_set_prgname("gridloom model codesign");
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    model_output_add_options(&self->output, context);
    return g_option_context_parse(context, &argc, &argv, error) &&
           take(self, &texts, error);
}
