/* Geometry of programs whose tiles are documented. */
#include "arch/model/stencil/profile.h"

#include <math.h>

/* Calibrated, fitted to Gu et al., Table 2, row 2: so many bytes are written, but still
 * in the L2 cache when a pass ends. A fifth of an A100's; assumed to be the same on
 * other GPUs; range 0..40e6. */
#define KEPT_BYTES 8e6

/* Calibrated, fitted to Box-2D1R, 1 to 8 steps, double and float, on an H200
 * (traces/gpu), least mean error in steps of 0.05: the part of the shorter of
 * operations and transfers that the longer does not hide. The form was chosen with all
 * 67 rows in sight; range 0..1. */
#define EXPOSED 0.45

/* Tiles of a program: they compute `line_bytes` of a line, of `rows` lines, and stream
 * along the first dimension in strips. Rims are whole vectors of `vector_bytes`. */
typedef struct {
    const char *program;
    guint dimension;
    guint line_bytes; /* 0: `line` numbers of any type */
    guint line;
    guint rows; /* 1: tiles have no rims across lines */
    guint vector_bytes;
    guint strip;
    guint first_rim;   /* steps whose rim is computed: 1 of all, 0 all but the first */
    guint start_steps; /* lines that a strip starts with are 2 r t, or 3 t - 1 */
    double exposed;    /* NaN: no rate is known */
} Tile;

static const Tile tiles[] = {
    /* Gu et al. print C alone: blocks of 256 threads, a column each, assumed; strips
     * calibrated to row 1 of Table 2 (16 of 10240 rows). */
    {"ebisu", 2, 0, 256, 1, 0, 640, 1, 0, NAN},
    /* tools/gpu/stencil/grid_2d.cuh, kernel 1, and grid_3d.cuh, kernel 0. */
    {"gridloom", 2, 1024, 0, 1, 16, 256, 0, 0, EXPOSED},
    {"gridloom", 3, 512, 0, 32, 16, 256, 0, 1, EXPOSED},
    /* tools/gpu/stencil/tensor.cuh: tiles compute no rims. */
    {"gridloom-tensor", 2, 0, 128, 1, 0, 128, 0, 0, EXPOSED},
};

static const Tile *find(const char *program, guint dimension)
{
    for (gsize i = 0; i < G_N_ELEMENTS(tiles); i++) {
        if (g_str_equal(tiles[i].program, program) && tiles[i].dimension == dimension) {
            return &tiles[i];
        }
    }
    return NULL;
}

/* How many numbers whole tiles compute for each number of a side. 0: a tile is all
 * rim. */
static double share(double side, double rim, double size)
{
    const double valid = side - 2 * rim;

    return valid > 0 ? ceil(size / valid) * side / size : 0;
}

/* How many times as many operations the rims make. */
static double rims(const Tile *self, const GpuStencil *stencil, double size)
{
    const guint bytes = gpu_type_bytes(stencil->type);
    const guint width = self->vector_bytes > bytes ? self->vector_bytes / bytes : 1;
    const guint line = self->line_bytes > 0 ? self->line_bytes / bytes : self->line;
    const guint reach = stencil->radius * (stencil->fusion - 1 + self->first_rim);
    const guint rim = (reach + width - 1) / width * width;
    const double start = self->start_steps > 0
                             ? 3.0 * stencil->fusion - 1
                             : 2.0 * stencil->radius * stencil->fusion;
    const double strips = 1 + start / fmin(self->strip, size);
    double all = share(line, rim, size) * strips;

    if (self->rows > 1) {
        all *= share(self->rows, reach, size);
    }
    return all;
}

void gpu_profile_init(GpuProfile *self,
                      const GpuStencil *stencil,
                      const GpuImplementation *program,
                      const GpuStencilModel *model,
                      uint64_t size)
{
    const Tile *tile = find(program->name, stencil->dimension);
    const bool is_matrix = program->scheme != GPU_SCHEME_NONE;
    const double bandwidth = model->peak / model->ridge;
    const double written = model->bytes / 2;
    const double points = pow((double) size, stencil->dimension);

    *self = (GpuProfile){0};
    self->bytes = model->bytes - fmin(KEPT_BYTES / points, written);
    if (tile == NULL) {
        return;
    }
    self->flops = model->flops * (is_matrix ? 1 : rims(tile, stencil, (double) size));
    if (self->flops > 0 && !isnan(tile->exposed)) {
        const double work = self->flops / model->peak;
        const double transfer = self->bytes / bandwidth;

        self->updates = stencil->fusion /
                        (fmax(work, transfer) + tile->exposed * fmin(work, transfer));
    }
}
