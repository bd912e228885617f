/* The compute element of a PE: tasks on its main thread and vector operations in its
 * microthreads, sharing one issue slot a cycle. */
#pragma once

#include <stdint.h>

#include "arch/wse/region.h"

/* Does what can be done at `now`. Returns when it has to be asked again at the latest
 * if nothing comes in between, WSE_NEVER for not at all. */
uint32_t wse_ce_poll(WseRegion *region, uint32_t pe, uint32_t now);

/* Nothing is under way and nothing waits to run. */
bool wse_ce_is_at_rest(WseRegion *region, WsePe *pe);
