/* The pack thread: waits for space, takes tiles out of Dst, pushes pages. */
#include <string.h>

#include "arch/tensix/compute/compute.h"
#include "arch/tensix/tile.h"
#include "arch/tensix/unknown.h"
#include "sim/narrow.h"

enum {
    PACK_ENTRIES = 7, /* SETADC, 2 SETDMAREG, REG2FLOP, PACR flush, SETDMAREG, PACR */
    RELEASE_ENTRIES = 6,
    PUSH_ENTRIES = 3, /* SETDMAREG, STALLWAIT, STOREREG */
};

bool tensix_step_wait(TensixCompute *self,
                      TensixThread *thread,
                      const ArchComputeCall *call)
{
    TensixLane *unit = &self->units[UNIT_PACKER];

    (void) call;
    if (thread->step == 0) {
        tensix_thread_make_place(thread, 1);
        tensix_thread_spend(thread, 1);
        tensix_thread_issue(thread, unit, tensix_thread_reach(thread));
        thread->step = 1;
    }
    if (!tensix_times_has(&self->dst_ready, self->waited)) {
        return false;
    }
    thread->stream =
        MAX(thread->stream, tensix_times_at(&self->dst_ready, self->waited) +
                                self->costs.semaphore_cycles);
    const TensixCause cause =
        tensix_compute_probe_doer(self, PROBE_DST_READY, self->waited);

    tensix_lane_wait(unit, thread->stream, TENSIX_LANE_DST, cause);
    self->waited++;
    tensix_thread_pushed(thread, 1);
    return true;
}

static guint half_of(const TensixCompute *self)
{
    return sim_u32((self->waited - 1) % DST_HALVES);
}

/* A tile into rows of several, of which `to` is the first. */
static void
scatter(const TensixCompute *self, const ArchComputeCall *call, guint8 *to, gsize bytes)
{
    const gsize width = call->count;
    const gsize side = bytes / TENSIX_TILE_ELEMENTS * TENSIX_FACE_SIDE;

    for (gsize i = 0; i < bytes / side; i++) {
        const gsize face = i / TENSIX_FACE_SIDE;
        const gsize row = face / 2 * TENSIX_FACE_SIDE + i % TENSIX_FACE_SIDE;
        const gsize column = 2 * (call->tile_a % width) + face % 2;

        memcpy(to + (2 * row * width + column) * side, self->rows + i * side, side);
    }
}

static void
write_tile(TensixCompute *self, const ArchComputeCall *call, uint32_t address)
{
    const ArchFormat format = self->core->buffers[call->cb_a].format;
    guint8 *to = tensix_l1_at(tensix_core_l1(self->core), address);

    tensix_works_do(self->works, &(TensixWork){.kind = TENSIX_WORK_PACK,
                                               .half = half_of(self),
                                               .call = *call,
                                               .packer = self->packer,
                                               .to = call->count == 0 ? to : self->rows,
                                               .format = format});
    if (call->count != 0) {
        tensix_works_finish(self->works);
        scatter(self, call, to, arch_format_tile_bytes(format));
    }
}

bool tensix_step_pack(TensixCompute *self,
                      TensixThread *thread,
                      const ArchComputeCall *call)
{
    const CircularBuffer *buffer = &self->core->buffers[call->cb_a];
    const guint tile = call->tile_a;
    const guint first = tile - (call->count == 0 ? 0U : tile % call->count);
    const uint32_t address = tensix_cb_write_address(buffer, first);
    const SimTime cycles =
        self->costs.pack_cycles[buffer->format] +
        (self->packer.accumulates ? self->costs.pack_add_cycles[buffer->format] : 0);
    const guint bytes = arch_format_tile_bytes(buffer->format);
    TensixLane *unit = &self->units[UNIT_PACKER];

    tensix_thread_make_place(thread, PACK_ENTRIES);
    tensix_thread_spend(thread, self->costs.pack_call);
    thread->stream = tensix_thread_reach(thread) + self->costs.pack_setup_cycles;
    tensix_thread_issue(thread, unit, thread->stream);
    thread->stream += cycles;
    tensix_lane_until(unit, thread->stream, TENSIX_LANE_BUSY);
    self->pack_idle = thread->stream;
    if (G_UNLIKELY(self->core->owner->races != NULL)) {
        tensix_compute_note_tile(self, thread, buffer, address, thread->stream - cycles,
                                 thread->stream);
    }
    tensix_thread_pushed(thread, PACK_ENTRIES);
    sim_region_count(self->region, self->counters.sram_bytes,
                     self->packer.accumulates ? 2 * bytes : bytes);
    sim_region_count(self->region, self->counters.packed_bytes, bytes);
    tensix_lane_count(unit, "sram_bytes+packed_bytes", bytes);
    if (self->packer.accumulates) {
        tensix_lane_count(unit, "sram_bytes", bytes);
    }
    if (self->works != NULL) {
        write_tile(self, call, address);
    } else if (self->core->owner->options.moves_data) {
        tensix_unknown_fill(tensix_l1_at(tensix_core_l1(self->core), address), bytes);
    }
    return true;
}

