/* A study of a stencil for people and programs: text, JSON, CSV, a picture. */
#pragma once

#include "tools/gridloom/gpu/stencil_study.h"

void cmd_gpu_stencil_print(const CmdGpuStencilStudy *self);

/* The caller frees these texts. */
char *cmd_gpu_stencil_to_json(const CmdGpuStencilStudy *self, double wall_seconds);
char *cmd_gpu_stencil_to_csv(const CmdGpuStencilStudy *self);

/* The roofline: both units' ceilings, the program on CUDA cores, and that on tensor
 * cores with and without what is useless; along the sweep where there is one. */
char *cmd_gpu_stencil_to_svg(const CmdGpuStencilStudy *self);

/* The same in letters, for terminals. */
char *cmd_gpu_stencil_to_letters(const CmdGpuStencilStudy *self);
