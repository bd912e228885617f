/* Turns probe records into packets of a trace. */
#include "traces/writing/pftrace.h"

#include <stdbool.h>

#include "sim/lane.h"
#include "traces/writing/pftrace/notes.h"
#include "traces/writing/pftrace/pending.h"
#include "traces/writing/pftrace/track.h"

enum {
    FULL_PLACES = 4096, /* of a grid that is traced in full */
};

static const char *const link_units[] = {"east", "south", "west", "north", NULL};

/* Does the grid hold the places whose coordinates users give? */
static bool has_cores(const SimLaneGrid *grid)
{
    return g_str_equal(grid->kind, "core") || g_str_equal(grid->kind, "pe");
}

/* Whether the place is one of the chosen cores. */
static bool choice_is_core(const TracePftraceConfig *config, const SimLanePlace *place)
{
    for (guint i = 0; i < config->core_count; i++) {
        const TraceSquare *square = &config->cores[i];

        if (place->x >= square->x && place->x <= square->x_end &&
            place->y >= square->y && place->y <= square->y_end) {
            return has_cores(place->grid);
        }
    }
    return false;
}

static SimLaneLevel level_of_grid(TraceLevel level, const SimLaneGrid *grid)
{
    const guint64 places = (guint64) MAX(grid->columns, 1) * MAX(grid->rows, 1);

    switch (level) {
    case TRACE_LEVEL_FULL:
        return SIM_LANE_FULL;
    case TRACE_LEVEL_BLOCKS:
        return SIM_LANE_BLOCKS;
    case TRACE_LEVEL_AUTO:
        break;
    }
    return places <= FULL_PLACES ? SIM_LANE_FULL : SIM_LANE_BLOCKS;
}

static SimLaneLevel choice_level(const TracePftraceConfig *config,
                                 const SimLanePlace *place)
{
    SimLaneLevel level = level_of_grid(config->level, place->grid);

    if (config->core_count > 0 && has_cores(place->grid)) {
        if (choice_is_core(config, place)) {
            level = SIM_LANE_FULL;
        } else if (level == SIM_LANE_FULL) {
            return SIM_LANE_OFF;
        }
    }
    const bool is_of_link = level != SIM_LANE_BLOCKS && place->unit != NULL &&
                            g_strv_contains(link_units, place->unit);

    return is_of_link ? SIM_LANE_BLOCKS : level;
}

enum {
    RESERVE = 8, /* this part of the limit is reserved for the end */
};

/* Engines number their flows alike; with multiples of this added bit by bit they
 * differ.
 */
#define FLOWS_OF_ENGINE UINT64_C(0x9e3779b97f4a7c15)

/* One engine of a run. */
typedef struct {
    TracePftrace *trace;
    SimEngine *engine;
    char *prefix;
    Tracks *tracks;
    Pending *pending;
    SimTime now;    /* of the last record */
    uint64_t flows; /* makes flow numbers unique to this engine */
    SimLane lane;   /* of the last event that was written, and its track: many of a lane
                       come in a row */
    Track *track;
} View;

struct TracePftrace {
    TracePftraceConfig config;
    TraceSquare *cores;
    uint64_t event_limit; /* bytes of the file from which on events are left out */
    Stream *stream;
    Packets packets;
    Sequence notes;
    GPtrArray *views; /* of View; owns them */
    Tracks *outside;  /* of activities outside any engine; NULL: none so far */
    double clock_hz;
    bool has_chosen;        /* a core of those that were asked for */
    GHashTable *open_flows; /* that the trace has the beginning of */
    SimTime cut;
    bool lacks_use;
};

static void view_free(gpointer data)
{
    View *view = data;

    tracks_free(view->tracks);
    pending_free(view->pending);
    g_free(view->prefix);
    g_free(view);
}

TracePftrace *
trace_pftrace_new(const char *path, const TracePftraceConfig *config, GError **error)
{
    Stream *stream = stream_new(path, error);
    TracePftrace *self;

    if (stream == NULL) {
        return NULL;
    }
    self = g_new0(TracePftrace, 1);
    self->config = *config;
    self->cores = g_new(TraceSquare, config->core_count);
    for (guint i = 0; i < config->core_count; i++) {
        self->cores[i] = config->cores[i];
    }
    self->config.cores = self->cores;
    self->config.to = config->to == 0 ? SIM_TIME_NEVER : config->to;
    self->config.limit_bytes =
        config->limit_bytes == 0 ? G_MAXUINT64 : config->limit_bytes;
    self->event_limit = self->config.limit_bytes - self->config.limit_bytes / RESERVE;
    self->stream = stream;
    self->packets = (Packets){.stream = stream,
                              .events = names_new(wire_event_name),
                              .arguments = names_new(wire_argument_name)};
    self->views = g_ptr_array_new_with_free_func(view_free);
    self->open_flows = g_hash_table_new(NULL, NULL);
    self->cut = SIM_TIME_NEVER;
    return self;
}

