/* Asks the model of all programs for one stencil, and fills instructions. */
#include "arch/model/stencil/comparison.h"

#include <math.h>

#include "arch/model/stencil/weights.h"
#include "sim/narrow.h"

#define EQUAL 0.02 /* speedups that differ from 1 by less are none */

static void row_init(GpuComparisonRow *self,
                     const GpuStencil *asked,
                     const GpuComparisonSetting *setting)
{
    GpuStencil stencil = *asked;
    /* The deepest fusion that stays inside the grid. */
    const guint most =
        sim_u32(CLAMP(setting->size / stencil.radius, 1, GPU_STENCIL_FUSION));
    g_autoptr(GError) error = NULL;

    if (!self->program->is_fused) {
        stencil.fusion = 1;
    }
    self->fusion = stencil.fusion;
    if (!gpu_stencil_model(&stencil, self->program, setting->setting, &self->model,
                           &error)) {
        self->why = g_strdup(error->message);
        return;
    }
    gpu_profile_init(&self->profile, &stencil, self->program, &self->model,
                     setting->size);
    self->best_fusion =
        gpu_stencil_best_fusion(&stencil, self->program, setting->setting, most);
    self->transition_fusion =
        gpu_stencil_transition(&stencil, self->program, setting->setting, most);
}

/* What is compared must be what was asked for, with all its steps in one pass. */
static bool check_row(const GpuStencil *stencil,
                      const GpuComparisonRow *row,
                      const GpuComparisonSetting *setting,
                      GError **error)
{
    GpuStencilModel model;

    return gpu_stencil_model(stencil, row->program, setting->setting, &model, error);
}

void gpu_comparison_clear(gpointer data)
{
    GpuComparison *self = data;

    for (guint i = 0; i < GPU_COMPARISON_PROGRAMS; i++) {
        g_clear_pointer(&self->rows[i].why, g_free);
    }
}

bool gpu_comparison_init(GpuComparison *self,
                         const GpuStencil *stencil,
                         const GpuComparisonSetting *setting,
                         GError **error)
{
    *self = (GpuComparison){
        .stencil = *stencil, .baseline = setting->baseline, .with = setting->with};
    for (guint i = 0; i < GPU_COMPARISON_PROGRAMS; i++) {
        self->rows[i].program = &setting->programs[i];
        row_init(&self->rows[i], stencil, setting);
    }
    const GpuComparisonRow *baseline = gpu_comparison_baseline(self);
    const GpuComparisonRow *with = gpu_comparison_with(self);

    if (!check_row(stencil, baseline, setting, error) ||
        !check_row(stencil, with, setting, error)) {
        gpu_comparison_clear(self);
        return false;
    }
    self->scenario = gpu_stencil_scenario(&baseline->model, &with->model);
    self->is_sweet = gpu_stencil_is_sweet(&baseline->model, &with->model);
    self->limit = gpu_stencil_limit(&baseline->model, &with->model);
    self->speedup = gpu_stencil_speedup(&baseline->model, &with->model);
    self->expected_speedup =
        with->model.expected_updates / baseline->model.expected_updates;
    return true;
}

const GpuComparisonRow *gpu_comparison_baseline(const GpuComparison *self)
{
    return &self->rows[self->baseline];
}

const GpuComparisonRow *gpu_comparison_with(const GpuComparison *self)
{
    return &self->rows[self->with];
}

const char *gpu_comparison_direction(const GpuComparison *self)
{
    if (fabs(self->speedup - 1) <= EQUAL) {
        return "equal";
    }
    return self->speedup > 1 ? "up" : "down";
}

const char *gpu_stencil_bound(const GpuStencilModel *model)
{
    return model->is_compute_bound ? "compute" : "memory";
}

/* A box that is fused is a wider box. */
static GpuGrid *fused_weights(const GpuStencil *stencil, bool is_boxed)
{
    GpuStencil wide = *stencil;

    if (stencil->shape == GPU_BOX || is_boxed) {
        wide.shape = GPU_BOX;
        wide.radius = stencil->radius * stencil->fusion;
        return gpu_weights_new(&wide, NULL);
    }
    g_autoptr(GpuGrid) weights = gpu_weights_new(stencil, NULL);

    return weights == NULL ? NULL : gpu_weights_fuse(weights, stencil->fusion, NULL);
}

