/* All tiles of a box that keep the constraints. */
#include "arch/model/tiling/search.h"

enum {
    STEPS = 64, /* of the usual box */
    FIRST = 128,
    LAST = 512,
    LINE = 8192, /* more than any shared memory of these GPUs takes */
};

GpuTileBox gpu_tile_box_usual(guint dimension)
{
    GpuTileBox box = {{FIRST, FIRST, FIRST}, STEPS, G_MAXUINT};

    box.space[dimension - 1] = dimension == 1 ? LINE : LAST;
    return box;
}

static guint unit(guint dimension, guint place)
{
    return place > 0 && place == dimension - 1 ? GPU_TILING_WARP : 1;
}

/* The largest that is in the box and, rounded up, in the problem. */
static uint64_t limit(uint64_t box, uint64_t whole, guint step)
{
    return MIN(box, (whole + step - 1) / step * step);
}

typedef struct {
    const GpuTileSpace *space;
    uint64_t limits[GPU_TILING_DIMENSIONS];
    GpuTileVisit visit;
    gpointer data;
} Walk;

static bool visit_tile(const Walk *self, GpuTile *tile)
{
    const GpuTileSpace *space = self->space;
    const guint most =
        gpu_tile_most_resident(tile, space->problem.dimension, &space->machine);
    GpuTileShape shape;

    tile->resident = MIN(most, space->box.resident);
    gpu_tile_shape(tile, space->problem.dimension, space->machine.vector_units, &shape);
    return self->visit(tile, &shape, self->data);
}

/* Does the tile fit when what is not chosen yet is as small as it may be? */
static bool may_fit(const Walk *self, const GpuTile *tile)
{
    return gpu_tile_most_resident(tile, self->space->problem.dimension,
                                  &self->space->machine) > 0;
}

/* False: that is enough. The second bound is for compilers, which do not know how many
 * dimensions there are. */
static bool walk(const Walk *self, GpuTile *tile, guint place)
{
    const guint dimension = self->space->problem.dimension;
    const guint step = unit(dimension, place);

    for (tile->space[place] = step;
         tile->space[place] <= self->limits[place] && may_fit(self, tile);
         tile->space[place] += step) {
        if (!(place + 1 < dimension && place + 1 < GPU_TILING_DIMENSIONS
                  ? walk(self, tile, place + 1)
                  : visit_tile(self, tile))) {
            return false;
        }
    }
    tile->space[place] = step;
    return true;
}

void gpu_tile_visit(const GpuTileSpace *space, GpuTileVisit visit, gpointer data)
{
    const guint dimension = space->problem.dimension;
    const uint64_t steps = limit(space->box.steps, space->problem.steps, 2);
    Walk self = {.space = space, .visit = visit, .data = data};
    GpuTile tile = {.steps = 0};

    for (guint i = 0; i < dimension; i++) {
        tile.space[i] = unit(dimension, i);
        self.limits[i] =
            limit(space->box.space[i], space->problem.space[i], unit(dimension, i));
    }
    tile.steps = 2;
    while (tile.steps <= steps && walk(&self, &tile, 0)) {
        tile.steps += 2;
    }
}