void trace_pftrace_free(TracePftrace *self)
{
    if (self != NULL) {
        g_ptr_array_unref(self->views);
        tracks_free(self->outside);
        sequence_clear(&self->notes);
        g_hash_table_unref(self->open_flows);
        names_free(self->packets.events);
        names_free(self->packets.arguments);
        stream_free(self->stream);
        g_free(self->cores);
        g_free(self);
    }
}

/* The unit of a counter, by its name; NULL: not known. */
static const char *unit_of(const char *name)
{
    if (g_str_has_prefix(name, "cb ")) {
        return "pages";
    }
    return g_str_equal(name, "in flight") ? "transactions" : NULL;
}

static void write_value(gpointer data, Counter *counter)
{
    TracePftrace *self = data;

    if (counter->is_due) {
        sequence_value(&counter->sequence, &self->packets, counter->at, counter->value);
        counter->is_due = false;
    }
}

static inline Track *lane_track(View *view, SimLane lane)
{
    if (G_UNLIKELY(view->lane != lane || view->track == NULL)) {
        view->lane = lane;
        view->track = tracks_lane(view->tracks, lane);
    }
    return view->track;
}

/* Changes before the window set the value at its beginning. */
static void set_value(View *view, const SimProbeRecord *record)
{
    TracePftrace *self = view->trace;
    Track *track = lane_track(view, record->lane);
    Counter *counter = tracks_find_counter(view->tracks, track, record->name);
    const SimTime at = MAX(record->begin, self->config.from);

    if (counter == NULL) {
        counter = tracks_add_counter(view->tracks, track, record->name,
                                     unit_of(record->name));
    }
    if (counter->at != at) {
        write_value(self, counter);
    }
    counter->at = at;
    counter->value =
        record->value + (record->kind == SIM_PROBE_CHANGE ? counter->value : 0);
    counter->is_due = at <= self->config.to;
}

static void write_use(View *view, const SimProbeRecord *record)
{
    Packets *packets = &view->trace->packets;
    Track *track = tracks_block(view->tracks, record->lane);
    Counter *counter = tracks_find_counter(view->tracks, track, record->name);

    if (counter == NULL) {
        g_autofree char *unit = g_strdup_printf("cycles per %" G_GUINT64_FORMAT,
                                                record->end - record->begin);

        counter = tracks_add_counter(view->tracks, track, record->name, unit);
    }
    /* In a long stretch without use, only the first sample is written. */
    if (record->value != 0 || counter->value != 0 || !counter->is_told) {
        sequence_value(&counter->sequence, packets, record->begin, record->value);
    }
    counter->value = record->value;
    counter->is_told = true;
}

/* Numbers of flows are of 64 bits; a table of pointers holds them on the machines we
 * run on. */
G_STATIC_ASSERT(sizeof(gpointer) == sizeof(uint64_t));

/* Remembers flows that begin in the trace. Returns whether the record ends one. */
static bool follow_flow(TracePftrace *self, const SimProbeDetail *detail, bool is_full)
{
    const gpointer flow = GSIZE_TO_POINTER(detail->flow);

    if (detail->is_flow_end) {
        return g_hash_table_remove(self->open_flows, flow);
    }
    if (!is_full) {
        (void) g_hash_table_add(self->open_flows, flow);
    }
    return false;
}

static bool is_at_limit(const TracePftrace *self)
{
    return self->stream->bytes >= self->event_limit;
}

static void write_record(View *view, Sequence *sequence, const SimProbeRecord *record)
{
    Name *cause = record->detail.has_cause
                      ? tracks_cause(view->tracks, record->detail.cause)
                      : NULL;

    sequence_record(sequence, &view->trace->packets, record, cause);
}

/* Beyond the limit only ends of flows are written. */
static void write_event(View *view, const SimProbeRecord *record)
{
    TracePftrace *self = view->trace;
    const bool is_full = is_at_limit(self);
    const bool is_end = G_UNLIKELY(record->detail.flow != 0) &&
                        follow_flow(self, &record->detail, is_full);

    if (is_full && !is_end) {
        self->cut = MIN(self->cut, record->end);
    } else if (record->kind == SIM_PROBE_CHANGE || record->kind == SIM_PROBE_COUNTER) {
        set_value(view, record);
    } else {
        Track *track = lane_track(view, record->lane);

        write_record(view, tracks_sequence(view->tracks, track, record->begin), record);
    }
}

static void write_pending(View *view, SimTime before)
{
    const SimProbeRecord *record;

    while ((record = pending_take(view->pending, before)) != NULL) {
        write_event(view, record);
    }
}

static void see(gpointer data, const SimProbeRecord *seen)
{
    View *view = data;
    const SimProbeRecord *record = seen;
    SimProbeRecord own;

    if (record->now > view->now) {
        view->now = record->now;
        write_pending(view, record->now);
    }
    if (G_UNLIKELY(view->flows != 0 && seen->detail.flow != 0)) {
        sim_probe_record_copy(&own, seen);
        own.detail.flow ^= view->flows;
        record = &own;
    }
    switch (record->kind) {
    case SIM_PROBE_USE:
        if (view->trace->stream->bytes < view->trace->config.limit_bytes) {
            write_use(view, record);
        } else {
            view->trace->lacks_use = true;
        }
        return;
    case SIM_PROBE_CHANGE:
    case SIM_PROBE_MARK:
        pending_add(view->pending, record);
        return;
    case SIM_PROBE_SLICE:
    case SIM_PROBE_STALL:
    case SIM_PROBE_COUNTER:
        write_event(view, record);
        return;
    }
}

