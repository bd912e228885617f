/* The lines that PEs print while they run. */
#pragma once

#include <glib.h>

#include "arch/wse/region.h"

/* The PE has come to a WSE_PRINT at `when`. */
void wse_print_add(WseRegion *region,
                   uint32_t number,
                   const WseInstruction *instruction,
                   uint32_t when);
