/* Asks for time over t_T and t_S2. */
#include "arch/model/tiling/surface.h"

#include "arch/error.h"
#include "arch/model/tiling/study.h"

GpuTileChoice gpu_tile_best_resident(const GpuTileSpace *space, const GpuTile *tile)
{
    GpuTileChoice best = {.tile = *tile};
    GpuTile with = *tile;
    const guint most =
        MIN(gpu_tile_most_resident(tile, space->problem.dimension, &space->machine),
            space->box.resident);

    for (with.resident = 1; with.resident <= most; with.resident++) {
        if (!gpu_tile_check(&with, &space->problem, &space->machine, NULL)) {
            break;
        }
        const double seconds = gpu_tiling_seconds(space, &with, space->form);

        if (best.tile.resident == 0 || seconds < best.seconds) {
            best = (GpuTileChoice){with, seconds};
        }
    }
    return best;
}

const GpuTileChoice *gpu_tiling_surface_cell(const GpuTilingSurface *self, guint place)
{
    return &g_array_index(self->cells, GpuTileChoice, place);
}

static void note(GpuTilingSurface *self, const GpuTileChoice *cell)
{
    const guint place = self->cells->len;

    g_array_append_val(self->cells, *cell);
    if (cell->tile.resident == 0) {
        return;
    }
    if (self->tiles == 0 ||
        cell->seconds < gpu_tiling_surface_cell(self, self->best)->seconds) {
        self->best = place;
    }
    if (self->tiles == 0 ||
        cell->seconds > gpu_tiling_surface_cell(self, self->worst)->seconds) {
        self->worst = place;
    }
    self->tiles++;
}

bool gpu_tiling_surface_init(GpuTilingSurface *self,
                             const GpuTileSpace *space,
                             uint64_t first,
                             GError **error)
{
    const GpuTileBox *box = &space->box;

    *self = (GpuTilingSurface){
        .steps = g_array_new(FALSE, FALSE, sizeof(double)),
        .widths = g_array_new(FALSE, FALSE, sizeof(double)),
        .cells = g_array_new(FALSE, FALSE, sizeof(GpuTileChoice)),
    };
    for (uint64_t steps = 2; steps <= box->steps; steps += 2) {
        const double column = (double) steps;

        g_array_append_val(self->steps, column);
    }
    for (uint64_t width = GPU_TILING_WARP; width <= box->space[1];
         width += GPU_TILING_WARP) {
        const double row = (double) width;

        g_array_append_val(self->widths, row);
        for (uint64_t steps = 2; steps <= box->steps; steps += 2) {
            const GpuTile tile = {.space = {first, width}, .steps = steps};
            const GpuTileChoice cell = gpu_tile_best_resident(space, &tile);

            note(self, &cell);
        }
    }
    return self->tiles != 0 || arch_refuse(error,
                                           "no tile with t_S1 = %" G_GUINT64_FORMAT
                                           " keeps the constraints",
                                           first);
}

void gpu_tiling_surface_clear(GpuTilingSurface *self)
{
    g_clear_pointer(&self->steps, g_array_unref);
    g_clear_pointer(&self->widths, g_array_unref);
    g_clear_pointer(&self->cells, g_array_unref);
}
