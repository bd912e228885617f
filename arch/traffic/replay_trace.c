/* Collects the events of a recorded trace. */
#include "arch/traffic/replay_trace.h"

#include "arch/error.h"

enum {
    WORD_BYTES = 4, /* of an inline write, whose size the profiler may leave out */
};

void arch_replay_trace_init(ArchReplayTrace *self,
                            const ArchParams *params,
                            const ArchTiles *tiles)
{
    *self = (ArchReplayTrace){
        .events = g_array_new(FALSE, FALSE, sizeof(ArchReplayEvent)),
        .params = params,
        .tiles = tiles,
        .packet_bytes = arch_params_uint(params, "noc.payload_limit_flits") *
                        arch_params_uint(params, "noc.flit_bytes"),
        .agents = g_hash_table_new(NULL, NULL),
    };
}

void arch_replay_trace_clear(ArchReplayTrace *self)
{
    g_clear_pointer(&self->events, g_array_unref);
    g_clear_pointer(&self->agents, g_hash_table_unref);
}

/* Events of one processor of one core follow each other. */
static guint agent_of(ArchReplayTrace *self, ArchTile core, guint processor)
{
    const guint node = core.x + self->tiles->width * core.y;
    gpointer key =
        GUINT_TO_POINTER(processor * self->tiles->width * self->tiles->height + node);
    guint agent = GPOINTER_TO_UINT(g_hash_table_lookup(self->agents, key));

    if (agent == 0) {
        agent = ++self->agent_count;
        g_hash_table_insert(self->agents, key, GUINT_TO_POINTER(agent));
    }
    return agent - 1;
}

static bool
check_tile(const ArchReplayTrace *self, ArchTile tile, bool is_target, GError **error)
{
    const char *chip = arch_params_name(self->params);

    if (!arch_tiles_contain(self->tiles, tile)) {
        return arch_refuse(error, "tile %u,%u, %s has 0..%u,0..%u", tile.x, tile.y,
                           chip, self->tiles->width - 1, self->tiles->height - 1);
    }
    /* Which rows are harvested differs from chip to chip. */
    if (is_target && arch_tiles_kind(self->tiles, tile) == ARCH_TILE_OTHER) {
        return arch_refuse(error, "tile %u,%u of %s has no memory to read or write",
                           tile.x, tile.y, chip);
    }
    return true;
}

static uint64_t bytes_of(const ArchReplayEvent *event)
{
    switch (event->kind) {
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

static void add_packets(ArchReplayTrace *self, ArchReplayEvent event)
{
    uint64_t left = event.bytes;

    do {
        event.bytes = MIN(left, self->packet_bytes);
        left -= event.bytes;
        g_array_append_val(self->events, event);
    } while (left > 0);
}

bool arch_replay_trace_add(ArchReplayTrace *self,
                           ArchReplayEvent event,
                           guint processor,
                           GError **error)
{
    const bool is_multicast = event.kind == ARCH_REPLAY_MULTICAST;

    event.bytes = bytes_of(&event);
    if (!check_tile(self, event.from, false, error) ||
        (event.bytes > 0 && !check_tile(self, event.to, !is_multicast, error)) ||
        (is_multicast && !check_tile(self, event.corner, false, error))) {
        return false;
    }
    event.agent = agent_of(self, event.from, processor);
    event.to = event.bytes > 0 ? event.to : event.from;
    event.corner = is_multicast ? event.corner : event.from;
    add_packets(self, event);
    return true;
}

void arch_replay_trace_end(ArchReplayTrace *self, SimTime last)
{
    SimTime latest = 0;

    for (guint i = 0; i < self->events->len; i++) {
        latest = MAX(latest, g_array_index(self->events, ArchReplayEvent, i).time);
    }
    /* An event of an unknown type may be the last one: then it ends the trace. */
    if (latest < last) {
        add_packets(self, (ArchReplayEvent){.kind = ARCH_REPLAY_OTHER,
                                            .agent = self->agent_count++,
                                            .time = last});
    }
    self->recorded_cycles =
        last - MIN(last, arch_params_uint(self->params, "issue.trace_end_cycles"));
}

uint64_t arch_replay_trace_bytes(const ArchReplayTrace *self)
{
    uint64_t bytes = 0;

    for (guint i = 0; i < self->events->len; i++) {
        bytes += g_array_index(self->events, ArchReplayEvent, i).bytes;
    }
    return bytes;
}
