/* Probes: regions remember what they saw; between windows it is put in order. */
#include "sim/probe.h"

#include "sim/parallel/engine_state.h"

enum {
    BLOCK_LIMIT_DEFAULT = 4096,
    USES = 2, /* series of a block's unit: its slices, its stalls */
};

static const char *const use_names[USES] = {"busy", "stalled"};

void engine_choose_levels(SimEngine *self, SimLane first)
{
    for (guint i = 0; i < self->grids->len; i++) {
        LaneGrid *grid = &g_array_index(self->grids, LaneGrid, i);

        grid->edge = sim_engine_lane_edge(self, grid->first);
    }
    for (SimLane lane = first; self->watch.func != NULL && lane < self->levels->len;
         lane++) {
        const SimLanePlace place = sim_engine_lane_place(self, lane);

        self->levels->data[lane] =
            (guint8) (self->watch.choose == NULL
                          ? SIM_LANE_FULL
                          : self->watch.choose(self->watch.data, &place));
    }
}

void sim_engine_watch(SimEngine *self, const SimWatch *watch)
{
    self->watch = *watch;
    if (watch->block_limit == 0) {
        self->watch.block_limit = BLOCK_LIMIT_DEFAULT;
    }
    for (guint i = 0; i < self->config.region_count; i++) {
        SimRegion *region = &self->regions[i];

        region->is_watched = SIM_PROBES && watch->func != NULL;
        g_clear_pointer(&region->use, lane_use_free);
        if (region->is_watched) {
            region->use = lane_use_new(watch->from);
        }
    }
    engine_choose_levels(self, 0);
}

bool sim_region_is_watched(const SimRegion *self)
{
    return self->is_watched;
}

bool sim_region_wants(const SimRegion *self, SimLane lane)
{
    return self->is_watched && self->engine->levels->data[lane] != SIM_LANE_OFF;
}

/* The lane of the first place of the square that it is in. */
static SimLane block_of(const SimEngine *engine, SimLane lane)
{
    const LaneGrid *found = engine_lane_grid(engine, lane);
    const guint units = MAX(found->grid->unit_count, 1);
    const guint columns = MAX(found->grid->columns, 1);
    const guint place = (lane - found->first) / units;
    const guint unit = (lane - found->first) % units;
    const guint edge = found->edge;
    const guint x = place % columns / edge * edge;
    const guint y = place / columns / edge * edge;

    return found->first + (x + columns * y) * units + unit;
}

static void use(SimRegion *self, const SimProbeRecord *record)
{
    const SimWatch *watch = &self->engine->watch;
    const SimTime begin = MAX(record->begin, watch->from);
    const SimTime end = MIN(record->end, watch->to);

    if (begin < end) {
        const SimLane block = block_of(self->engine, record->lane);

        lane_use_add(self->use, block * USES + (record->kind == SIM_PROBE_STALL), begin,
                     end);
    }
}

static void remember(SimRegion *self, const SimProbeRecord *record)
{
    const SimWatch *watch = &self->engine->watch;
    const guint8 level = self->engine->levels->data[record->lane];

    if (level == SIM_LANE_OFF || record->end < watch->from ||
        record->begin > watch->to) {
        return;
    }
    if (level == SIM_LANE_BLOCKS) {
        if (record->kind == SIM_PROBE_SLICE || record->kind == SIM_PROBE_STALL) {
            use(self, record);
        }
        return;
    }
    Sighting sighting = {.key = self->key, .record = *record};

    sighting.record.now = self->now;
    g_array_append_val(self->sightings, sighting);
}

void sim_region_slice(SimRegion *self,
                      SimLane lane,
                      const char *name,
                      SimTime begin,
                      SimTime end,
                      const SimProbeDetail *detail)
{
    if (self->is_watched) {
        SimProbeRecord record = {.kind = SIM_PROBE_SLICE,
                                 .lane = lane,
                                 .name = name,
                                 .begin = begin,
                                 .end = end};

        if (detail != NULL) {
            record.detail = *detail;
        }
        remember(self, &record);
    }
}

