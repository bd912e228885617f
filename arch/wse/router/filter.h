/* Filters of colors, before the CE. */
#pragma once

#include <stdbool.h>

#include "arch/wse/pe.h"
#include "arch/wse/router/token.h"
#include "arch/wse_layout.h"

/* Does the filter of a color let a wavelet through to the CE? */
bool wse_filter_passes(const ArchWseFilter *self,
                       const WseColor *color,
                       const WseToken *token);

/* The counter of the filter after a wavelet. */
void wse_filter_count(const ArchWseFilter *self,
                      WseColor *color,
                      const WseToken *token);
