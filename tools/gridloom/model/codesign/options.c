/* gridloom model codesign: the best machine for a workload in an area. */
#include <math.h>
#include <string.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/model/codesign/codesign.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/progress.h"
#include "workloads/chip_file.h"

typedef ModelCodesignOptions Options;

#define MOST_MM2     1e9
#define MOST_WEIGHT  1e9
#define LEAST_WEIGHT 1e-9 /* but for 0: sums with less are not exact */

enum {
    FLAT = 2,
    DEEP = 3,
    MOST_SPACE = 65536, /* so that products of sizes stay whole numbers */
    MOST_STEPS = 1000000,
    LARGE_KILOBYTES = 48,
};

static const GpuAreaRange usual_area = {200, 650};
static const GpuAreaRange usual_at = {425, 450};

static const char *const classes[] = {"2d", "3d", NULL};
static const char *const bandwidths[] = {
    [GPU_BANDWIDTH_SCALED] = "scaled", [GPU_BANDWIDTH_FIXED] = "fixed", NULL};
static const char *const blocks[] = {
    [GPU_BLOCK_FIXED] = "fixed", [GPU_BLOCK_HALF] = "half", NULL};
static const char *const figures[] = {"c3", "c4", NULL};

static bool add_code(Options *self, const GpuTilingStencil *stencil, GError **error)
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

static bool read_codes(Options *self, const OptionTexts *texts, GError **error)
{
    const char *name = option_text_or(texts, "stencil", "all");
    const char *class = option_text(texts, "class");
    const guint dimension = class == NULL ? 0 : option_choice(texts, "class", 0) + FLAT;
    const GpuTilingStencil *stencil;

    for (guint i = 0; (stencil = gpu_tiling_stencil_at(i)) != NULL; i++) {
        if (stencil->key != NULL &&
            (g_str_equal(name, "all") || g_str_equal(stencil->name, name)) &&
            (dimension == 0 || stencil->dimension == dimension) &&
            !add_code(self, stencil, error)) {
            return false;
        }
    }
    if (self->code_count == 0) {
        g_autofree char *names = gpu_tiling_stencil_names(true, dimension);
        g_autofree char *allowed =
            g_strdup_printf("all, %s%s%s", names, class == NULL ? "" : " of class ",
                            class == NULL ? "" : class);

        return option_refuse("--stencil", name, allowed, error);
    }
    return true;
}