static SimLaneLevel choose(gpointer data, const SimLanePlace *place)
{
    TracePftrace *self = ((View *) data)->trace;

    self->has_chosen = self->has_chosen || choice_is_core(&self->config, place);
    return choice_level(&self->config, place);
}

void trace_pftrace_join(TracePftrace *self, SimEngine *engine, const char *prefix)
{
    View *view = g_new0(View, 1);

    view->trace = self;
    view->engine = engine;
    view->prefix = g_strdup(prefix == NULL ? "" : prefix);
    view->tracks = tracks_new(engine, self->views->len, view->prefix, &self->packets);
    view->pending = pending_new();
    view->flows = self->views->len * FLOWS_OF_ENGINE;
    g_ptr_array_add(self->views, view);
    sim_engine_watch(engine, &(SimWatch){.func = see,
                                         .data = view,
                                         .from = self->config.from,
                                         .to = self->config.to,
                                         .choose = choose,
                                         .is_beside = true});
}

void trace_pftrace_begin(TracePftrace *self,
                         SimEngine *engine,
                         const TracePftraceStart *start)
{
    self->clock_hz = start->clock_hz;
    notes_begin(&self->notes, &self->packets, start, &self->config);
    trace_pftrace_join(self, engine, start->prefix);
}

/* The track of a deed; NULL where it is outside of the window, or the limit is reached.
 */
static Track *track_of(TracePftrace *self, const TracePftraceDeed *deed)
{
    if (deed->end < self->config.from || deed->begin > self->config.to) {
        return NULL;
    }
    if (is_at_limit(self)) {
        self->cut = MIN(self->cut, deed->end);
        return NULL;
    }
    if (self->outside == NULL) {
        self->outside = tracks_new(NULL, TRACKS_OUTSIDE, "", &self->packets);
    }
    return tracks_named(self->outside, deed->place, deed->lane);
}

void trace_pftrace_add(TracePftrace *self, const TracePftraceDeed *deed)
{
    Track *track = track_of(self, deed);

    if (track != NULL) {
        const SimProbeRecord record = {
            .kind = SIM_PROBE_SLICE,
            .name = g_intern_string(deed->name),
            .begin = deed->begin,
            .end = deed->end,
            .detail = {.argument_count = deed->bytes < 0 ? 0 : 1,
                       .arguments = {{.name = "bytes", .value = deed->bytes}}},
        };

        sequence_record(tracks_sequence(self->outside, track, deed->begin),
                        &self->packets, &record, NULL);
    }
}

void trace_pftrace_count(TracePftrace *self,
                         const TracePftraceDeed *deed,
                         int64_t value)
{
    Track *track = track_of(self, deed);

    if (track != NULL) {
        const char *name = g_intern_string(deed->name);
        Counter *counter = tracks_find_counter(self->outside, track, name);

        if (counter == NULL) {
            counter = tracks_add_counter(self->outside, track, name, deed->unit);
        }
        sequence_value(&counter->sequence, &self->packets, deed->begin, value);
    }
}

SimTime trace_pftrace_now(const TracePftrace *self)
{
    SimTime last = 0;

    for (guint i = 0; i < self->views->len; i++) {
        last = MAX(last, sim_engine_now(((View *) self->views->pdata[i])->engine));
    }
    return last;
}

bool trace_pftrace_finish(TracePftrace *self,
                          const TracePftraceEnd *end,
                          GError **error)
{
    for (guint i = 0; i < self->views->len; i++) {
        View *view = self->views->pdata[i];

        sim_engine_finish_watch(view->engine);
        if (!trace_pftrace_is_too_late(self)) {
            write_pending(view, SIM_TIME_NEVER);
            tracks_each_counter(view->tracks, write_value, self);
        }
    }
    notes_end(&self->notes, &self->packets, end,
              &(NotesEnd){.at = trace_pftrace_now(self),
                          .clock_hz = self->clock_hz,
                          .is_part = self->config.from > 0 ||
                                     self->config.to != SIM_TIME_NEVER,
                          .cut = self->cut,
                          .lacks_use = self->lacks_use});
    return stream_finish(self->stream, error);
}

SimTime trace_pftrace_cut(const TracePftrace *self)
{
    return self->cut;
}

bool trace_pftrace_lacks_use(const TracePftrace *self)
{
    return self->lacks_use;
}

bool trace_pftrace_is_too_late(const TracePftrace *self)
{
    return self->config.from > trace_pftrace_now(self);
}

bool trace_pftrace_is_off_target(const TracePftrace *self)
{
    return self->config.core_count > 0 && !self->has_chosen;
}
