/* Numbers the lanes of grids. */
#include "sim/lane.h"

#include <string.h>

#include "sim/narrow.h"
#include "sim/parallel/engine_state.h"

static gsize lanes_of(const SimLaneGrid *grid)
{
    return (gsize) MAX(grid->columns, 1) * MAX(grid->rows, 1) *
           MAX(grid->unit_count, 1);
}

SimLane sim_engine_lanes(SimEngine *self, const SimLaneGrid *grid)
{
    for (guint i = 0; i < self->grids->len; i++) {
        const LaneGrid *known = &g_array_index(self->grids, LaneGrid, i);

        if (g_str_equal(known->grid->kind, grid->kind)) {
            g_return_val_if_fail(known->grid->columns == grid->columns &&
                                     known->grid->rows == grid->rows &&
                                     known->grid->unit_count == grid->unit_count,
                                 known->first);
            return known->first;
        }
    }
    LaneGrid added = {.grid = g_new(SimLaneGrid, 1), .first = self->levels->len};

    showing_wait(&self->showing); /* a watcher may ask for lanes */
    *added.grid = *grid;
    g_array_append_val(self->grids, added);
    g_byte_array_set_size(self->levels, sim_u32(added.first + lanes_of(grid)));
    engine_choose_levels(self, added.first);
    return added.first;
}

SimLane sim_engine_lane(SimEngine *self, const char *name)
{
    const SimLaneGrid grid = {.kind = g_intern_string(name)};

    return sim_engine_lanes(self, &grid);
}

guint sim_engine_lane_count(const SimEngine *self)
{
    return self->levels->len;
}

/* Few grids: from the last one, which has most lanes. */
static LaneGrid *grid_at(const SimEngine *self, SimLane lane)
{
    guint i = self->grids->len;

    g_return_val_if_fail(lane < self->levels->len, NULL);
    while (g_array_index(self->grids, LaneGrid, i - 1).first > lane) {
        i--;
    }
    return &g_array_index(self->grids, LaneGrid, i - 1);
}

const LaneGrid *engine_lane_grid(const SimEngine *self, SimLane lane)
{
    return grid_at(self, lane);
}

SimLanePlace sim_engine_lane_place(const SimEngine *self, SimLane lane)
{
    const LaneGrid *found = engine_lane_grid(self, lane);
    const SimLaneGrid *grid = found->grid;
    const guint units = MAX(grid->unit_count, 1);
    const guint place = (lane - found->first) / units;
    const guint columns = MAX(grid->columns, 1);

    return (SimLanePlace){
        .grid = grid,
        .x = place % columns,
        .y = place / columns,
        .unit =
            grid->unit_count == 0 ? NULL : grid->units[(lane - found->first) % units],
    };
}

char *sim_engine_lane_name(const SimEngine *self, SimLane lane)
{
    const SimLanePlace place = sim_engine_lane_place(self, lane);
    GString *name = g_string_new(place.grid->kind);

    if (place.grid->columns > 0) {
        g_string_append_printf(name, "[%u,%u]", place.x, place.y);
    }
    if (place.unit != NULL) {
        g_string_append_printf(name, ".%s", place.unit);
    }
    return g_string_free(name, FALSE);
}

SimLaneLevel sim_engine_lane_level(const SimEngine *self, SimLane lane)
{
    g_return_val_if_fail(lane < self->levels->len, SIM_LANE_OFF);

    return self->watch.func == NULL ? SIM_LANE_OFF
                                    : (SimLaneLevel) self->levels->data[lane];
}

guint sim_engine_lane_edge(const SimEngine *self, SimLane lane)
{
    const SimLaneGrid *grid = engine_lane_grid(self, lane)->grid;
    const guint64 limit = MAX(self->watch.block_limit, 1);
    guint edge = 1;

    while ((guint64) ((grid->columns + edge - 1) / edge) *
               ((grid->rows + edge - 1) / edge) >
           limit) {
        edge *= 2;
    }
    return edge;
}

bool sim_engine_can_fold(const SimEngine *self, SimLane first)
{
    const SimLaneGrid *grid = engine_lane_grid(self, first)->grid;
    const guint units = MAX(grid->unit_count, 1);
    const guint8 *levels = self->levels->data + first;

    for (guint i = 0; i < units; i++) {
        if (sim_engine_lane_level(self, first + i) == SIM_LANE_FULL) {
            return false;
        }
    }
    return memcmp(levels, levels + units, lanes_of(grid) - units) == 0;
}

static void unfold(LaneGrid *self)
{
    g_clear_pointer(&self->columns, lane_spread_free);
    g_clear_pointer(&self->rows, lane_spread_free);
}

void engine_unfold_lanes(SimEngine *self)
{
    for (guint i = 0; i < self->grids->len; i++) {
        unfold(&g_array_index(self->grids, LaneGrid, i));
    }
}

void sim_engine_fold_lanes(SimEngine *self,
                           SimLane first,
                           SimLaneFolds columns,
                           SimLaneFolds rows)
{
    LaneGrid *found = grid_at(self, first);

    unfold(found);
    if (columns.count + rows.count == 0) {
        return;
    }
    g_return_if_fail(found->first == first && sim_engine_can_fold(self, first));
    found->columns =
        lane_spread_new(MAX(found->grid->columns, 1), found->edge_bits, columns);
    found->rows = lane_spread_new(MAX(found->grid->rows, 1), found->edge_bits, rows);
}
