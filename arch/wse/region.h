/* A part of the wafer that advances on its own: looks at its PEs when they have
 * something to do, and writes to its neighbours. */
#pragma once

#include <stdint.h>

#include "arch/wse/fabric.h"

/* Its place is set; makes the rest but the state of PEs. */
void wse_region_begin(WseRegion *self, WseFabric *fabric, guint index);
/* The PEs in the state of their kinds (row by row of the fabric). */
void wse_region_fill(WseRegion *self, const uint16_t *kind_of);
void wse_region_end(WseRegion *self);

/* Every PE is looked at in cycle 0. */
void wse_region_start(WseRegion *self);
