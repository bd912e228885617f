/* Threads: how far a RISC-V may run ahead of its instruction stream. */
#include "arch/tensix/compute/thread.h"

void thread_start(Thread *self, SimTime when)
{
    self->risc = when;
    self->stream = when;
    self->mop = when;
}

static void drop_block(Thread *self)
{
    self->entries -= self->blocks[self->first_block].entries;
    self->first_block = (self->first_block + 1) % THREAD_BLOCKS;
    self->block_count--;
}

void thread_make_place(Thread *self, guint entries)
{
    while (self->block_count > 0 &&
           (self->blocks[self->first_block].leave <= self->risc ||
            self->entries + entries > self->fifo_entries)) {
        thread_wait(self, self->blocks[self->first_block].leave, LANE_UNIT);
        drop_block(self);
    }
}

void thread_pushed(Thread *self, guint entries)
{
    guint place = (self->first_block + self->block_count) % THREAD_BLOCKS;

    if (self->block_count == THREAD_BLOCKS) {
        drop_block(self);
    }
    self->blocks[place] = (ThreadBlock){.leave = self->stream, .entries = entries};
    self->block_count++;
    self->entries += entries;
}
