/* A region runs its own events and exchanges mail with the others between windows. */
#include "sim/parallel/region.h"

#include "sim/parallel/engine_state.h"

enum {
    CYCLE_EVENTS = 1 << 20, /* of one cycle between two calls of the monitor */
};

void region_init(SimRegion *self, SimEngine *engine, guint index, guint ring_cycles)
{
    *self = (SimRegion){.engine = engine, .index = index};
    queue_init(&self->queue, ring_cycles);
    self->outbox = g_new(GArray *, engine->config.region_count);
    for (guint i = 0; i < engine->config.region_count; i++) {
        self->outbox[i] = g_array_new(FALSE, FALSE, sizeof(Mail));
    }
    self->counters = g_array_new(FALSE, TRUE, sizeof(uint64_t));
}

void region_clear(SimRegion *self)
{
    queue_clear(&self->queue);
    for (guint i = 0; i < self->engine->config.region_count; i++) {
        g_array_unref(self->outbox[i]);
    }
    g_free(self->outbox);
    g_array_unref(self->counters);
    sightings_clear(&self->sightings);
    lane_use_free(self->use);
    g_clear_error(&self->failure);
}

void region_advance(SimRegion *self, uint64_t budget)
{
    const uint64_t last = self->events + budget;
    Entry event;

    if (self->next >= self->window_end && !self->queue.is_running) {
        return;
    }
    /* Several regions hand over theirs together, after a window. */
    const gsize most =
        self->engine->config.region_count == 1 ? SIGHTINGS_MANY : G_MAXSIZE;

    while (self->events < last && !self->has_failed &&
           sightings_used(&self->sightings) < most) {
        const uint64_t pause = self->events + CYCLE_EVENTS;

        if (!self->queue.is_running) {
            SimTime when = queue_next(&self->queue);

            if (when >= self->window_end) {
                return;
            }
            queue_begin(&self->queue, when);
        }
        while (!self->has_failed && queue_take(&self->queue, &event)) {
            self->now = self->queue.now;
            self->key = event.key;
            self->events++;
            event.func(self, event.data);
            if (G_UNLIKELY(self->events == pause)) {
                return;
            }
        }
    }
}

bool region_is_within_cycle(const SimRegion *self)
{
    return self->queue.is_running && !self->has_failed;
}

void region_receive(SimRegion *self)
{
    SimEngine *engine = self->engine;

    for (guint from = 0; from < engine->config.region_count; from++) {
        GArray *mails = engine->regions[from].outbox[self->index];

        if (mails->len == 0) {
            continue;
        }
        for (guint i = 0; i < mails->len; i++) {
            const Mail *mail = &g_array_index(mails, Mail, i);

            queue_push(&self->queue, mail->when, mail->key, mail->func, mail->data);
        }
        g_array_set_size(mails, 0);
    }
}

SimEngine *sim_region_engine(SimRegion *self)
{
    return self->engine;
}

guint sim_region_index(const SimRegion *self)
{
    return self->index;
}

SimTime sim_region_now(const SimRegion *self)
{
    return self->now;
}

SimTime sim_region_horizon(const SimRegion *self)
{
    return MIN(self->window_end, MAX(queue_left(&self->queue), self->queue.now + 1));
}

void sim_region_go_on(SimRegion *self, SimTime now, uint64_t cycles)
{
    self->now = now;
    self->events += cycles;
}

SimEvent sim_region_at(
    SimRegion *self, SimTime when, SimKey key, SimEventFunc func, gpointer data)
{
    g_return_val_if_fail(when >= self->now && when < SIM_TIME_NEVER, 0);
    g_return_val_if_fail(func != NULL, 0);

    return queue_push(&self->queue, when, key, func, data);
}

void sim_region_post(SimRegion *self,
                     SimRegion *to,
                     SimTime when,
                     SimKey key,
                     SimEventFunc func,
                     gpointer data)
{
    Mail mail = {.when = when, .key = key, .func = func, .data = data};

    if (self == to) {
        sim_region_at(self, when, key, func, data);
        return;
    }
    g_return_if_fail(func != NULL);
    g_return_if_fail(when >= self->now && when < SIM_TIME_NEVER);
    g_return_if_fail(when - self->now >= self->engine->config.window_cycles);
    g_array_append_val(self->outbox[to->index], mail);
    self->posted++;
}

bool sim_region_cancel(SimRegion *self, SimEvent event)
{
    return queue_cancel(&self->queue, event);
}

void sim_region_fail(SimRegion *self, GError *error)
{
    g_return_if_fail(error != NULL);

    if (self->has_failed) {
        g_error_free(error);
        return;
    }
    self->has_failed = true;
    self->failure = error;
    self->failure_time = self->now;
    self->failure_key = self->key;
}
