/* A PE's port to memory, one way: a beat a cycle. */
#pragma once

#include "arch/nero/channel.h"

typedef struct {
    uint64_t beat_bytes;
    SimTime free_at;
} NeroPort;

/* Cycles of a burst. */
SimTime nero_port_cycles(const NeroPort *self, uint64_t bytes);

/* A burst, whose bytes come as `span` says, begins when those before it have passed.
 * Returns when its last byte has. */
SimTime nero_port_pass(NeroPort *self, NeroSpan span, uint64_t bytes);
