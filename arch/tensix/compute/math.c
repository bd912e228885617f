/* The math thread: computes from Src and Dst into Dst. */
#include "arch/tensix/compute/compute.h"
#include "sim/narrow.h"

enum {
    CALL_ENTRIES = 3,   /* SETC16, MOP, SETRWC */
    COMMIT_ENTRIES = 4, /* STALLWAIT, SEMPOST, STALLWAIT, SETC16 */
    COPY_ENTRIES = 6,
    DST_CONFIG_CYCLES = 5, /* after the unpacker has filled Dst */
};

/* Both units of this thread have no instruction until `when`. */
static void rest(TensixCompute *self, const TensixThread *thread, SimTime when)
{
    tensix_thread_issue(thread, &self->units[UNIT_FPU], when);
    tensix_thread_issue(thread, &self->units[UNIT_SFPU], when);
}

/* Both wait until `when`, for who did what `cause` says. */
static void
await(TensixCompute *self, SimTime when, TensixLaneReason reason, TensixCause cause)
{
    tensix_lane_wait(&self->units[UNIT_FPU], when, reason, cause);
    tensix_lane_wait(&self->units[UNIT_SFPU], when, reason, cause);
}

static guint half_of(const TensixCompute *self)
{
    return sim_u32((self->acquired - 1) % DST_HALVES);
}

/* A call that changes the half of Dst that math has. */
static void
work_in_dst(TensixCompute *self, TensixWorkKind kind, const ArchComputeCall *call)
{
    if (self->works != NULL) {
        tensix_works_do(
            self->works,
            &(TensixWork){.kind = kind, .half = half_of(self), .call = *call});
    }
}

static SimTime idle(const TensixCompute *self)
{
    return MAX(self->math_idle, self->sfpu_idle);
}

bool tensix_step_acquire(TensixCompute *self,
                         TensixThread *thread,
                         const ArchComputeCall *call)
{
    (void) call;
    if (thread->step == 0) {
        tensix_thread_make_place(thread, 1);
        tensix_thread_spend(thread, 1);
        rest(self, thread, tensix_thread_reach(thread));
        thread->step = 1;
    }
    if (self->acquired >= DST_HALVES) {
        const uint64_t release = self->acquired - DST_HALVES;

        if (!tensix_times_has(&self->dst_free, release)) {
            return false;
        }
        thread->stream = MAX(thread->stream, tensix_times_at(&self->dst_free, release) +
                                                 self->costs.semaphore_cycles);
        await(self, thread->stream, TENSIX_LANE_DST,
              tensix_compute_probe_doer(self, PROBE_DST_FREE, release));
    }
    self->acquired++;
    thread->stream++;
    tensix_thread_pushed(thread, 1);
    return true;
}

bool tensix_step_commit(TensixCompute *self,
                        TensixThread *thread,
                        const ArchComputeCall *call)
{
    (void) call;
    tensix_thread_make_place(thread, COMMIT_ENTRIES);
    tensix_thread_spend(thread, self->costs.commit);
    if (SIM_PROBES && G_UNLIKELY(self->probes != NULL)) {
        const bool is_sfpu = self->sfpu_idle > self->math_idle;

        tensix_compute_probe_does(
            self, PROBE_DST_READY, self->dst_ready.count,
            tensix_thread_doer(thread, &self->units[is_sfpu ? UNIT_SFPU : UNIT_FPU],
                               idle(self)));
    }
    thread->stream =
        MAX(tensix_thread_reach(thread), idle(self)) + self->costs.commit_cycles;
    tensix_times_add(&self->dst_ready, thread->stream);
    tensix_thread_pushed(thread, COMMIT_ENTRIES);
    return true;
}

bool tensix_step_math_reconfig(TensixCompute *self,
                               TensixThread *thread,
                               const ArchComputeCall *call)
{
    tensix_thread_spend(thread, call->count * self->costs.reconfig[TENSIX_THREAD_MATH]);
    thread->stream = MAX(tensix_thread_reach(thread), idle(self));
    return true;
}

