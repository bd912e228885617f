/* Which programs can do later what they do with numbers. */
#pragma once

#include <stdbool.h>

#include "arch/wse/fabric.h"

/* Whether all programs of the layout can: nothing in them depends on numbers, none sees
 * single numbers, and all streams go from memory to memory. */
bool wse_later_suits(const WseFabric *fabric);
