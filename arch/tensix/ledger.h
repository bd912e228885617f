/* The calls of one kernel to a circular buffer, in program order: finds pops without a
 * wait, pushes without a reserve, and page counts that do not fit. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/circular_buffer.h"

typedef struct {
    uint64_t popped;
    uint64_t pushed;
    guint waited;   /* pages at the front that were waited for */
    guint reserved; /* pages at the back that were reserved */
} TensixCbLedger;

/* All fail with ARCH_ERROR_INVALID and then change nothing. `self` belongs to a kernel
 * and `buffer` to its core. */
typedef bool TensixLedgerTurn(TensixCbLedger *self,
                              const CircularBuffer *buffer,
                              guint pages,
                              GError **error);
TensixLedgerTurn tensix_ledger_wait;
TensixLedgerTurn tensix_ledger_pop;
TensixLedgerTurn tensix_ledger_reserve;
TensixLedgerTurn tensix_ledger_push;

/* Whether page `offset` past the front was waited for, or past the back was reserved.
 */
bool tensix_ledger_may_read(const TensixCbLedger *self,
                            const CircularBuffer *buffer,
                            guint offset,
                            GError **error);
bool tensix_ledger_may_write(const TensixCbLedger *self,
                             const CircularBuffer *buffer,
                             guint offset,
                             GError **error);
