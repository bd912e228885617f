/* A pending event: the function to call, and its order within the cycle. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "sim/engine.h"

typedef struct {
    SimKey key;
    SimEventFunc func;
    gpointer data;
    uint32_t slot;
    uint32_t generation; /* of its slot when scheduled; cancelled if the slot has
                          * another now */
} Entry;

_Static_assert(sizeof(Entry) == 32, "two entries fill a cache line");
