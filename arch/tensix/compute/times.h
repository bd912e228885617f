/* When something happened that compute threads tell one another of: its last few times.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"

enum {
    TENSIX_TIMES = 8, /* a power of two, more than can be between two threads */
};

/* TensixTimes of the n-th of something, by n: the last few. */
typedef struct {
    uint64_t count;
    SimTime times[TENSIX_TIMES];
} TensixTimes;

static inline void tensix_times_add(TensixTimes *self, SimTime when)
{
    self->times[self->count++ % TENSIX_TIMES] = when;
}

static inline bool tensix_times_has(const TensixTimes *self, uint64_t n)
{
    return n < self->count;
}

static inline SimTime tensix_times_at(const TensixTimes *self, uint64_t n)
{
    return self->times[n % TENSIX_TIMES];
}
