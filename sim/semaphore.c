/* Implements the counting semaphore. */
#include "sim/semaphore.h"

#include "sim/internal/wait_queue.h"

struct SimSemaphore {
    char *what;
    uint64_t value;
    WaitQueue takers;
};

SimSemaphore *sim_semaphore_new(const char *name, uint64_t value)
{
    SimSemaphore *self = g_new0(SimSemaphore, 1);

    self->what = g_strdup_printf("semaphore %s", name);
    self->value = value;
    wait_queue_init(&self->takers, self->what);
    return self;
}

void sim_semaphore_free(SimSemaphore *self)
{
    if (self != NULL) {
        wait_queue_clear(&self->takers);
        g_free(self->what);
        g_free(self);
    }
}

bool sim_semaphore_take(SimSemaphore *self, uint64_t amount, SimProcess *process)
{
    g_return_val_if_fail(amount > 0, false);

    if (self->value < amount || !wait_queue_is_turn(&self->takers, process)) {
        wait_queue_join(&self->takers, process);
        return false;
    }
    wait_queue_leave(&self->takers, process);
    self->value -= amount;
    if (self->value > 0) {
        wait_queue_wake(&self->takers);
    }
    return true;
}

void sim_semaphore_give(SimSemaphore *self, uint64_t amount)
{
    g_return_if_fail(amount <= UINT64_MAX - self->value);

    self->value += amount;
    wait_queue_wake(&self->takers);
}
