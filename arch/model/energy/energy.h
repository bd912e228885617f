/* The joules of a tiled program on a GPU: words moved, operations done, and seconds
 * elapsed, each at its price. After appendix B of the thesis "Analytical Cost Metrics:
 * Days of Future Past", whose equations are named. This is a model, not a simulation,
 * and linear in its prices: regression.h finds them from runs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"

enum {
    GPU_ENERGY_DIMENSIONS = 2, /* of space, at most */
    GPU_ENERGY_WORD_BYTES = 4,
    /* Shared memory that a block may have on the GPUs of the thesis (A.32). */
    GPU_ENERGY_BLOCK_BYTES = 49152,
    /* Most points along a side, and most steps; their products stay far below the limit
     * of a double. */
    GPU_ENERGY_MOST = 1 << 30,
};

/* Terms of the energy: seconds at P_stat, words between global and shared memory
 * (e_gs), words between shared memory and registers (e_sr), and four kinds of
 * operations. */
typedef enum {
    GPU_ENERGY_STATIC,
    GPU_ENERGY_GLOBAL,
    GPU_ENERGY_SHARED,
    GPU_ENERGY_ADD,
    GPU_ENERGY_MULTIPLY,
    GPU_ENERGY_INTEGER_ADD,
    GPU_ENERGY_INTEGER_MAX,
    GPU_ENERGY_TERMS,
} GpuEnergyTerm;

const char *gpu_energy_term_name(GpuEnergyTerm term);   /* global */
const char *gpu_energy_term_symbol(GpuEnergyTerm term); /* e_gs */
const char *gpu_energy_term_unit(GpuEnergyTerm term);   /* J/word */

/* The price of each term, and the amount of each in a run. */
typedef struct {
    double of[GPU_ENERGY_TERMS];
} GpuEnergyCosts;

typedef struct {
    double of[GPU_ENERGY_TERMS];
} GpuEnergyUse;

double gpu_energy_of(const GpuEnergyUse *use, const GpuEnergyCosts *costs);

/* The method that found the prices in a chip file. */
typedef enum {
    GPU_ENERGY_MICROBENCHMARK, /* model A of Table B.2 */
    GPU_ENERGY_REGRESSION,     /* model B */
    GPU_ENERGY_SETS,
} GpuEnergySet;

const char *gpu_energy_set_name(GpuEnergySet set);

/* Fails with ARCH_ERROR_UNDOCUMENTED if the chip file has no such section. */
bool gpu_energy_costs(const ArchParams *chip,
                      GpuEnergySet set,
                      GpuEnergyCosts *costs,
                      GError **error);

/* sw, j1d, j2d. */
typedef struct {
    const char *name;
    const char *title;
    guint dimension;
    bool has_subtiles; /* s_S counts */
} GpuEnergyProgram;

/* NULL for an unknown name, and past the last index. */
const GpuEnergyProgram *gpu_energy_program_find(const char *name);
const GpuEnergyProgram *gpu_energy_program_at(guint index);

/* S_i and T. Time is the second sequence in Smith-Waterman. */
typedef struct {
    const GpuEnergyProgram *program;
    uint64_t space[GPU_ENERGY_DIMENSIONS];
    uint64_t steps;
} GpuEnergyProblem;

/* t_Si, t_T, and s_S, the side of the subtiles of one thread. */
typedef struct {
    uint64_t space[GPU_ENERGY_DIMENSIONS];
    uint64_t steps;
    uint64_t subtile;
} GpuEnergyTile;

/* Shared memory of a tile. Appendix B prints none: J2D as (A.20), J1D 2 (t_S + t_T)
 * words as the hexagons of appendix A, SW what it moves, 4.25 (t_S + t_T). */
double gpu_energy_tile_bytes(const GpuEnergyProgram *program,
                             const GpuEnergyTile *tile);

/* Fails with ARCH_ERROR_INVALID, one line that says which constraint is broken: a tile
 * is at least 1 point and 1 step and not larger than the problem, t_T of J2D even, t_S2
 * a multiple of 32, s_S a divisor of t_S, and the shared memory enough. */
bool gpu_energy_tile_check(const GpuEnergyTile *tile,
                           const GpuEnergyProblem *problem,
                           double block_bytes,
                           GError **error);

typedef struct {
    double words;  /* M_io of a tile */
    double points; /* V_tile */
    double tiles;  /* N_tiles; formulas do not round it */
    double global; /* joules of a tile */
    double shared;
    double arithmetic;
    double tile_joules;    /* E_tile (B.2) */
    double dynamic_joules; /* of all tiles */
    double static_joules;  /* P_stat T_alg; NaN where the seconds are */
    double joules;         /* E_alg; likewise */
} GpuEnergy;

/* The tile must pass gpu_energy_tile_check(). `seconds` is T_alg, which the thesis
 * measures and does not model; NaN if unknown. */
void gpu_energy_model(const GpuEnergyProblem *problem,
                      const GpuEnergyTile *tile,
                      const GpuEnergyCosts *costs,
                      double seconds,
                      GpuEnergy *energy);

enum {
    GPU_ENERGY_PARTS = 4,
};

/* A part of the energy, in joules: of a tile, and of all. */
typedef struct {
    const char *name; /* global, shared, arithmetic, static */
    double tile;
    double all;
} GpuEnergyPart;

void gpu_energy_parts(const GpuEnergy *energy, GpuEnergyPart parts[GPU_ENERGY_PARTS]);

/* The amounts of all tiles, and the seconds, which must not be NaN. */
GpuEnergyUse gpu_energy_use(const GpuEnergyProblem *problem,
                            const GpuEnergyTile *tile,
                            double seconds);

/* The price of one operation from a benchmark that does little else (B.7.1):
 * e_j = (E_alg - P_stat T_alg) / op_j. */
double gpu_energy_price(double joules, double watts, double seconds, double operations);
