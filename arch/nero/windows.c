/* Cuts grids into windows. */
#include "arch/nero/windows.h"

#include "sim/narrow.h"

/* How many windows of `width` have points of `count` beyond the border, and which is
 * the first. */
static guint dealt(guint count, guint border, guint width, guint *first)
{
    *first = border / width;
    return count <= 2 * border ? 0 : (count - border - 1) / width - *first + 1;
}

void nero_windows_init(NeroWindows *self,
                       const NeroGrid *grid,
                       const ArchNeroPlan *plan,
                       const ArchNeroReach *reach)
{
    guint first_layer = 0;

    *self = (NeroWindows){
        .grid = *grid,
        .window_x = plan->window_x,
        .window_y = plan->window_y,
        .window_z = plan->window_z,
        .reach = *reach,
    };
    self->column_count =
        dealt(grid->nx, grid->border, plan->window_x, &self->first_column);
    self->row_count = dealt(grid->ny, grid->border, plan->window_y, &self->first_row);
    self->layer_count = dealt(grid->nz, 0, plan->window_z, &first_layer);
}

uint64_t nero_windows_count(const NeroWindows *self)
{
    return (uint64_t) self->column_count * self->row_count * self->layer_count;
}

static NeroRange clip(guint begin, guint width, guint low, guint high)
{
    return (NeroRange){.begin = MAX(begin, low), .end = MIN(begin + width, high)};
}

static guint inside(guint begin, guint width, guint count)
{
    return MIN(begin + width, count) - begin;
}

NeroWindow nero_windows_at(const NeroWindows *self, uint64_t index)
{
    const NeroGrid *grid = &self->grid;
    const guint column = sim_u32(index % self->column_count);
    const guint row = sim_u32(index / self->column_count % self->row_count);
    const guint layer = sim_u32(index / self->column_count / self->row_count);
    NeroWindow window = {
        .x = (self->first_column + column) * self->window_x,
        .y = (self->first_row + row) * self->window_y,
        .z = layer * self->window_z,
    };
    const guint above = grid->nz - MIN(window.z + self->window_z, grid->nz);

    window.xs = clip(window.x, self->window_x, grid->border, grid->nx - grid->border);
    window.ys = clip(window.y, self->window_y, grid->border, grid->ny - grid->border);
    window.zs = clip(window.z, self->window_z, 0, grid->nz);
    window.planes_before = MIN(self->reach.z_before, window.z);
    window.planes_after = MIN(self->reach.z_after, above);
    window.padded_points = (uint64_t) self->window_x * self->window_y * self->window_z -
                           (uint64_t) inside(window.x, self->window_x, grid->nx) *
                               inside(window.y, self->window_y, grid->ny) *
                               inside(window.z, self->window_z, grid->nz);
    return window;
}
