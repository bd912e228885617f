/* What barriers of a data mover count. */
#pragma once

#include "arch/tensix/mover/state.h"

/* Counts one of the transactions that a barrier waits for as begun, and as over. */
void tensix_mover_count_up(ArchMover *self, ArchBarrier barrier, guint transaction);
void tensix_mover_count_down(ArchMover *self, ArchBarrier barrier, guint transaction);

/* Waits for reads or writes with a transaction id alone. `what` is one of the first
 * three. */
ArchMoverResult tensix_mover_barrier_of(ArchMover *self,
                                        ArchBarrier what,
                                        guint transaction,
                                        GError **error);
/* How many such are under way. */
ArchMoverResult tensix_mover_outstanding(ArchMover *self,
                                         ArchBarrier what,
                                         guint transaction,
                                         uint32_t *count,
                                         GError **error);
