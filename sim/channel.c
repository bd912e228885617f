/* A channel: one ring of items, written at the sender's end, read at the receiver's.
 * Arrivals and returned space cross as events, so the ends share no counter. */
#include "sim/channel.h"

#include <string.h>

#include "sim/internal/wait_queue.h"
#include "sim/parallel/engine_state.h"

struct SimChannel {
    SimChannelConfig config;
    char *full;  /* what a sender waits for */
    char *empty; /* what a receiver waits for */
    guint8 *items;
    /* The sender's. */
    guint credits;
    guint next_in;
    WaitQueue senders;
    /* The receiver's. */
    guint arrived;
    guint next_out;
    WaitQueue receivers;
};

static bool fits_window(const SimChannelConfig *config)
{
    const SimEngine *engine = sim_region_engine(config->sender);

    return config->sender == config->receiver ||
           (config->latency_cycles >= engine->config.window_cycles &&
            config->credit_cycles >= engine->config.window_cycles);
}

SimChannel *sim_channel_new(const SimChannelConfig *config)
{
    g_return_val_if_fail(config->capacity >= 1 && config->item_bytes >= 1, NULL);
    g_return_val_if_fail(fits_window(config), NULL);

    SimChannel *self = g_new0(SimChannel, 1);

    self->config = *config;
    self->config.name = NULL;
    self->full =
        g_strdup_printf("space in %s (full, %u)", config->name, config->capacity);
    self->empty = g_strdup_printf("an item from %s (empty)", config->name);
    self->items = g_malloc(config->capacity * config->item_bytes);
    self->credits = config->capacity;
    wait_queue_init(&self->senders, self->full);
    wait_queue_init(&self->receivers, self->empty);
    return self;
}

void sim_channel_free(SimChannel *self)
{
    if (self != NULL) {
        wait_queue_clear(&self->senders);
        wait_queue_clear(&self->receivers);
        g_free(self->full);
        g_free(self->empty);
        g_free(self->items);
        g_free(self);
    }
}

static void arrive(SimRegion *region, gpointer data)
{
    SimChannel *self = data;

    (void) region;
    self->arrived++;
    wait_queue_wake(&self->receivers);
}

static void give_back(SimRegion *region, gpointer data)
{
    SimChannel *self = data;

    (void) region;
    self->credits++;
    wait_queue_wake(&self->senders);
}

/* Without latency the effect is immediate; regions apart always have some. */
static void cross(const SimChannel *self,
                  SimRegion *from,
                  SimRegion *to,
                  SimTime cycles,
                  SimEventFunc func)
{
    if (cycles == 0) {
        func(to, (gpointer) self);
    } else {
        sim_region_post(from, to, sim_region_now(from) + cycles, self->config.key, func,
                        (gpointer) self);
    }
}

static guint8 *item_at(SimChannel *self, guint index)
{
    return self->items + (gsize) index * self->config.item_bytes;
}

bool sim_channel_push(SimChannel *self, gconstpointer item, SimProcess *process)
{
    if (self->credits == 0 || !wait_queue_is_turn(&self->senders, process)) {
        wait_queue_join(&self->senders, process);
        return false;
    }
    wait_queue_leave(&self->senders, process);
    memcpy(item_at(self, self->next_in), item, self->config.item_bytes);
    self->next_in = (self->next_in + 1) % self->config.capacity;
    self->credits--;
    cross(self, self->config.sender, self->config.receiver, self->config.latency_cycles,
          arrive);
    if (self->credits > 0) {
        wait_queue_wake(&self->senders);
    }
    return true;
}

bool sim_channel_pop(SimChannel *self, gpointer item, SimProcess *process)
{
    if (self->arrived == 0 || !wait_queue_is_turn(&self->receivers, process)) {
        wait_queue_join(&self->receivers, process);
        return false;
    }
    wait_queue_leave(&self->receivers, process);
    memcpy(item, item_at(self, self->next_out), self->config.item_bytes);
    self->next_out = (self->next_out + 1) % self->config.capacity;
    self->arrived--;
    cross(self, self->config.receiver, self->config.sender, self->config.credit_cycles,
          give_back);
    if (self->arrived > 0) {
        wait_queue_wake(&self->receivers);
    }
    return true;
}