bool tensix_step_release(TensixCompute *self,
                         TensixThread *thread,
                         const ArchComputeCall *call)
{
    (void) call;
    tensix_thread_make_place(thread, RELEASE_ENTRIES);
    tensix_thread_spend(thread, self->costs.release);
    if (SIM_PROBES && G_UNLIKELY(self->probes != NULL)) {
        tensix_compute_probe_does(
            self, PROBE_DST_FREE, self->dst_free.count,
            tensix_thread_doer(thread, thread->unit, self->pack_idle));
    }
    thread->stream =
        MAX(tensix_thread_reach(thread), self->pack_idle) + self->costs.release_cycles;
    tensix_thread_pushed(thread, RELEASE_ENTRIES);
    if (self->works != NULL) {
        tensix_works_do(self->works, &(TensixWork){.kind = TENSIX_WORK_RELEASE,
                                                   .half = half_of(self)});
    }
    tensix_times_add(&self->dst_free, thread->stream);
    return true;
}

bool tensix_step_cb_reserve(TensixCompute *self,
                            TensixThread *thread,
                            const ArchComputeCall *call)
{
    return tensix_compute_poll(self, thread, &self->units[UNIT_PACKER], call);
}

bool tensix_step_cb_push(TensixCompute *self,
                         TensixThread *thread,
                         const ArchComputeCall *call)
{
    tensix_thread_make_place(thread, PUSH_ENTRIES);
    tensix_thread_spend(thread, self->costs.cb_push);
    if (SIM_PROBES && G_UNLIKELY(self->probes != NULL)) {
        self->core->buffers[call->cb_a].movers[TENSIX_CB_COMPUTE] =
            tensix_thread_doer(thread, thread->unit, self->pack_idle);
    }
    thread->stream = MAX(tensix_thread_reach(thread) + 1, self->pack_idle) +
                     self->costs.counter_store_cycles;
    tensix_thread_pushed(thread, PUSH_ENTRIES);
    tensix_cb_push(&self->core->buffers[call->cb_a], TENSIX_CB_COMPUTE, call->count,
                   thread->stream + self->costs.counter_visible_cycles);
    return true;
}

bool tensix_step_pack_reconfig(TensixCompute *self,
                               TensixThread *thread,
                               const ArchComputeCall *call)
{
    (void) call;
    tensix_thread_spend(thread, self->costs.reconfig[TENSIX_THREAD_PACK]);
    thread->stream = MAX(tensix_thread_reach(thread), self->pack_idle);
    return true;
}

/* Waits for the packers, as every change of their settings. */
static void change_packers(const TensixCompute *self, TensixThread *thread)
{
    tensix_thread_spend(thread, self->costs.pack_setting);
    thread->stream = MAX(tensix_thread_reach(thread), self->pack_idle);
}

bool tensix_step_pack_accumulate(TensixCompute *self,
                                 TensixThread *thread,
                                 const ArchComputeCall *call)
{
    change_packers(self, thread);
    self->packer.accumulates = call->value != 0;
    return true;
}

bool tensix_step_pack_relu(TensixCompute *self,
                           TensixThread *thread,
                           const ArchComputeCall *call)
{
    change_packers(self, thread);
    self->packer.relu = tensix_packer_relu(call->value);
    self->packer.threshold = tensix_packer_threshold(call->value);
    return true;
}
