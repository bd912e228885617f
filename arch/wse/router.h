/* The router of a PE and the ramp between them. */
#pragma once

#include <stdint.h>

#include "arch/wse/fabric.h"

/* Moves what can be moved at `now` of the colors and queues that are due; sees to it
 * that it is asked again. */
void wse_router_poll(WseRegion *region, uint32_t pe, uint32_t now, uint32_t due);

/* The switch of a color, after a command. */
void wse_router_advance(const WseRoute *route, WseColor *color);
