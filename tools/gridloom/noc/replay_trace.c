/* Maps the profiler's events to those of the model. */
#include "tools/gridloom/noc/replay_trace.h"

#include "traces/reading/noc_events.h"

typedef struct {
    CmdNocReplayTrace *trace;
    gsize ignored[TRACE_NOC_KIND_COUNT];
} Mapping;

static void skipped_clear(gpointer data)
{
    g_free(((CmdNocReplaySkipped *) data)->name);
}

static GArray *skipped_new(void)
{
    GArray *array = g_array_new(FALSE, FALSE, sizeof(CmdNocReplaySkipped));

    g_array_set_clear_func(array, skipped_clear);
    return array;
}

static void add_skipped(GArray *array, const char *name, gsize count)
{
    CmdNocReplaySkipped skipped = {.name = g_utf8_make_valid(name, -1), .count = count};

    g_array_append_val(array, skipped);
}

/* How the replay treats an event that puts something on the network; counts those that
 * it cannot replay. */
static ArchReplayKind move_of(Mapping *self, const TraceNocEvent *event)
{
    static const ArchReplayKind moves[] = {
        [TRACE_NOC_MOVES_NOTHING] = ARCH_REPLAY_OTHER,
        [TRACE_NOC_MOVES_READ] = ARCH_REPLAY_READ,
        [TRACE_NOC_MOVES_WRITE] = ARCH_REPLAY_WRITE,
        [TRACE_NOC_MOVES_INLINE] = ARCH_REPLAY_INLINE,
        [TRACE_NOC_MOVES_MULTICAST] = ARCH_REPLAY_MULTICAST,
        [TRACE_NOC_MOVES_ATOMIC] = ARCH_REPLAY_ATOMIC,
    };
    const bool has_bytes = event->move == TRACE_NOC_MOVES_READ ||
                           event->move == TRACE_NOC_MOVES_WRITE ||
                           event->move == TRACE_NOC_MOVES_MULTICAST;

    if (has_bytes && event->bytes == 0) {
        self->ignored[event->kind]++;
        return ARCH_REPLAY_OTHER;
    }
    return moves[event->move];
}

/* Barriers and what they wait for. Those for one transaction id cannot be replayed: the
 * profiler does not say which commands have it. */
typedef struct {
    TraceNocKind kind;
    ArchReplayKind becomes;
    guint waits;
} Barrier;

static const Barrier barriers[] = {
    {TRACE_NOC_READ_BARRIER_START, ARCH_REPLAY_BARRIER_START, ARCH_REPLAY_READS},
    {TRACE_NOC_READ_BARRIER_END, ARCH_REPLAY_BARRIER_END, ARCH_REPLAY_READS},
    {TRACE_NOC_READ_BARRIER_WITH_TRID, ARCH_REPLAY_OTHER, 0},
    {TRACE_NOC_WRITE_BARRIER_START, ARCH_REPLAY_BARRIER_START, ARCH_REPLAY_WRITES},
    {TRACE_NOC_WRITE_BARRIER_END, ARCH_REPLAY_BARRIER_END, ARCH_REPLAY_WRITES},
    {TRACE_NOC_WRITE_BARRIER_WITH_TRID, ARCH_REPLAY_OTHER, 0},
    {TRACE_NOC_WRITE_FLUSH, ARCH_REPLAY_BARRIER, ARCH_REPLAY_FLUSH},
    {TRACE_NOC_WRITE_FLUSH_WITH_TRID, ARCH_REPLAY_OTHER, 0},
    {TRACE_NOC_FULL_BARRIER, ARCH_REPLAY_BARRIER,
     ARCH_REPLAY_READS | ARCH_REPLAY_WRITES | ARCH_REPLAY_ATOMICS | ARCH_REPLAY_FLUSH},
    {TRACE_NOC_ATOMIC_BARRIER, ARCH_REPLAY_BARRIER, ARCH_REPLAY_ATOMICS},
};

static const Barrier *barrier_of(TraceNocKind kind)
{
    for (gsize i = 0; i < G_N_ELEMENTS(barriers); i++) {
        if (barriers[i].kind == kind) {
            return &barriers[i];
        }
    }
    return NULL;
}

static bool map_event(Mapping *self, const TraceNocEvent *event, GError **error)
{
    const Barrier *barrier = barrier_of(event->kind);
    const ArchReplayEvent mapped = {
        .kind = barrier != NULL ? barrier->becomes : move_of(self, event),
        .waits = barrier != NULL ? barrier->waits : 0,
        .noc = event->noc,
        .from = {.x = event->source_x, .y = event->source_y},
        .to = {.x = event->target_x, .y = event->target_y},
        .corner = {.x = event->target_end_x, .y = event->target_end_y},
        .bytes = event->bytes,
        .time = event->time,
    };

    if (barrier != NULL && barrier->becomes == ARCH_REPLAY_OTHER) {
        self->ignored[event->kind]++;
    }
    if (!arch_replay_trace_add(&self->trace->trace, mapped, event->processor, error)) {
        g_prefix_error(error, "%s: event %" G_GSIZE_FORMAT ": ", self->trace->path,
                       event->place);
        return false;
    }
    return true;
}

static bool map_events(Mapping *self, const TraceNocEvents *events, GError **error)
{
    for (gsize i = 0; i < trace_noc_events_count(events); i++) {
        if (!map_event(self, trace_noc_events_at(events, i), error)) {
            return false;
        }
    }
    arch_replay_trace_end(&self->trace->trace, trace_noc_events_last_time(events));
    return true;
}

static void list_skipped(Mapping *self, const TraceNocEvents *events)
{
    for (gsize i = 0; i < trace_noc_events_unknown_count(events); i++) {
        const TraceNocUnknown *unknown = trace_noc_events_unknown(events, i);

        add_skipped(self->trace->unknown, unknown->name, unknown->count);
    }
    for (TraceNocKind kind = 0; kind < TRACE_NOC_KIND_COUNT; kind++) {
        if (self->ignored[kind] > 0) {
            add_skipped(self->trace->ignored, trace_noc_kind_name(kind),
                        self->ignored[kind]);
        }
    }
}

CmdNocReplayTrace *
cmd_noc_replay_trace_load(const char *path, const CmdNocChip *chip, GError **error)
{
    g_autoptr(TraceNocEvents) events = trace_noc_events_load(path, error);
    g_autoptr(CmdNocReplayTrace) self = g_new0(CmdNocReplayTrace, 1);
    g_autofree char *name = g_path_get_basename(path);
    Mapping mapping = {.trace = self};

    self->path = g_utf8_make_valid(path, -1);
    self->name = g_utf8_make_valid(name, -1);
    arch_replay_trace_init(&self->trace, chip->params, chip->tiles);
    self->unknown = skipped_new();
    self->ignored = skipped_new();
    if (events == NULL || !map_events(&mapping, events, error)) {
        return NULL;
    }
    self->bytes = arch_replay_trace_bytes(&self->trace);
    self->unsorted_count = trace_noc_events_unsorted_count(events);
    list_skipped(&mapping, events);
    return g_steal_pointer(&self);
}

void cmd_noc_replay_trace_free(CmdNocReplayTrace *self)
{
    if (self == NULL) {
        return;
    }
    g_free(self->path);
    g_free(self->name);
    arch_replay_trace_clear(&self->trace);
    arch_replay_runs_clear(&self->runs);
    g_array_unref(self->unknown);
    g_array_unref(self->ignored);
    g_free(self);
}
