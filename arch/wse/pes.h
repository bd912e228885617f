/* The PEs of a wafer: their room, and the state in which they begin. */
#pragma once

#include "arch/wse/fabric.h"

/* Makes room for the states of PEs. */
void wse_pes_new(WseFabric *fabric);
/* Makes room for the memories of all PEs, which are 0. */
void wse_pes_new_memory(WseFabric *fabric);
void wse_pes_free(WseFabric *fabric);

/* Resets PEs to the start of their programs; memories stay. */
void wse_pes_reset(WseFabric *fabric);
/* Loads the programs' initial memory. */
void wse_pes_load(WseFabric *fabric);
/* Schedules a visit to every PE in cycle 0. */
void wse_pes_start(WseFabric *fabric);