static GpuTransform *transform_of(const GpuGrid *weights, GpuScheme scheme)
{
    switch (scheme) {
    case GPU_SCHEME_NONE:
    case GPU_SCHEME_TILES:
    case GPU_SCHEME_RANKS:
    case GPU_SCHEME_BANDS:
        return NULL; /* whole instructions are in S already */
    case GPU_SCHEME_FLATTEN:
        return gpu_transform_flatten(weights);
    case GPU_SCHEME_DECOMPOSE:
        return gpu_transform_decompose(weights);
    }
    g_assert_not_reached();
}

static const GpuMma *
shape_of(const GpuStencil *stencil, const GpuImplementation *program, const char *name)
{
    const bool is_sparse = program->unit == GPU_SPARSE_TENSOR_CORES;
    const GpuMma *named =
        name == NULL ? NULL : gpu_mma_find(name, stencil->type, is_sparse);

    return named != NULL ? named : gpu_mma_default(stencil->type, is_sparse);
}

static void padding_init(GpuPadding *self,
                         const GpuStencil *stencil,
                         const GpuImplementation *program,
                         const GpuStencilSetting *setting,
                         const char *shape)
{
    const GpuMma *mma = shape_of(stencil, program, shape);
    g_autoptr(GpuGrid) weights = NULL;
    g_autoptr(GpuTransform) transform = NULL;
    GpuStencilModel model;

    if (mma == NULL || !gpu_stencil_model(stencil, program, setting, &model, NULL)) {
        return;
    }
    weights = fused_weights(stencil, setting->is_boxed);
    if (weights == NULL) {
        return;
    }
    transform = transform_of(weights, program->scheme);
    if (transform == NULL) {
        return;
    }
    self->shape = mma;
    gpu_mma_use(mma, transform, &self->use);
    /* A pass takes the longer of its operations and its bytes. */
    self->updates = stencil->fusion / fmax(self->use.flops / model.peak,
                                           model.bytes * model.ridge / model.peak);
}

void gpu_comparison_pad(GpuComparison *self,
                        const GpuStencilSetting *setting,
                        const char *shape)
{
    for (guint i = 0; i < GPU_COMPARISON_PROGRAMS; i++) {
        padding_init(&self->rows[i].padding, &self->stencil, self->rows[i].program,
                     setting, shape);
    }
}

guint gpu_comparison_swept(const GpuComparison *self, GpuSweep sweep)
{
    return sweep == GPU_SWEEP_RADIUS ? self->stencil.radius : self->stencil.fusion;
}

GArray *gpu_comparisons(const GpuStencil *stencil,
                        const GpuComparisonSetting *setting,
                        GpuSweep sweep,
                        guint from,
                        guint to,
                        GError **error)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(GpuComparison));

    g_array_set_clear_func(all, gpu_comparison_clear);
    for (guint i = from; i <= to; i++) {
        GpuStencil varied = *stencil;
        GpuComparison at;

        *(sweep == GPU_SWEEP_FUSION ? &varied.fusion : &varied.radius) = i;
        if (!gpu_comparison_init(&at, &varied, setting, error)) {
            return NULL;
        }
        g_array_append_val(all, at);
    }
    return g_steal_pointer(&all);
}

guint gpu_comparisons_transition(const GArray *self, GpuSweep sweep, guint program)
{
    for (guint i = 0; i < self->len; i++) {
        const GpuComparison *at = &g_array_index(self, GpuComparison, i);

        if (at->rows[program].why == NULL && at->rows[program].model.is_compute_bound) {
            return gpu_comparison_swept(at, sweep);
        }
    }
    return 0;
}

const char *gpu_comparison_verdict(const GpuComparison *self)
{
    switch (self->scenario) {
    case 1:
        return "no gain: both wait for memory";
    case 2:
        return "tensor cores lose, as always here: zeros and repeated points keep them "
               "busy";
    case 3:
        return "tensor cores win, as always here: they are so fast that memory is the "
               "limit";
    default:
        return self->is_sweet ? "tensor cores win: alpha is below S P_TC / P_CU"
                              : "tensor cores lose: alpha is not below S P_TC / P_CU";
    }
}
