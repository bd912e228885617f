/* Executes scalar code and conditions. */
#include <math.h>
#include <string.h>

#include "arch/wse/program/program.h"

static float load(const uint8_t *memory, uint16_t address)
{
    float value = 0;

    memcpy(&value, memory + address, sizeof value);
    return value;
}

static float compute(WseScalarCode code, float a, float b)
{
    switch (code) {
    case WSE_SCALAR_ADD:
        return a + b;
    case WSE_SCALAR_SUB:
        return a - b;
    case WSE_SCALAR_MUL:
        return a * b;
    case WSE_SCALAR_DIV:
        return a / b;
    case WSE_SCALAR_MAX:
        return a > b ? a : b;
    case WSE_SCALAR_NEG:
        return -a;
    case WSE_SCALAR_SQRT:
        return sqrtf(a);
    case WSE_SCALAR_MOV:
        return a;
    }
    g_assert_not_reached();
}

void wse_scalar_execute(const WseInstruction *instruction, uint8_t *memory)
{
    const float result = compute((WseScalarCode) instruction->scalar,
                                 load(memory, instruction->sources[0]),
                                 load(memory, instruction->sources[1]));

    memcpy(memory + instruction->destination, &result, sizeof result);
}

static bool holds(ArchWseRelation relation, double left, double right)
{
    switch (relation) {
    case ARCH_WSE_EQUAL:
        return left == right;
    case ARCH_WSE_NOT_EQUAL:
        return left != right;
    case ARCH_WSE_LESS:
        return left < right;
    case ARCH_WSE_LESS_EQUAL:
        return left <= right;
    case ARCH_WSE_GREATER:
        return left > right;
    case ARCH_WSE_GREATER_EQUAL:
        return left >= right;
    }
    g_assert_not_reached();
}

bool wse_scalar_holds(const WseInstruction *instruction, const uint8_t *memory)
{
    return holds((ArchWseRelation) instruction->relation,
                 load(memory, instruction->sources[0]),
                 load(memory, instruction->sources[1]));
}

bool wse_relation_holds(ArchWseRelation relation, int32_t left, int32_t right)
{
    return holds(relation, left, right);
}
