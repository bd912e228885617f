/* Seeded stencils and grids of whole numbers. */
#include "tests/arch/model/stencil/case.h"

#define CASE(the_shape, the_dimension, the_radius, ...)                                \
    {                                                                                  \
        .stencil = {.shape = (the_shape),                                              \
                    .dimension = (the_dimension),                                      \
                    .radius = (the_radius),                                            \
                    .fusion = 1},                                                      \
        .sides = {__VA_ARGS__}, .seed = __LINE__                                       \
    }

const GpuCase gpu_cases[] = {
    CASE(GPU_BOX, 1, 1, 3),
    CASE(GPU_BOX, 1, 1, 50),
    CASE(GPU_BOX, 1, 2, 50),
    CASE(GPU_BOX, 1, 7, 61),
    CASE(GPU_BOX, 1, 13, 100),
    CASE(GPU_STAR, 1, 3, 40),
    CASE(GPU_BOX, 2, 1, 9, 14),
    CASE(GPU_BOX, 2, 2, 11, 23),
    CASE(GPU_BOX, 2, 3, 7, 31),
    CASE(GPU_BOX, 2, 5, 13, 40),
    CASE(GPU_BOX, 2, 7, 17, 35),
    CASE(GPU_STAR, 2, 1, 5, 17),
    CASE(GPU_STAR, 2, 2, 9, 19),
    CASE(GPU_STAR, 2, 3, 12, 33),
    CASE(GPU_STAR, 2, 7, 16, 34),
    CASE(GPU_BOX, 3, 1, 4, 5, 13),
    CASE(GPU_BOX, 3, 2, 6, 7, 16),
    CASE(GPU_BOX, 3, 3, 8, 7, 20),
    CASE(GPU_STAR, 3, 1, 6, 3, 12),
    CASE(GPU_STAR, 3, 2, 5, 8, 15),
    CASE(GPU_STAR, 3, 4, 11, 10, 21),
    CASE(GPU_BOX, 4, 1, 4, 3, 5, 9),
    CASE(GPU_STAR, 4, 2, 6, 5, 7, 11),
};
const gsize gpu_case_count = G_N_ELEMENTS(gpu_cases);

static double random_number(GRand *random)
{
    return g_rand_int_range(random, 1, 10) * (g_rand_boolean(random) ? 1 : -1);
}

GpuGrid *gpu_case_weights(const GpuCase *self)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(self->seed);
    GpuGrid *weights = gpu_weights_new(&self->stencil, NULL);

    assert_non_null(weights);
    for (gsize point = 0; point < weights->count; point++) {
        weights->values[point] *= random_number(random);
    }
    return weights;
}

GpuGrid *gpu_case_grid(const GpuCase *self)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(self->seed + 1000);
    GpuGrid *grid = gpu_grid_new(self->stencil.dimension, self->sides);

    for (gsize point = 0; point < grid->count; point++) {
        grid->values[point] = random_number(random);
    }
    return grid;
}

void gpu_case_assert_equal(const GpuCase *self,
                           const GpuGrid *one,
                           const GpuGrid *other)
{
    assert_non_null(one);
    assert_non_null(other);
    assert_int_equal(one->dimension, other->dimension);
    assert_memory_equal(one->sides, other->sides, sizeof one->sides);
    for (gsize point = 0; point < one->count; point++) {
        if (one->values[point] != other->values[point]) {
            fail_msg("%s of %u dimensions, radius %u, point %" G_GSIZE_FORMAT
                     ": %g and %g",
                     self->stencil.shape == GPU_BOX ? "box" : "star",
                     self->stencil.dimension, self->stencil.radius, point,
                     one->values[point], other->values[point]);
        }
    }
}
