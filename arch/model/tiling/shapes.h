/* How long a stencil takes in tiles of other shapes than hexagons, on the same machine
 * and with the same terms as (A.18): what tiles move and compute, at the same prices,
 * in as many wavefronts and rounds as the shape's own schedule has
 * (schedule/schedule.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/schedule/schedule.h"
#include "arch/model/tiling/tiling.h"

/* Hexagons, diamonds, parallelograms and tiles of one step as GpuScheduleShape has
 * them; and 3.5D blocking, which streams through the first dimension and computes the
 * rim of its blocks again in every block, so that blocks of all steps of a tile want
 * nothing of each other. */
typedef enum {
    GPU_SHAPE_HYBRID,
    GPU_SHAPE_DIAMOND, /* t_S1 is 1 */
    GPU_SHAPE_SKEWED,
    GPU_SHAPE_HALO, /* t_T is 1 */
    GPU_SHAPE_STREAMED,
    GPU_SHAPES,
} GpuShape;

const char *gpu_shape_time_name(GpuShape shape); /* hybrid, ..., 3.5d */

typedef struct {
    GpuTile tile;         /* as the shape takes it, with its k */
    uint64_t bytes;       /* of shared memory, of a tile */
    uint64_t wavefronts;  /* kernel calls */
    uint64_t rounds;      /* of tiles on a multiprocessor, over all wavefronts */
    uint64_t strips;      /* of a tile through the other dimensions */
    uint64_t points;      /* that a tile computes in a strip */
    uint64_t passes;      /* of all vector units over them */
    uint64_t moved_words; /* of a tile in a strip */
    double redundancy;    /* points computed, of those there are */
    double words;         /* moved in all */
    double seconds;
} GpuShapeTime;

/* t_S1 counts for diamonds as 1, and t_T for tiles of one step; k is as many tiles as
 * fit. Fails with ARCH_ERROR_INVALID if not even one fits, a size is 0, t_T is odd
 * where it may not be, the shape is not for the dimension (3.5d is for two and three),
 * or its schedule is too long to be gone through. */
bool gpu_shape_time(GpuShape shape,
                    const GpuTilingProblem *problem,
                    const GpuTile *tile,
                    const GpuTilingMachine *machine,
                    GpuShapeTime *time,
                    GError **error);
