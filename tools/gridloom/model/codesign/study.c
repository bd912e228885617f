/* Sweeps designs, and looks at what it finds from all sides. */
#include <math.h>

#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/model/codesign/codesign.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/progress.h"

#define PERCENT  100.0
#define MORE_MM2 10.0 /* a step more of area */

enum {
    KILOBYTE = 1024,
    FLAT = 2,
    LARGE_KILOBYTES = 48,
};

void model_codesign_clear(ModelCodesign *self)
{
    for (guint i = 0; i < self->class_count; i++) {
        g_clear_pointer(&self->classes[i].sweep, gpu_codesign_free);
        g_clear_pointer(&self->classes[i].front, g_array_unref);
        g_free(self->classes[i].rates);
    }
    g_clear_pointer(&self->designs, g_array_unref);
}

char *model_codesign_design_text(const GpuDesign *design)
{
    return g_strdup_printf("%u x %u, %u kB", design->multiprocessors,
                           design->vector_units, design->shared_kilobytes);
}

void model_codesign_shares(const ModelCodesign *self,
                           const GpuDesign *design,
                           double *vector_units,
                           double *shared)
{
    GpuArea area;

    gpu_design_area(design, &self->options->costs, &self->options->built, &area);
    *vector_units = area.total > 0
                        ? PERCENT * (area.vector_units + area.registers) / area.total
                        : 0;
    *shared = area.total > 0 ? PERCENT * area.shared / area.total : 0;
}

double model_codesign_rate_of(const ModelCodesign *self,
                              const ModelCodesignClass *class,
                              const GpuDesign *design,
                              guint code)
{
    for (guint i = 0; i < self->designs->len; i++) {
        const GpuDesign *at = &g_array_index(self->designs, GpuDesign, i);

        if (at->multiprocessors == design->multiprocessors &&
            at->vector_units == design->vector_units &&
            at->shared_kilobytes == design->shared_kilobytes) {
            return gpu_codesign_code_rate(class->sweep, i, code);
        }
    }
    return NAN;
}

/* No design is in the range: says what there is. */
static bool refuse_range(const ModelCodesignOptions *options, GError **error)
{
    const GpuAreaRange all = {0, INFINITY};
    g_autoptr(GArray) designs = gpu_designs(&options->costs, &options->built, &all);
    const GpuDesign *smallest = &g_array_index(designs, GpuDesign, 0);
    const GpuDesign *largest = &g_array_index(designs, GpuDesign, designs->len - 1);
    g_autofree char *text = model_codesign_design_text(smallest);

    return option_fail(error,
                       "--area = %.6g:%.6g mm2, but no design is in it: the smallest, "
                       "%s, has %.2f mm2, the largest %.2f",
                       options->area.low, options->area.high, text, smallest->mm2,
                       largest->mm2);
}

typedef struct {
    Progress *progress;
    const char *title;
} Teller;

static void tell(gpointer data, guint done, guint count)
{
    const Teller *teller = data;
    g_autofree char *text =
        g_strdup_printf("%s stencils, %.0f %%", teller->title,
                        floor(PERCENT * (double) done / (double) count));

    progress_tell(teller->progress, text);
}

static GpuCodesign *sweep_designs(const ModelCodesign *self,
                                  const ModelCodesignClass *class,
                                  GArray *designs)
{
    const ModelCodesignOptions *options = self->options;
    g_autoptr(Progress) progress =
        progress_new("model codesign", !options->output.is_quiet);
    Teller teller = {.progress = progress, .title = class->title};
    GpuCodesignPlan plan = {.rules = options->rules,
                            .designs = designs,
                            .codes = options->codes + class->first_code,
                            .sizes = options->sizes};

    while (class->first_code + plan.code_count < options->code_count &&
           plan.codes[plan.code_count].stencil->dimension == class->dimension) {
        plan.code_count++;
    }
    if (plan.sizes.count == 0) {
        gpu_codesign_sizes(class->dimension,
                           options->rules.form == GPU_TILING_AS_PRINTED, &plan.sizes);
    }
    return gpu_codesign_new(&plan, tell, &teller);
}

/* The GPUs that were built, as designs of the model: the parts of their own files at
 * the prices of the designs, or --set would compare areas of two kinds. */
