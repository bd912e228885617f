/* The compute element of a PE: tasks on its main thread and vector operations in its
 * microthreads, sharing one issue slot a cycle. */
#pragma once

#include <stdint.h>

#include "arch/wse/region.h"

/* Advances the CE of the PE with this number as far as possible at `now`, and schedules
 * its next visit. */
void wse_ce_poll(WseRegion *region, WsePe *pe, uint32_t number, uint32_t now);

/* Whether nothing is under way and nothing waits to run. */
bool wse_ce_is_at_rest(WseRegion *region, WsePe *pe);

/* Takes the turns before cycle `until` of a CE that naps. */
void wse_ce_catch_up(WseRegion *region, WsePe *pe, uint32_t number, uint32_t until);