static int find_code(const Options *self, const char *name, gsize length)
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
static bool read_numbers(const Options *self,
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

/* Stencils that are not named have weight 0, unless none is named. */
static bool read_weights(Options *self, const char *text, GError **error)
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

static bool read_flops(Options *self, const char *text, GError **error)
{
    return text == NULL ||
           read_numbers(self, text, "--flops-per-point", self->flops, error);
}

static bool has_one_class(const Options *self)
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

static bool read_sizes(Options *self, const char *text, GError **error)
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

static bool read_areas(Options *self, const OptionTexts *texts, GError **error)
{
    self->area = usual_area;
    if (!read_range(option_text(texts, "area"), "--area", &self->area, error)) {
        return false;
    }
    self->at = usual_at;
    if (!option_is_given(texts, "at") &&
        (usual_at.low < self->area.low || usual_at.high > self->area.high)) {
        self->at = self->area;
    }
    return read_range(option_text(texts, "at"), "--at", &self->at, error) &&
           ((self->at.low >= self->area.low && self->at.high <= self->area.high) ||
            option_refuse("--at", option_text(texts, "at"),
                          "a part of the areas that are searched: "
                          "see --area",
                          error));
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    if (!model_output_check(&self->output, error) || !read_areas(self, texts, error)) {
        return false;
    }
    self->is_shares = option_choice(texts, "figure", 0) == 1;
    self->gpu = wl_chip_load_gpu(option_text_or(texts, "gpu", "gtx980"), error);
    return self->gpu != NULL &&
           wl_chip_override(self->gpu, option_list(texts, "set"), error) &&
           gpu_tiling_machine(self->gpu, &self->rules.gpu, error) &&
           gpu_area_read(self->gpu, &self->costs, &self->built, error) &&
           read_codes(self, texts, error) &&
           read_weights(self, option_text(texts, "weights"), error) &&
           read_flops(self, option_text(texts, "flops-per-point"), error) &&
           read_sizes(self, option_text(texts, "sizes"), error) &&
           model_codesign_energy_read(self, option_text(texts, "energy"), error);
}

static void clear(gpointer options)
{
    Options *self = options;

    g_clear_pointer(&self->gpu, arch_params_free);
}

static void study_clear(ModelCodesign *self)
{
    for (guint i = 0; i < self->class_count; i++) {
        gpu_codesign_class_clear(&self->classes[i]);
    }
    g_clear_pointer(&self->question.designs, g_array_unref);
}

/* No design is in the range: says what there is. */
static bool refuse_range(const ModelCodesignOptions *options, GError **error)
{
    const GpuAreaRange all = {0, INFINITY};
    g_autoptr(GArray) designs = gpu_designs(&options->costs, &options->built, &all);
    const GpuDesign *smallest = &g_array_index(designs, GpuDesign, 0);
    const GpuDesign *largest = &g_array_index(designs, GpuDesign, designs->len - 1);
    g_autofree char *text = gpu_design_text(smallest);

    return option_fail(error,
                       "--area = %.6g:%.6g mm2, but no design is in it: the smallest, "
                       "%s, has %.2f mm2, the largest %.2f",
                       options->area.low, options->area.high, text, smallest->mm2,
                       largest->mm2);
}

/* No design is where one looks, or none runs anything: says which is the smallest. */
static bool refuse_at(const ModelCodesignOptions *options,
                      const GpuCodesignClass *class,
                      GError **error)
{
    const GpuAreaRange *at = &options->at;
    const GpuDesign *smallest;

    if (class->front->len == 0) {
        return option_fail(error,
                           "--at = %.6g:%.6g mm2: no design there or anywhere runs the "
                           "%s stencils: their smallest tile does not fit",
                           at->low, at->high, class->title);
    }
    smallest = gpu_codesign_design(class->sweep, g_array_index(class->front, guint, 0));
    g_autofree char *text = gpu_design_text(smallest);

    return option_fail(error,
                       "--at = %.6g:%.6g mm2: no design there runs the %s stencils; "
                       "the smallest in --area that does, %s, has %.2f mm2",
                       at->low, at->high, class->title, text, smallest->mm2);
}

/* Who is told how far a search is. */
typedef struct {
    Progress *progress;
    guint dimension;
} Teller;

/* A GpuCodesignStep. */
static void tell(gpointer data, guint done, guint count)
{
    const Teller *teller = data;
    g_autofree char *text = g_strdup_printf("%uD stencils", teller->dimension);

    progress_tell(teller->progress, text, (double) done / (double) count);
}

static bool add_class(ModelCodesign *self, guint first_code, GError **error)
{
    const ModelCodesignOptions *options = self->options;
    g_autoptr(Progress) progress =
        progress_new("model codesign", !options->output.is_quiet);
    Teller teller = {progress, options->codes[first_code].stencil->dimension};
    GpuCodesignClass *class = &self->classes[self->class_count++];

    gpu_codesign_class_init(class, &self->question, first_code, tell, &teller);
    return class->best >= 0 || refuse_at(options, class, error);
}

static bool study_init(ModelCodesign *self, GError **error)
{
    const ModelCodesignOptions *options = self->options;
    GpuCodesignQuestion *question = &self->question;

    *question = (GpuCodesignQuestion){
        .costs = &options->costs,
        .gpu = &options->built,
        .rules = options->rules,
        .codes = options->codes,
        .code_count = options->code_count,
        .sizes = options->sizes,
        .area = options->area,
        .at = options->at,
        .designs = gpu_designs(&options->costs, &options->built, &options->area),
    };
    if (question->designs->len == 0) {
        return refuse_range(options, error);
    }
    for (guint i = 0; i < question->designs->len; i++) {
        const GpuDesign *design = &g_array_index(question->designs, GpuDesign, i);

        self->from_48_kilobytes += design->shared_kilobytes >= LARGE_KILOBYTES ? 1 : 0;
    }
    for (guint i = 0; i < GPU_CODESIGN_BUILT; i++) {
        g_autoptr(ArchParams) gpu =
            wl_chip_load_gpu(gpu_codesign_built_names[i], error);

        if (gpu == NULL || !gpu_codesign_built_read(&question->built[i], gpu,
                                                    &options->costs, error)) {
            return false;
        }
    }
    for (guint i = 0; i < options->code_count; i++) {
        if ((i == 0 || options->codes[i].stencil->dimension !=
                           options->codes[i - 1].stencil->dimension) &&
            !add_class(self, i, error)) {
            return false;
        }
    }
    return true;
}

static int run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const ModelCodesignOptions *options = data;
    ModelCodesign study = {.options = options};
    const ModelPage page = {.name = "model codesign",
                            .chip = options->gpu,
                            .study = &study,
                            .parameters = model_codesign_parameters,
                            .metrics = model_codesign_metrics,
                            .csv = model_codesign_csv,
                            .svg = model_codesign_svg,
                            .print = model_codesign_print};
    g_autoptr(GError) error = NULL;
    int code;

    code = study_init(&study, &error)
               ? model_output_write(&options->output, &page, start)
               : complain_of(error);
    study_clear(&study);
    return code;
}

