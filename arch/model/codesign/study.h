/* A study of GPU designs: the best for each stencil, a comparison with real GPUs, how
 * the front divides its area, and what limits the best design. After C.4 of the thesis
 * "Analytical Cost Metrics: Days of Future Past". */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/model/codesign/bottleneck.h"
#include "arch/model/codesign/codesign.h"

enum {
    GPU_CODESIGN_CODES = 8,      /* at most */
    GPU_CODESIGN_BUILT = 2,      /* GPUs that designs are compared with */
    GPU_CODESIGN_KILOBYTES = 16, /* sizes of shared memory, at most */
};

/* The thesis's numbers for a stencil: Table C.2. */
typedef struct {
    const char *name;
    GpuDesign design;
    double gflops;
} GpuCodesignPrinted;

/* NULL if it prints none. */
const GpuCodesignPrinted *gpu_codesign_printed(const char *stencil);

/* A real GPU as a design of the model: the parts of its own file at the prices of the
 * designs, so that areas stay comparable if prices change. */
typedef struct {
    GpuDesign design;
    double without_caches; /* mm2 */
} GpuCodesignBuilt;

/* The names of their chip files. */
extern const char *const gpu_codesign_built_names[GPU_CODESIGN_BUILT];

/* Fails like gpu_area_read(). */
bool gpu_codesign_built_read(GpuCodesignBuilt *self,
                             const ArchParams *gpu,
                             const GpuAreaCosts *costs,
                             GError **error);

/* The question that a study answers. */
typedef struct {
    const GpuAreaCosts *costs;
    const GpuAreaDesign *gpu; /* the GPU whose registers designs have */
    GpuCodesignRules rules;
    const GpuCodesignCode *codes; /* those of one dimension together */
    guint code_count;
    GpuCodesignSizes sizes; /* count 0: those of the thesis */
    GpuAreaRange area;      /* range to search */
    GpuAreaRange at;        /* part of it in which the best is chosen */
    GArray *designs;        /* of GpuDesign: those in the area */
    GpuCodesignBuilt built[GPU_CODESIGN_BUILT];
} GpuCodesignQuestion;

/* Shares of a design's area in percent: vector units with their registers, and shared
 * memory. */
void gpu_codesign_shares(const GpuCodesignQuestion *self,
                         const GpuDesign *design,
                         double *vector_units,
                         double *shared);

/* A real GPU, and the best design of its area. */
typedef struct {
    const char *name; /* gtx980_without_caches */
    const char *title;
    double mm2;
    double rate;    /* of the GPU, points per second */
    int design;     /* -1: no design that small was asked for */
    double percent; /* more than the GPU; NaN */
    double printed; /* the same in the thesis (C.4.1) */
} GpuCodesignGain;

/* The best design of the range with one size of shared memory. */
typedef struct {
    guint kilobytes;
    int design;
    double part; /* of the best rate */
} GpuCodesignShared;

/* Least, middle and most of the front: parts of the area. */
typedef struct {
    double low;
    double middle;
    double high;
} GpuCodesignShare;

/* 2D or 3D stencils. */
typedef struct {
    guint dimension;
    const char *name;  /* class_2d */
    const char *title; /* 2D */
    GpuCodesign *sweep;
    double *rates; /* of each design */
    GArray *front;
    int best; /* in the range `at`; -1 if no design there runs anything: the fields
               * below are then unset */
    int code_bests[GPU_CODESIGN_CODES];
    guint first_code; /* of those of the question */
    GpuCodesignGain gains[2 * GPU_CODESIGN_BUILT];
    GpuCodesignShared shared[GPU_CODESIGN_KILOBYTES];
    guint shared_count;
    GpuCodesignShare vector_share; /* with registers */
    GpuCodesignShare shared_share;
    GpuBottleneck bottleneck;
    double more_mm2;  /* a further step of area */
    double area_gain; /* gain from that step; NaN if it exceeds the searched range */
} GpuCodesignClass;

/* Searches the designs for the codes from `first_code` on that have its dimension;
 * `step` as of gpu_codesign_new(). */
void gpu_codesign_class_init(GpuCodesignClass *self,
                             const GpuCodesignQuestion *question,
                             guint first_code,
                             GpuCodesignStep step,
                             gpointer data);
void gpu_codesign_class_clear(GpuCodesignClass *self);

/* Points per second on a design of a stencil, by its number in the class; NaN if the
 * design was not searched. */
double gpu_codesign_class_rate(const GpuCodesignClass *self,
                               const GpuDesign *design,
                               guint code);
