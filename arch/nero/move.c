/* Starts bursts while few enough are under way, and passes them from stage to stage. */
#include "arch/nero/move.h"

void nero_move_init(NeroMove *self, const NeroMoveConfig *config)
{
    *self = (NeroMove){.config = *config, .sizes = g_new0(uint64_t, config->limit)};
}

void nero_move_clear(NeroMove *self)
{
    g_clear_pointer(&self->sizes, g_free);
}

bool nero_move_is_begun(const NeroMove *self)
{
    return self->waiting_bytes < (self->is_whole ? 1 : self->config.burst_bytes);
}

static void begin_bursts(NeroMove *self);

static uint64_t next_size(NeroMove *self, guint hop)
{
    uint64_t bytes = self->sizes[self->heads[hop]];

    self->heads[hop] = (self->heads[hop] + 1) % self->config.limit;
    return bytes;
}

static void arrive(NeroMove *self, uint64_t bytes)
{
    self->under_way--;
    self->config.arrived(self->config.data, bytes);
    begin_bursts(self);
}

static void leave_first(SimRegion *region, gpointer data)
{
    NeroMove *self = data;
    const NeroMoveConfig *config = &self->config;
    uint64_t bytes = next_size(self, 0);

    (void) region;
    if (config->left != NULL) {
        config->left(config->data, bytes);
    }
    if (config->hop_count == 1) {
        arrive(self, bytes);
        return;
    }
    config->hops[1](config->data, bytes);
}

static void leave_second(SimRegion *region, gpointer data)
{
    NeroMove *self = data;

    (void) region;
    arrive(self, next_size(self, 1));
}

void nero_move_leave(NeroMove *self, guint hop, SimTime when)
{
    sim_region_at(self->config.region, when, self->config.key,
                  hop == 0 ? leave_first : leave_second, self);
}

static void begin_bursts(NeroMove *self)
{
    const NeroMoveConfig *config = &self->config;
    const bool has_more = !nero_move_is_begun(self);

    while (!nero_move_is_begun(self) && self->under_way < config->limit) {
        uint64_t bytes = MIN(self->waiting_bytes, config->burst_bytes);

        self->sizes[self->begin] = bytes;
        self->begin = (self->begin + 1) % config->limit;
        self->under_way++;
        self->waiting_bytes -= bytes;
        config->hops[0](config->data, bytes);
    }
    self->is_held = !nero_move_is_begun(self);
    if (has_more && !self->is_held && config->begun != NULL) {
        config->begun(config->data);
    }
}

void nero_move_add(NeroMove *self, uint64_t bytes, bool is_whole)
{
    self->waiting_bytes += bytes;
    self->is_whole = is_whole;
    begin_bursts(self);
}
