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
    CmdGpuStencilMma mma; /* not along a sweep; without a shape where there is none */
} CmdGpuStencilRow;

/* One stencil: all programs, and the baseline against the other. */
typedef struct {
    GpuStencil stencil;
    CmdGpuStencilRow rows[CMD_GPU_STENCIL_PROGRAMS];
    guint scenario;
    bool is_sweet;
    double limit;
    double speedup;
    double expected_speedup; /* with the efficiencies */
} CmdGpuStencilCase;

typedef struct {
    const CmdGpuStencilOptions *options;
    CmdGpuStencilCase now;
    GArray *sweep; /* of CmdGpuStencilCase; NULL without one */
} CmdGpuStencilStudy;

/* Fails as gpu_stencil_model() of the two programs that are compared. */
bool cmd_gpu_stencil_study_init(CmdGpuStencilStudy *self,
                                const CmdGpuStencilOptions *options,
                                GError **error);
void cmd_gpu_stencil_study_clear(CmdGpuStencilStudy *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdGpuStencilStudy, cmd_gpu_stencil_study_clear)

/* The rows that are compared. */
const CmdGpuStencilRow *cmd_gpu_stencil_study_baseline(const CmdGpuStencilStudy *self,
                                                       const CmdGpuStencilCase *at);
const CmdGpuStencilRow *cmd_gpu_stencil_study_with(const CmdGpuStencilStudy *self,
                                                   const CmdGpuStencilCase *at);

/* What the sweep varies, there. */
guint cmd_gpu_stencil_study_swept(const CmdGpuStencilStudy *self,
                                  const CmdGpuStencilCase *at);

/* The first value of the sweep at which the program is compute bound; 0: none. */
guint cmd_gpu_stencil_study_transition(const CmdGpuStencilStudy *self, guint program);

/* "up", "down", or "equal": within 2 %. */
const char *cmd_gpu_stencil_direction(double speedup);

/* "memory" or "compute". */
const char *cmd_gpu_stencil_bound(const GpuStencilModel *model);