static bool read_gpus(const ModelCodesign *self,
                      GpuDesign gpus[MODEL_CODESIGN_GPUS],
                      double without[MODEL_CODESIGN_GPUS],
                      GError **error)
{
    static const char *const names[MODEL_CODESIGN_GPUS] = {"gtx980", "titanx"};

    for (guint i = 0; i < MODEL_CODESIGN_GPUS; i++) {
        g_autoptr(ArchParams) gpu = chip_numbers_load_gpu(names[i], error);
        GpuAreaCosts own_costs;
        GpuAreaDesign built;
        GpuArea area;

        if (gpu == NULL || !gpu_area_read(gpu, &own_costs, &built, error)) {
            return false;
        }
        gpu_area(&self->options->costs, &built, GPU_AREA_WORKING, &area);
        gpus[i] =
            (GpuDesign){.multiprocessors = built.multiprocessors,
                        .vector_units = built.vector_units,
                        .shared_kilobytes = (guint) (built.shared_bytes / KILOBYTE),
                        .mm2 = area.total};
        without[i] = area.total - area.l1 - area.l2;
    }
    return true;
}

/* The best design that is no larger than a GPU, beside that GPU. */
static void weigh_gain(const ModelCodesign *self,
                       const ModelCodesignClass *class,
                       ModelCodesignGain *gain)
{
    gain->design = gpu_codesign_best(
        class->sweep, &(GpuAreaRange){self->options->area.low, gain->mm2},
        GPU_CODESIGN_ALL);
    gain->percent = NAN;
    /* A search that ends below the GPU's area says nothing about it. */
    if (gain->design >= 0 && self->options->area.high >= gain->mm2) {
        gain->percent = PERCENT * (class->rates[gain->design] / gain->rate - 1);
    } else {
        gain->design = -1;
    }
}

static bool
weigh_gpus(const ModelCodesign *self, ModelCodesignClass *class, GError **error)
{
    static const struct {
        const char *name;
        const char *title;
        guint gpu;
        bool has_caches;
        double printed[MODEL_CODESIGN_CLASSES];
    } rows[] = {
        {"gtx980", "GTX 980", 0, true, {104, 123}},
        {"titanx", "Titan X", 1, true, {69, 126}},
        {"gtx980_without_caches", "GTX 980 without caches", 0, false, {9.34, 9.22}},
        {"titanx_without_caches", "Titan X without caches", 1, false, {28.44, 33.15}},
    };
    GpuDesign gpus[MODEL_CODESIGN_GPUS];
    double without[MODEL_CODESIGN_GPUS];
    g_autoptr(GArray) designs = g_array_new(FALSE, FALSE, sizeof(GpuDesign));

    if (!read_gpus(self, gpus, without, error)) {
        return false;
    }
    g_array_append_vals(designs, gpus, MODEL_CODESIGN_GPUS);
    g_autoptr(GpuCodesign) built = sweep_designs(self, class, designs);

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const guint gpu = rows[i].gpu;

        class->gains[i] = (ModelCodesignGain){
            .name = rows[i].name,
            .title = rows[i].title,
            .mm2 = rows[i].has_caches ? gpus[gpu].mm2 : without[gpu],
            .rate = gpu_codesign_rate(built, gpu),
            .printed = rows[i].printed[class->dimension == FLAT ? 0 : 1]};
        weigh_gain(self, class, &class->gains[i]);
    }
    return true;
}

/* How much each size of shared memory reaches (C.4.3). */
static void weigh_shared(const ModelCodesign *self, ModelCodesignClass *class)
{
    const GpuAreaRange *at = &self->options->at;

    for (guint size = gpu_design_next_shared(0);
         size > 0 && class->shared_count < MODEL_CODESIGN_KILOBYTES;
         size = gpu_design_next_shared(size)) {
        ModelCodesignShared *shared = &class->shared[class->shared_count++];

        *shared = (ModelCodesignShared){.kilobytes = size, .design = -1};
        for (guint i = 0; i < self->designs->len; i++) {
            const GpuDesign *design = &g_array_index(self->designs, GpuDesign, i);

            if (design->shared_kilobytes == size && design->mm2 >= at->low &&
                design->mm2 <= at->high && class->rates[i] > 0 &&
                (shared->design < 0 ||
                 class->rates[i] > class->rates[shared->design])) {
                shared->design = (int) i;
            }
        }
        shared->part = shared->design < 0
                           ? 0
                           : class->rates[shared->design] / class->rates[class->best];
    }
}

static int compare_doubles(gconstpointer a, gconstpointer b)
{
    const double one = *(const double *) a;
    const double two = *(const double *) b;

    return (one > two) - (one < two);
}

