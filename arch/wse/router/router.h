/* The router of a PE: five ports, a ring of slots for each color and input. */
#pragma once

#include <stdint.h>

#include "arch/wse/region.h"

/* Moves tokens of the due colors and output queues of PE number `number` as far as
 * possible at `now`, and schedules the next visit. */
void wse_router_poll(
    WseRegion *region, WsePe *pe, uint32_t number, uint32_t now, uint32_t due);
