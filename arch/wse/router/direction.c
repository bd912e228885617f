/* The five sides of a router: names and opposites. */
#include "arch/wse/router/direction.h"

static const char *const names[ARCH_WSE_DIRECTIONS] = {
    [ARCH_WSE_WEST] = "WEST",   [ARCH_WSE_EAST] = "EAST", [ARCH_WSE_NORTH] = "NORTH",
    [ARCH_WSE_SOUTH] = "SOUTH", [ARCH_WSE_RAMP] = "RAMP",
};

const char *arch_wse_direction_name(ArchWseDirection direction)
{
    g_return_val_if_fail(direction < ARCH_WSE_DIRECTIONS, "");

    return names[direction];
}

bool arch_wse_direction_find(const char *name, ArchWseDirection *direction)
{
    for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
        if (g_str_equal(names[i], name)) {
            *direction = (ArchWseDirection) i;
            return true;
        }
    }
    return false;
}

ArchWseDirection wse_direction_opposite(ArchWseDirection direction)
{
    static const ArchWseDirection opposite[ARCH_WSE_RAMP] = {
        [ARCH_WSE_WEST] = ARCH_WSE_EAST,
        [ARCH_WSE_EAST] = ARCH_WSE_WEST,
        [ARCH_WSE_NORTH] = ARCH_WSE_SOUTH,
        [ARCH_WSE_SOUTH] = ARCH_WSE_NORTH,
    };

    g_return_val_if_fail(direction < ARCH_WSE_RAMP, direction);

    return opposite[direction];
}

char *wse_directions_text(uint8_t set)
{
    const char *parts[ARCH_WSE_DIRECTIONS + 1] = {NULL};
    guint count = 0;

    for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
        if ((set >> i & 1) != 0) {
            parts[count] = names[i];
            count++;
        }
    }
    return count == 0 ? g_strdup("nothing") : g_strjoinv(" ", (char **) parts);
}
