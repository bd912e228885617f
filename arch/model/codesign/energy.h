/* Joules of designs, and the designs with the least energy or energy-delay product: the
 * codesign of appendix C with the energy of appendix B of the thesis "Analytical Cost
 * Metrics: Days of Future Past", which names the product (2.3.3) and does not work it
 * out. Of Jacobi 2D, the one stencil that both model. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/model/codesign/codesign.h"
#include "arch/model/energy/energy.h"

/* Prices on a GPU that was measured, which need not be the GPU that designs vary.
 * Nobody has measured designs. */
typedef struct {
    GpuEnergyCosts costs;
    double static_mm2; /* area of that GPU: P_stat of a design scales with its area; 0:
                        * the same for all */
} GpuCodesignPrices;

/* Over all sizes of problems. */
typedef struct {
    double seconds;
    double static_joules;
    double joules;
    double product; /* J s */
} GpuCodesignEnergy;

/* Whether the energy of a code is modelled. */
bool gpu_codesign_has_energy(const GpuCodesign *self, guint code);

/* The energy of such a code with the tiles that are fastest on the design; infinite if
 * no tile fits for some problem. */
void gpu_codesign_energy(const GpuCodesign *self,
                         guint design,
                         guint code,
                         const GpuCodesignPrices *prices,
                         GpuCodesignEnergy *energy);

typedef enum {
    GPU_CODESIGN_LEAST_SECONDS,
    GPU_CODESIGN_LEAST_JOULES,
    GPU_CODESIGN_LEAST_PRODUCT,
    GPU_CODESIGN_GOALS,
} GpuCodesignGoal;

/* The design in a range with the least, the smallest among equals; -1 if none runs. */
int gpu_codesign_least(const GpuCodesign *self,
                       const GpuAreaRange *range,
                       guint code,
                       const GpuCodesignPrices *prices,
                       GpuCodesignGoal goal);

/* least_joules, for programs, and energy, for people. */
const char *gpu_codesign_goal_name(GpuCodesignGoal goal);
const char *gpu_codesign_goal_title(GpuCodesignGoal goal);

/* The number of the stencil whose energy is known, or -1. */
int gpu_codesign_energy_code(const GpuCodesign *self);

/* A design that has least of something. */
typedef struct {
    int design; /* -1: there is none */
    GpuCodesignEnergy energy;
} GpuCodesignLeast;

/* For that stencil, which must exist. */
GpuCodesignLeast gpu_codesign_find_least(const GpuCodesign *self,
                                         const GpuAreaRange *range,
                                         const GpuCodesignPrices *prices,
                                         GpuCodesignGoal goal);
