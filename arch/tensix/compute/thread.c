/* Threads: how far a RISC-V may run ahead of its instruction stream. */
#include "arch/tensix/compute/thread.h"

void tensix_thread_start(TensixThread *self, SimTime when)
{
    self->risc = when;
    self->stream = when;
    self->mop = when;
}

static void drop_block(TensixThread *self)
{
    self->entries -= self->blocks[self->first_block].entries;
    self->first_block = (self->first_block + 1) % TENSIX_THREAD_BLOCKS;
    self->block_count--;
}

void tensix_thread_make_place(TensixThread *self, guint entries)
{
    while (self->block_count > 0 &&
           (self->blocks[self->first_block].leave <= self->risc ||
            self->entries + entries > self->fifo_entries)) {
        const SimTime leave = self->blocks[self->first_block].leave;

        tensix_thread_wait_for(self, leave, TENSIX_LANE_UNIT, self->unit, leave);
        drop_block(self);
    }
}

void tensix_thread_pushed(TensixThread *self, guint entries)
{
    guint place = (self->first_block + self->block_count) % TENSIX_THREAD_BLOCKS;

    if (self->block_count == TENSIX_THREAD_BLOCKS) {
        drop_block(self);
    }
    self->blocks[place] =
        (TensixThreadBlock){.leave = self->stream, .entries = entries};
    self->block_count++;
    self->entries += entries;
}
