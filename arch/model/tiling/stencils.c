/* The stencils of the thesis. */
#include "arch/model/tiling/tiling.h"

static const GpuTilingStencil stencils[] = {
    {"jacobi1d", "Jacobi 1D", 1, NULL},
    {"jacobi2d", "Jacobi 2D", 2, "tiling.jacobi2d_seconds"},
    {"heat2d", "Heat 2D", 2, "tiling.heat2d_seconds"},
    {"laplacian2d", "Laplacian 2D", 2, "tiling.laplacian2d_seconds"},
    {"gradient2d", "Gradient 2D", 2, "tiling.gradient2d_seconds"},
    {"jacobi3d", "Jacobi 3D", 3, NULL},
    {"heat3d", "Heat 3D", 3, "tiling.heat3d_seconds"},
    {"laplacian3d", "Laplacian 3D", 3, "tiling.laplacian3d_seconds"},
};

const GpuTilingStencil *gpu_tiling_stencil_at(guint index)
{
    return index < G_N_ELEMENTS(stencils) ? &stencils[index] : NULL;
}

const GpuTilingStencil *gpu_tiling_stencil_find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(stencils); i++) {
        if (g_str_equal(stencils[i].name, name)) {
            return &stencils[i];
        }
    }
    return NULL;
}

char *gpu_tiling_stencil_names(bool is_timed, guint dimension)
{
    GString *names = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(stencils); i++) {
        if ((!is_timed || stencils[i].key != NULL) &&
            (dimension == 0 || stencils[i].dimension == dimension)) {
            g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "",
                                   stencils[i].name);
        }
    }
    return g_string_free(names, FALSE);
}
