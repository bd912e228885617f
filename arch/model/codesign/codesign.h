/* The best GPU for stencils in an area: searches all designs that fit, and the best
 * tiles for each. After appendix C of the thesis "Analytical Cost Metrics: Days of
 * Future Past", whose equations are named; times are those of tiling/tiling.h, areas
 * those of area/gpu_area.h. A model: nothing is simulated. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/area/gpu_area.h"
#include "arch/model/tiling/tiling.h"

/* A GPU without caches that nobody has built. */
typedef struct {
    guint multiprocessors;  /* n_SM: even, 2 to 32 */
    guint vector_units;     /* n_V: multiples of 32, 32 to 2048 */
    guint shared_kilobytes; /* M_SM: 12, 24, 36, multiples of 48 to 480 */
    double mm2;
} GpuDesign;

/* "32 x 128, 24 kB"; the caller frees it. */
char *gpu_design_text(const GpuDesign *design);

typedef struct {
    double low;
    double high;
} GpuAreaRange;

/* Memory bandwidth of a design. The thesis charges each multiprocessor as if it had all
 * of it; GPU_TILING_AS_PRINTED does so regardless of this choice. */
typedef enum {
    GPU_BANDWIDTH_SCALED, /* the GPU's bandwidth per multiprocessor, since the area of
                           * multiprocessors includes controllers */
    GPU_BANDWIDTH_FIXED,  /* the GPU's bandwidth, shared by all */
} GpuBandwidth;

/* The shared memory that a tile may take (C.10); the thesis does not say. */
typedef enum {
    GPU_BLOCK_FIXED, /* as much as on the GPU, or all if that is less (A.32) */
    GPU_BLOCK_HALF,  /* half of it, which is the same on existing GPUs (8.1.3) */
} GpuBlock;

typedef struct {
    GpuTilingMachine gpu; /* the GPU that designs vary */
    GpuTilingForm form;
    GpuBandwidth bandwidth;
    GpuBlock block;
} GpuCodesignRules;

/* One line for people; the caller frees it. */
char *gpu_codesign_rules_text(const GpuCodesignRules *self);

/* A stencil on problems of several sizes. */
typedef struct {
    const GpuTilingStencil *stencil;
    double point_seconds; /* C_iter */
    double weight;        /* fr(c) of (C.18); all sizes are equally frequent */
} GpuCodesignCode;

enum {
    GPU_CODESIGN_SIZES = 16, /* of a class, at most */
};

/* S and T, of a square or a cube. */
typedef struct {
    guint count;
    struct {
        uint64_t space;
        uint64_t steps;
    } at[GPU_CODESIGN_SIZES];
} GpuCodesignSizes;

/* All designs in a range, by area, then by their parts; the caller frees the array of
 * GpuDesign. Registers are those of `gpu`. */
GArray *gpu_designs(const GpuAreaCosts *costs,
                    const GpuAreaDesign *gpu,
                    const GpuAreaRange *range);

/* The parts of a design; without caches. */
void gpu_design_area(const GpuDesign *design,
                     const GpuAreaCosts *costs,
                     const GpuAreaDesign *gpu,
                     GpuArea *area);

/* The machine that a design is. */
void gpu_design_machine(const GpuDesign *design,
                        const GpuCodesignRules *rules,
                        GpuTilingMachine *machine);

/* The next larger M_SM; 0 after the largest. */
guint gpu_design_next_shared(guint kilobytes);

/* Sizes of 2D or 3D problems with T <= S: the 16 of C.3.1 (12228, probably a slip, is
 * 12288 unless `is_printed`), and the 12 of A.5, since C.3.1 has none of 3D. */
void gpu_codesign_sizes(guint dimension, bool is_printed, GpuCodesignSizes *sizes);

/* Best tiles: for each design, each code and each size. */
typedef struct GpuCodesign GpuCodesign;

/* Everything is copied. */
typedef struct {
    GpuCodesignRules rules;
    const GArray *designs; /* of GpuDesign */
    const GpuCodesignCode *codes;
    guint code_count;
    GpuCodesignSizes sizes; /* of codes, which must have the same dimension */
} GpuCodesignPlan;

typedef void (*GpuCodesignStep)(gpointer data, guint done, guint count);

/* Searches (C.19). `step` is called now and then; it may be NULL. */
GpuCodesign *
gpu_codesign_new(const GpuCodesignPlan *plan, GpuCodesignStep step, gpointer data);
void gpu_codesign_free(GpuCodesign *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GpuCodesign, gpu_codesign_free)

const GpuCodesignPlan *gpu_codesign_plan(const GpuCodesign *self);
const GpuDesign *gpu_codesign_design(const GpuCodesign *self, guint design);

/* T_alg of the best tile; infinite if none fits. */
double
gpu_codesign_seconds(const GpuCodesign *self, guint design, guint code, guint size);
/* The best tile itself. */
const GpuTile *
gpu_codesign_tile(const GpuCodesign *self, guint design, guint code, guint size);

/* Points per second of a design over all codes, or over one of them: all points over
 * all seconds, with weights, so that the highest rate minimises (C.18). 0 if no tile
 * fits for some problem. */
double gpu_codesign_rate(const GpuCodesign *self, guint design);
double gpu_codesign_code_rate(const GpuCodesign *self, guint design, guint code);

/* The best of all codes, or of `code`. */
enum {
    GPU_CODESIGN_ALL = -1,
};

/* The front: designs for which no design of at most their area is faster, sorted by
 * area. The caller frees the array of guint. */
GArray *gpu_codesign_front(const GpuCodesign *self);

/* The fastest design in a range, the smallest among equals; -1 if there is none. */
int gpu_codesign_best(const GpuCodesign *self, const GpuAreaRange *range, int code);
