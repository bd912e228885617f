/* Compiles kernels with clang and lld. What was compiled once is kept, also for later
 * runs, in the user's cache folder. */
#pragma once

#include <glib.h>

#include "arch/tensix_riscv.h"
#include "workloads/metal/image.h"
#include "workloads/metal/order.h"

typedef struct MetalCompiler MetalCompiler;

/* Kernels may include from further folders (`includes`, NULL: none), and from where
 * TT_METAL_HOME has what we have not. Fails with WL_ERROR_SYNTAX if clang, lld, C++
 * headers or ours are not there. */
MetalCompiler *metal_compiler_new(char *const *includes, GError **error);
void metal_compiler_free(MetalCompiler *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MetalCompiler, metal_compiler_free)

/* The kernel for one RISC-V, with the text of its generated header; borrowed. Fails
 * with WL_ERROR_SYNTAX and the compiler's words. */
const MetalImage *metal_compiler_do(MetalCompiler *self,
                                    const MetalKernel *kernel,
                                    ArchRiscvIndex index,
                                    const char *generated,
                                    GError **error);
