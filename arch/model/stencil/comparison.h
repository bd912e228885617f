/* All programs' models of one stencil on a GPU, and two of them compared: one on CUDA
 * cores with one on tensor cores. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/stencil/mma.h"
#include "arch/model/stencil/profile.h"
#include "arch/model/stencil/stencil.h"

enum {
    GPU_COMPARISON_PROGRAMS = 10, /* implementations there are */
};

typedef struct {
    const GpuStencilSetting *setting;
    const GpuImplementation *programs; /* GPU_COMPARISON_PROGRAMS of them; borrowed */
    guint baseline;                    /* on CUDA cores */
    guint with;                        /* on tensor cores */
    uint64_t size;                     /* points along a side of the grid */
} GpuComparisonSetting;

/* The work of a program on tensor cores in whole instructions, including padding that
 * the model does not count. */
typedef struct {
    const GpuMma
        *shape;     /* NULL: the program uses none, or its matrices are too large */
    GpuMmaUse use;  /* use.flops is C with padding */
    double updates; /* per second, at that C */
} GpuPadding;

/* A program and its model, at fusion depth 1 where it cannot fuse. */
typedef struct {
    const GpuImplementation *program;
    GpuStencilModel model;
    char *why;               /* why there is no model of it; NULL if there is one */
    guint fusion;            /* that of the model */
    guint best_fusion;       /* of those inside the grid; 0: none */
    guint transition_fusion; /* the first that is compute bound; 0: none */
    GpuPadding padding;      /* set by gpu_comparison_pad() */
    GpuProfile profile;      /* flops is 0 where its geometry is not known */
} GpuComparisonRow;

typedef struct {
    GpuStencil stencil;
    GpuComparisonRow rows[GPU_COMPARISON_PROGRAMS];
    guint baseline; /* of the rows */
    guint with;
    guint scenario;
    bool is_sweet;
    double limit;
    double speedup;
    double expected_speedup; /* with the efficiencies */
} GpuComparison;

/* Fails like gpu_stencil_model() for the two programs that are compared. */
bool gpu_comparison_init(GpuComparison *self,
                         const GpuStencil *stencil,
                         const GpuComparisonSetting *setting,
                         GError **error);

/* A GDestroyNotify. */
void gpu_comparison_clear(gpointer data);

/* Computes the padding of all matrices in instructions of a shape, or of the usual
 * shape if `shape` is NULL or not available to a program. */
void gpu_comparison_pad(GpuComparison *self,
                        const GpuStencilSetting *setting,
                        const char *shape);

/* The rows that are compared. */
const GpuComparisonRow *gpu_comparison_baseline(const GpuComparison *self);
const GpuComparisonRow *gpu_comparison_with(const GpuComparison *self);

/* "up", "down", or "equal": within 2 %. */
const char *gpu_comparison_direction(const GpuComparison *self);

/* Who wins, and why. */
const char *gpu_comparison_verdict(const GpuComparison *self);

/* "memory" or "compute". */
const char *gpu_stencil_bound(const GpuStencilModel *model);

/* The quantity that a sweep varies. */
typedef enum {
    GPU_SWEEP_NONE,
    GPU_SWEEP_FUSION,
    GPU_SWEEP_RADIUS,
} GpuSweep;

/* The value of that quantity in a comparison. */
guint gpu_comparison_swept(const GpuComparison *self, GpuSweep sweep);

/* An array of GpuComparison, one for each value; fails as gpu_comparison_init(). The
 * caller unrefs it. */
GArray *gpu_comparisons(const GpuStencil *stencil,
                        const GpuComparisonSetting *setting,
                        GpuSweep sweep,
                        guint from,
                        guint to,
                        GError **error);

/* The first value at which the program is compute bound; 0: none. */
guint gpu_comparisons_transition(const GArray *self, GpuSweep sweep, guint program);
