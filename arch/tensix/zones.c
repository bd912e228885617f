/* Keeps the totals of zones by name, and the open zones. */
#include "arch/tensix/zones.h"

#include "arch/error.h"
#include "sim/probe.h"

typedef struct {
    guint total;
    SimTime since;
} Open;

void tensix_zones_clear(TensixZones *self)
{
    g_clear_pointer(&self->totals, g_array_unref);
    g_clear_pointer(&self->open, g_array_unref);
}

static ArchTensixZone *total_at(const TensixZones *self, guint index)
{
    return &g_array_index(self->totals, ArchTensixZone, index);
}

/* A kernel has a handful. */
static guint find_total(TensixZones *self, const char *name)
{
    for (guint i = 0; i < self->totals->len; i++) {
        if (total_at(self, i)->name == name) {
            return i;
        }
    }
    ArchTensixZone total = {.name = name};

    g_array_append_val(self->totals, total);
    return self->totals->len - 1;
}

void tensix_zones_watch(TensixZones *self, SimRegion *region, SimLane lane)
{
    if (SIM_PROBES && sim_region_wants(region, lane)) {
        self->region = region;
        self->lane = lane;
    }
}

/* The innermost zone, since another one was. */
static void show(TensixZones *self, SimTime now)
{
    const char *name = tensix_zones_inside(self);

    if (name != NULL && now > self->shown) {
        sim_region_slice(self->region, self->lane, name, self->shown, now, NULL);
    }
    self->shown = now;
}

void tensix_zones_begin(TensixZones *self, const char *name, SimTime now)
{
    if (SIM_PROBES && G_UNLIKELY(self->region != NULL)) {
        show(self, now);
    }
    if (self->totals == NULL) {
        self->totals = g_array_new(FALSE, FALSE, sizeof(ArchTensixZone));
        self->open = g_array_new(FALSE, FALSE, sizeof(Open));
    }
    Open open = {.total = find_total(self, name), .since = now};

    g_array_append_val(self->open, open);
}

bool tensix_zones_end(TensixZones *self, SimTime now, GError **error)
{
    if (self->open == NULL || self->open->len == 0) {
        return arch_refuse(error, "a zone ends that has not begun");
    }
    const Open *open = &g_array_index(self->open, Open, self->open->len - 1);
    ArchTensixZone *total = total_at(self, open->total);

    if (SIM_PROBES && G_UNLIKELY(self->region != NULL)) {
        show(self, now);
    }
    total->cycles += now - open->since;
    total->count++;
    g_array_set_size(self->open, self->open->len - 1);
    return true;
}

const char *tensix_zones_inside(const TensixZones *self)
{
    if (self->open == NULL || self->open->len == 0) {
        return NULL;
    }
    return total_at(self, g_array_index(self->open, Open, self->open->len - 1).total)
        ->name;
}

void tensix_zones_collect(const TensixZones *self, GHashTable *by_name)
{
    for (guint i = 0; self->totals != NULL && i < self->totals->len; i++) {
        const ArchTensixZone *total = total_at(self, i);
        ArchTensixZone *most = g_hash_table_lookup(by_name, total->name);

        if (most == NULL) {
            most = g_new0(ArchTensixZone, 1);
            most->name = total->name;
            g_hash_table_insert(by_name, (gpointer) total->name, most);
        }
        if (total->cycles > most->cycles) {
            *most = *total;
        } else if (total->cycles == most->cycles) {
            most->count = MAX(most->count, total->count);
        }
    }
}
