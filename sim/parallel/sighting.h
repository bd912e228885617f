/* Sightings: probe records as regions make them, one after another in a log. Making one
 * costs little; the order and form in which a watcher gets them is found later
 * (sim/parallel/order.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/narrow.h"
#include "sim/probe.h"

enum {
    /* Words kept before a watcher gets them, cycles being whole: a megabyte, more than
     * ten thousand sightings. Waking who takes them costs as much as making some
     * hundred. */
    SIGHTINGS_MANY = 1 << 17,
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
    SimTime now; /* of the last event, if there is one */
    SimKey key;
    uint64_t *next; /* where the next sighting goes */
    uint64_t *full; /* from here on there is no room for one; none while empty */
    uint64_t *words;
    gsize room;            /* words */
    SightingEvent *events; /* in the order of time */
    guint event_count;
    guint event_room;
} Sightings;

void sightings_clear(Sightings *self);

/* Forgets them, and keeps the memory. */
void sightings_empty(Sightings *self);

/* How many words they are. */
static inline gsize sightings_used(const Sightings *self)
{
    return (gsize) (self->next - self->words);
}

/* Whether the next sighting is of the last event, and there is room for it. */
static inline bool sightings_goes_on(const Sightings *self, SimTime now, SimKey key)
{
    return self->now == now && self->key == key && self->next < self->full;
}

/* Makes it so. */
void sightings_begin(Sightings *self, SimTime now, SimKey key);
