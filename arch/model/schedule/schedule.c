/* A schedule: its sizes, and the way through all of its tiles. */
#include "arch/error.h"
#include "arch/model/schedule/shape.h"

static const char *const names[] = {
    [GPU_SCHEDULE_HYBRID] = "hybrid", [GPU_SCHEDULE_DIAMOND] = "diamond",
    [GPU_SCHEDULE_SKEWED] = "skewed", [GPU_SCHEDULE_ORTHOGONAL] = "orthogonal",
    [GPU_SCHEDULE_HALO] = "halo",
};

const char *gpu_schedule_shape_name(GpuScheduleShape shape)
{
    return names[shape];
}

bool gpu_schedule_shape_find(const char *name, GpuScheduleShape *shape)
{
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_str_equal(names[i], name)) {
            *shape = (GpuScheduleShape) i;
            return true;
        }
    }
    return false;
}

static bool check_size(const char *what, uint64_t size, GError **error)
{
    return (size >= 1 && size <= GPU_SCHEDULE_SIZE_MOST) ||
           arch_refuse(error, "%s = %" G_GUINT64_FORMAT ", a schedule takes 1 .. %d",
                       what, size, GPU_SCHEDULE_SIZE_MOST);
}

static bool
check_sizes(const GpuTilingProblem *problem, const GpuTile *tile, GError **error)
{
    if (problem->dimension < 1 || problem->dimension > GPU_TILING_DIMENSIONS) {
        return arch_refuse(error, "%u dimensions of space, a schedule has 1 .. %d",
                           problem->dimension, GPU_TILING_DIMENSIONS);
    }
    for (guint axis = 0; axis < problem->dimension; axis++) {
        if (!check_size("size of space", problem->space[axis], error) ||
            !check_size("size of the tile", tile->space[axis], error)) {
            return false;
        }
    }
    return check_size("steps", problem->steps, error) &&
           check_size("steps of the tile", tile->steps, error);
}

/* Fails unless the value is what it must be. */
static bool check_rule(bool is_kept,
                       GpuScheduleShape shape,
                       const char *what,
                       uint64_t value,
                       const char *allowed,
                       GError **error)
{
    return is_kept || arch_refuse(error, "%s = %" G_GUINT64_FORMAT ", %s of %s tiles",
                                  what, value, allowed, names[shape]);
}

/* Fails as gpu_schedule_new(). */
static bool gpu_schedule_setting_check(const GpuScheduleSetting *setting,
                                       const GpuTilingProblem *problem,
                                       const GpuTile *tile,
                                       GError **error)
{
    const GpuScheduleShape shape = setting->shape;

    if (!check_sizes(problem, tile, error)) {
        return false;
    }
    switch (shape) {
    case GPU_SCHEDULE_DIAMOND:
        return check_rule(tile->space[0] == 1, shape, "base of the tile",
                          tile->space[0], "it is 1", error) &&
               check_rule(tile->steps % 2 == 0, shape, "steps of the tile", tile->steps,
                          "they are even", error);
    case GPU_SCHEDULE_HYBRID:
        return check_rule(tile->steps % 2 == 0, shape, "steps of the tile", tile->steps,
                          "they are even", error);
    case GPU_SCHEDULE_ORTHOGONAL:
        return check_rule(problem->dimension == 1, shape, "dimensions of space",
                          problem->dimension, "they are 1", error);
    case GPU_SCHEDULE_HALO:
        return check_rule(tile->steps == 1, shape, "steps of the tile", tile->steps,
                          "they are 1", error);
    case GPU_SCHEDULE_SKEWED:
        return true;
    }
    g_return_val_if_reached(false);
}

int64_t gpu_schedule_floor(int64_t dividend, int64_t divisor)
{
    const int64_t quotient = dividend / divisor;

    return dividend % divisor < 0 ? quotient - 1 : quotient;
}

int64_t gpu_schedule_ceil(int64_t dividend, int64_t divisor)
{
    return -gpu_schedule_floor(-dividend, divisor);
}

static const GpuScheduleOps *ops_of(GpuScheduleShape shape)
{
    switch (shape) {
    case GPU_SCHEDULE_HYBRID:
    case GPU_SCHEDULE_DIAMOND:
        return &gpu_schedule_hexagon;
    case GPU_SCHEDULE_SKEWED:
    case GPU_SCHEDULE_ORTHOGONAL:
        return &gpu_schedule_parallelogram;
    case GPU_SCHEDULE_HALO:
        return &gpu_schedule_halo;
    }
    g_return_val_if_reached(NULL);
}

/* (A.5) and, of three dimensions, (A.23) say more and less than what covers the plane.
 */
static int64_t pitch_of(const GpuSchedule *self)
{
    const int64_t base = self->tile_space[0];

    if (self->setting.form == GPU_TILING_CORRECTED) {
        return 2 * base + self->tile_steps - 2;
    }
    return self->dimension < 3 ? 2 * base + self->tile_steps : base + self->tile_steps;
}

