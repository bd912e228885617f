/* Joules of designs, and what is least in energy or in the product of energy and time:
 * the codesign of appendix C with the energy of appendix B of the thesis "Analytical
 * Cost Metrics: Days of Future Past", which names the product (2.3.3) and does not work
 * it out. Of Jacobi 2D, the one stencil that both model. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/model/codesign/codesign.h"
#include "arch/model/energy/energy.h"

/* What things cost on a GPU that was measured, which need not be the one that designs
 * vary. Nobody has measured designs. */
typedef struct {
    GpuEnergyCosts costs;
    double static_mm2; /* the area whose P_stat it is: designs have it by theirs; 0: all
                        * have the same */
} GpuCodesignPrices;

/* Over all sizes of problems. */
typedef struct {
    double seconds;
    double static_joules;
    double joules;
    double product; /* J s */
} GpuCodesignEnergy;

/* Is the energy of a code modelled? */
bool gpu_codesign_has_energy(const GpuCodesign *self, guint code);

/* Of such a code, with the tiles that are fastest on the design; infinite where a
 * problem has none that fits. */
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

/* Which design in a range has least, the smallest of equal ones; -1 where none runs. */
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

/* Of that stencil, which there must be. */
GpuCodesignLeast gpu_codesign_find_least(const GpuCodesign *self,
                                         const GpuAreaRange *range,
                                         const GpuCodesignPrices *prices,
                                         GpuCodesignGoal goal);
