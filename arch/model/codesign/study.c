/* Sweeps designs and evaluates the results. */
#include "arch/model/codesign/study.h"

#include <math.h>

#include "sim/compare.h"
#include "sim/narrow.h"

#define PERCENT  100.0
#define MORE_MM2 10.0 /* a step more of area */

enum {
    KILOBYTE = 1024,
    FLAT = 2,
};

const char *const gpu_codesign_built_names[GPU_CODESIGN_BUILT] = {"gtx980", "titanx"};

static const GpuCodesignPrinted table[] = {
    {"jacobi2d", {32, 128, 24, 438}, 2059},   {"heat2d", {22, 256, 12, 447}, 3017},
    {"gradient2d", {28, 160, 24, 431}, 4963}, {"laplacian2d", {28, 160, 12, 426}, 2549},
    {"heat3d", {18, 288, 192, 447}, 3600},    {"laplacian3d", {8, 896, 96, 446}, 1427},
};

const GpuCodesignPrinted *gpu_codesign_printed(const char *stencil)
{
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        if (g_str_equal(table[i].name, stencil)) {
            return &table[i];
        }
    }
    return NULL;
}

void gpu_codesign_shares(const GpuCodesignQuestion *self,
                         const GpuDesign *design,
                         double *vector_units,
                         double *shared)
{
    GpuArea area;

    gpu_design_area(design, self->costs, self->gpu, &area);
    *vector_units = area.total > 0
                        ? PERCENT * (area.vector_units + area.registers) / area.total
                        : 0;
    *shared = area.total > 0 ? PERCENT * area.shared / area.total : 0;
}

double gpu_codesign_class_rate(const GpuCodesignClass *self,
                               const GpuDesign *design,
                               guint code)
{
    const GArray *designs = gpu_codesign_plan(self->sweep)->designs;

    for (guint i = 0; i < designs->len; i++) {
        const GpuDesign *at = &g_array_index(designs, GpuDesign, i);

        if (at->multiprocessors == design->multiprocessors &&
            at->vector_units == design->vector_units &&
            at->shared_kilobytes == design->shared_kilobytes) {
            return gpu_codesign_code_rate(self->sweep, i, code);
        }
    }
    return NAN;
}

static GpuCodesign *sweep_designs(const GpuCodesignQuestion *self,
                                  const GpuCodesignClass *class,
                                  GArray *designs,
                                  GpuCodesignStep step,
                                  gpointer data)
{
    GpuCodesignPlan plan = {.rules = self->rules,
                            .designs = designs,
                            .codes = self->codes + class->first_code,
                            .sizes = self->sizes};

    while (class->first_code + plan.code_count < self->code_count &&
           plan.codes[plan.code_count].stencil->dimension == class->dimension) {
        plan.code_count++;
    }
    if (plan.sizes.count == 0) {
        gpu_codesign_sizes(class->dimension, self->rules.form == GPU_TILING_AS_PRINTED,
                           &plan.sizes);
    }
    return gpu_codesign_new(&plan, step, data);
}

bool gpu_codesign_built_read(GpuCodesignBuilt *self,
                             const ArchParams *gpu,
                             const GpuAreaCosts *costs,
                             GError **error)
{
    GpuAreaCosts own_costs;
    GpuAreaDesign built;
    GpuArea area;

    if (!gpu_area_read(gpu, &own_costs, &built, error)) {
        return false;
    }
    gpu_area(costs, &built, GPU_AREA_WORKING, &area);
    *self = (GpuCodesignBuilt){
        .design = {.multiprocessors = built.multiprocessors,
                   .vector_units = built.vector_units,
                   .shared_kilobytes = sim_u32(built.shared_bytes / KILOBYTE),
                   .mm2 = area.total},
        .without_caches = area.total - area.l1 - area.l2};
    return true;
}

/* The best design that is no larger than a GPU, beside that GPU. */
static void weigh_gain(const GpuCodesignQuestion *self,
                       const GpuCodesignClass *class,
                       GpuCodesignGain *gain)
{
    gain->design = gpu_codesign_best(
        class->sweep, &(GpuAreaRange){self->area.low, gain->mm2}, GPU_CODESIGN_ALL);
    gain->percent = NAN;
    /* A search that ends below the GPU's area says nothing about it. */
    if (gain->design >= 0 && self->area.high >= gain->mm2) {
        gain->percent = PERCENT * (class->rates[gain->design] / gain->rate - 1);
    } else {
        gain->design = -1;
    }
}

