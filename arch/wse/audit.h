/* Names who waits for what when a wafer can no longer progress. */
#pragma once

#include <glib.h>

#include "arch/wse/fabric.h"

/* One line for each PE that is not at rest, the first of them row by row, then how many
 * more there are. */
void wse_audit(const WseFabric *fabric, GPtrArray *lines);
