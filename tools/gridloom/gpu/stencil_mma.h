/* What a program on tensor cores does in whole instructions: their padding comes on top
 * of what the model counts. */
#pragma once

#include <stdbool.h>

#include "arch/model/stencil/mma.h"
#include "arch/model/stencil/stencil.h"

typedef struct {
    const GpuMma *shape;
    GpuMmaUse use;  /* use.flops is C with padding */
    double updates; /* per second, at that C */
} CmdGpuStencilMma;

/* Of instructions of a shape, or of the usual one where `shape` is NULL or none of the
 * program's. False where the program uses none, or the matrices are too large to be
 * made. */
bool cmd_gpu_stencil_mma_init(CmdGpuStencilMma *self,
                              const GpuStencil *stencil,
                              const GpuImplementation *program,
                              const GpuStencilSetting *setting,
                              const char *shape);
