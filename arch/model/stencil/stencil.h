/* The enhanced roofline of stencils on GPUs: what an update costs on CUDA cores with
 * temporal fusion and on (sparse) tensor cores with kernel fusion, and which is faster.
 * After Gu et al., "Do We Need Tensor Cores for Stencil Computations?"; the numbers of
 * equations are the paper's. This is a model, not a simulation. */
#pragma once

#include <stdbool.h>

#include "arch/gpu.h"

typedef enum {
    GPU_BOX,
    GPU_STAR,
} GpuStencilShape;

/* "box", "star"; the finder returns false for an unknown name. */
const char *gpu_shape_name(GpuStencilShape shape);
bool gpu_shape_find(const char *name, GpuStencilShape *shape);

enum {
    GPU_STENCIL_DIMENSIONS = 8, /* at most */
    GPU_STENCIL_RADIUS = 1024,
    GPU_STENCIL_FUSION = 1024,
};

/* dimension 1.., radius 1.., fusion 1..: above the limits a model would overflow. */
typedef struct {
    GpuStencilShape shape;
    guint dimension;
    guint radius;
    guint fusion; /* time steps that one pass over memory does */
    GpuType type;
} GpuStencil;

/* "Box-2D1R"; the caller frees it. */
char *gpu_stencil_name(const GpuStencil *self);

/* How the zeros of a transformed matrix come about (eq. 2). */
typedef enum {
    GPU_SCHEME_NONE,      /* CUDA cores: there is no matrix */
    GPU_SCHEME_FLATTEN,   /* ConvStencil: S = 1/2 of a box, less of a star */
    GPU_SCHEME_DECOMPOSE, /* SPIDER: of a box S = (2R+1)/(4R+4), R the fused radius */
    GPU_SCHEME_TILES,     /* TCStencil: lines on tiles of 16 x 16, 16 - 2R of 16 kept */
    GPU_SCHEME_RANKS,     /* LoRAStencil: products of rank 1 on tiles of 8 x 8 */
    GPU_SCHEME_BANDS,     /* tools/gpu/stencil/tensor.cuh: bands of 8 columns */
} GpuScheme;

/* A way to run a stencil: on which unit, transformed how, and how much of the bound a
 * published program of that kind reaches. */
typedef struct {
    const char *name; /* ebisu */
    GpuUnit unit;
    GpuScheme scheme;
    bool is_fused;      /* it can do several steps in one pass */
    bool is_half_only;  /* it has 16-bit numbers and no others */
    double efficiency;  /* 0..; 1 where nothing is known */
    const char *source; /* of the efficiency and of what the program is */
} GpuImplementation;

/* ebisu, drstencil, cudnn, convstencil, spider, spider-dense, tcstencil, lorastencil,
 * and kernels of tools/gpu/stencil: gridloom, gridloom-tensor; NULL for an unknown
 * name, and past the last index. */
const GpuImplementation *gpu_implementation_find(const char *name);
const GpuImplementation *gpu_implementation_at(guint index);

/* K of one step: (2r+1)^d, or 2rd+1. */
double gpu_stencil_points(const GpuStencil *self);

/* K(t) of the kernel that does all steps at once: of a box (2rt+1)^d; of a star the
 * points that its repeated convolution with itself reaches, or, where `is_boxed`, all
 * of that one's bounding box. */
double gpu_stencil_fused_points(const GpuStencil *self, bool is_boxed);

/* alpha = K(t) / (t K), eq. 9. */
double gpu_stencil_redundancy(const GpuStencil *self, bool is_boxed);

/* S: what gpu_transform_flatten() and gpu_transform_decompose() have of entries that
 * are not 0, counted without making the matrices; 1 for GPU_SCHEME_NONE. 0 where the
 * scheme's tiles are too small for the fused radius. */
double gpu_stencil_sparsity(const GpuStencil *self, GpuScheme scheme, bool is_boxed);

typedef struct {
    double flops;          /* C: of an output point of all fused steps, zeros and all */
    double bytes;          /* M */
    double intensity;      /* I = C / M */
    double redundancy;     /* alpha; 1 on CUDA cores */
    double sparsity;       /* S; 1 on CUDA cores */
    double peak;           /* P of the unit, FLOP per second */
    double ridge;          /* P / B */
    bool is_compute_bound; /* I is above the ridge */
    double raw_rate;       /* min(P, B I), FLOP per second, useless ones too */
    double rate;           /* the useful ones: raw S / alpha (eq. 12) */
    double updates;        /* points times steps per second: rate / 2K */
    double expected_updates; /* times the efficiency */
} GpuStencilModel;

/* Settings of the model beside the stencil. */
typedef struct {
    const ArchParams *gpu;
    double clock_hz;  /* of profiling: lowers peaks, not the bandwidth; 0: boost, which
                       * is the most */
    double sparsity;  /* instead of the scheme's; 0: the scheme's */
    double bandwidth; /* instead of the file's; 0: the file's */
    bool is_boxed;    /* stars are fused as boxes */
} GpuStencilSetting;

/* Fails with ARCH_ERROR_UNDOCUMENTED where the GPU's unit does not have the format, or
 * the implementation cannot fuse and is asked to, and with ARCH_ERROR_INVALID where the
 * stencil or the setting is out of range. */
bool gpu_stencil_model(const GpuStencil *self,
                       const GpuImplementation *implementation,
                       const GpuStencilSetting *setting,
                       GpuStencilModel *model,
                       GError **error);

/* Among fusion depths 1..most, regardless of the stencil's own: the first at which it
 * is compute bound, and the one with the most updates (the first among equals). 0 if
 * there is none: it stays memory bound, or there is no model of it. */
guint gpu_stencil_transition(const GpuStencil *self,
                             const GpuImplementation *implementation,
                             const GpuStencilSetting *setting,
                             guint most);
guint gpu_stencil_best_fusion(const GpuStencil *self,
                              const GpuImplementation *implementation,
                              const GpuStencilSetting *setting,
                              guint most);

/* Memory or compute bound on CUDA cores, then on tensor cores: memory, memory is 1;
 * memory, compute 2; compute, memory 3; compute, compute 4. */
guint gpu_stencil_scenario(const GpuStencilModel *cuda, const GpuStencilModel *tensor);

/* rate of one over the rate of the other (eq. 13). */
double gpu_stencil_speedup(const GpuStencilModel *cuda, const GpuStencilModel *tensor);

/* alpha must be below this in scenario 4 (eq. 19): S P_TC / P_CU. */
double gpu_stencil_limit(const GpuStencilModel *cuda, const GpuStencilModel *tensor);

/* Tensor cores win: scenario 3, or 4 with alpha below the limit. */
bool gpu_stencil_is_sweet(const GpuStencilModel *cuda, const GpuStencilModel *tensor);
