/* Sightings: probe records as regions make them, one after another in a log. Making one
 * costs little; the order and form in which a watcher gets them is found later
 * (sim/parallel/order.h). */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "sim/narrow.h"
#include "sim/probe.h"

enum {
    /* Kept before a watcher gets them, cycles being whole: a megabyte or so. Waking
     * who takes them costs as much as making some hundred. */
    SIGHTINGS_MANY = 1 << 14,
};

enum {
    SIGHTING_VALUE = 1 << 0,
    SIGHTING_FLOW = 1 << 1,
    SIGHTING_FLOW_END = 1 << 2,
    SIGHTING_CAUSE = 1 << 3,
};

/* A record without the time of its event, and only with what it has of the rest. */
typedef struct {
    const char *name;
    SimTime begin;
    SimTime end;
    SimLane lane;
    SimLane cause;
    guint32 next; /* word of the next one of its run, see order.c */
    guint8 kind;  /* SimProbeKind */
    guint8 argument_count;
    guint8 parts;    /* what it has: SIGHTING_... */
    uint64_t more[]; /* value, flow and flow_since, cause_at, arguments */
} Sighting;

enum {
    SIGHTING_ARGUMENT_WORDS = sizeof(SimProbeArgument) / sizeof(uint64_t),
    SIGHTING_WORDS = /* at most */
        (sizeof(Sighting) + sizeof(uint64_t[4]) +
         sizeof(SimProbeArgument[SIM_PROBE_ARGUMENTS])) /
        sizeof(uint64_t),
};

/* Sightings of one event, or of several with the same time and key. */
typedef struct {
    SimTime now;
    SimKey key;
    guint32 first; /* word; they end where those of the next event begin */
} SightingEvent;

/* The sightings of a region. Zero-initialised means empty. */
typedef struct {
    uint64_t *words;
    guint32 used;
    guint32 room;
    guint count;           /* of sightings */
    SightingEvent *events; /* in the order of time */
    guint event_count;
    guint event_room;
    SimTime now; /* of the last event, if there is one */
    SimKey key;
} Sightings;

void sightings_clear(Sightings *self);

/* Forgets them, and keeps the memory. */
void sightings_empty(Sightings *self);

/* Those that follow are of another event. */
void sightings_begin_event(Sightings *self, SimTime now, SimKey key);

/* Makes room for another one. */
void sightings_grow(Sightings *self);

/* The next sighting, of an event; sightings_close() says where it ends. */
static inline Sighting *sightings_open(Sightings *self, SimTime now, SimKey key)
{
    if (self->now != now || self->key != key || self->event_count == 0) {
        sightings_begin_event(self, now, key);
    }
    if (G_UNLIKELY(self->room - self->used < SIGHTING_WORDS)) {
        sightings_grow(self);
    }
    return (gpointer) &self->words[self->used];
}

static inline void sightings_close(Sightings *self, const uint64_t *end)
{
    self->used = sim_u32(end - self->words);
    self->count++;
}