static const Option rows[] = {
    {"gpu", "NAME|FILE", "GPU that designs vary (default: gtx980)", OPTION_OTHER(TEXT),
     .names = OPTION_NAMES_CHIPS},
    {"stencil", "NAME|all", "jacobi2d, heat2d, ...: what runs on them (default: all)",
     OPTION_OTHER(TEXT)},
    {"class", "2d|3d", "stencils of one class only", OPTION_CHOICE(classes)},
    {"area", "LOW:HIGH", "designs to search, in mm2 (default: 200:650)",
     OPTION_OTHER(TEXT)},
    {"at", "LOW:HIGH",
     "where to look for the best of each stencil (default: 425:450, or all)",
     OPTION_OTHER(TEXT)},
    {"weights", "NAME=NUMBER,...",
     "how often stencils run; others do not (default: all alike)", OPTION_OTHER(TEXT)},
    {"flops-per-point", "NAME=NUMBER,...",
     "operations of a point, to have GFLOP/s, too", OPTION_OTHER(TEXT)},
    {"sizes", "S:T,...", "points of a side and steps (default: 16 of 2D, 12 of 3D)",
     OPTION_OTHER(TEXT)},
    {"bandwidth", "scaled|fixed",
     "of the memory of designs, see below (default: scaled)",
     OPTION_WORD(rules.bandwidth, bandwidths)},
    {"tile-memory", "fixed|half",
     "of shared memory for a tile, see below (default: fixed)",
     OPTION_WORD(rules.block, blocks)},
    {"energy", "scaled|fixed",
     "energy of jacobi2d, too: static power by area, or the same for all",
     OPTION_OTHER(TEXT)},
    {"as-printed", NULL, "equations of the thesis to the letter",
     OPTION_CASE(rules.form, GPU_TILING_AS_PRINTED)},
    {"figure", "c3|c4",
     "picture: c3, rate over area, or c4, parts of the area (default: c3)",
     OPTION_CHOICE(figures)},
    {"set", "SECTION.KEY=VALUE", "change a number of the GPU; may be repeated",
     OPTION_OTHER(TEXTS)},
    {0},
};

const Command cmd_model_codesign = {
    .name = "model codesign",
    .purpose = "the best GPU for stencils in an area",
    .help = "model-codesign",
    .tables = {{rows, 0}, {model_output_rows, offsetof(Options, output)}},
    COMMAND_OPTIONS(Options, .rules = {.form = GPU_TILING_CORRECTED}),
    .check = check,
    .clear = clear,
    .run = run,
};
