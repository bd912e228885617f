/* What a watcher sees of a data mover: its calls, its transactions and where they
 * arrive. */
#pragma once

#include "arch/tensix/mover_state.h"

/* A transaction as a flow, from the call that issues it to where it arrives. All 0: it
 * is not seen. */
typedef struct {
    uint64_t number;
    guint arrivals_left; /* it ends at the last of them */
} MoverFlow;

/* Lets whoever watches see its lane, which has begun. */
void mover_probe_open(ArchMover *self);

/* The calls below are for where somebody watches. */
static inline bool mover_is_watched(const ArchMover *self)
{
    return SIM_PROBES && G_UNLIKELY(self->lane.probe != NULL);
}

/* A call begins. */
void mover_probe_cb(ArchMover *self, ArchMoverCbOp op, guint cb, guint pages);
void mover_probe_barrier(ArchMover *self, ArchBarrier barrier);
void mover_probe_words(ArchMover *self,
                       const char *name,
                       uint32_t address,
                       guint words);
void mover_probe_name(ArchMover *self, const char *name);

/* A packet of a transfer, of so many bytes. */
MoverFlow
mover_probe_packet(ArchMover *self, const ArchMoverTransfer *what, uint64_t bytes);

/* Transactions in flight have changed by `change`. */
void mover_probe_flight(const ArchMover *self, int change);

/* A packet has arrived: a write at `core`, or in a DRAM bank where that is NULL; a read
 * at the mover's core, from `remote`. */
void mover_probe_write(const ArchMover *self,
                       MoverFlow *flow,
                       const ArchTensixCore *core,
                       guint bank,
                       uint64_t bytes);
void mover_probe_read(const ArchMover *self,
                      MoverFlow *flow,
                      const ArchNocAddress *remote,
                      uint64_t bytes);
