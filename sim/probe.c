/* Probes: regions keep their sightings, which are sorted between windows. */
#include "sim/probe.h"

#include "sim/narrow.h"
#include "sim/parallel/engine_state.h"

enum {
    BLOCK_LIMIT_DEFAULT = 4096,
    USES = 2, /* series of a block's unit: its slices, its stalls */
};

static const char *const use_names[USES] = {"busy", "stalled"};

/* How the blocks of a grid lie, and where their series begin after those of the grids
 * before it. Returns where they end. */
static guint32 cut_blocks(const SimEngine *self, LaneGrid *added, guint32 first)
{
    const SimLaneGrid *grid = added->grid;
    const guint edge = sim_engine_lane_edge(self, added->first);

    added->edge_bits = (guint) g_bit_nth_msf(edge, -1);
    added->block_columns = (MAX(grid->columns, 1) + edge - 1) / edge;
    added->first_series = first;
    return first + added->block_columns * ((MAX(grid->rows, 1) + edge - 1) / edge) *
                       MAX(grid->unit_count, 1) * USES;
}

static void choose_levels_of(SimEngine *self, const LaneGrid *added)
{
    const SimLaneGrid *grid = added->grid;
    guint8 *level = self->levels->data + added->first;
    SimLanePlace place = {.grid = grid};

    for (place.y = 0; place.y < MAX(grid->rows, 1); place.y++) {
        for (place.x = 0; place.x < MAX(grid->columns, 1); place.x++) {
            for (guint unit = 0; unit < MAX(grid->unit_count, 1); unit++) {
                place.unit = grid->unit_count == 0 ? NULL : grid->units[unit];
                *level++ = sim_u8(self->watch.choose == NULL
                                      ? SIM_LANE_FULL
                                      : self->watch.choose(self->watch.data, &place));
            }
        }
    }
}

void engine_choose_levels(SimEngine *self, SimLane first)
{
    guint32 series = 0;

    for (guint i = 0; i < self->grids->len; i++) {
        LaneGrid *grid = &g_array_index(self->grids, LaneGrid, i);

        series = cut_blocks(self, grid, series);
        if (self->watch.func != NULL && grid->first >= first) {
            choose_levels_of(self, grid);
        }
    }
    for (guint i = 0; i < self->config.region_count; i++) {
        SimRegion *region = &self->regions[i];

        region->levels = region->is_watched ? self->levels->data : NULL;
    }
}

void sim_engine_watch(SimEngine *self, const SimWatch *watch)
{
    showing_clear(&self->showing);
    self->watch = *watch;
    showing_init(&self->showing, &self->watch, self->config.region_count);
    engine_unfold_lanes(self);
    if (watch->block_limit == 0) {
        self->watch.block_limit = BLOCK_LIMIT_DEFAULT;
    }
    for (guint i = 0; i < self->config.region_count; i++) {
        SimRegion *region = &self->regions[i];

        region->is_watched = SIM_PROBES && watch->func != NULL;
        g_clear_pointer(&region->use, lane_use_free);
        if (region->is_watched) {
            region->use = lane_use_new();
        }
    }
    engine_choose_levels(self, 0);
}

/* Time in which nothing was used yet is worth no intervals. Runs begin at one time in
 * all regions, however they are cut. */
void engine_begin_use(SimEngine *self)
{
    bool is_empty = self->regions[0].is_watched;

    for (guint i = 0; is_empty && i < self->config.region_count; i++) {
        is_empty = lane_use_is_empty(self->regions[i].use);
    }
    for (guint i = 0; is_empty && i < self->config.region_count; i++) {
        lane_use_begin(self->regions[i].use,
                       MAX(self->watch.from, sim_engine_now(self)));
    }
}

bool sim_region_is_watched(const SimRegion *self)
{
    return self->is_watched;
}

bool sim_region_wants(const SimRegion *self, SimLane lane)
{
    return self->levels != NULL && self->levels[lane] != SIM_LANE_OFF;
}

