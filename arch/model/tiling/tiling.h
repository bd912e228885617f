/* How long a tiled stencil takes on a GPU: hexagons in time and the first dimension of
 * space, slanted strips in the others. After appendix A of the thesis "Analytical Cost
 * Metrics: Days of Future Past", whose equations are named. This is a model, not a
 * simulation; schedule/schedule.h has the order of points that it models. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"

enum {
    GPU_TILING_DIMENSIONS = 3, /* of space, at most */
    GPU_TILING_WORD_BYTES = 4,
    GPU_TILING_WARP = 32,      /* the innermost size of a tile is a multiple of it */
    GPU_TILING_MOST = 1 << 30, /* points of a side, or steps, of a problem */
};

/* The machine as the model sees it; n_SM, n_V, M_SM, MTB_SM, L, tau_sync, T_sync. */
typedef struct {
    guint multiprocessors;
    guint vector_units;          /* of a multiprocessor */
    uint64_t shared_bytes;       /* of a multiprocessor */
    uint64_t block_shared_bytes; /* most bytes that a tile may take */
    guint blocks;                /* resident on a multiprocessor, at most */
    double word_seconds;         /* of the memory of the GPU, for all multiprocessors */
    double barrier_seconds;
    double launch_seconds;
} GpuTilingMachine;

/* Fails with ARCH_ERROR_UNDOCUMENTED if the GPU's file has no section tiling. */
bool gpu_tiling_machine(const ArchParams *gpu, GpuTilingMachine *self, GError **error);

/* A stencil that the thesis tiles. */
typedef struct {
    const char *name; /* gradient2d */
    const char *title;
    guint dimension;
    const char *key; /* of C_iter in chip files; NULL if nobody measured it */
} GpuTilingStencil;

/* jacobi1d, jacobi2d, heat2d, laplacian2d, gradient2d, jacobi3d, heat3d, laplacian3d;
 * NULL for an unknown name, and past the last index. */
const GpuTilingStencil *gpu_tiling_stencil_find(const char *name);
const GpuTilingStencil *gpu_tiling_stencil_at(guint index);

/* "jacobi1d, jacobi2d, ...": all, or those whose C_iter is known; of so many
 * dimensions, 0: of any. The caller frees it. */
char *gpu_tiling_stencil_names(bool is_timed, guint dimension);

/* S_i, T and C_iter: seconds that a vector unit takes for a point. Sizes and steps are
 * 1..GPU_TILING_MOST. */
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

/* The thesis's equations, or the same where they hold together. Corrected are
 *   (A.5)  pitch 2 t_S1 + t_T: hexagons that far apart leave out two points of every
 *          row of a pitch, and an optimum uses that. 2 t_S1 + t_T - 2 covers the plane
 *          (B.5 has it so);
 *   (A.23) pitch t_S1 + t_T of three dimensions, half of what it is: as of one and two;
 *   (A.24) one ceiling of a product: strips are whole in each dimension;
 *   (A.9)  L of the whole memory, charged as if each multiprocessor had it for itself:
 *          times n_SM, since all of them move at once;
 *   (A.17, A.30) k > 1 tiles through N strips, m' + k N max(m', c): as (A.13) of k N
 *          tiles, m' + c + (k N - 1) max(m', c). No difference where c is the larger.
 * Both count 2 ceil(T / t_T) wavefronts and ceil(S1 / pitch) tiles: the thesis drops
 * the terms of 0 or 1 of (A.3) and (A.6), too. */
typedef enum {
    GPU_TILING_CORRECTED,
    GPU_TILING_AS_PRINTED, /* every equation to the letter */
} GpuTilingForm;

/* Properties of a tile that depend only on the number of vector units. */
typedef struct {
    uint64_t bytes;       /* M_tile in shared memory */
    uint64_t moved_words; /* m_i + m_o (A.8, A.14, A.25) */
    uint64_t points;      /* V_tile (A.27) */
    uint64_t passes;      /* of all vector units: the sum of (A.10, A.16, A.28) */
} GpuTileShape;

typedef struct {
    uint64_t wavefronts;    /* N_w (A.3) */
    uint64_t pitch;         /* (A.5), of hexagons of one wavefront */
    uint64_t tiles;         /* w, of a wavefront (A.6, A.23) */
    uint64_t rounds;        /* of tiles on a multiprocessor: ceil(ceil(w/k)/n_SM) */
    uint64_t strips;        /* N, N_ss: of a hexagon through other dimensions */
    uint64_t moved_words;   /* m_i + m_o of a tile */
    uint64_t tile_bytes;    /* M_tile in shared memory */
    uint64_t points;        /* V_tile */
    uint64_t passes;        /* of the vector units over a tile */
    double move_seconds;    /* m' of a tile, with its barriers */
    double compute_seconds; /* c */
    double tile_seconds;    /* of k tiles through all strips: T_tile, T_prism, T_slab */
    double seconds;         /* T_alg */
    double ideal_seconds;   /* every vector unit always busy (8.3) */
} GpuTilingTime;

/* 2 (t_S + t_T) words in one dimension, twice the product of t_Si + t_T + 1 in more
 * (A.20, and three dimensions likewise, of which the thesis prints none). UINT64_MAX if
 * it overflows. */
uint64_t gpu_tile_bytes(const GpuTile *tile, guint dimension);

/* Checks the constraints of (A.32). Fails with ARCH_ERROR_INVALID and one line that
 * names the broken constraint: sizes are at least 1, t_T even, the innermost of several
 * dimensions of space a multiple of 32, none larger than the problem (rounded up to
 * such a number), M_tile at most that of a block, k at most the blocks, k M_tile at
 * most the shared memory. */
bool gpu_tile_check(const GpuTile *tile,
                    const GpuTilingProblem *problem,
                    const GpuTilingMachine *machine,
                    GError **error);

/* The largest k that fits; 0 if not even one tile does. */
guint gpu_tile_most_resident(const GpuTile *tile,
                             guint dimension,
                             const GpuTilingMachine *machine);

/* The tile must pass gpu_tile_check(), here and below. */
void gpu_tile_shape(const GpuTile *tile,
                    guint dimension,
                    guint vector_units,
                    GpuTileShape *shape);

void gpu_tiling_time(const GpuTilingProblem *problem,
                     const GpuTile *tile,
                     const GpuTilingMachine *machine,
                     GpuTilingForm form,
                     GpuTilingTime *time);

/* The same with a precomputed shape, for many problems, machines and k: all work that
 * grows with t_T is in the shape. */
void gpu_tiling_time_of(const GpuTilingProblem *problem,
                        const GpuTile *tile,
                        const GpuTileShape *shape,
                        const GpuTilingMachine *machine,
                        GpuTilingForm form,
                        GpuTilingTime *time);
