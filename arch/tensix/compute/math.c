/* The math thread: takes what is in Src, and what is in Dst, and leaves it in Dst. */
#include "arch/tensix/compute/compute.h"

enum {
    FACES = 4,
    CALL_ENTRIES = 3,   /* SETC16, MOP, SETRWC */
    COMMIT_ENTRIES = 4, /* STALLWAIT, SEMPOST, STALLWAIT, SETC16 */
    COPY_ENTRIES = 6,
    DST_CONFIG_CYCLES = 5, /* after the unpacker has filled Dst */
    ELEMENTS = ARCH_TILE_ELEMENTS,
    MATMUL_FLOPS = 2 * 32 * ELEMENTS,
};

/* Both units of this thread stand still until `when`. */
static void rest(TensixCompute *self, SimTime when, TensixLaneReason reason)
{
    tensix_lane_until(&self->units[UNIT_FPU], when, reason);
    tensix_lane_until(&self->units[UNIT_SFPU], when, reason);
}

static guint half_of(const TensixCompute *self)
{
    return (guint) ((self->acquired - 1) % DST_HALVES);
}

static SimTime idle(const TensixCompute *self)
{
    return MAX(self->math_idle, self->sfpu_idle);
}

static void carry_out(TensixCompute *self, const ArchComputeCall *call, guint slot)
{
    if (self->registers != NULL) {
        tensix_registers_math(self->registers, half_of(self), slot, call);
    }
}

static bool acquire(TensixCompute *self, TensixThread *thread)
{
    if (thread->step == 0) {
        tensix_thread_make_place(thread, 1);
        tensix_thread_spend(thread, 1);
        rest(self, tensix_thread_reach(thread), TENSIX_LANE_ISSUE);
        thread->step = 1;
    }
    if (self->acquired >= DST_HALVES) {
        const uint64_t release = self->acquired - DST_HALVES;

        if (!tensix_times_has(&self->dst_free, release)) {
            return false;
        }
        thread->stream = MAX(thread->stream, tensix_times_at(&self->dst_free, release) +
                                                 self->costs.semaphore_cycles);
        rest(self, thread->stream, TENSIX_LANE_DST);
    }
    self->acquired++;
    thread->stream++;
    tensix_thread_pushed(thread, 1);
    return true;
}

static void commit(TensixCompute *self, TensixThread *thread)
{
    tensix_thread_make_place(thread, COMMIT_ENTRIES);
    tensix_thread_spend(thread, self->costs.commit);
    thread->stream =
        MAX(tensix_thread_reach(thread), idle(self)) + self->costs.commit_cycles;
    tensix_times_add(&self->dst_ready, thread->stream);
    tensix_thread_pushed(thread, COMMIT_ENTRIES);
}

/* FPU cycles on one part of Src, and after the last one. */
static void part_cycles(const TensixCompute *self,
                        const ArchComputeCall *call,
                        SimTime *part,
                        SimTime *after)
{
    const TensixComputeCosts *costs = &self->costs;
    const guint phases = self->kernel.fidelity;

    *after = 1;
    switch ((int) call->op) {
    case ARCH_COMPUTE_MUL:
        *part = costs->face_cycles * phases + 1;
        break;
    case ARCH_COMPUTE_MATMUL:
        *part = costs->matmul_phase_cycles * phases;
        *after = 0;
        break;
    case ARCH_COMPUTE_REDUCE:
        *part = phases + 1;
        *after = costs->reduce_cycles - (SimTime) FACES * 2;
        break;
    default:
        *part = costs->face_cycles + 1;
        break;
    }
}

static guint flops_of(const ArchComputeCall *call)
{
    switch ((int) call->op) {
    case ARCH_COMPUTE_COPY:
    case ARCH_COMPUTE_TRANSPOSE:
    case ARCH_COMPUTE_SFPU_COMPARE:
        return 0;
    case ARCH_COMPUTE_MATMUL:
        return MATMUL_FLOPS;
    case ARCH_COMPUTE_SFPU_MAD:
        return 2 * ELEMENTS;
    default:
        return ELEMENTS;
    }
}

static void
count_flops(TensixCompute *self, const ArchComputeCall *call, SimCounter unit)
{
    const guint flops = flops_of(call);

    sim_region_count(self->region, self->counters.flops, flops);
    sim_region_count(self->region, unit, flops);
}

