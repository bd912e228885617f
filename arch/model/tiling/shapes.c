/* What tiles of each shape move and compute. */
#include "arch/model/tiling/shapes.h"

#include "arch/error.h"
#include "sim/narrow.h"

enum {
    BARRIERS = 2, /* of a tile's transfers */
    PLANES = 3,   /* of a step that 3.5D blocking keeps */
    MOST_WAVEFRONTS = 1 << 20,
};

const char *gpu_shape_time_name(GpuShape shape)
{
    static const char *const names[GPU_SHAPES] = {"hybrid", "diamond", "skewed", "halo",
                                                  "3.5d"};

    return names[shape];
}

static uint64_t ceiling(uint64_t dividend, uint64_t divisor)
{
    return dividend / divisor + (dividend % divisor != 0 ? 1 : 0);
}

/* Sizes of a tile from one dimension on, each with so many points more, multiplied. */
static uint64_t product(const GpuTile *tile, guint from, guint dimension, uint64_t more)
{
    uint64_t all = 1;

    for (guint i = from; i < dimension; i++) {
        all *= tile->space[i] + more;
    }
    return all;
}

static uint64_t all_points(const GpuTilingProblem *problem)
{
    uint64_t all = problem->steps;

    for (guint i = 0; i < problem->dimension; i++) {
        all *= problem->space[i];
    }
    return all;
}

/* Strips beside each other; slanted ones begin `before` points before the first. */
static uint64_t
strips_of(const GpuTilingProblem *problem, const GpuTile *tile, uint64_t before)
{
    uint64_t all = 1;

    for (guint i = 1; i < problem->dimension; i++) {
        all *= ceiling(problem->space[i] + before, tile->space[i]);
    }
    return all;
}

static void hexagon(GpuShapeTime *self,
                    const GpuTilingProblem *problem,
                    const GpuTilingMachine *machine)
{
    GpuTileShape shape;

    gpu_tile_shape(&self->tile, problem->dimension, machine->vector_units, &shape);
    self->bytes = shape.bytes;
    self->points = shape.points;
    self->passes = shape.passes;
    self->moved_words = shape.moved_words;
    self->strips = strips_of(problem, &self->tile, self->tile.steps);
}

/* All rows are as long; sides are two points of every row, in and out. */
static void parallelogram(GpuShapeTime *self,
                          const GpuTilingProblem *problem,
                          const GpuTilingMachine *machine)
{
    const GpuTile *tile = &self->tile;
    const uint64_t row = product(tile, 0, problem->dimension, 0);
    const uint64_t deep = product(tile, 1, problem->dimension, 0);

    self->bytes = gpu_tile_bytes(tile, problem->dimension);
    self->points = tile->steps * row;
    self->passes = tile->steps * ceiling(row, machine->vector_units);
    self->moved_words = 2 * deep * (tile->space[0] + 2 * tile->steps);
    self->strips = strips_of(problem, tile, tile->steps);
}

/* A rim of one point comes in with each tile of one step. */
static void halo(GpuShapeTime *self,
                 const GpuTilingProblem *problem,
                 const GpuTilingMachine *machine)
{
    const GpuTile *tile = &self->tile;
    const uint64_t inside = product(tile, 0, problem->dimension, 0);
    const uint64_t with_rim = product(tile, 0, problem->dimension, 2);

    self->bytes = GPU_TILING_WORD_BYTES * with_rim;
    self->points = inside;
    self->passes = ceiling(inside, machine->vector_units);
    self->moved_words = with_rim + inside;
    self->strips = strips_of(problem, tile, 0);
}

/* Step t of t_T has a rim of t_T - t points around it. */
static void streamed(GpuShapeTime *self,
                     const GpuTilingProblem *problem,
                     const GpuTilingMachine *machine)
{
    const GpuTile *tile = &self->tile;
    const guint dimension = problem->dimension;

    self->bytes = 0;
    self->points = 0;
    self->passes = 0;
    for (uint64_t rim = 0; rim < tile->steps; rim++) {
        const uint64_t plane = product(tile, 1, dimension, 2 * rim);
        const uint64_t planes = tile->space[0] + 2 * rim;

        self->points += planes * plane;
        self->passes += planes * ceiling(plane, machine->vector_units);
        self->bytes += (uint64_t) PLANES * GPU_TILING_WORD_BYTES *
                       product(tile, 1, dimension, 2 * (rim + 1));
    }
    self->moved_words = (tile->space[0] + 2 * tile->steps) *
                            product(tile, 1, dimension, 2 * tile->steps) +
                        product(tile, 0, dimension, 0);
    self->strips = 1;
}

static bool fit(GpuShapeTime *self, const GpuTilingMachine *machine, GError **error)
{
    if (self->bytes > machine->block_shared_bytes) {
        return arch_refuse(error,
                           "a tile takes %" G_GUINT64_FORMAT
                           " bytes, allowed are %" G_GUINT64_FORMAT
                           " of shared memory for a block of threads",
                           self->bytes, machine->block_shared_bytes);
    }
    self->tile.resident =
        sim_u32(MIN(machine->shared_bytes / MAX(self->bytes, 1), machine->blocks));
    return true;
}

