#include "arch/wse/program.h"
bool wse_program_execute(const ArchWseProgram *self,
                         const WseInstruction *instruction,
                         const int32_t offsets[WSE_OPERANDS],
                         uint32_t first,
                         uint32_t count,
                         uint8_t *memory,
                         const WseStreams *streams)
{
    (void) self;
    (void) instruction;
    (void) offsets;
    (void) first;
    (void) count;
    (void) memory;
    (void) streams;
    return true;
}
