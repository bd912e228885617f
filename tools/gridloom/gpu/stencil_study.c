/* Asks the model, for one stencil and along a sweep. */
#include "tools/gridloom/gpu/stencil_study.h"

#include <math.h>

#define EQUAL 0.02 /* speedups that differ from 1 by less are none */

/* The deepest fusion that stays inside the grid. */
static guint deepest(const CmdGpuStencilOptions *options, const GpuStencil *stencil)
{
    const uint64_t inside = options->size / stencil->radius;

    return (guint) CLAMP(inside, 1, GPU_STENCIL_FUSION);
}

static void row_init(CmdGpuStencilRow *self,
                     const CmdGpuStencilCase *at,
                     const CmdGpuStencilOptions *options)
{
    GpuStencil stencil = at->stencil;
    const guint most = deepest(options, &stencil);
    g_autoptr(GError) error = NULL;

    if (!self->program->is_fused) {
        stencil.fusion = 1;
    }
    self->fusion = stencil.fusion;
    if (!gpu_stencil_model(&stencil, self->program, &options->setting, &self->model,
                           &error)) {
        self->why = g_strdup(error->message);
        return;
    }
    self->best_fusion =
        gpu_stencil_best_fusion(&stencil, self->program, &options->setting, most);
    self->transition_fusion =
        gpu_stencil_transition(&stencil, self->program, &options->setting, most);
}

/* What is compared must be what was asked for, with all its steps in one pass. */
static bool check_row(const CmdGpuStencilCase *at,
                      const CmdGpuStencilRow *row,
                      const CmdGpuStencilOptions *options,
                      GError **error)
{
    GpuStencilModel model;

    return gpu_stencil_model(&at->stencil, row->program, &options->setting, &model,
                             error);
}

static void case_clear(gpointer data)
{
    CmdGpuStencilCase *self = data;

    for (guint i = 0; i < CMD_GPU_STENCIL_PROGRAMS; i++) {
        g_free(self->rows[i].why);
    }
}

static bool case_init(CmdGpuStencilCase *self,
                      const GpuStencil *stencil,
                      const CmdGpuStencilOptions *options,
                      GError **error)
{
    const CmdGpuStencilRow *baseline = &self->rows[options->baseline];
    const CmdGpuStencilRow *with = &self->rows[options->with];

    *self = (CmdGpuStencilCase){.stencil = *stencil};
    for (guint i = 0; i < CMD_GPU_STENCIL_PROGRAMS; i++) {
        self->rows[i].program = &options->programs[i];
        row_init(&self->rows[i], self, options);
    }
    if (!check_row(self, baseline, options, error) ||
        !check_row(self, with, options, error)) {
        case_clear(self);
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

static bool sweep_init(CmdGpuStencilStudy *self, GError **error)
{
    const CmdGpuStencilOptions *options = self->options;

    self->sweep = g_array_new(FALSE, FALSE, sizeof(CmdGpuStencilCase));
    g_array_set_clear_func(self->sweep, case_clear);
    for (guint i = options->sweep_from; i <= options->sweep_to; i++) {
        GpuStencil stencil = options->stencil;
        CmdGpuStencilCase at;

        if (options->sweep == CMD_GPU_SWEEP_FUSION) {
            stencil.fusion = i;
        } else {
            stencil.radius = i;
        }
        if (!case_init(&at, &stencil, options, error)) {
            return false;
        }
        g_array_append_val(self->sweep, at);
    }
    return true;
}

bool cmd_gpu_stencil_study_init(CmdGpuStencilStudy *self,
                                const CmdGpuStencilOptions *options,
                                GError **error)
{
    *self = (CmdGpuStencilStudy){.options = options};
    if (!case_init(&self->now, &options->stencil, options, error)) {
        self->now = (CmdGpuStencilCase){0};
        return false;
    }
    for (guint i = 0; i < CMD_GPU_STENCIL_PROGRAMS; i++) {
        CmdGpuStencilRow *row = &self->now.rows[i];

        (void) cmd_gpu_stencil_mma_init(&row->mma, &self->now.stencil, row->program,
                                        &options->setting, options->mma);
    }
    return options->sweep == CMD_GPU_SWEEP_NONE || sweep_init(self, error);
}

void cmd_gpu_stencil_study_clear(CmdGpuStencilStudy *self)
{
    case_clear(&self->now);
    g_clear_pointer(&self->sweep, g_array_unref);
}

const CmdGpuStencilRow *cmd_gpu_stencil_study_baseline(const CmdGpuStencilStudy *self,
                                                       const CmdGpuStencilCase *at)
{
    return &at->rows[self->options->baseline];
}

const CmdGpuStencilRow *cmd_gpu_stencil_study_with(const CmdGpuStencilStudy *self,
                                                   const CmdGpuStencilCase *at)
{
    return &at->rows[self->options->with];
}

guint cmd_gpu_stencil_study_swept(const CmdGpuStencilStudy *self,
                                  const CmdGpuStencilCase *at)
{
    return self->options->sweep == CMD_GPU_SWEEP_RADIUS ? at->stencil.radius
                                                        : at->stencil.fusion;
}

guint cmd_gpu_stencil_study_transition(const CmdGpuStencilStudy *self, guint program)
{
    for (guint i = 0; i < self->sweep->len; i++) {
        const CmdGpuStencilCase *at = &g_array_index(self->sweep, CmdGpuStencilCase, i);

        if (at->rows[program].why == NULL && at->rows[program].model.is_compute_bound) {
            return cmd_gpu_stencil_study_swept(self, at);
        }
    }
    return 0;
}

const char *cmd_gpu_stencil_direction(double speedup)
{
    if (fabs(speedup - 1) <= EQUAL) {
        return "equal";
    }
    return speedup > 1 ? "up" : "down";
}

const char *cmd_gpu_stencil_bound(const GpuStencilModel *model)
{
    return model->is_compute_bound ? "compute" : "memory";
}
