/* The inside of a region: its queue, its outgoing mail, its share of counters and
 * probes. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"
#include "sim/internal/lane_use.h"
#include "sim/parallel/sighting.h"
#include "sim/probe.h"
#include "sim/queue/queue.h"

/* An event for another region, delivered between windows. */
typedef struct {
    SimTime when;
    SimKey key;
    SimEventFunc func;
    gpointer data;
} Mail;

struct SimRegion {
    Queue queue;
    SimEngine *engine;
    guint index;
    bool is_watched;
    const guint8 *levels; /* of SimLaneLevel, by lane; NULL while nobody watches */
    bool has_failed;
    SimTime window_end; /* first cycle it may not run yet */
    SimTime next;       /* cycle of its next event when the window was planned */
    SimTime now;        /* cycle of the last event, or the end of idle time after it */
    SimKey key;         /* of the running event */
    uint64_t events;
    SimTime checked;  /* its time at the last self-check */
    GArray **outbox;  /* of Mail, one per region */
    guint posted;     /* mails of this window */
    GArray *counters; /* of uint64_t */
    Sightings sightings;
    LaneUse *use; /* NULL while nobody watches */
    GError *failure;
    SimTime failure_time;
    SimKey failure_key;
};

void region_init(SimRegion *self, SimEngine *engine, guint index, guint ring_cycles);
void region_clear(SimRegion *self);

/* Runs whole cycles before window_end until none is left, an event fails, or at least
 * `budget` events have run. Pauses within a cycle that has very many events, so that an
 * endless cycle can be stopped. */
void region_advance(SimRegion *self, uint64_t budget);

/* Whether it has paused within a cycle; region_advance() then continues there. */
bool region_is_within_cycle(const SimRegion *self);

/* Queues the events that other regions posted to it, in region order. */
void region_receive(SimRegion *self);
