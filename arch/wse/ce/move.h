/* What the steps of vector operations do to numbers. */
#pragma once

#include "arch/wse/ce/queue.h"
#include "arch/wse/ce/visit.h"

/* How many elements a step can move now. */
typedef struct {
    uint32_t elements;
    uint32_t wavelets;
    uint32_t cycles; /* in which it issues them */
    uint32_t per_wavelet;
    uint32_t last; /* when the last of a stream that comes in is here */
    bool is_single;
    uint32_t words[WSE_QUEUE_STEP]; /* that single wavelets leave with */
} WseMove;

/* Moves the numbers of a step; those for the fabric become the token's. Without a
 * token they go to memory, now or when somebody reads it. */
void wse_move_step(WseVisit *self,
                   const WseInstruction *instruction,
                   const WseThread *thread,
                   WseMove *step,
                   WseToken *token);

/* The numbers of a whole operation on memory. */
void wse_move_all(WseVisit *self,
                  const WseInstruction *instruction,
                  const WseThread *thread);
