/* What a router does with a color as its switch is now. */
#pragma once

#include "arch/wse/kind.h"

/* Finds where the color of a PE of this kind goes, and whether that is usual. Call this
 * when its switch, its routes, its neighbours or its queue have changed. */
void wse_color_settle(WseColor *self, const WseRoute *route, const WseKind *kind);
