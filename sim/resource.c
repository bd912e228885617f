/* The resource: slots in use, integrated over time. */
#include "sim/resource.h"

#include "sim/internal/wait_queue.h"

struct SimResource {
    SimRegion *region;
    char *what;
    guint slot_count;
    guint used;
    SimTime counted_until;
    uint64_t busy_cycles; /* up to counted_until */
    WaitQueue waiters;
};

SimResource *sim_resource_new(SimRegion *region, const char *name, guint slot_count)
{
    g_return_val_if_fail(slot_count >= 1, NULL);

    SimResource *self = g_new0(SimResource, 1);

    self->region = region;
    self->what = g_strdup_printf("a slot of %s (all %u in use)", name, slot_count);
    self->slot_count = slot_count;
    wait_queue_init(&self->waiters, self->what);
    return self;
}

void sim_resource_free(SimResource *self)
{
    if (self != NULL) {
        wait_queue_clear(&self->waiters);
        g_free(self->what);
        g_free(self);
    }
}

uint64_t sim_resource_busy_cycles(const SimResource *self)
{
    SimTime elapsed = sim_region_now(self->region) - self->counted_until;

    return self->busy_cycles + elapsed * self->used;
}

static void count_up_to_now(SimResource *self)
{
    self->busy_cycles = sim_resource_busy_cycles(self);
    self->counted_until = sim_region_now(self->region);
}

bool sim_resource_acquire(SimResource *self, SimProcess *process)
{
    if (self->used == self->slot_count ||
        !wait_queue_is_turn(&self->waiters, process)) {
        wait_queue_join(&self->waiters, process);
        return false;
    }
    wait_queue_leave(&self->waiters, process);
    count_up_to_now(self);
    self->used++;
    if (self->used < self->slot_count) {
        wait_queue_wake(&self->waiters);
    }
    return true;
}

void sim_resource_release(SimResource *self)
{
    g_return_if_fail(self->used > 0);

    count_up_to_now(self);
    self->used--;
    wait_queue_wake(&self->waiters);
}
