/* gridloom model codesign: the best GPU for stencils in an area, and why. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"
#include "arch/model/codesign/bottleneck.h"
#include "arch/model/codesign/codesign.h"
#include "arch/model/codesign/energy.h"
#include "tools/gridloom/model/output.h"

enum {
    MODEL_CODESIGN_CODES = 8, /* at most */
    MODEL_CODESIGN_GPUS = 2,  /* that designs are compared with */
    MODEL_CODESIGN_CLASSES = 2,
    MODEL_CODESIGN_KILOBYTES = 16, /* sizes of shared memory, at most */
};

/* What is asked for. */
typedef struct {
    ModelOutput output;
    ArchParams *gpu;
    GpuAreaCosts costs;
    GpuAreaDesign built;
    GpuCodesignRules rules;
    GpuCodesignCode codes[MODEL_CODESIGN_CODES];
    double flops[MODEL_CODESIGN_CODES]; /* of a point; 0: nobody has said */
    guint code_count;
    GpuCodesignSizes sizes; /* count 0: those of the thesis */
    GpuAreaRange area;
    GpuAreaRange at;
    bool is_shares; /* draw Figure C.4, not C.3 */
    bool has_energy;
    GpuCodesignPrices prices; /* where it has */
} ModelCodesignOptions;

/* Takes ModelCodesignOptions. */
int model_codesign_run(gpointer options);

/* The assumptions, in a line for people; the caller frees it. */
char *model_codesign_rules_text(const ModelCodesignOptions *self);

/* What the thesis prints of a stencil: Table C.2. */
typedef struct {
    const char *name;
    GpuDesign design;
    double gflops;
} ModelCodesignRow;

/* NULL where it prints nothing. */
const ModelCodesignRow *model_codesign_printed(const char *stencil);

/* A GPU that was built, and the best design of its area. */
typedef struct {
    const char *name; /* gtx980_without_caches */
    const char *title;
    double mm2;
    double rate;    /* of the GPU, points per second */
    int design;     /* -1: no design that small was asked for */
    double percent; /* more than the GPU; NaN */
    double printed; /* the same in the thesis (C.4.1) */
} ModelCodesignGain;

/* Of one size of shared memory, the best design of the range at which one looks. */
typedef struct {
    guint kilobytes;
    int design;
    double part; /* of the best rate */
} ModelCodesignShared;

/* Least, middle and most of the front: parts of the area. */
typedef struct {
    double low;
    double middle;
    double high;
} ModelCodesignShare;

/* 2D or 3D stencils. */
typedef struct {
    guint dimension;
    const char *name;  /* class_2d */
    const char *title; /* 2D */
    GpuCodesign *sweep;
    double *rates; /* of each design */
    GArray *front;
    int best; /* in the range at which one looks */
    int code_bests[MODEL_CODESIGN_CODES];
    guint first_code; /* of those of the options */
    ModelCodesignGain gains[2 * MODEL_CODESIGN_GPUS];
    ModelCodesignShared shared[MODEL_CODESIGN_KILOBYTES];
    guint shared_count;
    ModelCodesignShare vector_share; /* with registers */
    ModelCodesignShare shared_share;
    GpuBottleneck bottleneck;
    double more_mm2;  /* what a step more of area is */
    double area_gain; /* of it; NaN where that is beyond what was asked for */
} ModelCodesignClass;

typedef struct {
    const ModelCodesignOptions *options;
    GArray *designs;
    guint from_48_kilobytes;
    ModelCodesignClass classes[MODEL_CODESIGN_CLASSES];
    guint class_count;
} ModelCodesign;

void model_codesign_clear(ModelCodesign *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ModelCodesign, model_codesign_clear)

/* Sweeps. Fails where no design fits, saying what the smallest is. */
bool model_codesign_init(ModelCodesign *self,
                         const ModelCodesignOptions *options,
                         GError **error);

/* "32 x 128, 24 kB"; the caller frees it. */
char *model_codesign_design_text(const GpuDesign *design);

/* Parts of the area of a design, in per cent: vector units with their registers, and
 * shared memory. */
void model_codesign_shares(const ModelCodesign *self,
                           const GpuDesign *design,
                           double *vector_units,
                           double *shared);

/* Points per second of a stencil, by its number in the class, on a design; NaN where it
 * is none of those that were searched. */
double model_codesign_rate_of(const ModelCodesign *self,
                              const ModelCodesignClass *class,
                              const GpuDesign *design,
                              guint code);

/* For ModelPage; all take a ModelCodesign. */
JsonObject *model_codesign_parameters(gconstpointer study);
JsonObject *model_codesign_metrics(gconstpointer study);
char *model_codesign_csv(gconstpointer study);
char *model_codesign_svg(gconstpointer study);
void model_codesign_print(gconstpointer study);
