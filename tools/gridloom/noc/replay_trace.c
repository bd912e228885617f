/* Maps the profiler's events to those of the model. */
#include "tools/gridloom/noc/replay_trace.h"

#include "traces/error.h"
#include "traces/reading/noc_events.h"

enum {
    WORD_BYTES = 4, /* of an inline write, whose size the profiler may leave out */
};

typedef struct {
    CmdNocReplayTrace *trace;
    const CmdNocChip *chip;
    uint64_t packet_bytes; /* at most */
    GHashTable *agents;    /* processor and core -> number + 1 */
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

/* Events of one processor of one core follow each other. */
static guint agent_of(Mapping *self, const TraceNocEvent *event)
{
    const guint place = (event->source_x * TRACE_NOC_GRID_SIDE + event->source_y) *
                            (TRACE_NOC_NO_PROCESSOR + 1) +
                        event->processor;
    gpointer key = GUINT_TO_POINTER(place);
    guint agent = GPOINTER_TO_UINT(g_hash_table_lookup(self->agents, key));

    if (agent == 0) {
        agent = ++self->trace->agent_count;
        g_hash_table_insert(self->agents, key, GUINT_TO_POINTER(agent));
    }
    return agent - 1;
}

static bool check_tile(const Mapping *self,
                       const TraceNocEvent *event,
                       ArchTile tile,
                       bool is_target,
                       GError **error)
{
    const char *chip = arch_params_name(cmd_noc_chip_params(self->chip));

    if (!cmd_noc_chip_contains(self->chip, tile)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "%s: event %" G_GSIZE_FORMAT ": tile %u,%u, %s has 0..%u,0..%u",
                    self->trace->path, event->place, tile.x, tile.y, chip,
                    cmd_noc_chip_width(self->chip) - 1,
                    cmd_noc_chip_height(self->chip) - 1);
        return false;
    }
    /* Which rows are harvested differs from chip to chip. */
    if (is_target && cmd_noc_chip_kind(self->chip, tile) == ARCH_TILE_OTHER) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "%s: event %" G_GSIZE_FORMAT
                    ": tile %u,%u of %s has no memory to read or write",
                    self->trace->path, event->place, tile.x, tile.y, chip);
        return false;
    }
    return true;
}

/* What the replay does about an event that puts something on the network; counts those
 * that it cannot do. */
