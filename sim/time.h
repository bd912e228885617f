/* Simulated time: whole cycles of one clock domain, and the order inside one cycle. */
#pragma once

#include <stdint.h>

/* Cycles since the engine's time 0. */
typedef uint64_t SimTime;

#define SIM_TIME_NEVER UINT64_MAX

/* Events of one cycle run in ascending key order, whatever the number of threads.
 * Events that share time and key run in the order in which they were scheduled; events
 * posted by another region count as scheduled at the end of its window. */
typedef uint64_t SimKey;

/* The key of one port of one component. */
static inline SimKey sim_key(uint32_t component, uint16_t port)
{
    return ((SimKey) component << 16) | port;
}