/* Blocks of 3.5D blocking all go at once, for every t_T steps. */
static void count_blocks(GpuShapeTime *self,
                         const GpuTilingProblem *problem,
                         const GpuTilingMachine *machine)
{
    const uint64_t blocks = ceiling(problem->space[0], self->tile.space[0]) *
                            strips_of(problem, &self->tile, 0);

    self->wavefronts = ceiling(problem->steps, self->tile.steps);
    self->rounds = self->wavefronts * ceiling(ceiling(blocks, self->tile.resident),
                                              machine->multiprocessors);
    self->redundancy = (double) self->points * (double) blocks *
                       (double) self->wavefronts / (double) all_points(problem);
    self->words =
        (double) self->moved_words * (double) blocks * (double) self->wavefronts;
}

static bool go_through(GpuShapeTime *self,
                       GpuShape shape,
                       const GpuTilingProblem *problem,
                       const GpuTilingMachine *machine,
                       GError **error)
{
    static const GpuScheduleShape shapes[GPU_SHAPES] = {
        [GPU_SHAPE_HYBRID] = GPU_SCHEDULE_HYBRID,
        [GPU_SHAPE_DIAMOND] = GPU_SCHEDULE_DIAMOND,
        [GPU_SHAPE_SKEWED] = GPU_SCHEDULE_SKEWED,
        [GPU_SHAPE_HALO] = GPU_SCHEDULE_HALO,
    };
    const GpuScheduleSetting setting = {.shape = shapes[shape],
                                        .form = GPU_TILING_CORRECTED};
    g_autoptr(GpuSchedule) schedule =
        gpu_schedule_new(problem, &self->tile, &setting, error);
    double tiles = 0;

    if (schedule == NULL) {
        return false;
    }
    self->wavefronts = gpu_schedule_wavefronts(schedule);
    if (self->wavefronts > MOST_WAVEFRONTS) {
        return arch_refuse(error,
                           "%" G_GUINT64_FORMAT " wavefronts, at most %d are gone "
                           "through",
                           self->wavefronts, MOST_WAVEFRONTS);
    }
    self->rounds =
        gpu_schedule_rounds(schedule, self->tile.resident, machine->multiprocessors);
    for (uint64_t i = 0; i < self->wavefronts; i++) {
        tiles += (double) gpu_schedule_tiles(schedule, i);
    }
    self->redundancy = 1;
    self->words = (double) self->moved_words * (double) self->strips * tiles;
    return true;
}

/* As (A.13): what moves for one tile hides behind what another computes. */
static double all_seconds(const GpuShapeTime *self,
                          GpuShape shape,
                          const GpuTilingProblem *problem,
                          const GpuTilingMachine *machine)
{
    const uint64_t barriers = shape == GPU_SHAPE_STREAMED
                                  ? self->tile.space[0] + 2 * self->tile.steps
                                  : self->tile.steps;
    const double move =
        (double) self->moved_words * machine->word_seconds * machine->multiprocessors +
        BARRIERS * machine->barrier_seconds;
    const double compute = (double) self->passes * problem->point_seconds +
                           (double) barriers * machine->barrier_seconds;
    const double tiles = (double) self->tile.resident * (double) self->strips;
    const double round = self->tile.resident == 1
                             ? (move + compute) * tiles
                             : move + compute + (tiles - 1) * MAX(move, compute);

    return (double) self->wavefronts * machine->launch_seconds +
           (double) self->rounds * round;
}

static bool
check(GpuShape shape, const GpuTilingProblem *problem, GpuTile *tile, GError **error)
{
    for (guint i = 0; i < problem->dimension; i++) {
        if (tile->space[i] == 0 || tile->space[i] > GPU_TILING_MOST) {
            return arch_refuse(error, "t_S%u = %" G_GUINT64_FORMAT ", allowed is 1..%d",
                               i + 1, tile->space[i], GPU_TILING_MOST);
        }
    }
    if (shape == GPU_SHAPE_STREAMED && problem->dimension == 1) {
        return arch_refuse(error, "1 dimension of space, allowed are 2 and 3");
    }
    tile->space[0] = shape == GPU_SHAPE_DIAMOND ? 1 : tile->space[0];
    tile->steps = shape == GPU_SHAPE_HALO ? 1 : tile->steps;
    return (tile->steps > 0 && tile->steps <= problem->steps) ||
           arch_refuse(error,
                       "t_T = %" G_GUINT64_FORMAT ", allowed is 1..%" G_GUINT64_FORMAT,
                       tile->steps, problem->steps);
}

bool gpu_shape_time(GpuShape shape,
                    const GpuTilingProblem *problem,
                    const GpuTile *tile,
                    const GpuTilingMachine *machine,
                    GpuShapeTime *time,
                    GError **error)
{
    static void (*const fill[GPU_SHAPES])(GpuShapeTime *, const GpuTilingProblem *,
                                          const GpuTilingMachine *) = {
        [GPU_SHAPE_HYBRID] = hexagon,       [GPU_SHAPE_DIAMOND] = hexagon,
        [GPU_SHAPE_SKEWED] = parallelogram, [GPU_SHAPE_HALO] = halo,
        [GPU_SHAPE_STREAMED] = streamed,
    };

    *time = (GpuShapeTime){.tile = *tile};
    if (!check(shape, problem, &time->tile, error)) {
        return false;
    }
    fill[shape](time, problem, machine);
    if (!fit(time, machine, error)) {
        return false;
    }
    if (shape == GPU_SHAPE_STREAMED) {
        count_blocks(time, problem, machine);
    } else if (!go_through(time, shape, problem, machine, error)) {
        return false;
    }
    time->seconds = all_seconds(time, shape, problem, machine);
    return true;
}
