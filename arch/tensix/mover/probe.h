/* What a watcher sees of a data mover: its calls, its transactions and where they
 * arrive. */
#pragma once

#include "arch/tensix/mover/state.h"

/* A transaction as a flow, from the call that issues it to its arrival. All 0: not
 * watched. */
typedef struct {
    uint64_t number;
    SimTime since;       /* not 0 */
    guint arrivals_left; /* the flow ends at the last of them */
} TensixMoverFlow;

/* Shows its lane, which has begun, to the watcher. */
void tensix_mover_probe_open(ArchMover *self);

/* Call the functions below only if this is true. */
static inline bool tensix_mover_is_watched(const ArchMover *self)
{
    return SIM_PROBES && G_UNLIKELY(self->lane.probe != NULL);
}

/* It is about to change the L1 of its core. */
static inline void tensix_mover_blame(const ArchMover *self)
{
    if (tensix_mover_is_watched(self)) {
        self->core->cause = tensix_lane_cause(&self->lane, self->lane.at);
    }
}

/* A call begins, with up to two arguments; NULL for none. */
void tensix_mover_probe_call(ArchMover *self,
                             const char *name,
                             const char *first,
                             int64_t first_value,
                             const char *second,
                             int64_t second_value);

/* A packet of a transfer, of so many bytes. */
TensixMoverFlow tensix_mover_probe_packet(ArchMover *self,
                                          const ArchMoverTransfer *what,
                                          uint64_t bytes);

/* Transactions in flight have changed by `change`. */
void tensix_mover_probe_flight(const ArchMover *self, int change);

/* Record that a packet has arrived: a write at `core`, or in a DRAM bank if `core` is
 * NULL; a read at the mover's core, from `remote`. */
void tensix_mover_probe_write(const ArchMover *self,
                              TensixMoverFlow *flow,
                              const ArchTensixCore *core,
                              guint bank,
                              uint64_t bytes);
void tensix_mover_probe_read(const ArchMover *self,
                             TensixMoverFlow *flow,
                             const ArchNocAddress *remote,
                             uint64_t bytes);