static void weigh_gpus(const GpuCodesignQuestion *self,
                       GpuCodesignClass *class,
                       GpuCodesignStep step,
                       gpointer data)
{
    static const struct {
        const char *name;
        const char *title;
        guint gpu;
        bool has_caches;
        double printed[2]; /* of 2D, of 3D */
    } rows[] = {
        {"gtx980", "GTX 980", 0, true, {104, 123}},
        {"titanx", "Titan X", 1, true, {69, 126}},
        {"gtx980_without_caches", "GTX 980 without caches", 0, false, {9.34, 9.22}},
        {"titanx_without_caches", "Titan X without caches", 1, false, {28.44, 33.15}},
    };
    g_autoptr(GArray) designs = g_array_new(FALSE, FALSE, sizeof(GpuDesign));

    for (guint i = 0; i < GPU_CODESIGN_BUILT; i++) {
        g_array_append_val(designs, self->built[i].design);
    }
    g_autoptr(GpuCodesign) built = sweep_designs(self, class, designs, step, data);

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const GpuCodesignBuilt *gpu = &self->built[rows[i].gpu];

        class->gains[i] = (GpuCodesignGain){
            .name = rows[i].name,
            .title = rows[i].title,
            .mm2 = rows[i].has_caches ? gpu->design.mm2 : gpu->without_caches,
            .rate = gpu_codesign_rate(built, rows[i].gpu),
            .printed = rows[i].printed[class->dimension == FLAT ? 0 : 1]};
        weigh_gain(self, class, &class->gains[i]);
    }
}

/* How much each size of shared memory reaches (C.4.3). */
static void weigh_shared(const GpuCodesignQuestion *self, GpuCodesignClass *class)
{
    const GpuAreaRange *at = &self->at;

    for (guint size = gpu_design_next_shared(0);
         size > 0 && class->shared_count < GPU_CODESIGN_KILOBYTES;
         size = gpu_design_next_shared(size)) {
        GpuCodesignShared *shared = &class->shared[class->shared_count++];

        *shared = (GpuCodesignShared){.kilobytes = size, .design = -1};
        for (guint i = 0; i < self->designs->len; i++) {
            const GpuDesign *design = &g_array_index(self->designs, GpuDesign, i);

            if (design->shared_kilobytes == size && design->mm2 >= at->low &&
                design->mm2 <= at->high && class->rates[i] > 0 &&
                (shared->design < 0 ||
                 class->rates[i] > class->rates[shared->design])) {
                shared->design = sim_i32(i);
            }
        }
        shared->part = shared->design < 0
                           ? 0
                           : class->rates[shared->design] / class->rates[class->best];
    }
}

static GpuCodesignShare share_of(GArray *values)
{
    g_array_sort(values, sim_compare_doubles);
    return (GpuCodesignShare){.low = g_array_index(values, double, 0),
                              .middle = g_array_index(values, double, values->len / 2),
                              .high = g_array_index(values, double, values->len - 1)};
}

/* What the front gives to vector units and to memory (C.4.4). */
static void weigh_shares(const GpuCodesignQuestion *self, GpuCodesignClass *class)
{
    g_autoptr(GArray) vector_units = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) shared = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < class->front->len; i++) {
        const guint place = g_array_index(class->front, guint, i);
        double parts[2];

        gpu_codesign_shares(self, gpu_codesign_design(class->sweep, place), &parts[0],
                            &parts[1]);
        g_array_append_val(vector_units, parts[0]);
        g_array_append_val(shared, parts[1]);
    }
    class->vector_share = share_of(vector_units);
    class->shared_share = share_of(shared);
}

static void weigh_bottleneck(const GpuCodesignQuestion *self, GpuCodesignClass *class)
{
    const GpuAreaRange *at = &self->at;

    gpu_bottleneck(class->sweep, sim_u32(class->best), &class->bottleneck);
    class->more_mm2 = MORE_MM2;
    class->area_gain = NAN;
    if (at->high + MORE_MM2 <= self->area.high) {
        const int best = gpu_codesign_best(
            class->sweep, &(GpuAreaRange){at->low, at->high + MORE_MM2},
            GPU_CODESIGN_ALL);

        class->area_gain = class->rates[best] / class->rates[class->best] - 1;
    }
}

void gpu_codesign_class_init(GpuCodesignClass *self,
                             const GpuCodesignQuestion *question,
                             guint first_code,
                             GpuCodesignStep step,
                             gpointer data)
{
    const guint dimension = question->codes[first_code].stencil->dimension;

    *self = (GpuCodesignClass){
        .dimension = dimension,
        .name = dimension == FLAT ? "class_2d" : "class_3d",
        .title = dimension == FLAT ? "2D" : "3D",
        .first_code = first_code,
        .rates = g_new(double, question->designs->len),
    };
    self->sweep = sweep_designs(question, self, question->designs, step, data);
    for (guint i = 0; i < question->designs->len; i++) {
        self->rates[i] = gpu_codesign_rate(self->sweep, i);
    }
    self->front = gpu_codesign_front(self->sweep);
    self->best = gpu_codesign_best(self->sweep, &question->at, GPU_CODESIGN_ALL);
    if (self->best < 0) {
        return;
    }
    for (guint i = 0; i < gpu_codesign_plan(self->sweep)->code_count; i++) {
        self->code_bests[i] = gpu_codesign_best(self->sweep, &question->at, sim_i32(i));
    }
    weigh_gpus(question, self, step, data);
    weigh_shared(question, self);
    weigh_shares(question, self);
    weigh_bottleneck(question, self);
}

void gpu_codesign_class_clear(GpuCodesignClass *self)
{
    g_clear_pointer(&self->sweep, gpu_codesign_free);
    g_clear_pointer(&self->front, g_array_unref);
    g_clear_pointer(&self->rates, g_free);
}
