/* What `gridloom gpu stencil` finds out: every program's model for one stencil, two of
 * them compared, and the same along a sweep. */
#pragma once

#include "tools/gridloom/gpu/stencil_mma.h"
#include "tools/gridloom/gpu/stencil_options.h"

/* A program and its model, at fusion depth 1 where it cannot fuse. */
typedef struct {
    const GpuImplementation *program;
    GpuStencilModel model;
    char *why;               /* there is no model of it; NULL where there is */
    guint fusion;            /* that of the model */
    guint best_fusion;       /* of those inside the grid; 0: none */
    guint transition_fusion; /* the first that is compute bound; 0: none */
    GpuStencilMma mma; /* not along a sweep; without a shape where there is none */
} GpuStencilRow;

/* One stencil: all programs, and the baseline against the other. */
typedef struct {
    GpuStencil stencil;
    GpuStencilRow rows[GPU_STENCIL_PROGRAMS];
    guint scenario;
    bool is_sweet;
    double limit;
    double speedup;
    double expected_speedup; /* with the efficiencies */
} GpuStencilCase;

typedef struct {
    const GpuStencilOptions *options;
    GpuStencilCase now;
    GArray *sweep; /* of GpuStencilCase; NULL without one */
} GpuStencilStudy;

/* Fails as gpu_stencil_model() of the two programs that are compared. */
bool gpu_stencil_study_init(GpuStencilStudy *self,
                            const GpuStencilOptions *options,
                            GError **error);
void gpu_stencil_study_clear(GpuStencilStudy *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GpuStencilStudy, gpu_stencil_study_clear)

/* The rows that are compared. */
const GpuStencilRow *gpu_stencil_study_baseline(const GpuStencilStudy *self,
                                                const GpuStencilCase *at);
const GpuStencilRow *gpu_stencil_study_with(const GpuStencilStudy *self,
                                            const GpuStencilCase *at);

/* What the sweep varies, there. */
guint gpu_stencil_study_swept(const GpuStencilStudy *self, const GpuStencilCase *at);

/* The first value of the sweep at which the program is compute bound; 0: none. */
guint gpu_stencil_study_transition(const GpuStencilStudy *self, guint program);

/* "up", "down", or "equal": within 2 %. */
const char *gpu_stencil_direction(double speedup);

/* "memory" or "compute". */
const char *gpu_stencil_bound(const GpuStencilModel *model);
