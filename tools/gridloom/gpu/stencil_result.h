/* A study of a stencil for people and programs: text, JSON, CSV, a picture. */
#pragma once

#include "tools/gridloom/gpu/stencil_study.h"

void gpu_stencil_print(const GpuStencilStudy *self);

/* The caller frees these texts. */
char *gpu_stencil_to_json(const GpuStencilStudy *self, double wall_seconds);
char *gpu_stencil_to_csv(const GpuStencilStudy *self);

/* The roofline: both units' ceilings, the program on CUDA cores, and that on tensor
 * cores with and without what is useless; along the sweep where there is one. */
char *gpu_stencil_to_svg(const GpuStencilStudy *self);

/* The same in letters, for terminals. */
char *gpu_stencil_to_letters(const GpuStencilStudy *self);
