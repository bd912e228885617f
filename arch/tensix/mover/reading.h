/* What a data mover's calls looked at since they last changed something: tells a kernel
 * that polls from one that works. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/tensix_mover.h"
#include "sim/poll.h"
#include "sim/time.h"

typedef struct {
    uint64_t work;  /* calls that changed something, or computed */
    SimTime worked; /* the mover's own time at the last of them */
    SimPolls polls;
    const char *call;   /* the last call that read; NULL: none since the last work */
    uint64_t place;     /* its circular buffer, or its address */
    ArchNocAddress far; /* of the last NoC read that brought nothing new, */
    bool is_far;        /* if there was one since the last work */
    bool is_repeating;  /* the last one showed nothing new: what follows is no work */
} TensixMoverReadings;

/* At `now` the mover did something that others, or its own later calls, can see. */
static inline void tensix_readings_end(TensixMoverReadings *self, SimTime now)
{
    self->work++;
    self->worked = now;
    self->call = NULL;
    self->is_far = false;
    self->is_repeating = false;
}

/* It only looked at something. */
static inline void tensix_readings_add(TensixMoverReadings *self,
                                       const char *call,
                                       uint64_t place,
                                       bool is_repeating)
{
    self->call = call;
    self->place = place;
    self->is_repeating = is_repeating;
}
