/* Naps of a wafer's compute elements, for who looks at PEs that nobody visits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/fabric.h"

/* The CE of this PE has done what it would have done by now, if it naps. */
void wse_naps_show(const WseFabric *fabric, uint32_t pe);

/* The same of all, and they are visited again: somebody begins to watch. */
void wse_naps_end(WseFabric *fabric);

/* All do what they would have done before the engine looks at PEs, as no wavelet comes
 * any more. Returns the cycle from which on they have more to do, or else the last one
 * of visits that were left out. */
uint32_t wse_naps_finish(const WseFabric *fabric);

/* Whether CEs may nap: nothing but wavelets of other PEs changes what they do, neither
 * the host nor teardowns, which call a task at once. */
bool wse_naps_are_possible(const WseFabric *fabric);
