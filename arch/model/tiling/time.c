/* How long a tiled stencil takes: appendix A, to the letter and corrected. */
#include "arch/model/tiling/tiling.h"

enum {
    BARRIERS = 2, /* of a tile's transfers: one after they came, one before they go */
};

static uint64_t ceiling(uint64_t dividend, uint64_t divisor)
{
    return dividend / divisor + (dividend % divisor != 0 ? 1 : 0);
}

/* Points of a tile beside each other in all dimensions but the first. */
static uint64_t depth(const GpuTile *tile, guint dimension)
{
    uint64_t product = 1;

    for (guint i = 1; i < dimension; i++) {
        product *= tile->space[i];
    }
    return product;
}

/* Rows of a hexagon grow from t_S1 by two up to t_S1 + t_T - 2, and shrink again. */
void gpu_tile_shape(const GpuTile *tile,
                    guint dimension,
                    guint vector_units,
                    GpuTileShape *shape)
{
    const uint64_t deep = depth(tile, dimension);
    const uint64_t first = tile->space[0];
    uint64_t passes = 0;

    for (uint64_t x = first; x < first + tile->steps; x += 2) {
        passes += ceiling(x * deep, vector_units);
    }
    *shape = (GpuTileShape){
        .bytes = gpu_tile_bytes(tile, dimension),
        .moved_words = 2 * deep * (first + 2 * tile->steps),
        .points = deep * (tile->steps / 2) * (2 * first + tile->steps - 2),
        .passes = 2 * passes,
    };
}

static uint64_t pitch(const GpuTile *tile, guint dimension, GpuTilingForm form)
{
    if (form == GPU_TILING_CORRECTED) {
        return 2 * tile->space[0] + tile->steps - 2;
    }
    return dimension == GPU_TILING_DIMENSIONS ? tile->space[0] + tile->steps
                                              : 2 * tile->space[0] + tile->steps;
}

/* Strips are slanted: they begin t_T points before the first. */
static uint64_t
strips(const GpuTilingProblem *problem, const GpuTile *tile, GpuTilingForm form)
{
    uint64_t whole = 1;
    uint64_t points = 1;

    for (guint i = 1; i < problem->dimension; i++) {
        whole *= ceiling(problem->space[i] + tile->steps, tile->space[i]);
        points *= problem->space[i] + tile->steps;
    }
    return form == GPU_TILING_CORRECTED
               ? whole
               : ceiling(points, depth(tile, problem->dimension));
}

/* Of k tiles through all strips, T_tile, T_prism or T_slab: what moves for one hides
 * behind what another computes where there is another. */
static double overlapped(const GpuTilingTime *time,
                         guint dimension,
                         guint resident,
                         GpuTilingForm form)
{
    const double move = time->move_seconds;
    const double compute = time->compute_seconds;
    const double longer = move > compute ? move : compute;
    const double tiles = (double) resident * (double) time->strips;

    if (resident == 1) {
        return (move + compute) * tiles;
    }
    if (form == GPU_TILING_AS_PRINTED && dimension > 1) {
        return move + longer * tiles;
    }
    return move + compute + (tiles - 1) * longer;
}

static double ideal(const GpuTilingProblem *problem, const GpuTilingMachine *machine)
{
    double points = (double) problem->steps;

    for (guint i = 0; i < problem->dimension; i++) {
        points *= (double) problem->space[i];
    }
    return points * problem->point_seconds /
           ((double) machine->multiprocessors * machine->vector_units);
}

void gpu_tiling_time_of(const GpuTilingProblem *problem,
                        const GpuTile *tile,
                        const GpuTileShape *shape,
                        const GpuTilingMachine *machine,
                        GpuTilingForm form,
                        GpuTilingTime *time)
{
    const double word_seconds =
        machine->word_seconds *
        (form == GPU_TILING_CORRECTED ? machine->multiprocessors : 1);

    *time = (GpuTilingTime){
        .wavefronts = 2 * ceiling(problem->steps, tile->steps),
        .pitch = pitch(tile, problem->dimension, form),
        .strips = strips(problem, tile, form),
        .moved_words = shape->moved_words,
        .tile_bytes = shape->bytes,
        .points = shape->points,
        .passes = shape->passes,
        .move_seconds = (double) shape->moved_words * word_seconds +
                        BARRIERS * machine->barrier_seconds,
        .compute_seconds = (double) shape->passes * problem->point_seconds +
                           (double) tile->steps * machine->barrier_seconds,
        .ideal_seconds = ideal(problem, machine),
    };
    time->tiles = ceiling(problem->space[0], time->pitch);
    time->rounds =
        ceiling(ceiling(time->tiles, tile->resident), machine->multiprocessors);
    time->tile_seconds = overlapped(time, problem->dimension, tile->resident, form);
    time->seconds =
        (double) time->wavefronts *
        (machine->launch_seconds + (double) time->rounds * time->tile_seconds);
}

void gpu_tiling_time(const GpuTilingProblem *problem,
                     const GpuTile *tile,
                     const GpuTilingMachine *machine,
                     GpuTilingForm form,
                     GpuTilingTime *time)
{
    GpuTileShape shape;

    gpu_tile_shape(tile, problem->dimension, machine->vector_units, &shape);
    gpu_tiling_time_of(problem, tile, &shape, machine, form, time);
}