/* Series of use are numbered by grid, block, unit and kind, in the order of lanes. */
static guint32 series_of(const LaneGrid *grid, guint block, guint unit, bool is_stall)
{
    return grid->first_series + (block * MAX(grid->grid->unit_count, 1) + unit) * USES +
           is_stall;
}

/* The lane of the first place of the block. */
static SimLane lane_of(const SimEngine *engine, guint32 series)
{
    guint i = engine->grids->len;

    while (g_array_index(engine->grids, LaneGrid, i - 1).first_series > series) {
        i--;
    }
    const LaneGrid *found = &g_array_index(engine->grids, LaneGrid, i - 1);
    const guint units = MAX(found->grid->unit_count, 1);
    const guint columns = MAX(found->grid->columns, 1);
    const guint number = (series - found->first_series) / USES;
    const guint block = number / units;
    const guint x = block % found->block_columns << found->edge_bits;
    const guint y = block / found->block_columns << found->edge_bits;

    return found->first + (x + columns * y) * units + number % units;
}

/* A lane was in use; its unit, which of the two uses, and when. */
typedef struct {
    const LaneGrid *grid;
    guint unit;
    bool is_stall;
    LaneUseCut cut;
} Use;

static inline void use_block(SimRegion *self, const Use *use, guint block, guint places)
{
    lane_use_add(self->use, series_of(use->grid, block, use->unit, use->is_stall),
                 &use->cut, places);
}

/* The place stands for others. */
static void use_spread(SimRegion *self, const Use *use, guint x, guint y)
{
    const LaneGrid *grid = use->grid;
    const LaneShare *columns_end = lane_spread_at(grid->columns, x + 1);
    const LaneShare *rows_end = lane_spread_at(grid->rows, y + 1);

    for (const LaneShare *row = lane_spread_at(grid->rows, y); row < rows_end; row++) {
        for (const LaneShare *column = lane_spread_at(grid->columns, x);
             column < columns_end; column++) {
            use_block(self, use, column->block + row->block * grid->block_columns,
                      column->lines * row->lines);
        }
    }
}

/* A place of a grid with large blocks, or one that stands for others. */
static void use_place(SimRegion *self, Use *use, SimLane lane)
{
    const LaneGrid *grid = use->grid;
    const guint units = MAX(grid->grid->unit_count, 1);
    const guint columns = MAX(grid->grid->columns, 1);
    const guint place = (lane - grid->first) / units;
    const guint y = place / columns;
    const guint x = place - y * columns;

    use->unit = lane - grid->first - place * units;
    if (grid->columns != NULL) {
        use_spread(self, use, x, y);
    } else {
        use_block(self, use,
                  (x >> grid->edge_bits) + (y >> grid->edge_bits) * grid->block_columns,
                  1);
    }
}

static G_GNUC_NO_INLINE void
use(SimRegion *self, SimLane lane, bool is_stall, SimTime begin, SimTime end)
{
    const LaneGrid *grid = engine_lane_grid(self->engine, lane);
    Use seen = {.grid = grid, .is_stall = is_stall};

    if (!lane_use_cut(self->use, begin, MIN(end, self->engine->watch.to), &seen.cut)) {
        return;
    }
    if (grid->edge_bits == 0 && grid->columns == NULL) { /* lanes are numbered alike */
        lane_use_add(self->use,
                     grid->first_series + (lane - grid->first) * USES + is_stall,
                     &seen.cut, 1);
    } else {
        use_place(self, &seen, lane);
    }
}

/* Every record, of lanes that are seen in full. */
static bool is_full(const SimRegion *self, SimLane lane)
{
    return self->levels != NULL && self->levels[lane] == SIM_LANE_FULL;
}

/* A span of a lane and its name. */
typedef struct {
    SimLane lane;
    SimProbeKind kind;
    const char *name;
    SimTime begin;
    SimTime end;
    int64_t value;
} Seen;

