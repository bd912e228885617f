/* The pack thread: waits for space, takes tiles out of Dst, pushes pages. */
#include "arch/tensix/compute/compute.h"

enum {
    PACK_ENTRIES = 7, /* SETADC, 2 SETDMAREG, REG2FLOP, PACR flush, SETDMAREG, PACR */
    RELEASE_ENTRIES = 6,
    PUSH_ENTRIES = 3, /* SETDMAREG, STALLWAIT, STOREREG */
};

static bool wait(Compute *self, Thread *thread)
{
    Lane *unit = &self->units[UNIT_PACKER];

    if (thread->step == 0) {
        thread_make_place(thread, 1);
        thread_spend(thread, 1);
        lane_until(unit, thread_reach(thread), LANE_ISSUE);
        thread->step = 1;
    }
    if (!times_has(&self->dst_ready, self->waited)) {
        return false;
    }
    thread->stream = MAX(thread->stream, times_at(&self->dst_ready, self->waited) +
                                             self->costs.semaphore_cycles);
    lane_until(unit, thread->stream, LANE_DST);
    self->waited++;
    thread_pushed(thread, 1);
    return true;
}

static guint half_of(const Compute *self)
{
    return (guint) ((self->waited - 1) % DST_HALVES);
}

static void pack(Compute *self, Thread *thread, const ArchComputeCall *call)
{
    const CircularBuffer *buffer = &self->core->buffers[call->cb_a];
    const uint32_t address = cb_write_address(buffer, call->tile_a);
    Lane *unit = &self->units[UNIT_PACKER];

    thread_make_place(thread, PACK_ENTRIES);
    thread_spend(thread, self->costs.pack_call);
    thread->stream = thread_reach(thread) + self->costs.pack_setup_cycles;
    lane_until(unit, thread->stream, LANE_ISSUE);
    thread->stream += self->costs.pack_cycles[buffer->format];
    lane_until(unit, thread->stream, LANE_BUSY);
    self->pack_idle = thread->stream;
    thread_pushed(thread, PACK_ENTRIES);
    sim_region_count(self->region, self->counters.sram_bytes,
                     arch_format_tile_bytes(buffer->format));
    sim_region_count(self->region, self->counters.packed_bytes,
                     arch_format_tile_bytes(buffer->format));
    if (self->registers != NULL) {
        registers_pack(self->registers, half_of(self), call->dst,
                       l1_at(core_l1(self->core), address), buffer->format);
    }
}

static void release(Compute *self, Thread *thread)
{
    thread_make_place(thread, RELEASE_ENTRIES);
    thread_spend(thread, self->costs.release);
    thread->stream =
        MAX(thread_reach(thread), self->pack_idle) + self->costs.release_cycles;
    thread_pushed(thread, RELEASE_ENTRIES);
    if (self->registers != NULL) {
        registers_release(self->registers, half_of(self));
    }
    times_add(&self->dst_free, thread->stream);
}

static void push(Compute *self, Thread *thread, const ArchComputeCall *call)
{
    thread_make_place(thread, PUSH_ENTRIES);
    thread_spend(thread, self->costs.cb_push);
    thread->stream = MAX(thread_reach(thread) + 1, self->pack_idle) +
                     self->costs.counter_store_cycles;
    thread_pushed(thread, PUSH_ENTRIES);
    cb_push(&self->core->buffers[call->cb_a], CB_COMPUTE, call->count,
            thread->stream + self->costs.counter_visible_cycles);
}

bool compute_pack(Compute *self, Thread *thread, const ArchComputeCall *call)
{
    switch ((int) call->op) {
    case ARCH_COMPUTE_CB_RESERVE:
        return compute_poll(self, thread, &self->units[UNIT_PACKER], call);
    case ARCH_COMPUTE_CB_PUSH:
        push(self, thread, call);
        return true;
    case ARCH_COMPUTE_WAIT:
        return wait(self, thread);
    case ARCH_COMPUTE_PACK:
        pack(self, thread, call);
        return true;
    case ARCH_COMPUTE_RELEASE:
        release(self, thread);
        return true;
    case ARCH_COMPUTE_START_INIT:
        thread_spend(thread, self->costs.init_start);
        return true;
    case ARCH_COMPUTE_PACK_RECONFIG:
        thread_spend(thread, self->costs.reconfig[THREAD_PACK]);
        thread->stream = MAX(thread_reach(thread), self->pack_idle);
        return true;
    default:
        return true;
    }
}
