/* Finds what the model of time is asked about. */
#include "tools/gridloom/model/time/space.h"

#include "arch/error.h"
#include "tools/gridloom/chip_numbers.h"

ArchParams *model_time_gpu(const char *name, char **overrides, GError **error)
{
    g_autoptr(ArchParams) gpu = chip_numbers_load_gpu(name, error);

    return gpu != NULL && chip_numbers_override(gpu, overrides, error)
               ? g_steal_pointer(&gpu)
               : NULL;
}

bool model_time_space_of(GpuTileSpace *space,
                         const ArchParams *gpu,
                         const GpuTilingStencil *stencil,
                         double point_seconds,
                         GError **error)
{
    if (!gpu_tiling_machine(gpu, &space->machine, error)) {
        return false;
    }
    space->problem.dimension = stencil->dimension;
    space->problem.point_seconds = point_seconds;
    if (!(point_seconds > 0) && stencil->key != NULL) {
        space->problem.point_seconds = arch_params_real(gpu, stencil->key);
    }
    if (!(space->problem.point_seconds >= MODEL_TIME_LEAST)) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
                    "%s: nobody has measured how long a point takes on %s; "
                    "--point-seconds says it",
                    stencil->name, arch_params_name(gpu));
        return false;
    }
    return true;
}

char *model_time_stencil_names(void)
{
    GString *names = g_string_new(NULL);
    const GpuTilingStencil *stencil;

    for (guint i = 0; (stencil = gpu_tiling_stencil_at(i)) != NULL; i++) {
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", stencil->name);
    }
    return g_string_free(names, FALSE);
}
