/* Chooses lanes: links by their use only, the rest by the size of their grid. */
#include "traces/writing/pftrace/choice.h"

enum {
    FULL_PLACES = 4096, /* of a grid that is traced in full */
};

static const char *const link_units[] = {"east", "south", "west", "north", NULL};

/* Those whose coordinates a user gives. */
static bool has_cores(const SimLaneGrid *grid)
{
    return g_str_equal(grid->kind, "core") || g_str_equal(grid->kind, "pe");
}

bool choice_is_core(const TracePftraceConfig *config, const SimLanePlace *place)
{
    for (guint i = 0; i < config->core_count; i++) {
        const TraceSquare *square = &config->cores[i];

        if (place->x >= square->x && place->x <= square->x_end &&
            place->y >= square->y && place->y <= square->y_end) {
            return has_cores(place->grid);
        }
    }
    return false;
}

static SimLaneLevel level_of_grid(TraceLevel level, const SimLaneGrid *grid)
{
    const guint64 places = (guint64) MAX(grid->columns, 1) * MAX(grid->rows, 1);

    switch (level) {
    case TRACE_LEVEL_FULL:
        return SIM_LANE_FULL;
    case TRACE_LEVEL_BLOCKS:
        return SIM_LANE_BLOCKS;
    case TRACE_LEVEL_AUTO:
        break;
    }
    return places <= FULL_PLACES ? SIM_LANE_FULL : SIM_LANE_BLOCKS;
}

SimLaneLevel choice_level(const TracePftraceConfig *config, const SimLanePlace *place)
{
    SimLaneLevel level = level_of_grid(config->level, place->grid);

    if (config->core_count > 0 && has_cores(place->grid)) {
        if (choice_is_core(config, place)) {
            level = SIM_LANE_FULL;
        } else if (level == SIM_LANE_FULL) {
            return SIM_LANE_OFF;
        }
    }
    if (place->unit != NULL && g_strv_contains(link_units, place->unit)) {
        level = SIM_LANE_BLOCKS;
    }
    return level;
}
