/* Finds what is usual about a color. */
#include "arch/wse/router/color.h"

#include "sim/narrow.h"

void wse_color_settle(WseColor *self, const WseRoute *route)
{
    const bool is_first = self->position == 0;
    const uint8_t rx = is_first && self->rx != 0 ? self->rx : route->rx[self->position];
    const bool is_one = rx != 0 && (rx & (rx - 1)) == 0;
    const bool is_usual = is_one && !self->is_torn_down &&
                          route->host == ARCH_WSE_NO_HOST &&
                          route->filter.kind == ARCH_WSE_FILTER_NONE;

    self->origin = is_usual ? sim_u8(__builtin_ctz(rx)) : WSE_NO_RING;
    self->outputs = is_first && self->tx != 0 ? self->tx : route->tx[self->position];
}
