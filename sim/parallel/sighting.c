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
    self->used = 0;
    self->count = 0;
    self->event_count = 0;
}

void sightings_begin_event(Sightings *self, SimTime now, SimKey key)
{
    if (self->event_count == self->event_room) {
        self->event_room = MAX(ROOM, 2 * self->event_room);
        self->events = g_renew(SightingEvent, self->events, self->event_room);
    }
    self->now = now;
    self->key = key;
    self->events[self->event_count++] =
        (SightingEvent){.now = now, .key = key, .first = self->used};
}

void sightings_grow(Sightings *self)
{
    self->room = sim_u32(2 * (uint64_t) self->room + SIGHTING_WORDS);
    self->words = g_renew(uint64_t, self->words, self->room);
}
