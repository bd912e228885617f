/* Shows a watcher what the regions of an engine have seen: between windows, or beside
 * them on a thread of its own. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/parallel/messenger.h"
#include "sim/parallel/order.h"
#include "sim/parallel/sighting.h"
#include "sim/probe.h"

/* Zero-initialised means that nobody watches. */
typedef struct {
    const SimWatch *watch;
    guint region_count;
    SightingOrder order;
    Sightings *parcels[MESSENGER_PARCELS]; /* by region */
    Messenger *messenger;                  /* NULL: none so far */
    bool is_beside;                        /* there may be one */
} Showing;

/* `watch` must outlive it. */
void showing_init(Showing *self, const SimWatch *watch, guint region_count);
/* What is under way gets to the watcher first. */
void showing_clear(Showing *self);

/* Takes all sightings of the regions, which then have none. They get to the watcher
 * beside the run if that may be. */
void showing_take(Showing *self, SimRegion *regions);

/* The same, and returns when the watcher has all of them. */
void showing_finish(Showing *self, SimRegion *regions);

/* Returns when nothing is under way to the watcher. */
void showing_wait(Showing *self);
