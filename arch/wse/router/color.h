/* What a router does with a color as its switch is now. */
#pragma once

#include "arch/wse/layout.h"
#include "arch/wse/pe.h"

/* Finds the origin and the outputs of the color. Call this when its switch or its
 * routes have changed. */
void wse_color_settle(WseColor *self, const WseRoute *route);
