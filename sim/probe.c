/* Probes: regions remember what they saw; between windows it is put in order. */
#include "sim/probe.h"

#include "sim/parallel/engine_state.h"

void sim_engine_watch(SimEngine *self, SimProbeFunc func, gpointer data)
{
    self->probe = func;
    self->probe_data = data;
    for (guint i = 0; i < self->config.region_count; i++) {
        self->regions[i].is_watched = func != NULL;
    }
}

SimLane sim_engine_lane(SimEngine *self, const char *name)
{
    gpointer found = NULL;

    if (g_hash_table_lookup_extended(self->lane_by_name, name, NULL, &found)) {
        return GPOINTER_TO_UINT(found);
    }
    SimLane lane = self->lanes->len;
    char *copy = g_strdup(name);

    g_ptr_array_add(self->lanes, copy);
    g_hash_table_insert(self->lane_by_name, copy, GUINT_TO_POINTER(lane));
    return lane;
}

const char *sim_engine_lane_name(const SimEngine *self, SimLane lane)
{
    g_return_val_if_fail(lane < self->lanes->len, NULL);

    return g_ptr_array_index(self->lanes, lane);
}

bool sim_region_is_watched(const SimRegion *self)
{
    return self->is_watched;
}

static int compare(gconstpointer a, gconstpointer b)
{
    const Sighting *first = a;
    const Sighting *second = b;

    if (first->time != second->time) {
        return first->time < second->time ? -1 : 1;
    }
    return (first->key > second->key) - (first->key < second->key);
}

static void remember(SimRegion *self, SimProbeRecord record)
{
    Sighting sighting = {.time = self->now, .key = self->key, .record = record};
    const guint count = self->sightings->len;

    /* An event for the present cycle may have a lower key than those before it. */
    if (count > 0 &&
        compare(&g_array_index(self->sightings, Sighting, count - 1), &sighting) > 0) {
        self->is_out_of_order = true;
    }
    g_array_append_val(self->sightings, sighting);
}

void sim_region_slice(
    SimRegion *self, SimLane lane, const char *name, SimTime begin, SimTime end)
{
    if (self->is_watched) {
        remember(self, (SimProbeRecord){.kind = SIM_PROBE_SLICE,
                                        .lane = lane,
                                        .name = name,
                                        .begin = begin,
                                        .end = end});
    }
}

void sim_region_counter(SimRegion *self, SimLane lane, const char *name, int64_t value)
{
    if (self->is_watched) {
        remember(self, (SimProbeRecord){.kind = SIM_PROBE_COUNTER,
                                        .lane = lane,
                                        .name = name,
                                        .begin = self->now,
                                        .end = self->now,
                                        .value = value});
    }
}

void sim_region_mark(SimRegion *self, SimLane lane, const char *name)
{
    if (self->is_watched) {
        remember(self, (SimProbeRecord){.kind = SIM_PROBE_MARK,
                                        .lane = lane,
                                        .name = name,
                                        .begin = self->now,
                                        .end = self->now});
    }
}

/* Keeps the order of what has the same time and key: g_array_sort is stable. */
static void put_in_order(SimRegion *self)
{
    if (self->is_out_of_order) {
        g_array_sort(self->sightings, compare);
        self->is_out_of_order = false;
    }
}

/* The region whose next sighting comes first; each region's are in order. */
static SimRegion *earliest(SimEngine *self, const guint *positions)
{
    SimRegion *first = NULL;
    const Sighting *first_sighting = NULL;

    for (guint i = 0; i < self->config.region_count; i++) {
        SimRegion *region = &self->regions[i];

        if (positions[i] >= region->sightings->len) {
            continue;
        }
        const Sighting *sighting =
            &g_array_index(region->sightings, Sighting, positions[i]);

        if (first == NULL || compare(sighting, first_sighting) < 0) {
            first = region;
            first_sighting = sighting;
        }
    }
    return first;
}

void engine_flush_probes(SimEngine *self)
{
    if (self->probe == NULL) {
        return;
    }
    g_autofree guint *positions = g_new0(guint, self->config.region_count);
    SimRegion *region;

    for (guint i = 0; i < self->config.region_count; i++) {
        put_in_order(&self->regions[i]);
    }
    while ((region = earliest(self, positions)) != NULL) {
        const Sighting *sighting =
            &g_array_index(region->sightings, Sighting, positions[region->index]++);

        self->probe(self->probe_data, &sighting->record);
    }
    for (guint i = 0; i < self->config.region_count; i++) {
        g_array_set_size(self->regions[i].sightings, 0);
    }
}