static bool
use_src(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call)
{
    const guint parts = call->op == ARCH_COMPUTE_MATMUL ? 1 : FACES;
    TensixLane *unit = &self->units[UNIT_FPU];
    SimTime part;
    SimTime after;

    part_cycles(self, call, &part, &after);
    for (; thread->step <= parts; thread->step++) {
        if (!tensix_times_has(&self->src_valid, self->src_used)) {
            return false;
        }
        thread->stream =
            MAX(thread->stream, tensix_times_at(&self->src_valid, self->src_used));
        tensix_lane_until(unit, thread->stream, TENSIX_LANE_SRC);
        thread->stream += part;
        tensix_lane_until(unit, thread->stream, TENSIX_LANE_BUSY);
        tensix_times_add(&self->src_free, thread->stream);
        self->src_used++;
    }
    self->math_idle = thread->stream + self->costs.fpu_latency_cycles;
    thread->stream += after;
    tensix_lane_until(unit, thread->stream, TENSIX_LANE_BUSY);
    if (call->op == ARCH_COMPUTE_REDUCE) {
        self->math_idle = thread->stream + self->costs.fpu_latency_cycles;
    }
    return true;
}

static bool math(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call)
{
    if (thread->step == 0) {
        const bool has_loop = call->op == ARCH_COMPUTE_MUL && self->kernel.fidelity > 1;

        tensix_thread_make_place(thread, CALL_ENTRIES);
        tensix_thread_spend(thread,
                            self->costs.math_call +
                                (has_loop ? self->costs.math_fidelity_loop : 0));
        /* Waits for what the SFPU has in Dst, too. */
        rest(self, tensix_thread_reach(thread), TENSIX_LANE_ISSUE);
        thread->step = 1;
    }
    if (!use_src(self, thread, call)) {
        return false;
    }
    thread->mop = thread->stream;
    tensix_thread_pushed(thread, CALL_ENTRIES);
    carry_out(self, call, (guint) (self->operands_used++ % self->costs.src_slots));
    count_flops(self, call,
                call->op == ARCH_COMPUTE_MATMUL ? self->counters.matmul_flops
                                                : self->counters.fpu_flops);
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
        tensix_thread_wait(thread, thread->stream + self->costs.unpack_dst_poll_cycles,
                           TENSIX_LANE_UNIT);
        tensix_thread_spend(thread, self->costs.unpack_dst_mailbox);
        tensix_times_add(&self->mails, thread->risc);
        rest(self, thread->stream, TENSIX_LANE_ISSUE);
        thread->step = 1;
    }
    if (!tensix_times_has(&self->dst_unpacked, self->fills_taken)) {
        return false;
    }
    thread->stream =
        MAX(thread->stream, tensix_times_at(&self->dst_unpacked, self->fills_taken) +
                                self->costs.semaphore_cycles) +
        DST_CONFIG_CYCLES;
    self->fills_taken++;
    rest(self, thread->stream, TENSIX_LANE_DST);
    if (call->op == ARCH_COMPUTE_TRANSPOSE) {
        thread->stream += self->costs.transpose_fp32_cycles;
        tensix_lane_until(&self->units[UNIT_FPU], thread->stream, TENSIX_LANE_BUSY);
        self->math_idle = thread->stream + self->costs.fpu_latency_cycles;
        if (self->registers != NULL) {
            tensix_registers_transpose(self->registers, half_of(self), call->dst);
        }
    }
    thread->mop = thread->stream;
    tensix_thread_pushed(thread, COPY_ENTRIES);
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

/* A loop over the vectors of each face; a sum of all lanes is no such loop. */
static guint pushes_of(const TensixComputeCosts *costs, const ArchComputeCall *call)
{
    guint slots = costs->sfpu_slots[call->op];

    if (call->op == ARCH_COMPUTE_SFPU_SUM) {
        return costs->sfpu_sum_pushes;
    }
    if (call->op == ARCH_COMPUTE_SFPU_COMPARE) {
        slots = costs->sfpu_compare_slots[call->mode];
    }
    return costs->sfpu_vectors * slots + FACES * costs->sfpu_face_pushes;
}

