/* The registers of a router: its routes and switches as words. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/block.h"

/* The words of a color: see arch_wse_program_set_config(). */
uint32_t wse_config_routes(const WseRoute *route, const WseColor *color);
uint32_t
wse_config_switches(const WseRoute *route, const WseColor *color, bool is_cumulative);

/* Whether the word of routes has other swaps. */
bool wse_config_swaps(const WseRoute *route, uint32_t word);

/* Take effect at once. */
void wse_config_set_routes(WseRoute *route,
                           WseColor *color,
                           uint32_t word,
                           bool is_cumulative);
void wse_config_set_switches(WseRoute *route,
                             WseColor *color,
                             uint32_t word,
                             bool is_cumulative);
