/* Runs all forms of a stencil on the same numbers. */
#include "arch/model/stencil/trial.h"

#include <math.h>

#include "arch/error.h"
#include "arch/model/stencil/apply.h"
#include "arch/model/stencil/weights.h"
#include "sim/narrow.h"

#define WORK_MOST   8589934592.0       /* 2^33 */
#define EXACT_MOST  9007199254740992.0 /* 2^53 */
#define ROUNDING    0x1p-50
#define NUMBER_MOST 9

enum {
    POINTS_MOST = 1 << 24,
    SPARE_POINTS = 3, /* inner ones across the lines */
};

const char *gpu_form_name(GpuForm form)
{
    static const char *const names[] = {"direct", "flattened", "decomposed", "sparse"};

    return names[form];
}

static double random_number(GRand *random)
{
    return g_rand_int_range(random, 1, NUMBER_MOST + 1) *
           (g_rand_boolean(random) ? 1 : -1);
}

static void draw(GpuGrid *grid, GRand *random)
{
    for (gsize point = 0; point < grid->count; point++) {
        grid->values[point] = random_number(random);
    }
}

static GpuTransform *transform_of(const GpuGrid *weights, GpuForm form)
{
    GpuTransform *self = form == GPU_FORM_FLATTENED ? gpu_transform_flatten(weights)
                                                    : gpu_transform_decompose(weights);

    if (form == GPU_FORM_SPARSE) {
        gpu_transform_swap(self);
    }
    return self;
}

/* Of weights that are 1, so that none cancel when they are fused. */
static void count(GpuTrialForm *self, const GpuGrid *weights, GpuForm form)
{
    g_autoptr(GpuTransform) transform = transform_of(weights, form);
    const guint stored = form == GPU_FORM_SPARSE ? 2 : 1;

    self->matrix_count = gpu_transform_matrix_count(transform);
    for (guint i = 0; i < self->matrix_count; i++) {
        const GpuMatrix *matrix = gpu_transform_matrix(transform, i);

        self->entries += (uint64_t) matrix->row_count * matrix->column_count;
        self->nonzeros += gpu_matrix_nonzeros(matrix);
        self->row_count = MAX(self->row_count, matrix->row_count);
        self->column_count = MAX(self->column_count, matrix->column_count / stored);
    }
    self->sparsity = gpu_transform_sparsity(transform);
    self->multiplications =
        (double) self->entries / stored / gpu_transform_group_points(transform);
}

/* Lines of two whole groups of points and a part of one, unless a size is given. */
static GpuGrid *
new_grid(const GpuGrid *fused, const GpuTrialSetting *setting, GError **error)
{
    const guint side = fused->sides[0];
    guint sides[GPU_STENCIL_DIMENSIONS];
    double points = 1;

    for (guint axis = 0; axis < fused->dimension; axis++) {
        sides[axis] = side - 1 + SPARE_POINTS;
        if (axis + 1 == fused->dimension) {
            sides[axis] = side - 1 + 2 * (side + 1) + 1;
        }
        if (setting->size > 0) {
            sides[axis] = setting->size;
        }
        if (sides[axis] < side) {
            arch_refuse(error, "a grid of %u points a side, the stencil has %u",
                        sides[axis], side);
            return NULL;
        }
        points *= sides[axis];
    }
    if (points > POINTS_MOST) {
        arch_refuse(error, "a grid of %.4g points, at most %d are tried", points,
                    POINTS_MOST + 0);
        return NULL;
    }
    return gpu_grid_new(fused->dimension, sides);
}

static GpuGrid *apply_steps(const GpuGrid *grid, const GpuGrid *weights, guint steps)
{
    g_autoptr(GpuGrid) now = gpu_grid_apply(grid, weights, NULL);

    for (guint step = 1; step < steps; step++) {
        GpuGrid *next = gpu_grid_apply(now, weights, NULL);

        gpu_grid_free(now);
        now = next;
    }
    return g_steal_pointer(&now);
}

static double largest_difference(const GpuGrid *one, const GpuGrid *other)
{
    double largest = 0;

    for (gsize point = 0; point < one->count; point++) {
        largest = fmax(largest, fabs(one->values[point] - other->values[point]));
    }
    return largest;
}