static void count_flops(TensixCompute *self, const ArchComputeCall *call)
{
    const TensixOperation *operation = tensix_operation_of(call);
    const SimCounter *unit =
        (gconstpointer) ((const char *) &self->counters + operation->flops_counter);

    sim_region_count(self->region, self->counters.flops, operation->flops);
    sim_region_count(self->region, *unit, operation->flops);
    if (operation->flops > 0) {
        const bool is_vector = unit == &self->counters.sfpu_flops;

        tensix_lane_count(&self->units[is_vector ? UNIT_SFPU : UNIT_FPU],
                          is_vector                              ? "flops+sfpu_flops"
                          : unit == &self->counters.matmul_flops ? "flops+matmul_flops"
                                                                 : "flops+fpu_flops",
                          operation->flops);
    }
}

static bool
use_src(TensixCompute *self, TensixThread *thread, const TensixFpuCosts *costs)
{
    TensixLane *unit = &self->units[UNIT_FPU];

    for (; thread->step <= costs->parts; thread->step++) {
        if (!tensix_times_has(&self->src_valid, self->src_used)) {
            return false;
        }
        const SimTime when = tensix_times_at(&self->src_valid, self->src_used);
        const TensixCause cause = tensix_lane_cause(&self->units[UNIT_UNPACKER], when);

        thread->stream = MAX(thread->stream, when);
        tensix_lane_wait(unit, thread->stream, TENSIX_LANE_SRC, cause);
        thread->stream += costs->part_cycles;
        tensix_lane_until(unit, thread->stream, TENSIX_LANE_BUSY);
        tensix_times_add(&self->src_free, thread->stream);
        self->src_used++;
    }
    self->math_idle = thread->stream + costs->idle_cycles;
    thread->stream += costs->after_cycles;
    tensix_lane_until(unit, thread->stream, TENSIX_LANE_BUSY);
    return true;
}

bool tensix_step_fpu(TensixCompute *self,
                     TensixThread *thread,
                     const ArchComputeCall *call)
{
    const TensixFpuCosts *costs = tensix_operation_cost(call, &self->costs);

    if (thread->step == 0) {
        tensix_thread_make_place(thread, CALL_ENTRIES);
        tensix_thread_spend(thread, costs->math_call);
        /* Waits for what the SFPU has in Dst, too. */
        rest(self, thread, tensix_thread_reach(thread));
        thread->step = 1;
    }
    if (!use_src(self, thread, costs)) {
        return false;
    }
    thread->mop = thread->stream;
    tensix_thread_pushed(thread, CALL_ENTRIES);
    const guint slot = sim_u32(self->operands_used++ % self->costs.src_slots);

    if (self->works != NULL) {
        tensix_works_do(self->works, &(TensixWork){.kind = TENSIX_WORK_FPU,
                                                   .half = half_of(self),
                                                   .slot = slot,
                                                   .call = *call});
    }
    count_flops(self, call);
    return true;
}

/* Makes way in Dst and says so; then waits until the unpacker has filled it. */
static bool
let_unpack(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call)
{
    if (thread->step == 0) {
        tensix_thread_make_place(thread, COPY_ENTRIES);
        tensix_thread_spend(thread, self->costs.unpack_dst_math);
        thread->stream = MAX(tensix_thread_reach(thread), idle(self));
        tensix_thread_wait_for(thread,
                               thread->stream + self->costs.unpack_dst_poll_cycles,
                               TENSIX_LANE_UNIT, thread->unit, thread->stream);
        tensix_thread_spend(thread, self->costs.unpack_dst_mailbox);
        tensix_times_add(&self->mails, thread->risc);
        rest(self, thread, thread->stream);
        thread->step = 1;
    }
    if (!tensix_times_has(&self->dst_unpacked, self->fills_taken)) {
        return false;
    }
    const SimTime filled = tensix_times_at(&self->dst_unpacked, self->fills_taken);

    thread->stream =
        MAX(thread->stream, filled + self->costs.semaphore_cycles) + DST_CONFIG_CYCLES;
    self->fills_taken++;
    await(self, thread->stream, TENSIX_LANE_DST,
          tensix_lane_cause(&self->units[UNIT_UNPACKER], filled));
    if (tensix_operation_of(call)->is_transposed) {
        thread->stream += self->costs.transpose_fp32_cycles;
        tensix_lane_until(&self->units[UNIT_FPU], thread->stream, TENSIX_LANE_BUSY);
        self->math_idle = thread->stream + self->costs.fpu_latency_cycles;
        work_in_dst(self, TENSIX_WORK_TRANSPOSE, call);
    }
    thread->mop = thread->stream;
    tensix_thread_pushed(thread, COPY_ENTRIES);
    return true;
}

