/* Costs of vector operations on memory. */
#pragma once

#include "arch/wse/program/program.h"

/* Of a whole operation. */
typedef struct {
    uint32_t steps;  /* cycles with an issue */
    uint32_t stalls; /* cycles in which banks collide */
} WseCost;

/* The cost of a vector operation whose operands are all in memory. `offsets` are the
 * values of its operands' variables, in elements; 0 for operands without one.
 * `remainder` belongs to the PE, starts at 0, and carries the fraction of a stall cycle
 * from one operation to the next. */
WseCost wse_program_cost(const ArchWseProgram *self,
                         const WseInstruction *instruction,
                         const int32_t offsets[WSE_OPERANDS],
                         uint32_t *remainder);

/* Stall cycles per step of an operation that also has fabric operands, rounded up. Its
 * first row decides. */
uint32_t wse_program_step_stall(const ArchWseProgram *self,
                                const WseInstruction *instruction,
                                const int32_t offsets[WSE_OPERANDS]);
