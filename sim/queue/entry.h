/* A pending event: what will run, in which order among those of its cycle. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "sim/engine.h"

typedef struct {
    SimKey key;
    SimEventFunc func;
    gpointer data;
    uint32_t slot;
    uint32_t generation; /* of the slot when it was scheduled: else it is cancelled */
} Entry;

_Static_assert(sizeof(Entry) == 32, "two entries fill a cache line");
