/* Showing: swaps the sightings of regions with those of a parcel, which are empty. */
#include "sim/parallel/showing.h"

#include "sim/parallel/region.h"

void showing_init(Showing *self, const SimWatch *watch, guint region_count)
{
    *self = (Showing){
        .watch = watch,
        .region_count = region_count,
        .is_beside = watch->is_beside && g_get_num_processors() > 1,
    };
    for (guint i = 0; i < MESSENGER_PARCELS; i++) {
        self->parcels[i] = g_new0(Sightings, region_count);
    }
}

void showing_clear(Showing *self)
{
    messenger_free(self->messenger);
    for (guint i = 0; i < MESSENGER_PARCELS; i++) {
        for (guint k = 0; k < self->region_count; k++) {
            sightings_clear(&self->parcels[i][k]);
        }
        g_free(self->parcels[i]);
    }
    sighting_order_clear(&self->order);
    *self = (Showing){0};
}

static void deliver(gpointer data, guint parcel)
{
    Showing *self = data;

    sighting_order_show(&self->order, self->parcels[parcel], self->region_count,
                        self->watch);
}

static void swap(const Showing *self, SimRegion *regions, guint parcel)
{
    for (guint i = 0; i < self->region_count; i++) {
        const Sightings taken = regions[i].sightings;

        regions[i].sightings = self->parcels[parcel][i];
        self->parcels[parcel][i] = taken;
    }
}

/* Whether there is a messenger. Most runs see too little to need one. */
static bool has_messenger(Showing *self)
{
    if (self->is_beside && self->messenger == NULL) {
        self->messenger = messenger_new(deliver, self);
        self->is_beside = self->messenger != NULL;
    }
    return self->is_beside;
}

void showing_take(Showing *self, SimRegion *regions)
{
    if (has_messenger(self)) {
        swap(self, regions, messenger_parcel(self->messenger));
        messenger_send(self->messenger);
    } else {
        showing_finish(self, regions);
    }
}

void showing_finish(Showing *self, SimRegion *regions)
{
    showing_wait(self);
    swap(self, regions, 0);
    deliver(self, 0);
    swap(self, regions, 0); /* so that one set of them is used, and in the cache */
}

void showing_wait(Showing *self)
{
    if (self->messenger != NULL) {
        messenger_wait(self->messenger);
    }
}