void sim_region_stall(
    SimRegion *self, SimLane lane, const char *reason, SimTime begin, SimTime end)
{
    if (self->is_watched) {
        remember(self, &(SimProbeRecord){.kind = SIM_PROBE_STALL,
                                         .lane = lane,
                                         .name = reason,
                                         .begin = begin,
                                         .end = end});
    }
}

void sim_region_counter(SimRegion *self, SimLane lane, const char *name, int64_t value)
{
    if (self->is_watched) {
        remember(self, &(SimProbeRecord){.kind = SIM_PROBE_COUNTER,
                                         .lane = lane,
                                         .name = name,
                                         .begin = self->now,
                                         .end = self->now,
                                         .value = value});
    }
}

void sim_region_change(
    SimRegion *self, SimLane lane, const char *name, SimTime when, int64_t change)
{
    if (self->is_watched) {
        remember(self, &(SimProbeRecord){.kind = SIM_PROBE_CHANGE,
                                         .lane = lane,
                                         .name = name,
                                         .begin = when,
                                         .end = when,
                                         .value = change});
    }
}

void sim_region_mark(SimRegion *self,
                     SimLane lane,
                     const char *name,
                     SimTime when,
                     const SimProbeDetail *detail)
{
    if (self->is_watched) {
        SimProbeRecord record = {.kind = SIM_PROBE_MARK,
                                 .lane = lane,
                                 .name = name,
                                 .begin = when,
                                 .end = when};

        if (detail != NULL) {
            record.detail = *detail;
        }
        remember(self, &record);
    }
}

/* By time; in a cycle by lane, because regions are cut differently for different
 * numbers of threads, while what a lane's place does is always in one order. */
static int compare(gconstpointer a, gconstpointer b, gpointer data)
{
    const Sighting *first = *(const Sighting *const *) a;
    const Sighting *second = *(const Sighting *const *) b;

    (void) data;
    if (first->record.now != second->record.now) {
        return first->record.now < second->record.now ? -1 : 1;
    }
    if (first->record.lane != second->record.lane) {
        return first->record.lane < second->record.lane ? -1 : 1;
    }
    return (first->key > second->key) - (first->key < second->key);
}

void engine_flush_probes(SimEngine *self)
{
    if (self->watch.func == NULL) {
        return;
    }
    g_ptr_array_set_size(self->seen, 0);
    for (guint i = 0; i < self->config.region_count; i++) {
        GArray *sightings = self->regions[i].sightings;

        for (guint j = 0; j < sightings->len; j++) {
            g_ptr_array_add(self->seen, &g_array_index(sightings, Sighting, j));
        }
    }
    /* Keeps the order of what compares equal: it is stable. */
    g_qsort_with_data(self->seen->pdata, (gint) self->seen->len, sizeof(gpointer),
                      compare, NULL);
    for (guint i = 0; i < self->seen->len; i++) {
        const Sighting *sighting = g_ptr_array_index(self->seen, i);

        self->watch.func(self->watch.data, &sighting->record);
    }
    for (guint i = 0; i < self->config.region_count; i++) {
        g_array_set_size(self->regions[i].sightings, 0);
    }
}

static void
hand_over(gpointer data, guint32 series, SimTime begin, SimTime end, uint64_t cycles)
{
    SimEngine *self = data;

    self->watch.func(self->watch.data,
                     &(SimProbeRecord){.kind = SIM_PROBE_USE,
                                       .lane = series / USES,
                                       .name = use_names[series % USES],
                                       .now = sim_engine_now(self),
                                       .begin = begin,
                                       .end = end,
                                       .value = (int64_t) cycles});
}

void sim_engine_finish_watch(SimEngine *self)
{
    if (!self->regions[0].is_watched) {
        return;
    }
    engine_flush_probes(self);
    for (guint i = 1; i < self->config.region_count; i++) {
        lane_use_merge(self->regions[0].use, self->regions[i].use);
    }
    lane_use_each(self->regions[0].use, hand_over, self);
    sim_engine_watch(self, &(SimWatch){0});
}