GpuSchedule *gpu_schedule_new(const GpuTilingProblem *problem,
                              const GpuTile *tile,
                              const GpuScheduleSetting *setting,
                              GError **error)
{
    if (!gpu_schedule_setting_check(setting, problem, tile, error)) {
        return NULL;
    }
    GpuSchedule *self = g_new(GpuSchedule, 1);

    *self = (GpuSchedule){
        .ops = ops_of(setting->shape),
        .setting = *setting,
        .problem = *problem,
        .dimension = problem->dimension,
        .steps = (int64_t) problem->steps,
        .tile_steps = (int64_t) tile->steps,
        .lean = setting->shape == GPU_SCHEDULE_SKEWED ? 1 : 0,
    };
    for (guint axis = 0; axis < GPU_TILING_DIMENSIONS; axis++) {
        const bool exists = axis < problem->dimension;

        self->space[axis] = exists ? (int64_t) problem->space[axis] : 1;
        self->tile_space[axis] = exists ? (int64_t) tile->space[axis] : 1;
    }
    self->pitch = pitch_of(self);
    return self;
}

void gpu_schedule_free(GpuSchedule *self)
{
    g_free(self);
}

const GpuTilingProblem *gpu_schedule_problem(const GpuSchedule *self)
{
    return &self->problem;
}

uint64_t gpu_schedule_wavefronts(const GpuSchedule *self)
{
    return self->ops->wavefronts(self);
}

uint64_t gpu_schedule_tiles(const GpuSchedule *self, uint64_t wavefront)
{
    return self->ops->tiles(self, (int64_t) wavefront);
}

uint64_t
gpu_schedule_rounds(const GpuSchedule *self, guint resident, guint multiprocessors)
{
    const uint64_t wavefronts = gpu_schedule_wavefronts(self);
    uint64_t rounds = 0;

    g_return_val_if_fail(resident > 0 && multiprocessors > 0, 0);
    for (uint64_t wavefront = 0; wavefront < wavefronts; wavefront++) {
        const int64_t tiles = (int64_t) gpu_schedule_tiles(self, wavefront);

        rounds += (uint64_t) gpu_schedule_ceil(gpu_schedule_ceil(tiles, resident),
                                               multiprocessors);
    }
    return rounds;
}

GpuScheduleRow
gpu_schedule_cut_row(const GpuSchedule *self, const GpuScheduleTile *tile, int64_t step)
{
    const GpuScheduleRow whole = self->ops->row(self, tile, step);
    const int64_t begin = CLAMP(whole.begin, 0, self->space[0]);

    return (GpuScheduleRow){begin, MAX(begin, MIN(whole.end, self->space[0]))};
}

static bool is_empty(const GpuSchedule *self, const GpuScheduleTile *tile, int64_t step)
{
    const GpuScheduleRow row = gpu_schedule_cut_row(self, tile, step);

    return row.begin == row.end;
}

/* The tile with only those steps that have points. They are neighbours: a border cuts
 * rows off at either end, never from the middle. */
static GpuScheduleTile
tile_at(const GpuSchedule *self, uint64_t wavefront, uint64_t tile)
{
    GpuScheduleTile found = self->ops->tile(self, (int64_t) wavefront, (int64_t) tile);

    while (found.first < found.end && is_empty(self, &found, found.first)) {
        found.first++;
    }
    while (found.first < found.end && is_empty(self, &found, found.end - 1)) {
        found.end--;
    }
    return found;
}

GpuScheduleSteps
gpu_schedule_tile_steps(const GpuSchedule *self, uint64_t wavefront, uint64_t tile)
{
    const GpuScheduleTile found = tile_at(self, wavefront, tile);

    return (GpuScheduleSteps){found.start, found.first, found.end};
}

GpuScheduleRow gpu_schedule_tile_row(const GpuSchedule *self,
                                     uint64_t wavefront,
                                     uint64_t tile,
                                     int64_t step)
{
    const GpuScheduleTile found =
        self->ops->tile(self, (int64_t) wavefront, (int64_t) tile);

    return gpu_schedule_cut_row(self, &found, step);
}

void gpu_schedule_visit_tile(const GpuSchedule *self,
                             uint64_t wavefront,
                             uint64_t tile,
                             GpuScheduleFunc func,
                             gpointer data)
{
    const GpuScheduleTile found = tile_at(self, wavefront, tile);
    GpuScheduleWalk walk = {
        .schedule = self,
        .tile = &found,
        .func = func,
        .data = data,
        .span = {.wavefront = wavefront, .tile = tile},
    };

    gpu_schedule_walk_strips(&walk);
}

void gpu_schedule_visit(const GpuSchedule *self, GpuScheduleFunc func, gpointer data)
{
    const uint64_t wavefronts = gpu_schedule_wavefronts(self);

    for (uint64_t wavefront = 0; wavefront < wavefronts; wavefront++) {
        const uint64_t tiles = gpu_schedule_tiles(self, wavefront);

        for (uint64_t tile = 0; tile < tiles; tile++) {
            gpu_schedule_visit_tile(self, wavefront, tile, func, data);
        }
    }
}
