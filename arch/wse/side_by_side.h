/* Bands go on side by side, on the threads of the crew. */
#pragma once

#include <stdint.h>

#include "arch/wse/fabric.h"

/* All bands do cycles `first` to `end` - 1, each with the region of its number. If one
 * of them fails, all do the cycles up to that one; some may be further. */
void wse_side_by_side_run(WseFabric *fabric, uint32_t first, uint32_t end);
