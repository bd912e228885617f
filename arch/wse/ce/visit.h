/* A visit to one compute element: the state that ce.c, its tasks and its vectors share.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/program/live.h"
#include "arch/wse/wake.h"

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
    uint32_t present; /* of the fabric; before `now` if the CE is ahead of it */
    uint32_t again;   /* the next cycle in which more can be done */
} WseVisit;

/* The instruction of operation `index`. */
static inline const WseInstruction *wse_visit_instruction(const WseVisit *self,
                                                          guint index)
{
    return wse_kind_instruction(self->kind, self->pe, &self->fabric->block, index);
}

static inline const WseDsd *
wse_visit_dsd(const WseVisit *self, const WseInstruction *instruction, guint operand)
{
    return wse_operand(self->kind->dsds, instruction, operand);
}

/* Whether that has come. If not, the CE is to be visited then. */
static inline bool wse_visit_is_here(WseVisit *self, uint32_t when)
{
    if (when <= self->now) {
        return true;
    }
    self->again = MIN(self->again, when);
    return false;
}

/* Accounts for cycles of an instruction, if anybody asked for that. */
static inline void wse_visit_spend(const WseVisit *self,
                                   guint instruction,
                                   uint32_t busy,
                                   uint32_t memory_idle)
{
    if (G_UNLIKELY(self->region->spent != NULL)) {
        WseSpent *spent =
            &self->region->spent[self->fabric->first_code[self->kind->program_index] +
                                 instruction];

        spent->busy += busy;
        spent->memory_idle += memory_idle;
    }
}

/* --- the issue slot: issue.c ------------------------------------------------- */

/* What the CE does in cycle `now`. */
void wse_ce_take_turn(WseVisit *self);

/* Whether what the main thread does next concerns nobody else. */
bool wse_ce_is_private(const WseVisit *self);

/* --- tasks: task.c ----------------------------------------------------------- */

/* The current task, or the last one if none is running. */
const WseTask *wse_ce_task(const WseVisit *self);

/* Begins the next task, if there is one. */
void wse_ce_dispatch(WseVisit *self);

/* Whether microthreads may take the issue slot before the main thread has finished its
 * current work. */
bool wse_ce_is_shared(const WseVisit *self);

/* Executes the main thread's instructions up to the next vector operation or the end of
 * the task. If the issue slot is shared, it executes one instruction at a time. */
void wse_ce_run(WseVisit *self);

/* Whether a local, data or control task is ready to run. */
bool wse_ce_has_task(WseVisit *self);

/* Executes instructions of the scalar machine, at most `most`, up to the next of
 * another kind. Their cycles become the main thread's work. Returns how many they were.
 */
guint wse_machine_run(WseVisit *self, guint most);

/* Registers of the router, by address: config.c. */
uint32_t wse_config_get(WseVisit *self, uint32_t address);
void wse_config_set(WseVisit *self, uint32_t address, uint32_t word);

/* --- vectors: start.c, vector.c
 * ------------------------------------------------------- */

/* Starts the operation at instruction `number` with the current operands. It may issue
 * from `at` on. The main thread goes on, waits for it, or runs it. */
void wse_vector_start(WseVisit *self, guint number, uint32_t at);

/* Finds the operands of a dynamic operation in registers: live.c. Returns false if the
 * run has failed. */
bool wse_live_make(WseVisit *self, guint number, WseLive *live);

/* Its end: addresses that are to move do so. */
void wse_live_end(WseVisit *self, const WseInstruction *instruction, guint number);

/* Counts the operation at instruction `number` as done, and signals its end. */
void wse_vector_finish(WseVisit *self,
                       const WseInstruction *instruction,
                       guint number,
                       uint32_t when);

/* Runs a whole operation on memory and charges the main thread for it. */
void wse_vector_run(WseVisit *self, guint index);

/* Whether it can issue now. If not, `again` says when to visit again. */
bool wse_vector_is_ready(WseVisit *self, guint index);

/* Issues one step, or one stream. Returns true when it was the last. */
bool wse_vector_step(WseVisit *self, guint index);

/* --- FIFOs of an operation's operands: fifo.c -------------------------------- */

/* Elements that the FIFOs allow now. */
uint32_t wse_fifo_elements(const WseVisit *self, const WseInstruction *instruction);

/* Of so many elements, those that they allow in a step: whole wavelets of a stream. */
uint32_t wse_fifo_step(const WseVisit *self,
                       const WseInstruction *instruction,
                       uint32_t elements);

/* Whether they allow a step of operation `index`. */
bool wse_fifo_is_ready(const WseVisit *self, guint index);

/* Elements that have passed through the FIFOs so far. */
uint32_t wse_fifo_at(const WseVisit *self, const WseInstruction *instruction);

/* Counts further elements as passed. */
void wse_fifo_move(WseVisit *self,
                   const WseInstruction *instruction,
                   uint32_t elements);
