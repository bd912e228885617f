/* Memory of sightings. */
#include "sim/parallel/sighting.h"

enum {
    ROOM = 64, /* for as many events at first */
};

void sightings_clear(Sightings *self)
{
    g_free(self->words);
    g_free(self->events);
    *self = (Sightings){0};
}

void sightings_empty(Sightings *self)
{
    self->next = self->words;
    self->full = self->words;
    self->event_count = 0;
}

static void add_event(Sightings *self, SimTime now, SimKey key)
{
    if (self->event_count == self->event_room) {
        self->event_room = MAX(ROOM, 2 * self->event_room);
        self->events = g_renew(SightingEvent, self->events, self->event_room);
    }
    self->now = now;
    self->key = key;
    self->events[self->event_count++] =
        (SightingEvent){.now = now, .key = key, .first = sim_u32(sightings_used(self))};
}

static void grow(Sightings *self)
{
    const gsize used = sightings_used(self);

    self->room = 2 * self->room + SIGHTING_WORDS;
    self->words = g_renew(uint64_t, self->words, self->room);
    self->next = self->words + used;
}

void sightings_begin(Sightings *self, SimTime now, SimKey key)
{
    if (self->now != now || self->key != key || self->event_count == 0) {
        add_event(self, now, key);
    }
    if (self->room < sightings_used(self) + SIGHTING_WORDS) {
        grow(self);
    }
    self->full = self->words + (self->room - SIGHTING_WORDS + 1);
}
