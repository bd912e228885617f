/* Moves the PEs of a running wafer into another fold. */
#pragma once

#include <stdint.h>

#include "arch/wse/fabric.h"

/* Every PE that gets a state begins with that of the one that stood for it. Visits due
 * from cycle `now` on stay due. The present fold has one strip. */
void wse_recut(WseFabric *fabric,
               const WseAxis *columns,
               const WseAxis *rows,
               uint32_t now);
