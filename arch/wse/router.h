/* The router of a PE and the ramp between them. */
#pragma once

#include <stdint.h>

#include "arch/wse/fabric.h"

/* Moves what can be moved at `now`. Returns when it has to be asked again at the latest
 * if nothing comes in between, WSE_NEVER for not at all. */
uint32_t wse_router_poll(WseRegion *region, uint32_t pe, uint32_t now);

/* The switch of a color, after a command. */
void wse_router_advance(const WseRoute *route, WseColor *color);
