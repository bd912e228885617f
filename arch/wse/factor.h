/* The factor by which a phase's operations take longer in streams, and the range of
 * factors with which a run would have gone the same way, as they round all its
 * durations up to the same cycles. */
#pragma once

#include <stdint.h>

#include "sim/narrow.h"

enum {
    WSE_FACTOR_ONE = 65536,
};

typedef struct {
    uint32_t value;
    uint32_t least; /* of the range; see wse_factor_note() */
    uint32_t most;
} WseFactor;

static inline WseFactor wse_factor(uint32_t value)
{
    return (WseFactor){.value = value, .most = UINT32_MAX};
}

/* So many cycles times a factor, rounded up. */
static inline uint64_t wse_factor_times(uint32_t factor, uint32_t cycles)
{
    return ((uint64_t) cycles * factor + WSE_FACTOR_ONE - 1) / WSE_FACTOR_ONE;
}

/* Leaves in the range only factors that make the same of so many cycles. */
static inline void wse_factor_note(WseFactor *self, uint32_t cycles)
{
    const uint64_t times = wse_factor_times(self->value, cycles);

    if (wse_factor_times(self->least, cycles) != times) {
        self->least = sim_u32((times - 1) * WSE_FACTOR_ONE / cycles + 1);
    }
    if (wse_factor_times(self->most, cycles) != times) {
        self->most = sim_u32(times * WSE_FACTOR_ONE / cycles);
    }
}