static bool check_form(GpuTrialForm *self,
                       const GpuGrid *fused,
                       GpuForm form,
                       const GpuGrid *grid,
                       const GpuGrid *expected,
                       GError **error)
{
    g_autoptr(GpuTransform) transform = transform_of(fused, form);
    g_autoptr(GPtrArray) sparse =
        form == GPU_FORM_SPARSE ? gpu_transform_compress(transform, error) : NULL;
    g_autoptr(GpuGrid) product = NULL;

    if (form == GPU_FORM_SPARSE && sparse == NULL) {
        return false;
    }
    product = gpu_transform_apply(transform, sparse, grid, error);
    if (product == NULL) {
        return false;
    }
    self->largest_error = largest_difference(product, expected);
    return true;
}

/* Sums of whole numbers are exact as long as they could not have been larger. */
static double tolerance_of(const GpuGrid *weights, guint steps)
{
    double sum = 0;
    double most = NUMBER_MOST;

    for (gsize point = 0; point < weights->count; point++) {
        sum += fabs(weights->values[point]);
    }
    most *= pow(sum, steps);
    return most < EXACT_MOST ? 0 : most * ROUNDING;
}

/* The points that have all their neighbours. */
static double inner_points(const GpuGrid *grid, const GpuGrid *fused)
{
    double points = 1;

    for (guint axis = 0; axis < grid->dimension; axis++) {
        points *= grid->sides[axis] - fused->sides[axis] + 1;
    }
    return points;
}

static bool
check(GpuTrial *self, GpuGrid *weights, const GpuTrialSetting *setting, GError **error)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(setting->seed);
    const guint steps = setting->stencil.fusion;

    for (gsize point = 0; point < weights->count; point++) {
        weights->values[point] *= random_number(random);
    }
    g_autoptr(GpuGrid) fused = gpu_weights_fuse(weights, steps, error);
    g_autoptr(GpuGrid) grid = fused == NULL ? NULL : new_grid(fused, setting, error);

    if (grid == NULL) {
        return false;
    }
    const double points = inner_points(grid, fused);
    const double work = points * fmax(self->forms[GPU_FORM_FLATTENED].multiplications,
                                      self->forms[GPU_FORM_DECOMPOSED].multiplications);

    if (work > WORK_MOST) {
        return arch_refuse(error, "%.4g multiplications, at most %.4g are tried", work,
                           WORK_MOST);
    }
    draw(grid, random);
    g_autoptr(GpuGrid) expected = apply_steps(grid, weights, steps);

    self->point_count = expected->count;
    self->tolerance = tolerance_of(weights, steps);
    self->forms[GPU_FORM_DIRECT].largest_error = 0;
    for (guint i = GPU_FORM_FLATTENED; i < GPU_FORM_COUNT; i++) {
        if (!check_form(&self->forms[i], fused, (GpuForm) i, grid, expected, error)) {
            return false;
        }
    }
    return true;
}

bool gpu_trial_run(GpuTrial *self, const GpuTrialSetting *setting, GError **error)
{
    g_autoptr(GpuGrid) weights = gpu_weights_new(&setting->stencil, error);
    g_autoptr(GpuGrid) fused =
        weights == NULL ? NULL
                        : gpu_weights_fuse(weights, setting->stencil.fusion, error);

    *self = (GpuTrial){.stencil = setting->stencil};
    if (fused == NULL) {
        return false;
    }
    for (guint i = 0; i < GPU_FORM_COUNT; i++) {
        self->forms[i] = (GpuTrialForm){.sparsity = 1, .largest_error = NAN};
        if (i != GPU_FORM_DIRECT) {
            count(&self->forms[i], fused, (GpuForm) i);
        }
    }
    self->forms[GPU_FORM_DIRECT].multiplications =
        setting->stencil.fusion * gpu_stencil_points(&setting->stencil);
    return !setting->has_check || check(self, weights, setting, error);
}

bool gpu_trial_is_equal(const GpuTrial *self)
{
    for (guint i = 0; i < GPU_FORM_COUNT; i++) {
        if (!(self->forms[i].largest_error <= self->tolerance)) {
            return false;
        }
    }
    return true;
}
