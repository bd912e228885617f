/* A vector operation under way whose operands registers have named. */
#pragma once

#include "arch/wse/program/instruction.h"

typedef struct {
    WseInstruction instruction;
    WseDsd dsds[WSE_OPERANDS];
} WseLive;

/* Operand of a vector operation; `dsds` are the program's. */
static inline const WseDsd *
wse_operand(const WseDsd *dsds, const WseInstruction *instruction, uint32_t operand)
{
    if (instruction->is_live) {
        return &((const WseLive *) (const void *) instruction)->dsds[operand];
    }
    return &dsds[instruction->operands[operand]];
}
