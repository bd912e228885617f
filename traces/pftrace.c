/* The writer of traces: from records of probes to packets. */
#include "traces/pftrace.h"

#include "traces/pftrace/choice.h"
#include "traces/pftrace/notes.h"
#include "traces/pftrace/pending.h"
#include "traces/pftrace/track.h"

enum {
    RESERVE = 8, /* this part of the limit is kept for what comes at the end */
};

struct TracePftrace {
    TracePftraceConfig config;
    TraceSquare *cores;
    Stream *stream;
    Packets packets;
    Sequence notes;
    Tracks *tracks;
    Pending *pending;
    SimEngine *engine;
    double clock_hz;
    bool has_chosen;        /* a core of those that were asked for */
    SimTime now;            /* of the last record */
    GHashTable *open_flows; /* that the trace has the beginning of */
    SimTime cut;
    bool lacks_use;
};

TracePftrace *trace_pftrace_new(const char *path,
                                const char *partial,
                                const TracePftraceConfig *config,
                                GError **error)
{
    Stream *stream = stream_new(path, partial, error);
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
    self->stream = stream;
    self->packets =
        (Packets){.stream = stream, .events = names_new(), .arguments = names_new()};
    self->pending = pending_new();
    self->open_flows = g_hash_table_new(NULL, NULL);
    self->cut = SIM_TIME_NEVER;
    return self;
}

void trace_pftrace_free(TracePftrace *self)
{
    if (self == NULL) {
        return;
    }
    tracks_free(self->tracks);
    sequence_clear(&self->notes);
    pending_free(self->pending);
    g_hash_table_unref(self->open_flows);
    names_free(self->packets.events);
    names_free(self->packets.arguments);
    stream_free(self->stream);
    g_free(self->cores);
    g_free(self);
}

const char *trace_pftrace_partial(const TracePftrace *self)
{
    return stream_partial(self->stream);
}

/* What the values of a counter are counted in, by its name; NULL: not known. */
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

/* What happens before the window is told as its beginning. */
static void set_value(TracePftrace *self, const SimProbeRecord *record)
{
    Track *track = tracks_lane(self->tracks, record->lane);
    Counter *counter = tracks_find_counter(self->tracks, track, record->name);
    const SimTime at = MAX(record->begin, self->config.from);

    if (counter == NULL) {
        counter = tracks_add_counter(self->tracks, track, record->name,
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

static void write_use(TracePftrace *self, const SimProbeRecord *record)
{
    Track *track = tracks_block(self->tracks, record->lane);
    Counter *counter = tracks_find_counter(self->tracks, track, record->name);

    if (counter == NULL) {
        g_autofree char *unit = g_strdup_printf("cycles per %" G_GUINT64_FORMAT,
                                                record->end - record->begin);

        counter = tracks_add_counter(self->tracks, track, record->name, unit);
    }
    /* Where there is nothing for long, the first of it says so. */
    if (record->value != 0 || counter->value != 0 || !counter->is_told) {
        sequence_value(&counter->sequence, &self->packets, record->begin,
                       record->value);
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

/* Beyond the limit only ends of flows are written. */
static void write_event(TracePftrace *self, const SimProbeRecord *record)
{
    const bool is_full = stream_bytes(self->stream) >=
                         self->config.limit_bytes - self->config.limit_bytes / RESERVE;
    const bool is_end = G_UNLIKELY(record->detail.flow != 0) &&
                        follow_flow(self, &record->detail, is_full);

    if (is_full && !is_end) {
        self->cut = MIN(self->cut, record->end);
    } else if (record->kind == SIM_PROBE_CHANGE || record->kind == SIM_PROBE_COUNTER) {
        set_value(self, record);
    } else {
        Track *track = tracks_lane(self->tracks, record->lane);

        sequence_record(tracks_sequence(self->tracks, track, record->begin),
                        &self->packets, record);
    }
}

static void write_pending(TracePftrace *self, SimTime before)
{
    SimProbeRecord record;

    while (pending_take(self->pending, before, &record)) {
        write_event(self, &record);
    }
}

static void see(gpointer data, const SimProbeRecord *record)
{
    TracePftrace *self = data;

    if (record->now > self->now) {
        self->now = record->now;
        write_pending(self, record->now);
    }
    switch (record->kind) {
    case SIM_PROBE_USE:
        if (stream_bytes(self->stream) < self->config.limit_bytes) {
            write_use(self, record);
        } else {
            self->lacks_use = true;
        }
        return;
    case SIM_PROBE_CHANGE:
    case SIM_PROBE_MARK:
        pending_add(self->pending, record);
        return;
    case SIM_PROBE_SLICE:
    case SIM_PROBE_STALL:
    case SIM_PROBE_COUNTER:
        write_event(self, record);
        return;
    }
}

static SimLaneLevel choose(gpointer data, const SimLanePlace *place)
{
    TracePftrace *self = data;

    self->has_chosen = self->has_chosen || choice_is_core(&self->config, place);
    return choice_level(&self->config, place);
}

void trace_pftrace_begin(TracePftrace *self,
                         SimEngine *engine,
                         const TracePftraceStart *start)
{
    self->engine = engine;
    self->clock_hz = start->clock_hz;
    self->tracks = tracks_new(engine, &self->packets);
    notes_begin(&self->notes, &self->packets, start);
    sim_engine_watch(engine, &(SimWatch){.func = see,
                                         .data = self,
                                         .from = self->config.from,
                                         .to = self->config.to,
                                         .choose = choose});
}

bool trace_pftrace_finish(TracePftrace *self,
                          const TracePftraceEnd *end,
                          GError **error)
{
    sim_engine_finish_watch(self->engine);
    if (!trace_pftrace_is_too_late(self)) {
        write_pending(self, SIM_TIME_NEVER);
        tracks_each_counter(self->tracks, write_value, self);
    }
    notes_end(&self->notes, &self->packets, end,
              &(NotesEnd){.at = sim_engine_now(self->engine),
                          .clock_hz = self->clock_hz,
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
    return self->config.from > sim_engine_now(self->engine);
}

bool trace_pftrace_is_off_target(const TracePftrace *self)
{
    return self->config.core_count > 0 && !self->has_chosen;
}
