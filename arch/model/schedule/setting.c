/* Which tiles a schedule can be made of, and what of. */

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
    if (size < 1 || size > GPU_SCHEDULE_SIZE_MOST) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "%s = %" G_GUINT64_FORMAT ", a schedule takes 1 .. %d", what, size,
                    GPU_SCHEDULE_SIZE_MOST);
        return false;
    }
    return true;
}

static bool
check_sizes(const GpuTilingProblem *problem, const GpuTile *tile, GError **error)
{
    if (problem->dimension < 1 || problem->dimension > GPU_TILING_DIMENSIONS) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "%u dimensions of space, a schedule has 1 .. %d",
                    problem->dimension, GPU_TILING_DIMENSIONS);
        return false;
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
    if (!is_kept) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "%s = %" G_GUINT64_FORMAT ", %s of %s tiles", what, value, allowed,
                    names[shape]);
    }
    return is_kept;
}

static bool
check_subtile(const GpuScheduleSetting *setting, guint dimension, GError **error)
{
    const bool is_cut = setting->subtile_space != 0 || setting->subtile_steps != 0;

    if (!is_cut) {
        return true;
    }
    if (!check_rule(setting->shape == GPU_SCHEDULE_SKEWED ||
                        setting->shape == GPU_SCHEDULE_ORTHOGONAL,
                    setting->shape, "subtiles: width", setting->subtile_space,
                    "there are none", error)) {
        return false;
    }
    return check_rule(dimension == 1, setting->shape, "subtiles: dimensions of space",
                      dimension, "they are 1", error) &&
           check_size("size of the subtile", setting->subtile_space, error) &&
           check_size("steps of the subtile", setting->subtile_steps, error);
}

bool gpu_schedule_setting_check(const GpuScheduleSetting *setting,
                                const GpuTilingProblem *problem,
                                const GpuTile *tile,
                                GError **error)
{
    const GpuScheduleShape shape = setting->shape;

    if (!check_sizes(problem, tile, error) ||
        !check_subtile(setting, problem->dimension, error)) {
        return false;
    }
    switch (shape) {
    case GPU_SCHEDULE_DIAMOND:
        if (!check_rule(tile->space[0] == 1, shape, "base of the tile", tile->space[0],
                        "it is 1", error)) {
            return false;
        }
        return check_rule(tile->steps % 2 == 0, shape, "steps of the tile", tile->steps,
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