bool tensix_step_fpu_copy(TensixCompute *self,
                          TensixThread *thread,
                          const ArchComputeCall *call)
{
    return tensix_compute_is_dst_copy(self, call) ? let_unpack(self, thread, call)
                                                  : tensix_step_fpu(self, thread, call);
}

bool tensix_step_transpose_dst(TensixCompute *self,
                               TensixThread *thread,
                               const ArchComputeCall *call)
{
    tensix_thread_make_place(thread, CALL_ENTRIES);
    tensix_thread_spend(thread, self->costs.fpu_copy.math_call);
    thread->stream = MAX(tensix_thread_reach(thread), idle(self));
    rest(self, thread, thread->stream);
    thread->stream += self->costs.transpose_fp32_cycles;
    tensix_lane_until(&self->units[UNIT_FPU], thread->stream, TENSIX_LANE_BUSY);
    self->math_idle = thread->stream + self->costs.fpu_latency_cycles;
    thread->mop = thread->stream;
    tensix_thread_pushed(thread, CALL_ENTRIES);
    work_in_dst(self, TENSIX_WORK_TRANSPOSE, call);
    return true;
}

/* When the SFPU has the last of `pushes` instructions, of which the FIFO holds some
 * while it waits to begin. */
static SimTime
last_push(const TensixCompute *self, guint pushes, SimTime begin, SimTime pushed)
{
    const guint held = MIN(pushes, self->costs.fifo_entries[TENSIX_THREAD_MATH]);
    const SimRatio fetch = self->costs.sfpu_fetch;
    const SimTime rest_cycles = (pushes - held) * fetch.num / fetch.den;

    return MAX(pushed, begin + MAX(pushes, rest_cycles));
}

/* Instructions of an operation of the SFPU. */
static guint pushes_of(const TensixCompute *self, const ArchComputeCall *call)
{
    switch (tensix_operation_of(call)->kind) {
    case TENSIX_FUNCTION:
        return self->costs
            .sfpu_functions[tensix_operation_function(call)][call->mode != 0];
    case TENSIX_CAST:
        return self->costs.sfpu_functions[tensix_operation_function(call)][0];
    default:
        return *(const guint *) tensix_operation_cost(call, &self->costs);
    }
}

/* The RISC-V pushes every instruction; it can be ahead by what the FIFO holds. */
bool tensix_step_sfpu(TensixCompute *self,
                      TensixThread *thread,
                      const ArchComputeCall *call)
{
    const TensixComputeCosts *costs = &self->costs;
    const guint pushes = pushes_of(self, call);
    const SimTime before = costs->sfpu_start_end_cycles / 2;
    const SimTime after = costs->sfpu_start_end_cycles - before;
    const TensixCause doer =
        tensix_thread_doer(thread, &self->units[UNIT_FPU], self->math_idle);
    const SimTime begin = MAX(tensix_thread_reach(thread), self->math_idle) + before;
    const SimTime pushed =
        thread->risc + sim_ratio_charge(costs->sfpu_fetch, pushes, &thread->remainder);
    const SimTime end = last_push(self, pushes, begin, pushed);

    await(self, begin, TENSIX_LANE_ISSUE, doer);
    tensix_lane_until(&self->units[UNIT_SFPU], end, TENSIX_LANE_BUSY);
    tensix_lane_until(&thread->lane, pushed, TENSIX_LANE_BUSY);
    thread->risc = pushed;
    if (end > costs->fifo_entries[TENSIX_THREAD_MATH]) {
        const SimTime place = end - costs->fifo_entries[TENSIX_THREAD_MATH];

        tensix_thread_wait_for(thread, place, TENSIX_LANE_UNIT, &self->units[UNIT_SFPU],
                               place);
    }
    thread->stream = end + after;
    self->sfpu_idle = thread->stream;
    work_in_dst(self, TENSIX_WORK_SFPU, call);
    count_flops(self, call);
    return true;
}