static ArchReplayKind move_of(Mapping *self, const TraceNocEvent *event)
{
    switch (event->move) {
    case TRACE_NOC_MOVES_READ:
        if (event->bytes > 0) {
            return ARCH_REPLAY_READ;
        }
        break;
    case TRACE_NOC_MOVES_WRITE:
        if (event->bytes > 0) {
            return ARCH_REPLAY_WRITE;
        }
        break;
    case TRACE_NOC_MOVES_MULTICAST:
        if (event->bytes > 0) {
            return ARCH_REPLAY_MULTICAST;
        }
        break;
    case TRACE_NOC_MOVES_INLINE:
        return ARCH_REPLAY_INLINE;
    case TRACE_NOC_MOVES_ATOMIC:
        return ARCH_REPLAY_ATOMIC;
    case TRACE_NOC_MOVES_NOTHING:
        return ARCH_REPLAY_OTHER;
    }
    self->ignored[event->kind]++;
    return ARCH_REPLAY_OTHER;
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

/* Software splits what is longer than a packet into as many commands. */
static void add_event(Mapping *self, ArchReplayEvent event)
{
    uint64_t left = event.bytes;

    do {
        event.bytes = MIN(left, self->packet_bytes);
        left -= event.bytes;
        g_array_append_val(self->trace->events, event);
    } while (left > 0);
}

/* Single flits and words have a length of their own. */
static uint64_t bytes_of(const TraceNocEvent *event, ArchReplayKind kind)
{
    switch (kind) {
    case ARCH_REPLAY_READ:
    case ARCH_REPLAY_WRITE:
    case ARCH_REPLAY_MULTICAST:
        return event->bytes;
    case ARCH_REPLAY_INLINE:
    case ARCH_REPLAY_ATOMIC:
        return WORD_BYTES;
    case ARCH_REPLAY_BARRIER_START:
    case ARCH_REPLAY_BARRIER_END:
    case ARCH_REPLAY_BARRIER:
    case ARCH_REPLAY_OTHER:
        break;
    }
    return 0;
}

static bool map_event(Mapping *self, const TraceNocEvent *event, GError **error)
{
    const ArchTile from = {.x = event->source_x, .y = event->source_y};
    const ArchTile to = {.x = event->target_x, .y = event->target_y};
    const ArchTile corner = {.x = event->target_end_x, .y = event->target_end_y};
    const Barrier *barrier = barrier_of(event->kind);
    const ArchReplayKind kind =
        barrier != NULL ? barrier->becomes : move_of(self, event);
    const uint64_t bytes = bytes_of(event, kind);
    const bool is_multicast = kind == ARCH_REPLAY_MULTICAST;

    if (barrier != NULL && barrier->becomes == ARCH_REPLAY_OTHER) {
        self->ignored[event->kind]++;
    }
    if (!check_tile(self, event, from, false, error) ||
        (bytes > 0 && !check_tile(self, event, to, !is_multicast, error)) ||
        (is_multicast && !check_tile(self, event, corner, false, error))) {
        return false;
    }
    add_event(self, (ArchReplayEvent){
                        .kind = kind,
                        .waits = barrier != NULL ? barrier->waits : 0,
                        .agent = agent_of(self, event),
                        .noc = event->noc,
                        .from = from,
                        .to = bytes > 0 ? to : from,
                        .corner = is_multicast ? corner : from,
                        .bytes = bytes,
                        .time = event->time,
                    });
    return true;
}

/* An event of an unknown type may be the last one: then it ends the trace. */
static void add_end(Mapping *self, SimTime end)
{
    add_event(self, (ArchReplayEvent){.kind = ARCH_REPLAY_OTHER,
                                      .agent = self->trace->agent_count++,
                                      .time = end});
}

static bool map_events(Mapping *self, const TraceNocEvents *events, GError **error)
{
    const gsize count = trace_noc_events_count(events);
    SimTime last = 0;

    for (gsize i = 0; i < count; i++) {
        const TraceNocEvent *event = trace_noc_events_at(events, i);

        if (!map_event(self, event, error)) {
            return false;
        }
        last = MAX(last, event->time);
    }
    if (last < trace_noc_events_last_time(events)) {
        add_end(self, trace_noc_events_last_time(events));
    }
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
    const ArchParams *params = cmd_noc_chip_params(chip);
    g_autoptr(TraceNocEvents) events = trace_noc_events_load(path, error);
    g_autoptr(GHashTable) agents = g_hash_table_new(NULL, NULL);
    g_autoptr(CmdNocReplayTrace) self = g_new0(CmdNocReplayTrace, 1);
    g_autofree char *name = g_path_get_basename(path);
    Mapping mapping = {
        .trace = self,
        .chip = chip,
        .packet_bytes = arch_params_uint(params, "noc.payload_limit_flits") *
                        arch_params_uint(params, "noc.flit_bytes"),
        .agents = agents,
    };

    self->path = g_utf8_make_valid(path, -1);
    self->name = g_utf8_make_valid(name, -1);
    self->events = g_array_new(FALSE, FALSE, sizeof(ArchReplayEvent));
    self->unknown = skipped_new();
    self->ignored = skipped_new();
    if (events == NULL || !map_events(&mapping, events, error)) {
        return NULL;
    }
    self->unsorted_count = trace_noc_events_unsorted_count(events);
    self->recorded_cycles = trace_noc_events_last_time(events);
    self->recorded_cycles -=
        MIN(self->recorded_cycles, arch_params_uint(params, "issue.trace_end_cycles"));
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
    g_array_unref(self->events);
    g_array_unref(self->unknown);
    g_array_unref(self->ignored);
    g_free(self);
}
