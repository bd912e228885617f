/* Lets the PEs of a wafer go on, window by window. */
#pragma once

#include <stdint.h>

#include "arch/wse/fabric.h"

/* The wafer has something to do in this cycle. */
void wse_advance_call(WseFabric *fabric, uint32_t cycle);
