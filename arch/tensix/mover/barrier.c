/* Barriers of data movers: counts what is under way, and lets kernels wait for it. */
#include "arch/tensix/mover/barrier.h"

#include "arch/error.h"
#include "arch/tensix/mover/probe.h"
#include "arch/tensix/race/race.h"
#include "sim/narrow.h"

void tensix_mover_count_up(ArchMover *self, ArchBarrier barrier, guint transaction)
{
    self->outstanding[barrier][transaction]++;
    self->outstanding[barrier][TENSIX_TRANSACTIONS]++;
}

void tensix_mover_count_down(ArchMover *self, ArchBarrier barrier, guint transaction)
{
    const TensixMoverWait *wait = &self->wait;

    self->outstanding[barrier][transaction]--;
    self->outstanding[barrier][TENSIX_TRANSACTIONS]--;
    if (wait->kind == WAIT_BARRIER && wait->op == barrier &&
        self->outstanding[barrier][wait->transaction] == 0) {
        self->probe.cause = self->core->cause;
        sim_process_wake(self->process);
    }
}

/* To the search for races, a barrier of one id is a barrier of all. */
static ArchMoverResult wait_for(ArchMover *self, ArchBarrier what, guint transaction)
{
    if (!tensix_mover_meets_engine(self)) {
        return ARCH_MOVER_AGAIN;
    }
    if (self->outstanding[what][transaction] > 0) {
        return tensix_mover_block(self, (TensixMoverWait){.kind = WAIT_BARRIER,
                                                          .op = what,
                                                          .transaction = transaction});
    }
    if (tensix_mover_is_watched(self)) {
        tensix_mover_probe_call(self, tensix_mover_barrier_name(what), NULL, 0, NULL,
                                0);
    }
    if (G_UNLIKELY(self->core->owner->races != NULL)) {
        tensix_race_barrier(self, what);
    }
    tensix_mover_catch_up(self, what == ARCH_BARRIER_FABRIC ? TENSIX_LANE_FABRIC
                                                            : TENSIX_LANE_NOC);
    tensix_lane_until(&self->lane,
                      self->lane.at + (what == ARCH_BARRIER_FLUSH
                                           ? self->numbers->flush_cycles
                                           : self->numbers->barrier_cycles),
                      TENSIX_LANE_BUSY);
    return ARCH_MOVER_DONE;
}

ArchMoverResult arch_mover_barrier(ArchMover *self, ArchBarrier what, GError **error)
{
    (void) error;
    return wait_for(self, what, TENSIX_TRANSACTIONS);
}

static bool check(ArchBarrier what, guint transaction, GError **error)
{
    return (what <= ARCH_BARRIER_FLUSH && transaction < TENSIX_TRANSACTIONS) ||
           arch_refuse(error, "transaction id %u, there are 0..%d", transaction,
                       TENSIX_TRANSACTIONS - 1);
}

ArchMoverResult tensix_mover_barrier_of(ArchMover *self,
                                        ArchBarrier what,
                                        guint transaction,
                                        GError **error)
{
    return check(what, transaction, error) ? wait_for(self, what, transaction)
                                           : ARCH_MOVER_FAILED;
}

ArchMoverResult tensix_mover_outstanding(ArchMover *self,
                                         ArchBarrier what,
                                         guint transaction,
                                         uint32_t *count,
                                         GError **error)
{
    if (!check(what, transaction, error)) {
        return ARCH_MOVER_FAILED;
    }
    if (!tensix_mover_meets_engine(self)) {
        return ARCH_MOVER_AGAIN;
    }
    *count = sim_u32(self->outstanding[what][transaction]);
    return ARCH_MOVER_DONE;
}
