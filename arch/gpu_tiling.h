/* How long a tiled stencil takes on a GPU: hexagons in time and the first dimension of
 * space, slanted strips in the others. After appendix A of the thesis "Analytical Cost
 * Metrics: Days of Future Past", whose equations are named. This is a model, not a
 * simulation; gpu_schedule.h has the order of points that it is a model of. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/params.h"

enum {
    GPU_TILING_DIMENSIONS = 3, /* of space, at most */
    GPU_TILING_WORD_BYTES = 4,
};

/* The machine as the model sees it; n_SM, n_V, M_SM, MTB_SM, L, tau_sync, T_sync. */
typedef struct {
    guint multiprocessors;
    guint vector_units;          /* of a multiprocessor */
    uint64_t shared_bytes;       /* of a multiprocessor */
    uint64_t block_shared_bytes; /* that a tile may take at most */
    guint blocks;                /* resident on a multiprocessor, at most */
    double word_seconds;         /* of the memory of the GPU, for all multiprocessors */
    double barrier_seconds;
    double launch_seconds;
} GpuTilingMachine;

/* Fails with ARCH_ERROR_UNDOCUMENTED where the GPU's file has no section tiling. */
bool gpu_tiling_machine(const ArchParams *gpu, GpuTilingMachine *self, GError **error);

/* A stencil that the thesis tiles. */
typedef struct {
    const char *name; /* gradient2d */
    const char *title;
    guint dimension;
    const char *key; /* of C_iter in chip files; NULL where nobody measured it */
} GpuTilingStencil;

/* jacobi1d, jacobi2d, heat2d, laplacian2d, gradient2d, jacobi3d, heat3d, laplacian3d;
 * NULL where there is none, and past the last. */
const GpuTilingStencil *gpu_tiling_stencil_find(const char *name);
const GpuTilingStencil *gpu_tiling_stencil_at(guint index);

/* S_i, T and C_iter: seconds that a vector unit takes for a point. */
typedef struct {
    guint dimension;
    uint64_t space[GPU_TILING_DIMENSIONS];
    uint64_t steps;
    double point_seconds;
} GpuTilingProblem;

/* t_Si, t_T, and k, the tiles that share a multiprocessor. */
typedef struct {
    uint64_t space[GPU_TILING_DIMENSIONS];
    uint64_t steps;
    guint resident;
} GpuTile;

typedef enum {
    GPU_TILING_CORRECTED,  /* pitches that cover the plane, a memory that all share */
    GPU_TILING_AS_PRINTED, /* every equation to the letter */
} GpuTilingForm;

typedef struct {
    uint64_t wavefronts;    /* N_w (A.3) */
    uint64_t pitch;         /* (A.5), of hexagons of one wavefront */
    uint64_t tiles;         /* w, of a wavefront (A.6, A.23) */
    uint64_t rounds;        /* of tiles on a multiprocessor: ceil(ceil(w/k)/n_SM) */
    uint64_t strips;        /* N, N_ss: of a hexagon through other dimensions */
    uint64_t moved_words;   /* m_i + m_o of a tile */
    uint64_t tile_bytes;    /* M_tile in shared memory */
    uint64_t points;        /* V_tile */
    double move_seconds;    /* m' of a tile, with its barriers */
    double compute_seconds; /* c */
    double tile_seconds;    /* of k tiles through all strips: T_tile, T_prism, T_slab */
    double seconds;         /* T_alg */
    double ideal_seconds;   /* every vector unit always busy (8.3) */
} GpuTilingTime;

/* 2 (t_S + t_T) words in one dimension, twice the product of t_Si + t_T + 1 in more. */
uint64_t gpu_tile_bytes(const GpuTile *tile, guint dimension);

/* Is the tile one of those of (A.32)? Fails with ARCH_ERROR_INVALID, one line that says
 * which constraint is broken: sizes are at least 1, t_T even, the innermost of several
 * dimensions of space a multiple of 32, M_tile at most that of a block, k at most the
 * blocks, k M_tile at most the shared memory. */
bool gpu_tile_check(const GpuTile *tile,
                    const GpuTilingProblem *problem,
                    const GpuTilingMachine *machine,
                    GError **error);

/* The k that fits at most; 0: not even one does. */
guint gpu_tile_most_resident(const GpuTile *tile,
                             guint dimension,
                             const GpuTilingMachine *machine);

/* The tile is one that gpu_tile_check() takes. */
void gpu_tiling_time(const GpuTilingProblem *problem,
                     const GpuTile *tile,
                     const GpuTilingMachine *machine,
                     GpuTilingForm form,
                     GpuTilingTime *time);
