/* Vector instructions of compiled kernels: a slot or more of the vector unit each. */
#include "arch/tensix/compute/compute.h"
#include "arch/tensix/compute/sfpu_vector.h"
#include "sim/narrow.h"

/* Beyond the slots of the instruction: those of the chip, and one if it needs what a
 * multiply-add before it has not finished. */
static guint further_slots(TensixCompute *self, const ArchComputeCall *call)
{
    const guint operands = tensix_sfpu_operands(call->mode);
    const guint late = self->late_vector;

    self->late_vector = tensix_sfpu_is_late(call->mode) ? call->dst_b : 0;
    if (call->mode == SFPU_FACE) {
        return self->costs.sfpu_face_slots;
    }
    return late != 0 &&
                   (((operands & READS_A) != 0 && call->cb_a == late) ||
                    ((operands & (READS_B | READS_D)) != 0 && call->cb_b == late) ||
                    ((operands & READS_C) != 0 && call->dst_c == late))
               ? 1
               : 0;
}

static void count_flops(TensixCompute *self, const ArchComputeCall *call)
{
    const bool is_one = call->cb_a == SFPU_ONE || call->cb_b == SFPU_ONE ||
                        call->cb_b == SFPU_MINUS_ONE || call->dst_c == SFPU_ZERO;

    if (call->mode == SFPU_MAD) {
        const guint flops = is_one ? SFPU_LANES : 2 * SFPU_LANES;

        sim_region_count(self->region, self->counters.flops, flops);
        sim_region_count(self->region, self->counters.sfpu_flops, flops);
        tensix_lane_count(&self->units[UNIT_SFPU], "flops+sfpu_flops", flops);
    }
}

/* Waits for the FPU before, and for itself after, what a function does. */
static void wait_for_units(TensixCompute *self, TensixThread *thread, guint opcode)
{
    const SimTime before = self->costs.sfpu_start_end_cycles / 2;

    const TensixCause doer =
        tensix_thread_doer(thread, &self->units[UNIT_FPU], self->math_idle);

    (void) tensix_thread_reach(thread);
    if (opcode == SFPU_BEGIN) {
        thread->stream = MAX(thread->stream, self->math_idle) + before;
        tensix_lane_wait(&self->units[UNIT_FPU], thread->stream, TENSIX_LANE_ISSUE,
                         doer);
        tensix_lane_wait(&self->units[UNIT_SFPU], thread->stream, TENSIX_LANE_ISSUE,
                         doer);
    } else {
        thread->stream += self->costs.sfpu_start_end_cycles - before;
    }
}

/* The RISC-V has pushed the first of its instructions with one of its own, and pushes
 * the others. */
bool tensix_step_vector(TensixCompute *self,
                        TensixThread *thread,
                        const ArchComputeCall *call)
{
    const guint slots =
        tensix_sfpu_slots(call->mode, call->bits) * self->costs.sfpu_passes +
        further_slots(self, call);
    TensixLane *unit = &self->units[UNIT_SFPU];

    if (call->mode == SFPU_BEGIN || call->mode == SFPU_FINISH) {
        wait_for_units(self, thread, call->mode);
    } else if (slots > 0) {
        tensix_thread_make_place(thread, 1);
        tensix_thread_wait(thread, thread->risc + slots - 1, TENSIX_LANE_BUSY);
        thread->stream = MAX(thread->stream + slots, thread->risc);
        tensix_thread_issue(thread, unit, thread->stream - slots);
        tensix_lane_until(unit, thread->stream, TENSIX_LANE_BUSY);
        tensix_thread_pushed(thread, 1);
    }
    self->sfpu_idle = thread->stream;
    count_flops(self, call);
    if (self->works != NULL) {
        tensix_works_do(
            self->works,
            &(TensixWork){.kind = TENSIX_WORK_VECTOR,
                          .half = sim_u32((self->acquired - 1) % DST_HALVES),
                          .call = *call});
    }
    return true;
}