/* What there is of a detail; returns what follows it. */
G_ALWAYS_INLINE static inline uint64_t *
keep_detail(Sighting *added, uint64_t *word, const SimProbeDetail *detail)
{
    guint8 parts = added->parts;

    if (G_UNLIKELY(detail->flow != 0)) {
        parts |= SIGHTING_FLOW | (detail->is_flow_end ? SIGHTING_FLOW_END : 0);
        *word++ = detail->flow;
        *word++ = detail->flow_since;
    }
    if (detail->has_cause) {
        parts |= SIGHTING_CAUSE;
        *word++ = detail->cause_at;
    }
    added->cause = detail->cause;
    added->parts = parts;
    added->argument_count = detail->argument_count;
    for (guint i = 0; i < detail->argument_count; i++) {
        *(SimProbeArgument *) (gpointer) word = detail->arguments[i];
        word += SIGHTING_ARGUMENT_WORDS;
    }
    return word;
}

/* There is room for it. */
G_ALWAYS_INLINE static inline void
keep(SimRegion *self, const Seen *seen, const SimProbeDetail *detail)
{
    Sighting *added = (gpointer) self->sightings.next;
    uint64_t *word = added->more;

    added->name = seen->name;
    added->begin = seen->begin;
    added->end = seen->end;
    added->lane = seen->lane;
    added->kind = sim_u8(seen->kind);
    added->argument_count = 0;
    added->parts = seen->value != 0 ? SIGHTING_VALUE : 0;
    if (seen->value != 0) {
        *word++ = (uint64_t) seen->value;
    }
    if (detail != NULL) {
        word = keep_detail(added, word, detail);
    }
    self->sightings.next = word;
}

/* A flow is there where what begins it is, whatever the other end. */
static void keep_flow(SimRegion *self, const Seen *seen, const SimProbeDetail *detail)
{
    const SimWatch *watch = &self->engine->watch;
    const SimTime since = detail->flow_since > 0 ? detail->flow_since : seen->begin;
    const bool is_there = since >= watch->from && since <= watch->to;
    SimProbeDetail without;

    if (seen->end < watch->from ||
        (seen->begin > watch->to && !(is_there && detail->is_flow_end))) {
        return;
    }
    sightings_begin(&self->sightings, self->now, self->key);
    if (is_there) {
        keep(self, seen, detail);
    } else {
        sim_probe_detail_copy(&without, detail);
        without.flow = 0;
        keep(self, seen, &without);
    }
}

/* What is the first of its event, or has a flow. */
static G_GNUC_NO_INLINE void
remember_first(SimRegion *self, const Seen *seen, const SimProbeDetail *detail)
{
    const SimWatch *watch = &self->engine->watch;

    if (detail != NULL && detail->flow != 0) {
        keep_flow(self, seen, detail);
    } else if (seen->end >= watch->from && seen->begin <= watch->to) {
        sightings_begin(&self->sightings, self->now, self->key);
        keep(self, seen, detail);
    }
}

/* `detail` may be NULL. Most sightings follow others of their event: they are kept
 * without a call, and without `seen` in memory. */
G_ALWAYS_INLINE static inline void
remember(SimRegion *self, const Seen *seen, const SimProbeDetail *detail)
{
    const SimWatch *watch = &self->engine->watch;

    if (G_UNLIKELY(!sightings_goes_on(&self->sightings, self->now, self->key) ||
                   (detail != NULL && detail->flow != 0))) {
        const Seen first = *seen;

        remember_first(self, &first, detail);
    } else if (seen->end >= watch->from && seen->begin <= watch->to) {
        keep(self, seen, detail);
    }
}