/* The RISC-V pushes every instruction; it can be ahead by what the FIFO holds. */
static void
vectorize(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call)
{
    const TensixComputeCosts *costs = &self->costs;
    const guint pushes = pushes_of(costs, call);
    const SimTime before = costs->sfpu_start_end_cycles / 2;
    const SimTime after = costs->sfpu_start_end_cycles - before;
    const SimTime begin = MAX(tensix_thread_reach(thread), self->math_idle) + before;
    const SimTime pushed =
        thread->risc + sim_ratio_charge(costs->sfpu_fetch, pushes, &thread->remainder);
    const SimTime end = last_push(self, pushes, begin, pushed);

    rest(self, begin, TENSIX_LANE_ISSUE);
    tensix_lane_until(&self->units[UNIT_SFPU], end, TENSIX_LANE_BUSY);
    tensix_lane_until(&thread->lane, pushed, TENSIX_LANE_BUSY);
    thread->risc = pushed;
    if (end > costs->fifo_entries[TENSIX_THREAD_MATH]) {
        tensix_thread_wait(thread, end - costs->fifo_entries[TENSIX_THREAD_MATH],
                           TENSIX_LANE_UNIT);
    }
    thread->stream = end + after;
    self->sfpu_idle = thread->stream;
    carry_out(self, call, 0);
    count_flops(self, call, self->counters.sfpu_flops);
}

static void
initialize(TensixCompute *self, TensixThread *thread, const ArchComputeCall *call)
{
    switch ((int) call->op) {
    case ARCH_COMPUTE_START_INIT:
        tensix_thread_spend(thread, self->costs.init_start);
        break;
    case ARCH_COMPUTE_SFPU_INIT:
        tensix_thread_spend(thread, self->costs.init_sfpu);
        break;
    case ARCH_COMPUTE_COPY_INIT:
        tensix_compute_program_mop(self, thread,
                                   self->costs.init_copy[TENSIX_THREAD_MATH]);
        break;
    case ARCH_COMPUTE_TRANSPOSE_INIT:
        tensix_compute_program_mop(self, thread,
                                   self->costs.init_copy[TENSIX_THREAD_MATH]);
        if (self->kernel.is_dst_fp32) {
            tensix_thread_spend(thread, self->costs.init_transpose_fp32);
        }
        break;
    case ARCH_COMPUTE_RECONFIG:
        tensix_thread_spend(thread,
                            call->count * self->costs.reconfig[TENSIX_THREAD_MATH]);
        thread->stream = MAX(tensix_thread_reach(thread), idle(self));
        break;
    default:
        tensix_compute_program_mop(self, thread,
                                   self->costs.init_binary[TENSIX_THREAD_MATH]);
        break;
    }
}

bool tensix_compute_math(TensixCompute *self,
                         TensixThread *thread,
                         const ArchComputeCall *call)
{
    switch ((int) call->op) {
    case ARCH_COMPUTE_ACQUIRE:
        return acquire(self, thread);
    case ARCH_COMPUTE_COMMIT:
        commit(self, thread);
        return true;
    case ARCH_COMPUTE_START_INIT:
    case ARCH_COMPUTE_BINARY_INIT:
    case ARCH_COMPUTE_COPY_INIT:
    case ARCH_COMPUTE_TRANSPOSE_INIT:
    case ARCH_COMPUTE_REDUCE_INIT:
    case ARCH_COMPUTE_MATMUL_INIT:
    case ARCH_COMPUTE_SFPU_INIT:
    case ARCH_COMPUTE_RECONFIG:
        initialize(self, thread, call);
        return true;
    case ARCH_COMPUTE_COPY:
    case ARCH_COMPUTE_TRANSPOSE:
        return tensix_compute_is_dst_copy(self, call) ? let_unpack(self, thread, call)
                                                      : math(self, thread, call);
    case ARCH_COMPUTE_ADD:
    case ARCH_COMPUTE_SUB:
    case ARCH_COMPUTE_MUL:
    case ARCH_COMPUTE_REDUCE:
    case ARCH_COMPUTE_MATMUL:
        return math(self, thread, call);
    case ARCH_COMPUTE_SFPU_ADD:
    case ARCH_COMPUTE_SFPU_SUB:
    case ARCH_COMPUTE_SFPU_MUL:
    case ARCH_COMPUTE_SFPU_MAD:
    case ARCH_COMPUTE_SFPU_RECIP:
    case ARCH_COMPUTE_SFPU_SQRT:
    case ARCH_COMPUTE_SFPU_SCALE:
    case ARCH_COMPUTE_SFPU_OFFSET:
    case ARCH_COMPUTE_SFPU_COMPARE:
    case ARCH_COMPUTE_SFPU_SUM:
        vectorize(self, thread, call);
        return true;
    default:
        return true;
    }
}
