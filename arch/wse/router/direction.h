/* The five sides of a router, and sets of them as bits. */
#pragma once

#include <stdint.h>

#include "arch/wse_layout.h"

enum {
    WSE_ALL_DIRECTIONS = (1 << ARCH_WSE_DIRECTIONS) - 1,
};

/* The side of the neighbour at which a wavelet arrives. For links only. */
ArchWseDirection wse_direction_opposite(ArchWseDirection direction);

/* "EAST RAMP", or "nothing"; the caller frees it. */
char *wse_directions_text(uint8_t set);
