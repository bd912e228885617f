/* Where the time of kernels went, by source line: added up over cores and launches. */
#pragma once

#include <glib.h>

#include "workloads/metal/image.h"
#include "workloads/metal/order.h"
#include "workloads/outcome.h"

typedef struct MetalTimes MetalTimes;

MetalTimes *metal_times_new(void);
void metal_times_free(MetalTimes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MetalTimes, metal_times_free)

/* What a RISC-V of `core` has spent on each line of `image`, ARCH_RISCV_REASONS numbers
 * a line. The image must outlive it. */
void metal_times_add(MetalTimes *self,
                     const MetalKernel *kernel,
                     ArchRiscvIndex riscv,
                     const MetalImage *image,
                     const char *core,
                     const uint64_t *by_line);

/* Adds metrics.kernels and metrics.sources, and a table of the lines that take most. */
void metal_times_report(const MetalTimes *self, WlOutcome *outcome);