static ModelCodesignShare share_of(GArray *values)
{
    g_array_sort(values, compare_doubles);
    return (ModelCodesignShare){.low = g_array_index(values, double, 0),
                                .middle =
                                    g_array_index(values, double, values->len / 2),
                                .high = g_array_index(values, double, values->len - 1)};
}

/* What the front gives to vector units and to memory (C.4.4). */
static void weigh_shares(const ModelCodesign *self, ModelCodesignClass *class)
{
    g_autoptr(GArray) vector_units = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) shared = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < class->front->len; i++) {
        const guint place = g_array_index(class->front, guint, i);
        double parts[2];

        model_codesign_shares(self, gpu_codesign_design(class->sweep, place), &parts[0],
                              &parts[1]);
        g_array_append_val(vector_units, parts[0]);
        g_array_append_val(shared, parts[1]);
    }
    class->vector_share = share_of(vector_units);
    class->shared_share = share_of(shared);
}

static void weigh_bottleneck(const ModelCodesign *self, ModelCodesignClass *class)
{
    const GpuAreaRange *at = &self->options->at;

    gpu_bottleneck(class->sweep, (guint) class->best, &class->bottleneck);
    class->more_mm2 = MORE_MM2;
    class->area_gain = NAN;
    if (at->high + MORE_MM2 <= self->options->area.high) {
        const int best = gpu_codesign_best(
            class->sweep, &(GpuAreaRange){at->low, at->high + MORE_MM2},
            GPU_CODESIGN_ALL);

        class->area_gain = class->rates[best] / class->rates[class->best] - 1;
    }
}

/* No design is where one looks, or none runs anything: says which is the smallest. */
static bool
refuse_at(const ModelCodesign *self, const ModelCodesignClass *class, GError **error)
{
    const GpuAreaRange *at = &self->options->at;
    const GpuDesign *smallest;

    if (class->front->len == 0) {
        return option_fail(error,
                           "--at = %.6g:%.6g mm2: no design there or anywhere runs the "
                           "%s stencils: their smallest tile does not fit",
                           at->low, at->high, class->title);
    }
    smallest = gpu_codesign_design(class->sweep, g_array_index(class->front, guint, 0));
    g_autofree char *text = model_codesign_design_text(smallest);

    return option_fail(error,
                       "--at = %.6g:%.6g mm2: no design there runs the %s stencils; "
                       "the smallest in --area that does, %s, has %.2f mm2",
                       at->low, at->high, class->title, text, smallest->mm2);
}

static bool choose(const ModelCodesign *self, ModelCodesignClass *class, GError **error)
{
    const GpuAreaRange *at = &self->options->at;
    const guint codes = gpu_codesign_plan(class->sweep)->code_count;

    class->front = gpu_codesign_front(class->sweep);
    class->best = gpu_codesign_best(class->sweep, at, GPU_CODESIGN_ALL);
    if (class->best < 0) {
        return refuse_at(self, class, error);
    }
    for (guint i = 0; i < codes; i++) {
        class->code_bests[i] = gpu_codesign_best(class->sweep, at, (int) i);
    }
    return true;
}

static bool add_class(ModelCodesign *self, guint first_code, GError **error)
{
    ModelCodesignClass *class = &self->classes[self->class_count++];
    const guint dimension = self->options->codes[first_code].stencil->dimension;

    *class = (ModelCodesignClass){
        .dimension = dimension,
        .name = dimension == FLAT ? "class_2d" : "class_3d",
        .title = dimension == FLAT ? "2D" : "3D",
        .first_code = first_code,
    };
    class->sweep = sweep_designs(self, class, self->designs);
    class->rates = g_new(double, self->designs->len);
    for (guint i = 0; i < self->designs->len; i++) {
        class->rates[i] = gpu_codesign_rate(class->sweep, i);
    }
    if (!choose(self, class, error) || !weigh_gpus(self, class, error)) {
        return false;
    }
    weigh_shared(self, class);
    weigh_shares(self, class);
    weigh_bottleneck(self, class);
    return true;
}

bool model_codesign_init(ModelCodesign *self,
                         const ModelCodesignOptions *options,
                         GError **error)
{
    *self = (ModelCodesign){.options = options};
    self->designs = gpu_designs(&options->costs, &options->built, &options->area);
    if (self->designs->len == 0) {
        return refuse_range(options, error);
    }
    for (guint i = 0; i < self->designs->len; i++) {
        self->from_48_kilobytes +=
            g_array_index(self->designs, GpuDesign, i).shared_kilobytes >=
                    LARGE_KILOBYTES
                ? 1
                : 0;
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
