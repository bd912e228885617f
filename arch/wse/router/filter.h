/* The filter of a color: which wavelets a router passes on to its CE. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/router/token.h"
#include "arch/wse_layout.h"

bool wse_filter_passes(const ArchWseFilter *self,
                       uint16_t counter,
                       const WseToken *token);

/* The counter after this wavelet. */
uint16_t
wse_filter_count(const ArchWseFilter *self, uint16_t counter, const WseToken *token);
