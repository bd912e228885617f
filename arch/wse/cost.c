/* Costs of vector operations on memory: steps, and cycles in which banks collide. */
#include "arch/wse/operation.h"
#include "arch/wse/program.h"

WseCost wse_program_cost(const ArchWseProgram *self,
                         const WseInstruction *instruction,
                         const int32_t offsets[WSE_OPERANDS],
                         uint32_t *remainder)
{
    (void) self;
    (void) offsets;
    (void) remainder;
    return (WseCost){.steps = instruction->length};
}
uint32_t wse_program_step_stall(const ArchWseProgram *self,
                                const WseInstruction *instruction,
                                const int32_t offsets[WSE_OPERANDS])
{
    (void) self;
    (void) offsets;
    (void) instruction;
    return 0;
}
