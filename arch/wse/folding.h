/* PEs that do the same are simulated only once. A wafer is folded along
 * both axes (fold.h) as long as the lines beside its seams are equal in every cycle:
 * what becomes of a PE in a cycle follows from the states of PEs at most two lines
 * away, so the lines left out are then equal, too. When they begin to differ, as what
 * happens at an edge comes nearer, the fold is made smaller before the cycle goes on:
 * lines that were left out become copies of those that stood for them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/fabric.h"

typedef struct WseFolding WseFolding;

/* Folds the wafer, whose PEs have no room yet, if that leaves out enough of it. */
void wse_folding_begin(WseFabric *fabric);
void wse_folding_free(WseFolding *self);

/* Visits the PEs that have something to do in this cycle. False if nothing is folded,
 * or no longer: then nobody was visited. */
bool wse_folding_visit(WseFabric *fabric, uint32_t now);

/* Gives every PE a state of its own. */
void wse_folding_end(WseFabric *fabric);

/* Brings the counters of all PEs into the first region. */
void wse_folding_settle(WseFabric *fabric);

/* The region that counts for it, and will be settled. */
WseRegion *wse_folding_region(const WseFabric *fabric, uint32_t pe);

/* How many PEs the one with this state stands for. */
guint wse_folding_weight(const WseFabric *fabric, uint32_t pe);