G_GNUC_NO_INLINE void sim_region_slice(SimRegion *self,
                                       SimLane lane,
                                       const char *name,
                                       SimTime begin,
                                       SimTime end,
                                       const SimProbeDetail *detail)
{
    if (is_full(self, lane)) {
        remember(self,
                 &(Seen){.kind = SIM_PROBE_SLICE,
                         .lane = lane,
                         .name = name,
                         .begin = begin,
                         .end = end},
                 detail);
    } else if (sim_region_wants(self, lane)) {
        use(self, lane, false, begin, end);
    }
}

G_GNUC_NO_INLINE void sim_region_stall(SimRegion *self,
                                       SimLane lane,
                                       const char *reason,
                                       SimTime begin,
                                       SimTime end,
                                       const SimProbeDetail *detail)
{
    if (is_full(self, lane)) {
        remember(self,
                 &(Seen){.kind = SIM_PROBE_STALL,
                         .lane = lane,
                         .name = reason,
                         .begin = begin,
                         .end = end},
                 detail);
    } else if (sim_region_wants(self, lane)) {
        use(self, lane, true, begin, end);
    }
}

void sim_region_counter(SimRegion *self, SimLane lane, const char *name, int64_t value)
{
    if (is_full(self, lane)) {
        remember(self,
                 &(Seen){.kind = SIM_PROBE_COUNTER,
                         .lane = lane,
                         .name = name,
                         .begin = self->now,
                         .end = self->now,
                         .value = value},
                 NULL);
    }
}

void sim_region_change(
    SimRegion *self, SimLane lane, const char *name, SimTime when, int64_t change)
{
    if (is_full(self, lane)) {
        /* What changed before the watcher's time counts in it. */
        const SimTime seen = MAX(when, self->engine->watch.from);

        remember(self,
                 &(Seen){.kind = SIM_PROBE_CHANGE,
                         .lane = lane,
                         .name = name,
                         .begin = seen,
                         .end = seen,
                         .value = change},
                 NULL);
    }
}

void sim_region_mark(SimRegion *self,
                     SimLane lane,
                     const char *name,
                     SimTime when,
                     const SimProbeDetail *detail)
{
    if (is_full(self, lane)) {
        remember(self,
                 &(Seen){.kind = SIM_PROBE_MARK,
                         .lane = lane,
                         .name = name,
                         .begin = when,
                         .end = when},
                 detail);
    }
}

static bool has_many(const SimEngine *self)
{
    gsize used = 0;

    for (guint i = 0; i < self->config.region_count; i++) {
        used += sightings_used(&self->regions[i].sightings);
    }
    return used >= SIGHTINGS_MANY;
}

void engine_flush_probes(SimEngine *self, bool is_end)
{
    if (self->watch.func == NULL) {
        return;
    }
    if (is_end) {
        showing_finish(&self->showing, self->regions);
    } else if (has_many(self)) {
        showing_take(&self->showing, self->regions);
    }
}

/* The use of blocks on its way to the watcher. */
typedef struct {
    const SimEngine *engine;
    guint32 series;
    SimProbeRecord record; /* of this series */
} HandOver;

static void
hand_over(gpointer data, guint32 series, SimTime begin, SimTime end, uint64_t cycles)
{
    HandOver *self = data;

    if (self->record.name == NULL || self->series != series) {
        self->series = series;
        self->record.lane = lane_of(self->engine, series);
        self->record.name = use_names[series % USES];
    }
    self->record.begin = begin;
    self->record.end = end;
    self->record.value = (int64_t) cycles;
    self->engine->watch.func(self->engine->watch.data, &self->record);
}

void sim_engine_finish_watch(SimEngine *self)
{
    if (!self->regions[0].is_watched) {
        return;
    }
    engine_flush_probes(self, true);
    for (guint i = 1; i < self->config.region_count; i++) {
        lane_use_merge(self->regions[0].use, self->regions[i].use);
    }
    HandOver way = {
        .engine = self,
        .record = {.kind = SIM_PROBE_USE, .now = sim_engine_now(self)},
    };

    lane_use_each(self->regions[0].use, hand_over, &way);
    sim_engine_watch(self, &(SimWatch){0});
}
