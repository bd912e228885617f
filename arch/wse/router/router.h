/* The router of a PE: five ports, a ring of slots for each color and input. */
#pragma once

#include <stdint.h>

#include "arch/wse/region.h"

/* Moves what can be moved at `now` of the colors and output queues that are due; sees
 * to it that it is asked again. */
void wse_router_poll(WseRegion *region, uint32_t pe, uint32_t now, uint32_t due);

/* Asks the host's memory for the places that tokens of these colors go to next. */
void wse_router_prefetch(const WseRegion *region, uint32_t pe, uint32_t due);
