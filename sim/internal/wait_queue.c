/* The wait queue behind channels, semaphores and resources. */
#include "sim/internal/wait_queue.h"

#include "sim/internal/process_state.h"

void wait_queue_init(WaitQueue *self, const char *what)
{
    g_queue_init(&self->processes);
    self->what = what;
}

void wait_queue_clear(WaitQueue *self)
{
    SimProcess *process;

    while ((process = g_queue_pop_head(&self->processes)) != NULL) {
        process->queue = NULL;
        process->what = "something that was freed";
    }
}

bool wait_queue_is_turn(const WaitQueue *self, const SimProcess *process)
{
    return self->processes.head == NULL || self->processes.head->data == process;
}

void wait_queue_join(WaitQueue *self, SimProcess *process)
{
    if (process == NULL) {
        return;
    }
    if (process->queue == self) {
        process->what = self->what; /* It waits on, since when it first came. */
        return;
    }
    g_return_if_fail(process->queue == NULL);
    process->queue = self;
    g_queue_push_tail(&self->processes, process);
    sim_process_wait(process, self->what);
}

void wait_queue_leave(WaitQueue *self, SimProcess *process)
{
    if (process != NULL && process->queue == self) {
        process->queue = NULL;
        g_queue_remove(&self->processes, process);
    }
}

void wait_queue_abandon(WaitQueue *self, SimProcess *process)
{
    const bool was_first = wait_queue_is_turn(self, process);

    wait_queue_leave(self, process);
    if (was_first) {
        wait_queue_wake(self);
    }
}

void wait_queue_wake(WaitQueue *self)
{
    SimProcess *process = g_queue_peek_head(&self->processes);

    if (process != NULL) {
        sim_process_wake(process);
    }
}
