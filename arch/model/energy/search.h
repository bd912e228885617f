/* Finds the tile with the least energy (B.7 of the thesis "Analytical Cost Metrics")
 * among all that the constraints allow. If times are known it also finds the fastest
 * tile and the one with the least energy-delay product. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/energy/energy.h"

typedef enum {
    GPU_ENERGY_LEAST_JOULES,
    GPU_ENERGY_LEAST_SECONDS,
    GPU_ENERGY_LEAST_PRODUCT, /* energy-delay product, J s */
    GPU_ENERGY_GOALS,
} GpuEnergyGoal;

const char *gpu_energy_goal_name(GpuEnergyGoal goal); /* energy */

typedef struct {
    GpuEnergyTile tile;
    double seconds; /* NaN: nobody knows */
    GpuEnergy energy;
} GpuEnergyChoice;

/* The quantity that the goal minimises. Without known times, energy is the dynamic
 * energy and the others are NaN. */
double gpu_energy_choice_score(const GpuEnergyChoice *self, GpuEnergyGoal goal);

/* How long the problem takes in such tiles; NaN leaves the tile out. */
typedef double (*GpuEnergySecondsFunc)(const GpuEnergyProblem *problem,
                                       const GpuEnergyTile *tile,
                                       gconstpointer data);

/* A GpuEnergySecondsFunc: T_alg by the model of time, with the best number of tiles on
 * a multiprocessor. NaN if the tile cannot run there, and for programs other than
 * Jacobi 2D. `gpu` is an ArchParams that gpu_tiling_machine() accepts. */
double gpu_energy_seconds(const GpuEnergyProblem *problem,
                          const GpuEnergyTile *tile,
                          gconstpointer gpu);

typedef struct {
    GpuEnergyProblem problem;
    GpuEnergyCosts costs;
    double block_bytes;
    uint64_t subtile;                /* s_S of all tiles */
    double seconds;                  /* of all tiles; NaN: nobody knows */
    GpuEnergySecondsFunc seconds_of; /* NULL: `seconds` */
    gconstpointer data;
} GpuEnergySearch;

typedef struct {
    GpuEnergyChoice best[GPU_ENERGY_GOALS]; /* the first of equals */
    bool has_times;                         /* which differ; else only energy counts */
    uint64_t candidates;
    uint64_t near;    /* those within 10 % of the least energy */
    GArray *by_steps; /* GpuEnergyChoice: the least energy of every t_T, ascending */
} GpuEnergyFound;

void gpu_energy_found_clear(GpuEnergyFound *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GpuEnergyFound, gpu_energy_found_clear)

/* All tiles in order of t_T, t_S1, t_S2: t_T even and t_S1 any for J2D; t_S2 of J2D and
 * t_S of SW and J1D multiples of 32. Fails with ARCH_ERROR_INVALID where none fits. */
bool gpu_energy_search(const GpuEnergySearch *self,
                       GpuEnergyFound *found,
                       GError **error);
