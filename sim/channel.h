/* A bounded first-in first-out channel with latency and back-pressure. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"
#include "sim/process.h"

typedef struct SimChannel SimChannel;

/* An item pushed at t can be popped at t + latency_cycles; the space of an item popped
 * at t can be used again at t + credit_cycles. Between two regions both must be at
 * least the engine's window. */
typedef struct {
    const char *name; /* copied */
    SimRegion *sender;
    SimRegion *receiver;
    SimKey key; /* order of its arrivals and credits within a cycle */
    gsize item_bytes;
    guint capacity;
    SimTime latency_cycles;
    SimTime credit_cycles;
} SimChannelConfig;

/* The channel must outlive every item and credit still in flight. */
SimChannel *sim_channel_new(const SimChannelConfig *config);
void sim_channel_free(SimChannel *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimChannel, sim_channel_free)

/* Copies `item` into the channel. Returns false when it is full; `process`, if not
 * NULL, is then woken when there is space, first come first served. */
bool sim_channel_push(SimChannel *self, gconstpointer item, SimProcess *process);

/* Copies the oldest item out. Returns false when there is none; `process`, if not NULL,
 * is then woken when one arrives, first come first served. */
bool sim_channel_pop(SimChannel *self, gpointer item, SimProcess *process);
