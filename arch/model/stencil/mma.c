/* The matrix products that tensor cores do in one instruction. */
#include "arch/model/stencil/mma.h"

#define PTX_DENSE  "PTX ISA 9.1, mma"
#define PTX_SPARSE "PTX ISA 9.1, mma.sp"
#define PRINTED                                                                        \
    "printed for float by Gu et al., 2.1.2; in PTX this shape is of 16-bit numbers"

/* Per type and density the one that programs use comes first. */
static const GpuMma shapes[] = {
    {"m8n8k4", GPU_DOUBLE, false, 8, 8, 4, PTX_DENSE},
    {"m16n8k4", GPU_DOUBLE, false, 16, 8, 4, PTX_DENSE ", from sm_90 on"},
    {"m16n8k8", GPU_DOUBLE, false, 16, 8, 8, PTX_DENSE ", from sm_90 on"},
    {"m16n8k16", GPU_DOUBLE, false, 16, 8, 16, PTX_DENSE ", from sm_90 on"},
    {"m16n8k8", GPU_FLOAT, false, 16, 8, 8, PTX_DENSE ", TF32"},
    {"m16n8k4", GPU_FLOAT, false, 16, 8, 4, PTX_DENSE ", TF32"},
    {"m16n8k16", GPU_FLOAT, false, 16, 8, 16, PRINTED},
    {"m16n8k16", GPU_HALF, false, 16, 8, 16, PTX_DENSE},
    {"m16n8k8", GPU_HALF, false, 16, 8, 8, PTX_DENSE},
    {"m16n8k16", GPU_FLOAT, true, 16, 8, 16, PTX_SPARSE ", TF32, 1:2 sparse"},
    {"m16n8k8", GPU_FLOAT, true, 16, 8, 8, PTX_SPARSE ", TF32, 1:2 sparse"},
    {"m16n8k32", GPU_HALF, true, 16, 8, 32, PTX_SPARSE ", 2:4 sparse"},
    {"m16n8k16", GPU_HALF, true, 16, 8, 16, PTX_SPARSE ", 2:4 sparse"},
};

const GpuMma *gpu_mma_find(const char *name, GpuType type, bool is_sparse)
{
    for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++) {
        const GpuMma *self = &shapes[i];

        if (self->type == type && self->is_sparse == is_sparse &&
            (name == NULL || g_str_equal(self->name, name))) {
            return self;
        }
    }
    return NULL;
}

const GpuMma *gpu_mma_default(GpuType type, bool is_sparse)
{
    return gpu_mma_find(NULL, type, is_sparse);
}

char *gpu_mma_names(GpuType type, bool is_sparse)
{
    GString *names = g_string_new(NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++) {
        if (shapes[i].type == type && shapes[i].is_sparse == is_sparse) {
            g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "",
                                   shapes[i].name);
        }
    }
    return g_string_free(names, FALSE);
}

static guint round_up(guint value, guint step)
{
    return (value + step - 1) / step * step;
}

void gpu_mma_fit(const GpuMma *self,
                 guint row_count,
                 guint column_count,
                 GpuMmaFit *fit)
{
    const guint rows = round_up(row_count, self->m);
    const guint columns = round_up(column_count, self->k);

    *fit = (GpuMmaFit){
        .count = (guint64) (rows / self->m) * (columns / self->k),
        .row_share = (double) row_count / rows,
        .column_share = (double) column_count / columns,
    };
}

void gpu_mma_use(const GpuMma *self, const GpuTransform *transform, GpuMmaUse *use)
{
    const double operand = (double) self->m * self->k;
    double entries = 0;
    double nonzeros = 0;

    *use = (GpuMmaUse){.matrix_count = gpu_transform_matrix_count(transform)};
    for (guint i = 0; i < use->matrix_count; i++) {
        const GpuMatrix *matrix = gpu_transform_matrix(transform, i);
        GpuMmaFit fit;

        gpu_mma_fit(self, matrix->row_count, matrix->column_count, &fit);
        use->count += fit.count;
        entries += (double) matrix->row_count * matrix->column_count;
        nonzeros += (double) gpu_matrix_nonzeros(matrix);
        use->row_count = MAX(use->row_count, matrix->row_count);
        use->column_count = MAX(use->column_count, matrix->column_count);
        use->used_rows = MAX(use->used_rows, gpu_matrix_used_rows(matrix));
    }
    use->padding = 1 - entries / ((double) use->count * operand);
    use->nonzero = nonzeros / ((double) use->count * operand);
    use->flops =
        (double) use->count * operand * 2 / gpu_transform_group_points(transform);
}
