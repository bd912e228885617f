/* What a profiler counts of a program, and how fast it then runs: tiles compute their
 * rims again, the L2 cache keeps bytes from the DRAM, and operations and transfers hide
 * each other in part. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/model/stencil/stencil.h"

typedef struct {
    double flops;   /* of an output point, with rims; 0: the geometry is not known */
    double bytes;   /* of DRAM for an output point */
    double updates; /* points times steps per second; 0: not known */
} GpuProfile;

/* `size` is points along a side of the grid. Rims: of ebisu (256 columns, strips of 640
 * rows), of gridloom (tools/gpu/stencil). */
void gpu_profile_init(GpuProfile *self,
                      const GpuStencil *stencil,
                      const GpuImplementation *program,
                      const GpuStencilModel *model,
                      uint64_t size);
