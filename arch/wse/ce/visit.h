/* A visit to one compute element: the state that ce.c, its tasks and its vectors share.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/region.h"

typedef struct {
    WseRegion *region;
    const WseFabric *fabric;
    WsePe *pe;
    const WseKind *kind;
    WseRing *rings;
    WseToken *slots;
    WseThread *threads;
    uint32_t number;
    uint32_t now;
    uint32_t again; /* when something can be done that cannot be now */
} WseVisit;

/* Of operation `index`. */
static inline const WseInstruction *wse_visit_instruction(const WseVisit *self,
                                                          guint index)
{
    return &self->kind->code[self->threads[index].instruction];
}

/* --- tasks: task.c ----------------------------------------------------------- */

/* The task that is under way, or was last. */
const WseTask *wse_ce_task(const WseVisit *self);

/* Begins with the task that is next, if any. */
void wse_ce_dispatch(WseVisit *self);

/* Microthreads may take the issue slot from the main thread before it is done with what
 * it has. */
bool wse_ce_is_shared(const WseVisit *self);

/* Executes the main thread's instructions up to the next that takes the issue slot for
 * a vector operation, or to the end of the task; one by one where the slot is shared.
 */
void wse_ce_run(WseVisit *self);

/* A local, data or control task is ready to run. */
bool wse_ce_has_task(WseVisit *self);

/* --- vectors: start.c, vector.c
 * ------------------------------------------------------- */

/* Operation `index` (WSE_MAIN: the main thread's) starts, with the operands as they are
 * now, and may issue from `at` on. */
void wse_vector_start(WseVisit *self, guint index, guint instruction, uint32_t at);

/* The whole of an operation on memory: what it takes of the main thread. */
void wse_vector_run(WseVisit *self, guint index);

/* It can issue now; else `again` says when to visit again. */
bool wse_vector_is_ready(WseVisit *self, guint index);

/* Issues one step, or one stream. Returns true when it was the last. */
bool wse_vector_step(WseVisit *self, guint index);

/* --- FIFOs of an operation's operands: fifo.c -------------------------------- */

/* Elements that they let pass now. */
uint32_t wse_fifo_elements(const WseVisit *self, const WseInstruction *instruction);

/* Elements that have gone through so far, the same way. */
uint32_t wse_fifo_at(const WseVisit *self, const WseInstruction *instruction);

/* So many more have. */
void wse_fifo_move(WseVisit *self,
                   const WseInstruction *instruction,
                   uint32_t elements);
